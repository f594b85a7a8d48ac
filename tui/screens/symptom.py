"""Choose what you see: the decision trees by their titles."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from triage.knowledge.base import Knowledge
from triage.language import say

from ..keys import bind
from ..text import MUTED, STRONG, row, safe
from ..words import Words
from .base import Box


class SymptomScreen(Box[str | None]):
    """Gives the id of a tree, or None."""

    DEFAULT_CSS = """
    SymptomScreen {
        align: center middle;
        & > Vertical {
            width: 94%;
            max-width: 110;
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
        bind("back", "dismiss(None)"),
        bind("list", "app.focus_next", show=False),
    ]

    def __init__(self, knowledge: Knowledge, words: Words) -> None:
        super().__init__()
        self.trees = sorted(knowledge.trees, key=lambda tree: words.of(tree.title))

    def compose(self) -> ComposeResult:
        """Filter and list."""
        with Vertical():
            yield Static(
                row((self.words("symptom") + " ", STRONG), (self.words("symptom-how"), MUTED)),
                markup=False,
            )
            yield Input(placeholder=self.words("symptom-example"), compact=True)
            yield OptionList(markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show all."""
        self.show_matching("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self.show_matching(event.value)

    def show_matching(self, text: str) -> None:
        """Show the trees in whose texts all words occur."""
        wanted = text.lower().split()
        options = self.query_one(OptionList)
        entries = []
        for tree in self.trees:
            title, about = self.words.of(tree.title), self.words.of(tree.about)
            asks = " ".join(say(node.ask, "both") for node in tree.nodes.values())
            hay = f"{say(tree.title, 'both')} {say(tree.about, 'both')} {tree.id} {asks}".lower()
            if all(word in hay for word in wanted):
                entries.append(Option(row((safe(title), STRONG), ("\n   " + safe(about, 200), MUTED)), id=tree.id))
        options.set_options(entries)
        options.highlighted = 0 if entries else None

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        options = self.query_one(OptionList)
        if options.highlighted is not None:
            self.dismiss(options.get_option_at_index(options.highlighted).id)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option.id)
