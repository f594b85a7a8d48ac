"""The case on the table: what was read, asked, probed and run, and the report that follows from it.

Nothing here knows of the screen. Methods that take time (`open`, `examine`, `probe`) are called from worker threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from triage.diagnosis import Case, Options, open_case
from triage.knowledge.base import Knowledge
from triage.log.source import Source, source_from_text
from triage.probing.target import Target
from triage.reason.book import FactBook, FactValue, Known
from triage.reason.evaluate import evaluate
from triage.reason.walkthrough import WALK, Ask, Choice, facts_with, next_questions, reshape
from triage.recipe import expectation
from triage.result import Fix, ProbeResult, Report

if TYPE_CHECKING:
    from triage.probing.run import ProbeRun, Progress

ROUNDS = 3
"""Times that new facts may ask for further probes."""
EACH = 20.0
"""Seconds that one probe may take."""


@dataclass(frozen=True)
class Ran:
    """A command that was run from the screen after a person confirmed it."""

    command: str
    status: int | None
    """Exit status; None if it was stopped."""
    output: str


@dataclass
class Desk:
    """A case with its history."""

    knowledge: Knowledge
    target: Target
    options: Options = field(default_factory=Options)
    named: bool = False
    """Whether a person named the interpreter or the way to it."""
    given: dict[str, FactValue] = field(default_factory=dict)
    """Facts from a facts file."""
    source: Source | None = None
    case: Case | None = None
    choices: tuple[Choice, ...] = ()
    chosen: str | None = None
    """Tree picked by its symptom."""
    probes: dict[str, ProbeResult] = field(default_factory=dict)
    planned: int = 0
    """Probes of the round under way."""
    ended: int = 0
    """Those of them that have ended."""
    notes: tuple[str, ...] = ()
    ran: list[Ran] = field(default_factory=list)
    known: list[Known] = field(default_factory=list)
    """Facts from the log, files and probes; a person's are in `choices`."""

    def __post_init__(self) -> None:
        self._lock = threading.RLock()
        self._report: Report | None = None

    def open(self, source: Source | None, progress: Callable[[int], None] | None = None) -> None:
        """Read a log and match all rules; None is a case without a log."""
        source = source or source_from_text("", "<no log>")
        case = open_case(source, self.knowledge, self.given, "file", self.options, progress)
        with self._lock:
            self.source, self.case = source, case
            self.known = [known for known in case.facts if known.source != "derived"]
            self.choices, self.chosen, self.probes, self.notes, self.ran = (), None, {}, (), []
            self._apply()

    @property
    def has_log(self) -> bool:
        """Whether a log is under examination."""
        return self.source is not None and self.source.size > 0

    def examine(self, progress: Progress | None = None, changed: Callable[[], None] | None = None) -> None:
        """Run the probes that could change the ranking, then those that the new facts ask for.

        `changed` is called after each single probe whose facts were taken in.
        """
        from triage.examine import examine, wanted_probes

        for _ in range(ROUNDS):
            with self._lock:  # a case of its own, so that the screen may rank while probes run
                case = copy(self._case)
                case.facts = self._case.facts.copy()
            wanted = wanted_probes(case)
            if not set(wanted) - set(self.probes):
                return

            def arrived(facts: FactBook, names: Sequence[str] = wanted) -> None:
                self._keep(facts, names)
                if changed is not None:
                    changed()

            tell = self._counting(len(wanted), progress)
            results, notes = examine(case, self.target, progress=tell, chosen=self.named, arrived=arrived)
            with self._lock:
                self.probes.update({result.name: result for result in results})
                self.notes = tuple(dict.fromkeys((*self.notes, *notes)))
                self._keep(case.facts, wanted)
            if notes:
                return

    def probe(self, names: Iterable[str] = (), progress: Progress | None = None) -> None:
        """Run probes anew (all by default); their facts replace those of the run before."""
        from triage.probing.run import find_probes, run_probes

        names = tuple(names) or tuple(find_probes())
        runs = run_probes(names, self.target, each=EACH, progress=self._counting(len(names), progress))
        with self._lock:
            again = {run.name for run in runs}
            self.known = [k for k in self.known if not (k.source == "probe" and k.detail in again)]
            for run in runs:
                self.probes[run.name] = ProbeResult(run.name, run.status, run.seconds, run.detail)
                self.known += [Known(name, value, "probe", run.name) for name, value in run.facts.items()]
            self._apply()

    def answer(self, choice: Choice) -> None:
        """Take a person's answer."""
        with self._lock:
            self.choices = (*self.choices, choice)
            self._apply()

    def back(self) -> Choice | None:
        """Take the last answer back and return it; with none left, leave the chosen tree."""
        with self._lock:
            last = self.choices[-1] if self.choices else None
            if last is None:
                self.chosen = None
            self.choices = self.choices[:-1]
            self._apply()
            return last

    def choose(self, tree: str | None, choices: Sequence[Choice] = ()) -> None:
        """Start at a symptom (or at the log, with None), with answers given before."""
        with self._lock:
            self.chosen, self.choices = tree, tuple(choices)
            self._apply()

    def questions(self) -> list[Ask]:
        """Return the open questions, best first."""
        with self._lock:
            case = self._case
            return next_questions(self.knowledge, case.rank(), case.facts, self.choices, self.chosen, self.probes)

    def standing(self) -> list[tuple[str, float]]:
        """Return the causes still possible with how likely each is, consequences of others included."""
        with self._lock:
            candidates = self._case.rank().candidates
            return [(c.cause.id, c.raw if self.chosen else c.confidence) for c in candidates]

    def report(self) -> Report:
        """Return the report for what is known now."""
        with self._lock:
            if self._report is None:
                said = [f"{choice.question} {choice.answer} (a person's answer)" for choice in self.choices]
                ran = [f"run from triage tui: {ran.command} (exit status {ran.status})" for ran in self.ran]
                self._report = self._case.report(tuple(self.probes.values()), (*self.notes, *said, *ran))
            return self._report

    def add_run(self, ran: Ran) -> None:
        """Keep a command that was run, for the report."""
        with self._lock:
            self.ran.append(ran)
            self._report = None

    def holds(self, cause: str, fix: Fix) -> bool | None:
        """Return whether the value that the check of a recipe wants is there now; None if that cannot be told."""
        wanted = (fix.check.fact, fix.check.expect)
        for recipe in self.knowledge.page(cause).recipes:
            expect = recipe.check.expect
            if expect is not None and recipe.check.probe == fix.check.probe and expectation(expect) == wanted:
                with self._lock:
                    return evaluate(expect, self._case.context)
        return None

    def fact(self, name: str | None) -> FactValue:
        """Return a fact's value; None while it is unknown."""
        known = self._case.facts.get(name) if name else None
        return known.value if known else None

    @property
    def _case(self) -> Case:
        if self.case is None:
            raise RuntimeError("no case is open")
        return self.case

    def _counting(self, planned: int, progress: Progress | None) -> Progress:
        """Begin a round of probes; return what counts those that have ended and tells `progress`."""
        self.planned, self.ended = planned, 0

        def tell(name: str, run: ProbeRun | None) -> None:
            self.ended += run is not None
            if progress is not None:
                progress(name, run)

        return tell

    def _keep(self, facts: FactBook, probes: Sequence[str]) -> None:
        """Remember what the engine has put into a book; what `probes` told before is forgotten."""
        with self._lock:
            self.known = [known for known in self.known if known.source != "probe" or known.detail not in probes]
            have = {known.name for known in self.known}
            for known in facts:
                if known.source != "derived" and known.detail != WALK and known.name not in have:
                    self.known.append(known)
            self._apply()

    def _apply(self) -> None:
        """Let the answers reshape trees and facts."""
        case = self._case
        case.knowledge = reshape(self.knowledge, self.choices, self.chosen)
        case.facts = facts_with(case.knowledge, self.known, self.choices)
        self._report = None
