"""What all full screens share: a title, a line for news, the keys at the foot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Footer, Static

from ..messages import ProbeNews, ReadingNews
from ..text import MUTED, STRONG, Piece, row, safe

if TYPE_CHECKING:
    from ..app import TriageApp
    from ..desk import Desk


class CaseScreen(Screen[Any]):
    """A screen about the case on the desk."""

    DEFAULT_CSS = """
    CaseScreen {
        & > .title { height: 1; padding: 0 1; background: $panel; }
        & > .news { height: 1; padding: 0 1; color: $text-muted; }
    }
    """
    BINDINGS = [Binding("escape", "leave", "Back", id="back")]  # noqa: RUF012
    HEADING = ""

    def compose(self) -> ComposeResult:
        """Put the body between title and foot."""
        yield Static(classes="title", markup=False)
        yield from self.body()
        yield Static(classes="news", markup=False)
        yield Footer(show_command_palette=False)

    def body(self) -> ComposeResult:
        """Yield what is special to a screen."""
        yield from ()

    @property
    def triage(self) -> TriageApp:
        """The application."""
        return cast("TriageApp", self.app)

    @property
    def desk(self) -> Desk:
        """The case and its history."""
        return self.triage.desk

    @property
    def language(self) -> str:
        """Language of texts from the knowledge base."""
        return self.triage.settings.language

    def entitle(self, *pieces: Piece) -> None:
        """Fill the title line."""
        self.query_one(".title", Static).update(row(("triage  ", MUTED), (self.HEADING + "  ", STRONG), *pieces))

    def tell(self, text: str) -> None:
        """Show a sentence in the line above the keys."""
        self.query_one(".news", Static).update(row(safe(text, 400)))

    def on_reading_news(self, event: ReadingNews) -> None:
        """Tell how far the reading is."""
        self.tell(event.text)

    def on_probe_news(self, event: ProbeNews) -> None:
        """Tell what is being looked at."""
        said = f"looking at this machine, {event.done} of {event.planned} probes done"
        self.tell(f"{said}: {', '.join(event.running)} ..." if event.running else said)

    def action_leave(self) -> None:
        """Go back to the screen before."""
        if len(self.app.screen_stack) > 2:
            self.dismiss(None)
