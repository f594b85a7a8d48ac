"""Where to begin: a file, pasted text, a symptom, this machine."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Input, OptionList, Static, TextArea
from textual.widgets.option_list import Option

from triage.log.source import Source, open_source, source_from_text

from ..text import MUTED, STRONG, row
from .base import CaseScreen

WAYS = (
    ("file", "Open a log file", "type its name, right arrow completes"),
    ("paste", "Paste a log", "the text from your terminal or chat; ctrl+d diagnoses it"),
    ("symptom", "Start from what you see", "choose a symptom and answer questions; no log is needed"),
    ("machine", "Examine this machine", "devices, driver, versions that must agree"),
    ("knowledge", "Browse what triage knows", "causes, decision trees, rules"),
)


class PathSuggester(Suggester):
    """Completes names of files."""

    async def get_suggestion(self, value: str) -> str | None:
        """Return the first file or folder that starts with `value`."""
        if not value:
            return None
        folder, _, start = value.rpartition("/")
        try:
            names = sorted(
                p.name + ("/" if p.is_dir() else "")
                for p in Path(folder + "/" if folder else ".").expanduser().iterdir()
            )
        except OSError:
            return None
        found = next((n for n in names if n.startswith(start) and (start or not n.startswith("."))), None)
        return (f"{folder}/{found}" if folder or value.startswith("/") else found) if found else None


class StartScreen(CaseScreen):
    """The ways to begin."""

    HEADING = "Start"
    DEFAULT_CSS = """
    StartScreen {
        & #start { height: 1fr; padding: 1 2; }
        & #ways { height: auto; border: none; padding: 0; background: $background; }
        & #ways:focus { border: none; }
        & #ways > .option-list--option { padding: 0 0 1 0; }
        & #start Static { height: auto; }
        & #file, & #paste { display: none; }
        & #file { height: 1; border: none; padding: 0; }
        & #file:focus { border: none; }
        & #paste { height: 1fr; }
        & .-open { display: block; }
        & .-gone { display: none; }
    }
    """
    BINDINGS = [  # noqa: RUF012
        Binding("ctrl+d", "diagnose", "Diagnose the text", show=False, priority=True),
        *(Binding(str(n), f"way({n - 1})", text, show=False) for n, (_, text, _) in enumerate(WAYS, 1)),
        Binding("escape", "leave", "Back", show=False, id="start.back"),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self, first: bool) -> None:
        super().__init__()
        self.first = first

    def body(self) -> ComposeResult:
        """The ways, and what they ask for."""
        with Vertical(id="start"):
            yield Static(row(("Why did it fail? Begin with:\n", STRONG)), markup=False)
            yield OptionList(
                *[Option(_way(n, text, more), id=way) for n, (way, text, more) in enumerate(WAYS, 1)],
                id="ways",
                markup=False,
            )
            yield Input(
                id="file", compact=True, placeholder="path of the log", suggester=PathSuggester(use_cache=False)
            )
            yield TextArea(id="paste")
            yield Static(
                row(("\nNothing leaves this machine: triage needs no network and sends nothing.", MUTED)), markup=False
            )

    def on_mount(self) -> None:
        """Focus the ways."""
        self.entitle(("choose with the arrows and Enter, or by number", MUTED))
        self.query_one("#ways").focus()

    @on(OptionList.OptionSelected, "#ways")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_way(event.option_index)

    def action_way(self, number: int) -> None:
        """Begin in a way."""
        way = WAYS[number][0]
        if way in ("file", "paste"):
            self.query_one("#ways").add_class("-gone")
            asked = self.query_one(f"#{way}")
            asked.add_class("-open")
            asked.focus()
            self.tell("Enter opens it" if way == "file" else "paste, then ctrl+d diagnoses")
        elif way == "machine":
            self.triage.action_machine()
        elif way == "knowledge":
            self.triage.action_knowledge()
        else:
            self.triage.open_nothing()
            self.triage.action_walk()

    @on(Input.Submitted, "#file")
    def _opened(self, event: Input.Submitted) -> None:
        event.stop()
        path = event.value.strip()
        if not path or not Path(path).expanduser().exists():
            self.tell(f"there is no file {path}")
            return
        self.triage.open_log(partial(_open_path, str(Path(path).expanduser())), path)

    def action_diagnose(self) -> None:
        """Diagnose the pasted text."""
        text = self.query_one("#paste", TextArea).text
        if text.strip():
            self.triage.open_log(partial(_open_text, text), "pasted text")
        else:
            self.tell("paste a log first (way 2)")

    def action_leave(self) -> None:
        """Back to the ways, or to the screen before."""
        if self.query("#start > .-open"):
            for asked in self.query("#start > .-open"):
                asked.remove_class("-open")
            self.query_one("#ways").remove_class("-gone")
            self.query_one("#ways").focus()
        elif self.first:
            self.tell("q quits")
        else:
            super().action_leave()


def _way(number: int, text: str, more: str) -> Content:
    return row(f"{number}  ", (text, STRONG), (f"\n   {more}", MUTED))


def _open_path(path: str, tell: object) -> Source:
    return open_source([path], None)


def _open_text(text: str, tell: object) -> Source:
    return source_from_text(text, "<text>")
