"""One line of the log, whole and wrapped."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from ..text import STRONG, row, safe


class LineScreen(ModalScreen[None]):
    """Shows a line that is longer than the screen is wide."""

    DEFAULT_CSS = """
    LineScreen {
        align: center middle;
        & > VerticalScroll { width: 90%; height: auto; max-height: 80%; border: solid $primary; padding: 0 1; }
        & Static { height: auto; }
    }
    """
    BINDINGS = [  # noqa: RUF012
        Binding("escape,enter", "dismiss", "Close"),
        Binding("c", "copy", "Copy"),
    ]

    def __init__(self, line: int, text: str) -> None:
        super().__init__()
        self.line = line
        self.text = text

    def compose(self) -> ComposeResult:
        """Number and text."""
        with VerticalScroll():
            yield Static(row((f"line {self.line}\n", STRONG), safe(self.text, 5000)), markup=False)
        yield Footer(show_command_palette=False)

    def action_copy(self) -> None:
        """Copy the line."""
        from ..app import TriageApp

        if isinstance(self.app, TriageApp):
            self.notify(self.app.copy(safe(self.text, 5000)), markup=False)
