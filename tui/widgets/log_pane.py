"""The log with its title, its search and its filters."""

from __future__ import annotations

from functools import partial

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static
from textual.worker import Worker, get_current_worker

from triage.log.streams import Line

from ..keys import bind
from ..log_index import LogIndex
from ..log_rows import Rows, folded, of_stream
from ..text import MUTED, STRONG, row, safe
from ..words import Words
from .log_view import LogView


class LogPane(Vertical):
    """Shows a log; `/` searches, n and N go on, e and E step through the evidence, s and z leave lines out."""

    DEFAULT_CSS = """
    LogPane {
        height: 1fr;
        & > #log-title { height: 1; padding: 0 1; background: $surface; }
        & > #search { height: 1; border: none; padding: 0 1; display: none; }
        & > #search.-open { display: block; }
    }
    """
    BINDINGS = [  # noqa: RUF012
        bind("search", "search"),
        bind("next-hit", "again(False)", show=False),
        bind("previous-hit", "again(True)", show=False),
        bind("evidence", "evidence(1)"),
        bind("evidence-before", "evidence(-1)", show=False),
        bind("stream", "stream", show=False),
        bind("fold", "fold"),
    ]

    def __init__(self, words: Words) -> None:
        super().__init__(id="log-pane")
        self.words = words
        self.index: LogIndex | None = None
        self.lines: list[Line] = []
        self.streams: tuple[str, ...] = ()
        self.chosen = ""
        self.is_folded = False
        self.say = ""
        self._search: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        """Title, lines, search."""
        yield Static(id="log-title", markup=False)
        yield LogView(self.words)
        yield Input(placeholder=self.words("log-search"), id="search", compact=True)

    @property
    def view(self) -> LogView:
        """The lines."""
        return self.query_one(LogView)

    def show_index(self, index: LogIndex | None) -> None:
        """Show another log; its lines are counted in the background."""
        self.index, self.lines, self.streams, self.chosen, self.is_folded = index, [], (), "", False
        self.view.show_index(index)
        if index is not None:
            self._count(index)
        self.retitle()

    def show_streams(self, lines: list[Line], streams: tuple[str, ...]) -> None:
        """Tell who printed which line."""
        self.lines, self.streams = lines, streams
        self.retitle()

    def show_marks(self, marks: dict[int, int], go: bool = True) -> None:
        """Mark evidence, and show the first of it."""
        self.view.show_marks(marks)
        if self.is_folded:
            self.view.show_rows(folded(self.view.total, marks))
        if marks and go:
            self.view.go_to(min(marks, key=lambda line: marks[line]))
        self.retitle()

    @work(thread=True, exclusive=True, group="index")
    def _count(self, index: LogIndex) -> None:
        worker = get_current_worker()

        def progress(done: int) -> bool:
            if not worker.is_cancelled:
                self.app.call_from_thread(self._grew)
            return not worker.is_cancelled

        index.extend(progress)
        if not worker.is_cancelled:
            self.app.call_from_thread(self._grew)

    def _grew(self) -> None:
        if self.view.rows.all:
            self.view.grow()
        self.retitle()

    def retitle(self) -> None:
        """Say what is shown."""
        index = self.index
        if index is None:
            self.query_one("#log-title", Static).update(row((self.words("no-log"), MUTED)))
            return
        parts = [self.words("lines", count=index.count)]
        if not index.complete:
            parts.append(self.words("log-reading", share=100 * index.done // max(1, index.size)))
        if self.view.marks:
            last = max(self.view.marks.values())
            parts.append(self.words("log-evidences" if last > 1 else "log-evidence", first="[1]", last=f"[{last}]"))
        if self.chosen:
            parts.append(self.words("log-stream", name=safe(self.chosen, 40)))
        if self.is_folded:
            parts.append(self.words("log-folded"))
        if self.say:
            parts.append(self.say)
        self.query_one("#log-title", Static).update(row((self.words("log") + "  ", STRONG), ", ".join(parts)))

    def action_search(self) -> None:
        """Open the search."""
        search = self.query_one("#search", Input)
        search.add_class("-open")
        search.focus()

    @on(Input.Submitted, "#search")
    def _searched(self, event: Input.Submitted) -> None:
        event.stop()
        self.view.found = event.value
        event.input.remove_class("-open")
        self.view.focus()
        self.action_again(False)

    def action_again(self, backwards: bool) -> None:
        """Find the next (previous) hit of the search."""
        if self.view.found and self.index is not None:
            self.say = self.words("log-searching", text=safe(self.view.found, 30))
            self.retitle()
            self._find(self.index, self.view.found, self.view.line, backwards)

    @work(thread=True, exclusive=True, group="search")
    def _find(self, index: LogIndex, text: str, line: int, backwards: bool) -> None:
        worker = get_current_worker()
        found = index.find(text, line, backwards, lambda: not worker.is_cancelled)
        start = line if found is None else found
        wrapped = found is None
        if wrapped and not worker.is_cancelled:
            found = index.find(text, index.count + 1 if backwards else 0, backwards, lambda: not worker.is_cancelled)
        if not worker.is_cancelled:
            self.app.call_from_thread(partial(self._found, text, found, wrapped and found != start))

    def _found(self, text: str, line: int | None, wrapped: bool) -> None:
        shown = safe(text, 30)
        self.say = self.words("log-none" if line is None else "log-hit", text=shown, line=line)
        if wrapped and line is not None:
            self.say += " " + self.words("log-wrapped")
        if line is not None:
            self.view.go_to(line)
        self.view.refresh()
        self.retitle()

    def action_evidence(self, step: int) -> None:
        """Go to the next (previous) line of evidence."""
        lines = sorted(self.view.marks)
        if not lines:
            return
        here = self.view.line
        later = [x for x in lines if x > here] if step > 0 else [x for x in reversed(lines) if x < here]
        line = later[0] if later else (lines[0] if step > 0 else lines[-1])
        number, count = self.view.marks[line], max(self.view.marks.values())
        self.say = self.words("log-at", number=number, count=count, line=line)
        self.view.go_to(line)
        self.retitle()

    def action_stream(self) -> None:
        """Show one stream after the other, then all."""
        order = ("", *self.streams)
        self.chosen = order[(order.index(self.chosen) + 1) % len(order)] if self.chosen in order else ""
        self.is_folded = False
        if not self.streams:
            self.say = self.words("log-one-stream")
        self.view.show_rows(of_stream(self.lines, self.chosen) if self.chosen else Rows())
        self.retitle()

    def action_fold(self) -> None:
        """Leave out what is far from the evidence, or show it again."""
        self.is_folded, self.chosen = not self.is_folded, ""
        self.view.show_rows(folded(self.view.total, self.view.marks) if self.is_folded else Rows())
        self.retitle()

    def clear(self) -> bool:
        """Undo search and filters; return whether there was anything to undo."""
        search = self.query_one("#search", Input)
        had = bool(self.view.found or self.chosen or self.is_folded or search.has_class("-open"))
        search.remove_class("-open")
        if search.has_focus:
            self.view.focus()
        self.view.found, self.chosen, self.is_folded, self.say = "", "", False, ""
        if had:
            self.view.show_rows(Rows())
            self.retitle()
        return had
