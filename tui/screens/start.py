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

from ..keys import bind
from ..text import MUTED, STRONG, row
from .base import CaseScreen

WAYS = ("file", "paste", "symptom", "machine", "knowledge")


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

    HEADING = "start"
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
        bind("start-diagnose", "diagnose", show=False, priority=True),
        *(Binding(str(n), f"way({n - 1})", show=False) for n in range(1, len(WAYS) + 1)),
        bind("back", "leave", show=False),
        bind("quit", "app.quit"),
    ]

    def __init__(self, first: bool) -> None:
        super().__init__()
        self.first = first

    def body(self) -> ComposeResult:
        """The ways, and what they ask for."""
        with Vertical(id="start"):
            yield Static(row((self.words("begin") + "\n", STRONG)), markup=False)
            yield OptionList(
                *[Option(self._way(n, way), id=way) for n, way in enumerate(WAYS, 1)],
                id="ways",
                markup=False,
            )
            yield Input(
                id="file", compact=True, placeholder=self.words("path-of-log"), suggester=PathSuggester(use_cache=False)
            )
            yield TextArea(id="paste")
            yield Static(row(("\n" + self.words("no-network"), MUTED)), markup=False)

    def _way(self, number: int, way: str) -> Content:
        more = self.words(f"way-{way}-more")
        return row(f"{number}  ", (self.words(f"way-{way}"), STRONG), (f"\n   {more}", MUTED))

    def on_mount(self) -> None:
        """Focus the ways."""
        self.entitle((self.words("begin-how"), MUTED))
        self.query_one("#ways").focus()

    @on(OptionList.OptionSelected, "#ways")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_way(event.option_index)

    def action_way(self, number: int) -> None:
        """Begin in a way."""
        way = WAYS[number]
        if way in ("file", "paste"):
            self.query_one("#ways").add_class("-gone")
            asked = self.query_one(f"#{way}")
            asked.add_class("-open")
            asked.focus()
            self.tell(self.words("enter-opens" if way == "file" else "paste-then"))
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
            self.tell(self.words("no-file", path=path))
            return
        self.triage.open_log(partial(_open_path, str(Path(path).expanduser())), path)

    def action_diagnose(self) -> None:
        """Diagnose the pasted text."""
        text = self.query_one("#paste", TextArea).text
        if text.strip():
            self.triage.open_log(partial(_open_text, text), self.words("pasted"))
        else:
            self.tell(self.words("paste-first"))

    def action_leave(self) -> None:
        """Back to the ways, or to the screen before."""
        if self.query("#start > .-open"):
            for asked in self.query("#start > .-open"):
                asked.remove_class("-open")
            self.query_one("#ways").remove_class("-gone")
            self.query_one("#ways").focus()
        elif self.first:
            self.tell(self.words("quits"))
        else:
            super().action_leave()


def _open_path(path: str, tell: object) -> Source:
    return open_source([path], None)


def _open_text(text: str, tell: object) -> Source:
    return source_from_text(text, "<text>")
