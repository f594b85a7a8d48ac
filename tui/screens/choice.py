"""Choose one of a few entries."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from ..keys import bind
from ..text import MUTED, STRONG, row
from .base import Box


class ChoiceScreen(Box[int | None]):
    """Gives the place of the entry in the list, or None."""

    DEFAULT_CSS = """
    ChoiceScreen {
        align: center middle;
        & > Vertical {
            width: 90%;
            max-width: 100;
            height: auto;
            max-height: 90%;
            border: solid $primary;
            padding: 0 1;
            background: $surface;
        }
        & Static { height: auto; }
        & OptionList { height: auto; border: none; padding: 0; }
        & OptionList:focus { border: none; }
    }
    """
    BINDINGS = [bind("back", "dismiss(None)")]  # noqa: RUF012

    def __init__(self, question: str, entries: Sequence[Content]) -> None:
        super().__init__()
        self.question = question
        self.entries = entries

    def compose(self) -> ComposeResult:
        """Question and entries."""
        with Vertical():
            head = row((self.question + " ", STRONG), (self.words("which-how"), MUTED))
            yield Static(head, markup=False)
            yield OptionList(*[Option(entry) for entry in self.entries], markup=False)
        yield Footer(show_command_palette=False)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_index)
