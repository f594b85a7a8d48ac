"""The application: puts the desk, the screens and the work in the background together.

Screens other than the first are imported when they are opened, so that the first is there at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.screen import Screen
from textual.worker import get_current_worker

from triage.errors import TriageError
from triage.log.source import Source
from triage.probing.probe_run import ProbeRun

from . import terminal
from .clipboard import copy
from .desk import Desk
from .messages import CaseChanged, ProbeNews, ReadingNews
from .screens.diagnosis import DiagnosisScreen
from .session import choices_of, load_session, make_session, save_session
from .settings import Settings
from .text import ascii_only

Opener = Callable[[Callable[[int], None]], Source]
"""Opens the log; is told where to say how many bytes of a pipe have been read."""


class Stopped(Exception):
    """The application is leaving while a log is read."""


class TriageApp(App[int]):
    """Look at a diagnosis, walk the trees, fix, check."""

    TITLE = "triage"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (160, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012
    BINDINGS = [  # noqa: RUF012
        Binding("q", "quit", "Quit", show=False, id="quit"),
        Binding("question_mark,？", "help", "Keys", key_display="?", id="help"),
        Binding("f1", "help", "Keys", show=False, id="help.f1"),
        Binding("ctrl+l", "plain", "Recipe as plain text", show=False, id="plain"),
        Binding("colon,：", "command_palette", "All commands", show=False),
    ]

    def __init__(self, desk: Desk, settings: Settings, opener: Opener | None = None, log_name: str = "") -> None:
        super().__init__()
        self.desk = desk
        self.settings = settings
        self.opener = opener
        self.log_name = log_name
        self.source: Source | None = None
        self.failure: TriageError | None = None
        self._under_way: dict[str, None] = {}
        self.theme = terminal.theme_for_terminal() or self.theme

    def on_mount(self) -> None:
        """Open the log, or ask for one."""
        terminal.watch_signals(self)
        self.set_class(ascii_only(), "-ascii")
        if self.opener is None:
            from .screens.start import StartScreen

            self.push_screen(StartScreen(first=True))
        else:
            self.open_log(self.opener, self.log_name)

    def open_log(self, opener: Opener, name: str) -> None:
        """Diagnose a log; the screen is there before it is read."""
        self.log_name, self.desk.case, self.desk.source = name, None, None
        self.source = None
        self.push_screen(DiagnosisScreen())
        self._open(opener)

    @work(thread=True, exclusive=True, group="open")
    def _open(self, opener: Opener) -> None:
        worker = get_current_worker()

        def tell(text: str) -> None:
            if worker.is_cancelled or not self.is_running:
                raise Stopped
            self.call_from_thread(self.broadcast, ReadingNews(text))

        try:
            source = opener(lambda done: tell(f"reading: {done:,} bytes so far"))
            self.source = source
            self.call_from_thread(self._show_log)
            self.desk.open(source, lambda done: tell(f"diagnosing: {100 * done // max(1, source.size)} %"))
        except TriageError as error:
            self.failure = error
            self.call_from_thread(self._failed, error)
            return
        except Stopped:
            return
        self.call_from_thread(self._opened)

    def _failed(self, error: TriageError) -> None:
        if isinstance(self.screen, DiagnosisScreen) and len(self.screen_stack) == 2:
            self.exit(2, message=None)
            return
        self.pop_screen()
        self.notify(str(error), severity="error", markup=False, timeout=15)

    def _show_log(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, DiagnosisScreen):
                screen.show_log()

    def _opened(self) -> None:
        saved = load_session(self.source)
        if saved is not None and saved.choices:
            self.desk.choose(saved.chosen, choices_of(saved))
        self.case_changed()
        if saved is not None and saved.choices:
            self.broadcast(
                ReadingNews(
                    f"answers of an earlier walk-through were taken up ({len(saved.choices)}); w, then b, goes back"
                )
            )
        elif self.desk.report().hypotheses:
            self.broadcast(
                ReadingNews("f opens the fix, w walks through what is still open, e goes to the next evidence")
            )
        if self.settings.look:
            self.examine()

    @work(thread=True, exclusive=True, group="probes")
    def examine(self, again: bool = False) -> None:
        """Run the probes that the case asks for; with `again`, those that were run before."""
        try:
            if again and self.desk.probes:
                self.desk.probe(list(self.desk.probes), self._tell_probe)
            else:
                self.desk.examine(self._tell_probe, partial(self.call_from_thread, self.case_changed))
        except TriageError as error:
            self.call_from_thread(self.broadcast, ReadingNews(str(error)))
            return
        self.call_from_thread(self._examined)

    def _examined(self) -> None:
        self.case_changed()
        if self.desk.probes:
            said = ", ".join(f"{p.name} {p.status}" for p in self.desk.probes.values())
            notes = self.desk.notes[:1]
            self.broadcast(ReadingNews(notes[0] if notes else f"looked at this machine: {said}"))

    @work(thread=True, exclusive=True, group="probes")
    def run_probe(self, *names: str) -> None:
        """Run single probes anew (all without a name)."""
        try:
            self.desk.probe(names, self._tell_probe)
        except TriageError as error:
            self.call_from_thread(self.broadcast, ReadingNews(str(error)))
            return
        self.call_from_thread(self._examined)

    def _tell_probe(self, name: str, run: ProbeRun | None) -> None:
        if self.is_running:
            self.call_from_thread(self._probe_news, name, run.status if run else "")

    def _probe_news(self, name: str, status: str) -> None:
        if status:
            self._under_way.pop(name, None)
        else:
            self._under_way[name] = None
        self.broadcast(ProbeNews(name, status, self.desk.ended, self.desk.planned, tuple(self._under_way)))

    def broadcast(self, message: CaseChanged | ProbeNews | ReadingNews) -> None:
        """Give a message to every screen that is open."""
        for screen in self.screen_stack:
            if isinstance(message, CaseChanged):
                screen.post_message(CaseChanged())
            elif isinstance(message, ProbeNews):
                news = message
                screen.post_message(ProbeNews(news.name, news.status, news.done, news.planned, news.running))
            else:
                screen.post_message(ReadingNews(message.text))

    def case_changed(self) -> None:
        """Show the new report everywhere and save the walk-through."""
        if self.desk.case is None:
            return
        self.broadcast(CaseChanged())
        save_session(make_session(self.source, self.desk.choices, self.desk.chosen, self.desk.knowledge.digest))

    def copy(self, text: str) -> str:
        """Copy text; return by which way."""
        return copy(text, self.copy_to_clipboard)

    def recipe_text(self, index: int = 0) -> str:
        """Return the recipe of a hypothesis as plain text; empty if there is none."""
        from .export import recipe_as_text

        report = self.desk.report() if self.desk.case else None
        return recipe_as_text(report, index) if report else ""

    def open_fix(self, cause: str) -> None:
        """Open the recipes of a cause."""
        from .screens.fix import FixScreen

        self.push_screen(FixScreen(cause))

    def choose_symptom(self) -> None:
        """Choose a tree and start walking it."""
        from .screens.symptom import SymptomScreen

        def chosen(tree: str | None) -> None:
            if tree is not None:
                self.desk.choose(tree)
                self.case_changed()

        self.push_screen(SymptomScreen(self.desk.knowledge, self.settings.language), chosen)

    def open_nothing(self) -> None:
        """Begin a case without a log."""
        if self.desk.case is None:
            self.source, self.log_name = None, ""
            self.desk.open(None)

    def action_walk(self) -> None:
        """Open the walk-through."""
        from .screens.walk import WalkScreen

        if self.desk.case is None:
            self.broadcast(ReadingNews("the log is still being read"))
            return
        self.push_screen(WalkScreen())

    def action_machine(self) -> None:
        """Open the machine screen."""
        from .screens.machine import MachineScreen

        self.open_nothing()
        self.push_screen(MachineScreen())

    def action_knowledge(self) -> None:
        """Open the knowledge browser."""
        from .screens.knowledge import KnowledgeScreen

        self.push_screen(KnowledgeScreen())

    def action_export(self) -> None:
        """Save the report."""
        from .screens.export import ExportScreen

        if self.desk.case is not None:
            self.push_screen(ExportScreen())

    def action_start(self) -> None:
        """Choose another log."""
        from .screens.start import StartScreen

        self.push_screen(StartScreen(first=False))

    def action_help(self) -> None:
        """List what can be pressed now."""
        from .screens.help import HelpScreen

        self.push_screen(HelpScreen(self.screen))

    def action_plain(self) -> None:
        """Leave the screen for a moment and print the recipe plain, for the terminal's own selection."""
        terminal.show_plain(
            self, self.recipe_text(getattr(self.screen, "chosen", 0)) or "triage: there is no recipe yet"
        )

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Put what can be pressed into the command palette."""
        yield from super().get_system_commands(screen)
        yield SystemCommand("Walk-through", "Questions that tell the causes apart", self.action_walk)
        yield SystemCommand("Machine", "Devices, versions, facts, probes", self.action_machine)
        yield SystemCommand("Knowledge", "Causes, trees, rules", self.action_knowledge)
        yield SystemCommand("Export", "JSON, Markdown, HTML, picture of the screen", self.action_export)
        yield SystemCommand("Open another log", "A file, pasted text, or a symptom", self.action_start)
        yield SystemCommand("Recipe as plain text", "Leaves the screen for a moment", self.action_plain)
