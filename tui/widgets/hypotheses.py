"""The ranked causes, best first."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from triage.result import Hypothesis, Report

from ..messages import HypothesisChosen
from ..text import MUTED, STRONG, bar, row, safe
from ..words import Words

NARROW = 100
"""Columns below which an entry is one row."""


class HypothesisList(OptionList):
    """One entry a hypothesis: rank, confidence in words and as a bar, title, id."""

    DEFAULT_CSS = """
    HypothesisList {
        border: none;
        padding: 0 1;
        background: $surface;
        &:focus { border: none; }
        & > .option-list--option { padding: 0 0 1 0; }
    }
    """

    def __init__(self, words: Words) -> None:
        super().__init__(id="hypotheses", markup=False)
        self.words = words

    def show(self, report: Report) -> None:
        """Show the hypotheses of a report; the one that was chosen stays chosen."""
        chosen = self.chosen_id
        draw = short_entry if self.app.size.width < NARROW else entry
        self.set_options([Option(draw(n, h, self.words), id=h.id) for n, h in enumerate(report.hypotheses, 1)])
        ids = [h.id for h in report.hypotheses]
        if ids:
            self.highlighted = ids.index(chosen) if chosen in ids else 0

    @property
    def chosen_id(self) -> str | None:
        """Id of the cause that is highlighted."""
        if self.highlighted is None or self.highlighted >= self.option_count:
            return None
        return self.get_option_at_index(self.highlighted).id

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Tell the screen which hypothesis is looked at."""
        event.stop()
        self.post_message(HypothesisChosen(event.option_index))


def short_entry(number: int, hypothesis: Hypothesis, words: Words) -> Content:
    """Return the entry of one hypothesis for a narrow screen."""
    mark = "  " + words("follows") if hypothesis.explained_by else ""
    return row(f"{number} ", (f"{hypothesis.confidence:4.0%} ", STRONG), safe(hypothesis.title), (mark, MUTED))


def entry(number: int, hypothesis: Hypothesis, words: Words) -> Content:
    """Return the entry of one hypothesis."""
    sure = words.report("sure", f"{hypothesis.confidence:4.0%}")
    head = row(f"{number} ", (bar(hypothesis.confidence), "$text-accent"), (f" {sure}", STRONG))
    out = row(head, "\n", (safe(hypothesis.title), STRONG), "\n", (safe(hypothesis.id), MUTED))
    if hypothesis.explained_by:
        out = row(out, ("\n" + words("follows-from", cause=safe(hypothesis.explained_by)), MUTED))
    return row(out, "\n")
