"""The first screen: ranked hypotheses, the page of the chosen one, and the log with its evidence."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Container

from ..keys import bind
from ..log_index import LogIndex
from ..messages import CaseChanged, HypothesisChosen
from ..text import BAD, DOUBT, GOOD, MUTED, safe
from ..widgets.detail import Detail, marks_of
from ..widgets.hypotheses import HypothesisList
from ..widgets.log_pane import LogPane
from ..widgets.log_view import LogView
from .base import CaseScreen
from .line import LineScreen

OUTCOMES = {"cause": BAD, "unknown": DOUBT, "healthy": GOOD}


class DiagnosisScreen(CaseScreen):
    """One column at 80 columns, list and page from 100, the log beside them from 160."""

    HEADING = "diagnosis"
    DEFAULT_CSS = """
    DiagnosisScreen {
        & #panes, & #answer { height: 1fr; }
        & #hypotheses { height: auto; max-height: 8; }
        & #detail { height: 1fr; }
        & #log-pane { display: none; }
        &.-log #answer { display: none; }
        &.-log #log-pane { display: block; }
        &.-medium #answer { layout: horizontal; }
        &.-medium #hypotheses { width: 38; height: 1fr; max-height: 100%; }
        &.-medium #detail { width: 1fr; }
        &.-medium.-tall #log-pane { display: block; height: 11; }
        &.-medium.-tall.-log #log-pane { height: 1fr; }
        &.-wide #panes { layout: horizontal; }
        &.-wide #answer { width: 100; layout: horizontal; }
        &.-wide #hypotheses { width: 36; height: 1fr; max-height: 100%; }
        &.-wide #detail { width: 1fr; }
        &.-wide #log-pane { display: block; width: 1fr; height: 1fr; }
        &.-wide.-log #answer { display: block; }
        &.-nothing #hypotheses { display: none; }
    }
    """
    BINDINGS = [  # noqa: RUF012
        bind("fix", "fix"),
        bind("walk", "walk"),
        bind("log", "log"),
        bind("copy", "copy"),
        bind("export", "export"),
        bind("machine", "machine", show=False),
        bind("knowledge", "knowledge", show=False),
        bind("probe", "probe", show=False),
        bind("open", "open", show=False),
        bind("knowledge-new", "app.new_rule", show=False),
        bind("search", "search", show=False),
        bind("evidence", "evidence", show=False),
        bind("page-down", "turn(1)", show=False),
        bind("page-up", "turn(-1)", show=False),
        bind("back", "leave", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.chosen = 0

    def body(self) -> ComposeResult:
        """Hypotheses, page, log."""
        with Container(id="panes"):
            with Container(id="answer"):
                yield HypothesisList(self.words)
                yield Detail(self.words)
            yield LogPane(self.words)

    def on_mount(self) -> None:
        """Show what is there already."""
        self.entitle((self.triage.log_name, ""), ("  " + self.words("reading"), MUTED))
        if self.desk.case is not None:
            self.show_log()
            self.on_case_changed()

    def on_resize(self) -> None:
        """Draw the entries for the new width."""
        if self.desk.case is not None and self.is_mounted:
            self.query_one(HypothesisList).show(self.desk.report())

    def show_log(self) -> None:
        """Show the log of the desk."""
        source = self.triage.source
        if source is not None and source.size:
            self.query_one(LogPane).show_index(LogIndex(source))

    def on_case_changed(self, event: CaseChanged | None = None) -> None:
        """Show the report as it is now."""
        if self.desk.case is None:
            return
        report = self.desk.report()
        info = report.input
        outcome = (self.words(f"outcome-{report.outcome}"), OUTCOMES[report.outcome])
        self.entitle(safe(info.name, 60), f"  {self.words('lines', count=info.lines)}  ", outcome, self._streams())
        self.set_class(not report.hypotheses, "-nothing")
        pane = self.query_one(LogPane)
        pane.show_streams(list(self.desk.case.log.lines), info.streams)
        self.query_one(HypothesisList).show(report)
        self.show_chosen(self.query_one(HypothesisList).highlighted or 0)
        if event is None or not self.query_one(LogView).has_focus:
            self.query_one(HypothesisList).focus()

    def _streams(self) -> str:
        count = len(self.desk.report().input.streams)
        return "  " + self.words("streams", count=count) if count > 1 else ""

    def show_chosen(self, index: int) -> None:
        """Show another hypothesis and its evidence."""
        report = self.desk.report()
        self.chosen = index
        self.query_one(Detail).show(report, index)
        if index < len(report.hypotheses):
            marks = marks_of(report.hypotheses[index])
        else:
            marks = {report.anchor.line: 1} if report.anchor else {}
        self.query_one(LogPane).show_marks(marks, go=not self.query_one(LogView).has_focus)

    @on(HypothesisChosen)
    def _choose(self, event: HypothesisChosen) -> None:
        event.stop()
        if event.index != self.chosen:
            self.query_one(Detail).scroll_home(animate=False)
        self.show_chosen(event.index)

    @on(HypothesisList.OptionSelected)
    def _open_fix(self, event: HypothesisList.OptionSelected) -> None:
        event.stop()
        self.action_fix()

    @on(LogView.Opened)
    def _open_line(self, event: LogView.Opened) -> None:
        event.stop()
        self.app.push_screen(LineScreen(event.line, event.text))

    def action_fix(self) -> None:
        """Open the recipes of the chosen hypothesis."""
        report = self.desk.report() if self.desk.case else None
        if report is None or self.chosen >= len(report.hypotheses):
            self.tell(self.words("no-cause"))
            return
        self.triage.open_fix(report.hypotheses[self.chosen].id)

    def action_walk(self) -> None:
        """Open the walk-through."""
        self.triage.action_walk()

    def action_log(self) -> None:
        """Show the log in the whole screen, or go back."""
        shown = self.query_one("#log-pane").display
        if self.has_class("-log"):
            self.remove_class("-log")
            self.query_one(HypothesisList).focus()
        elif shown and not self.query_one(LogView).has_focus:
            self.query_one(LogView).focus()
        else:
            self.add_class("-log")
            self.query_one(LogView).focus()

    def _to_log(self) -> LogPane:
        if not self.query_one("#log-pane").display:
            self.add_class("-log")
        self.query_one(LogView).focus()
        return self.query_one(LogPane)

    def action_search(self) -> None:
        """Search the log."""
        self._to_log().action_search()

    def action_evidence(self) -> None:
        """Go to the next evidence."""
        self._to_log().action_evidence(1)

    def action_turn(self, step: int) -> None:
        """Scroll the page of the hypothesis."""
        detail = self.query_one(Detail)
        detail.scroll_relative(y=step * max(1, detail.size.height - 1), animate=False)

    def action_copy(self) -> None:
        """Copy the first recipe of the chosen hypothesis."""
        text = self.triage.recipe_text(self.chosen)
        self.tell(self.triage.copy(text) if text else self.words("nothing-to-copy"))

    def action_export(self) -> None:
        """Save the report."""
        self.triage.action_export()

    def action_machine(self) -> None:
        """Open the machine screen."""
        self.triage.action_machine()

    def action_knowledge(self) -> None:
        """Open the knowledge browser."""
        self.triage.action_knowledge()

    def action_probe(self) -> None:
        """Look at this machine again."""
        self.triage.examine(again=True)

    def action_open(self) -> None:
        """Choose another log."""
        self.triage.action_start()

    def action_leave(self) -> None:
        """Undo search and filters, then leave the log, then the screen."""
        if self.query_one(LogPane).clear():
            return
        if self.has_class("-log") or self.query_one(LogView).has_focus:
            self.remove_class("-log")
            self.query_one(HypothesisList).focus()
            return
        self.tell(self.words("quits"))
