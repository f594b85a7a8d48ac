"""One line of the log, whole and wrapped."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from ..keys import bind
from ..text import STRONG, row, safe
from .base import Box


class LineScreen(Box[None]):
    """Shows a line that is longer than the screen is wide."""

    DEFAULT_CSS = """
    LineScreen {
        align: center middle;
        & > VerticalScroll { width: 90%; height: auto; max-height: 80%; border: solid $primary; padding: 0 1; }
        & Static { height: auto; }
    }
    """
    BINDINGS = [  # noqa: RUF012
        bind("close-line", "dismiss"),
        bind("copy", "copy"),
    ]

    def __init__(self, line: int, text: str) -> None:
        super().__init__()
        self.line = line
        self.text = text

    def compose(self) -> ComposeResult:
        """Number and text."""
        with VerticalScroll():
            yield Static(row((self.words("place", line=self.line) + "\n", STRONG), safe(self.text, 5000)), markup=False)
        yield Footer(show_command_palette=False)

    def action_copy(self) -> None:
        """Copy the line."""
        self.notify(self.triage.copy(safe(self.text, 5000)), markup=False)
