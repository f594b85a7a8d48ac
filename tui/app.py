"""The application: puts the desk, the screens and the work in the background together.

Screens other than the first are imported when they are opened, so that the first is there at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import get_current_worker

from triage.errors import TriageError
from triage.log.source import Source
from triage.probing.probe_run import ProbeRun

from . import terminal
from .clipboard import copy
from .desk import Desk
from .keys import bind, clashes, key_name
from .messages import CaseChanged, ProbeNews, ReadingNews
from .screens.diagnosis import DiagnosisScreen
from .session import choices_of, load_session, make_session, save_session
from .settings import Settings
from .text import ascii_only
from .words import Words

if TYPE_CHECKING:
    from triage.doctor import CheckResult

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
        bind("quit", "quit", show=False),
        bind("help", "help"),
        bind("help-f1", "help", show=False),
        bind("plain", "plain", show=False),
        bind("palette", "command_palette", show=False),
    ]

    def __init__(self, desk: Desk, settings: Settings, opener: Opener | None = None, log_name: str = "") -> None:
        super().__init__()
        self.desk = desk
        self.settings = settings
        self.words = Words(settings.language, settings.keymap)
        self.opener = opener
        self.log_name = log_name
        self.source: Source | None = None
        self.failure: TriageError | None = None
        self._under_way: dict[str, None] = {}
        self._clashes: set[tuple[str, str]] = set()
        self.theme = terminal.theme_for_terminal() or self.theme

    def on_mount(self) -> None:
        """Open the log, or ask for one."""
        terminal.watch_signals(self)
        self.set_class(ascii_only(), "-ascii")
        self.set_keymap(dict(self.settings.keymap))
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
            source = opener(lambda done: tell(self.words("reading-bytes", done=done)))
            self.source = source
            self.call_from_thread(self._show_log)
            whole = max(1, source.size)
            self.desk.open(source, lambda done: tell(self.words("diagnosing", share=100 * done // whole)))
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
            self.broadcast(ReadingNews(self.words("taken-up", count=len(saved.choices))))
        elif self.desk.report().hypotheses:
            self.broadcast(ReadingNews(self.words("first-steps")))
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
            said = ", ".join(f"{p.name} {self.words(f'state-{p.status}')}" for p in self.desk.probes.values())
            notes = self.desk.notes[:1]
            self.broadcast(ReadingNews(notes[0] if notes else self.words("looked", probes=said)))

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
        return copy(text, self.copy_to_clipboard, self.words)

    def recipe_text(self, index: int = 0) -> str:
        """Return the recipe of a hypothesis as plain text; empty if there is none."""
        from .export import recipe_as_text

        report = self.desk.report() if self.desk.case else None
        return recipe_as_text(report, index) if report else ""

    def open_fix(self, cause: str, fault: CheckResult | None = None) -> None:
        """Open the recipes of a cause of the log, or of a fault of the machine."""
        from .screens.fix import FixScreen

        self.push_screen(FixScreen(cause, fault))

    def choose_symptom(self) -> None:
        """Choose a tree and start walking it."""
        from .screens.symptom import SymptomScreen

        def chosen(tree: str | None) -> None:
            if tree is not None:
                self.desk.choose(tree)
                self.case_changed()

        self.push_screen(SymptomScreen(self.desk.knowledge, self.words), chosen)

    def open_nothing(self) -> None:
        """Begin a case without a log."""
        if self.desk.case is None:
            self.source, self.log_name = None, ""
            self.desk.open(None)

    def action_walk(self) -> None:
        """Open the walk-through."""
        from .screens.walk import WalkScreen

        if self.desk.case is None:
            self.broadcast(ReadingNews(self.words("still-reading")))
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

    def action_new_rule(self) -> None:
        """Draft a rule from the log."""
        from .screens.draft import DraftScreen

        if self.desk.case is None or not self.desk.has_log:
            self.broadcast(ReadingNews(self.words("draft-no-log")))
            return
        self.push_screen(DraftScreen())

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
        text = self.recipe_text(getattr(self.screen, "chosen", 0)) or self.words("no-recipe")
        if not terminal.show_plain(self, f"{text}\n\n{self.words('enter-goes-back')}"):
            self.notify(self.words("cannot-leave"), markup=False)

    def get_key_display(self, binding: Binding) -> str:
        """Return a key as footer and texts show it."""
        return key_name(binding.key)

    def say_clashes(self, bindings: Iterable[BindingType]) -> None:
        """Say once which action of a screen has lost its key to one from the configuration."""
        if not self.settings.keymap:
            return
        for key, taker, loser in clashes(bindings, self.settings.keymap):
            if (taker, loser) not in self._clashes:
                self._clashes.add((taker, loser))
                one, other = (f"{self.words.does(name)} ({name})" for name in (taker, loser))
                self.notify(self.words("key-taken", key=key, one=one, other=other), markup=False, timeout=15)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Put what can be pressed into the command palette."""
        words = self.words
        actions: dict[str, Callable[[], None]] = {
            "walk": self.action_walk, "machine": self.action_machine, "knowledge": self.action_knowledge,
            "export": self.action_export, "open": self.action_start, "plain": self.action_plain,
            "help": self.action_help,
        }  # fmt: skip
        for name, action in actions.items():
            yield SystemCommand(words.does(name), words(f"do-{name}"), action)
        yield SystemCommand(words("theme"), words("do-theme"), self.action_change_theme)
        yield SystemCommand(words.does("quit"), words("do-quit"), self.exit)
