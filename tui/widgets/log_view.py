"""The log: only the lines on the screen are read and decoded; evidence is marked and numbered."""

from __future__ import annotations

from collections.abc import Mapping

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from triage.redact import redact

from ..keys import bind
from ..log_index import LONGEST, LogIndex
from ..log_rows import Rows
from ..text import ascii_only
from ..words import Words

PAGE = 64
"""Lines decoded at a time."""
KEPT = 40
"""Pages of decoded lines kept."""


class LogView(ScrollView, can_focus=True):
    """Rows of a log with a cursor."""

    COMPONENT_CLASSES = {  # noqa: RUF012
        "log-view--gutter", "log-view--mark", "log-view--evidence", "log-view--cursor", "log-view--found",
        "log-view--fold",
    }  # fmt: skip
    DEFAULT_CSS = """
    LogView {
        height: 1fr;
        background: $background;
        scrollbar-size-horizontal: 0;
        & > .log-view--gutter { color: $text-muted; background: $background; }
        & > .log-view--mark { color: $text-accent; text-style: bold reverse; }
        & > .log-view--evidence { color: $text-accent; text-style: bold; }
        & > .log-view--cursor { text-style: underline; }
        & > .log-view--found { text-style: reverse; }
        & > .log-view--fold { color: $text-muted; background: $background; text-style: italic; }
    }
    """
    BINDINGS = [  # noqa: RUF012
        bind("line-up", "move(-1)", show=False),
        bind("line-down", "move(1)", show=False),
        bind("page-up", "page(-1)", show=False),
        bind("page-down", "page(1)", show=False),
        bind("first-line", "jump(0)", show=False),
        bind("last-line", "jump(-1)", show=False),
        bind("left", "aside(-1)", show=False),
        bind("right", "aside(1)", show=False),
        bind("whole-line", "open", show=False),
    ]

    cursor: reactive[int] = reactive(0)

    class Opened(Message):
        """A line shall be shown whole."""

        def __init__(self, line: int, text: str) -> None:
            super().__init__()
            self.line = line
            self.text = text

    def __init__(self, words: Words) -> None:
        super().__init__(id="log")
        self._words = words
        self._index: LogIndex | None = None
        self._pages: dict[int, list[str]] = {}
        self.rows = Rows()
        self.marks: Mapping[int, int] = {}
        self.found = ""

    def show_index(self, index: LogIndex | None) -> None:
        """Show another log."""
        self._index = index
        self._pages.clear()
        self.rows, self.marks, self.found = Rows(), {}, ""
        self.cursor = 0
        self.grow()

    def grow(self) -> None:
        """Take account of lines found meanwhile."""
        lines = self._index.count if self._index else 0
        self._pages.pop((lines - 1) // PAGE, None)
        self.virtual_size = Size(min(LONGEST, 600), self.rows.count(lines))
        self.refresh()

    def show_rows(self, rows: Rows) -> None:
        """Show other rows; the line under the cursor stays there if it is among them."""
        line = self.line
        self.rows = rows
        self.grow()
        self.go_to(line)

    def show_marks(self, marks: Mapping[int, int]) -> None:
        """Mark the lines of the evidence: line number to number of the evidence."""
        self.marks = marks
        self.refresh()

    @property
    def total(self) -> int:
        """Lines of the log found so far."""
        return self._index.count if self._index else 0

    @property
    def line(self) -> int:
        """Number of the line under the cursor (the next one for a fold)."""
        number = self.rows.at(self.cursor)
        return number if number > 0 else max(1, self.rows.at(self.cursor + 1))

    def go_to(self, line: int) -> None:
        """Put the cursor on a line and show it with what stands around it."""
        row = min(max(0, self.rows.row_of(line)), max(0, self.virtual_size.height - 1))
        self.cursor = row
        top = row - self.size.height // 3
        if not (self.scroll_offset.y <= row - 1 and row + 1 < self.scroll_offset.y + self.size.height):
            self.scroll_to(y=max(0, top), animate=False, immediate=True)

    def text_of(self, number: int) -> str:
        """Return a line as it is shown."""
        page = (number - 1) // PAGE
        found = self._pages.get(page)
        if found is None:
            if self._index is None:
                return ""
            found = [redact(text).expandtabs(8) for text in self._index.lines(page * PAGE + 1, PAGE)]
            while len(self._pages) >= KEPT:
                self._pages.pop(next(iter(self._pages)))
            self._pages[page] = found
        at = number - 1 - page * PAGE
        return found[at] if at < len(found) else ""

    def render_line(self, y: int) -> Strip:
        """Draw one row of the screen."""
        row = self.scroll_offset.y + y
        width = self.size.width
        if row >= self.virtual_size.height:
            return Strip.blank(width, self.rich_style)
        number = self.rows.at(row)
        if number <= 0:
            text = "      " + self._words("log-fold", count=-number)
            return Strip([Segment(text, self._style("fold"))]).adjust_cell_length(width, self.rich_style)
        mark = self.marks.get(number)
        digits = max(4, len(str(self.total)))
        gutter = Segment(f"[{mark}]" if mark else "   ", self._style("mark" if mark else "gutter"))
        rule = " | " if ascii_only() else " │ "
        numbers = Segment(f"{number:>{digits}}{rule}", self._style("gutter"))
        style = self._style("evidence") if mark else self.rich_style
        if row == self.cursor and self.has_focus:
            style += self.get_component_rich_style("log-view--cursor", partial=True)
        body = Strip(self._segments(self.text_of(number), style)).crop(
            self.scroll_offset.x, self.scroll_offset.x + width
        )
        return Strip([gutter, numbers, *body]).adjust_cell_length(width, self.rich_style)

    def _style(self, name: str) -> Style:
        return self.rich_style + self.get_component_rich_style(f"log-view--{name}", partial=True)

    def _segments(self, text: str, style: Style) -> list[Segment]:
        wanted, lower = self.found.lower(), text.lower()
        if not wanted or len(lower) != len(text):
            return [Segment(text, style)]
        found = style + self.get_component_rich_style("log-view--found", partial=True)
        out, at = [], 0
        while (hit := lower.find(wanted, at)) >= 0:
            out += [Segment(text[at:hit], style), Segment(text[hit : hit + len(wanted)], found)]
            at = hit + len(wanted)
        return [*out, Segment(text[at:], style)]

    def on_resize(self) -> None:
        """Keep the cursor in sight, also when the log was out of sight before."""
        if self.size.height:
            self.call_after_refresh(lambda: self.go_to(self.line))

    def watch_cursor(self) -> None:
        """Draw the cursor anew."""
        self.refresh()

    def action_move(self, step: int) -> None:
        """Move the cursor by rows."""
        self.cursor = max(0, min(self.virtual_size.height - 1, self.cursor + step))
        self.scroll_to_region(Region(self.scroll_offset.x, self.cursor, 1, 1), animate=False)

    def action_page(self, step: int) -> None:
        """Move the cursor by screens."""
        self.action_move(step * max(1, self.size.height - 1))

    def action_jump(self, to: int) -> None:
        """Go to the first or the last line."""
        self.action_move(-self.cursor if to == 0 else self.virtual_size.height)

    def action_aside(self, step: int) -> None:
        """Move sideways in long lines."""
        self.scroll_to(x=max(0, self.scroll_offset.x + step * 20), animate=False)

    def action_open(self) -> None:
        """Ask for the whole line."""
        self.post_message(self.Opened(self.line, self.text_of(self.line)))
