"""What all full screens share: a title, a line for news, the keys at the foot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from textual.app import ComposeResult
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.widgets import Footer, Static

from ..keys import KEYS, bind
from ..messages import ProbeNews, ReadingNews
from ..text import MUTED, STRONG, Piece, row, safe
from ..words import Words

if TYPE_CHECKING:
    from textual.binding import ActiveBinding

    from ..app import TriageApp
    from ..desk import Desk


class Speaking(Screen[ScreenResultType]):
    """A screen that says its keys in the person's language."""

    @property
    def triage(self) -> TriageApp:
        """The application."""
        return cast("TriageApp", self.app)

    @property
    def words(self) -> Words:
        """What the screens say."""
        return self.triage.words

    def on_screen_resume(self) -> None:
        """Say which keys of this screen the configuration has given away."""
        self.triage.say_clashes(self.BINDINGS)

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The bindings that can be pressed now, each with its words."""
        out = {}
        for key, active in super().active_bindings.items():
            name = active.binding.id
            if name is not None and name in KEYS:
                active = active._replace(binding=replace(active.binding, description=self.words.does(name)))
            out[key] = active
        return out


class Box(Speaking[ScreenResultType], ModalScreen[ScreenResultType]):
    """A box over another screen."""


class CaseScreen(Speaking[Any]):
    """A screen about the case on the desk."""

    DEFAULT_CSS = """
    CaseScreen {
        & > .title { height: 1; padding: 0 1; background: $panel; }
        & > .news { height: 1; padding: 0 1; color: $text-muted; }
    }
    """
    BINDINGS = [bind("back", "leave")]  # noqa: RUF012
    HEADING = "diagnosis"
    """Name of the word in the title."""

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
    def desk(self) -> Desk:
        """The case and its history."""
        return self.triage.desk

    def entitle(self, *pieces: Piece) -> None:
        """Fill the title line."""
        self.query_one(".title", Static).update(
            row(("triage  ", MUTED), (self.words(self.HEADING) + "  ", STRONG), *pieces)
        )

    def tell(self, text: str) -> None:
        """Show a sentence in the line above the keys."""
        self.query_one(".news", Static).update(row(safe(text, 400)))

    def on_reading_news(self, event: ReadingNews) -> None:
        """Tell how far the reading is."""
        self.tell(event.text)

    def on_probe_news(self, event: ProbeNews) -> None:
        """Tell what is being looked at."""
        said = self.words("looking", done=event.done, planned=event.planned)
        self.tell(f"{said}: {', '.join(event.running)} ..." if event.running else said)

    def action_leave(self) -> None:
        """Go back to the screen before."""
        if len(self.app.screen_stack) > 2:
            self.dismiss(None)
