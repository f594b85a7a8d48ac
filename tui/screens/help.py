"""What can be pressed on the screen beneath; filters as one types, Enter runs the entry."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from ..keys import KEYS, bind, key_name
from ..text import ACCENT, MUTED, STRONG, row
from .base import Box


class HelpScreen(Box[str | None]):
    """All bindings of a screen, its focused part included."""

    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        & > Vertical {
            width: 70;
            max-width: 94%;
            height: 90%;
            border: solid $primary;
            padding: 0 1;
            background: $surface;
        }
        & Input { height: 1; border: none; padding: 0; }
        & Input:focus { border: none; }
        & OptionList { height: 1fr; border: none; padding: 0; }
        & OptionList:focus { border: none; }
        & Static { height: auto; }
    }
    """
    BINDINGS = [  # noqa: RUF012
        bind("back", "leave"),
        bind("help-f1", "leave", show=False),
        bind("list", "app.focus_next", show=False),
    ]

    def __init__(self, beneath: Screen[object]) -> None:
        super().__init__()
        first: list[tuple[str, str, str, DOMNode]] = []
        rest: list[tuple[str, str, str, DOMNode]] = []
        seen: set[tuple[str, str]] = set()
        for active in beneath.active_bindings.values():
            binding = active.binding
            said = (binding.description, binding.action)
            if binding.id not in KEYS or binding.action.startswith("app.focus") or said in seen:
                continue
            seen.add(said)
            entry = (key_name(binding.key), binding.description, binding.action, active.node)
            (first if isinstance(active.node, Screen) else rest).append(entry)
        self.entries = [*first, *rest]

    def compose(self) -> ComposeResult:
        """Filter and list."""
        with Vertical():
            yield Static(row((self.words("help") + " ", STRONG), (self.words("help-how"), MUTED)), markup=False)
            yield Input(compact=True, placeholder=self.words("filter"))
            yield OptionList(markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show all."""
        self.show_matching("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self.show_matching(event.value)

    def show_matching(self, text: str) -> None:
        """Show the entries that hold the text."""
        options = self.query_one(OptionList)
        found = [(n, e) for n, e in enumerate(self.entries) if text.lower() in f"{e[0]} {e[1]}".lower()]
        options.set_options([Option(row((f"{key:<12}", ACCENT), words), id=str(n)) for n, (key, words, _, _) in found])
        options.highlighted = 0 if found else None

    @on(Input.Submitted)
    async def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        options = self.query_one(OptionList)
        if options.highlighted is not None:
            await self._run(options.get_option_at_index(options.highlighted))

    @on(OptionList.OptionSelected)
    async def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        await self._run(event.option)

    async def _run(self, option: Option) -> None:
        _, _, action, node = self.entries[int(option.id or 0)]
        self.dismiss(None)
        self.app.call_later(self.app.run_action, action, node)

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)
