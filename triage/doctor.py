"""Examine a machine without a log: run the probes, hold the checks against their facts, name what is wrong."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from triage.errors import TriageError
from triage.knowledge.base import Knowledge
from triage.knowledge.model import MachineCheck
from triage.language import say
from triage.probing.run import ProbeRun, Progress, find_probes, run_probes
from triage.probing.target import Target
from triage.reason.book import FactBook, FactValue, Known
from triage.reason.evaluate import Context, evaluate
from triage.reason.walk import LADDER, walk_trees
from triage.recipe import Renderer, render_fixes
from triage.result import Fix, ProbeResult

State = Literal["ok", "bad", "doubtful", "denied", "timeout", "not applicable"]
QUICK, DEEP = 12.0, 180.0
"""Seconds that all probes may take together."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One sentence about the machine, and whether it is true."""

    id: str
    says: str
    state: State
    shows: str
    """The values at hand."""
    cause: str | None
    """Cause to read about if it is not true."""
    title: str
    fix: tuple[Fix, ...]
    follows: str | None = None
    """Cause named by another check, of which this one's is a consequence."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What `triage doctor` found."""

    checks: tuple[CheckResult, ...]
    probes: tuple[ProbeResult, ...]
    facts: dict[str, FactValue]

    @property
    def worst(self) -> State:
        """The worst state among the checks: bad, doubtful or ok."""
        states = {check.state for check in self.checks}
        return "bad" if "bad" in states else "doubtful" if "doubtful" in states else "ok"


def examine_machine(
    knowledge: Knowledge,
    target: Target | None,
    facts: dict[str, FactValue] | None = None,
    deep: bool = False,
    areas: Collection[str] = (),
    language: str = "en",
    progress: Progress | None = None,
) -> Examination:
    """Run the probes that the checks need on `target` (None: only the given facts count) and judge every check.

    Raises TriageError for an area that no check names, or an interpreter or host that cannot be used.
    """
    checks = choose_checks(knowledge, areas)
    names = dict.fromkeys(name for check in checks for name in check.probes)
    wanted = names if areas else find_probes() if target is not None else ()
    context, runs = gather_facts(knowledge, target, facts, sorted(wanted), deep, progress)
    results = [judge(check, knowledge, context, runs, deep, language) for check in checks]
    if not areas:
        results += _from_trees(knowledge, context, {result.cause for result in results}, language)
    results = _with_consequences(results, knowledge)
    probes = tuple(ProbeResult(run.name, run.status, run.seconds, run.detail) for run in runs)
    return Examination(tuple(results), probes, {known.name: known.value for known in context.facts})


def choose_checks(knowledge: Knowledge, areas: Collection[str]) -> list[MachineCheck]:
    """Return the checks of some areas and those that always count; all without areas.

    A check's family (the first word of its id) is one of its areas. Raises TriageError for an area of no check.
    """
    known = areas_of(knowledge)
    for area in areas:
        if area not in known:
            raise TriageError(f"there is nothing to check for {area}; there is: {', '.join(known)}")
    return [check for check in knowledge.checks if not areas or not check.areas or _areas(check) & set(areas)]


def areas_of(knowledge: Knowledge) -> list[str]:
    """Return the areas that `doctor --for` takes, in order of name."""
    return sorted({area for check in knowledge.checks for area in _areas(check)})


def _areas(check: MachineCheck) -> set[str]:
    return {*check.areas, check.id.partition("-")[0]}


def gather_facts(
    knowledge: Knowledge,
    target: Target | None,
    facts: dict[str, FactValue] | None,
    names: Sequence[str],
    deep: bool,
    progress: Progress | None = None,
) -> tuple[Context, list[ProbeRun]]:
    """Return the given facts with those of the probes `names`, and how the probes went (none without a target).

    Raises TriageError for an interpreter or host that cannot be used.
    """
    runs: list[ProbeRun] = []
    book = FactBook(knowledge)
    book.add_all(facts or {}, "file")
    if target is not None and names:
        seconds = DEEP if deep else QUICK
        runs = run_probes(names, target, deep=deep, deadline=seconds, each=seconds * 0.8, progress=progress)
        for run in runs:
            book.add_all(run.facts, "probe", run.name)
    executable, command = book.get("python.executable"), book.get("python.python_command")
    if executable is not None and executable.value is not None:
        known_by_name = command is not None and command.value == executable.value
        value = "python" if known_by_name else executable.value
        book.add(Known("python.command", value, executable.source, executable.detail))
    return Context(knowledge, book, None), runs


def judge(
    check: MachineCheck, knowledge: Knowledge, context: Context, runs: Sequence[ProbeRun], deep: bool, language: str
) -> CheckResult:
    """Hold one check against the facts."""
    applies = True if check.applies is None else evaluate(check.applies, context)
    good = evaluate(check.good, context) if applies is not False else None
    state: State = "not applicable"
    cause = check.cause
    if applies and good is not None:
        state = "ok" if good else check.level
    elif applies is not False and not (check.deep and not deep):
        failed = {run.status for run in runs if run.name in check.probes}
        if "timeout" in failed:
            state = "timeout"
        elif failed & {"denied", "crashed", "garbled"}:
            state = "denied"
    if state == check.level:
        reason = next((reason for reason in check.reasons if evaluate(reason.when, context)), None)
        if reason is not None:
            state, cause = reason.level or state, reason.cause or cause
    shows = ""
    if state in ("ok", "bad", "doubtful"):
        renderer = Renderer(knowledge, knowledge.check_templates, context, {}, language, unknown="?")
        shows = " ".join((renderer.text(check.shows) or "").split())
    return _result(check.id, say(check.says, language), state, shows, cause, knowledge, context, language)


def _from_trees(knowledge: Knowledge, context: Context, known: set[str | None], language: str) -> list[CheckResult]:
    """Return what the trees find that facts alone can enter, as far as no check said it already."""
    out = []
    walk = walk_trees([tree for tree in knowledge.trees if tree.doctor], context)
    for leaf in sorted(walk.leaves, key=lambda leaf: LADDER.index(leaf.weight)):
        certain = all(answer.known for answer in leaf.path) and leaf.weight in ("decisive", "strong")
        if certain and leaf.cause not in known and leaf.cause in knowledge.causes:
            known.add(leaf.cause)
            shows = "; ".join(f"{say(a.question, language)} {say(a.answer, language)}" for a in leaf.path)
            says = say(leaf.tree.title, language)
            out.append(_result(leaf.tree.id, says, "doubtful", shows, leaf.cause, knowledge, context, language))
    return out


def _result(
    name: str,
    says: str,
    state: State,
    shows: str,
    cause: str | None,
    knowledge: Knowledge,
    context: Context,
    language: str,
) -> CheckResult:
    if cause is None or cause not in knowledge.causes or state not in ("bad", "doubtful"):
        return CheckResult(name, says, state, shows, None, "", ())
    page = knowledge.page(cause)
    fixes = render_fixes(page, Renderer(knowledge, knowledge.templates(cause), context, {}, language), context)
    return CheckResult(name, says, state, shows, cause, say(page.title, language), fixes)


def _with_consequences(results: list[CheckResult], knowledge: Knowledge) -> list[CheckResult]:
    """Mark each check whose cause follows from that of another check that is at least as bad."""
    leads = {cause: set(knowledge.causes[cause].leads_to) for r in results if (cause := r.cause) is not None}

    def root_of(result: CheckResult) -> str | None:
        for other in results:
            worse = other.state == "bad" or other.state == result.state
            if result.cause is None or other.cause in (None, result.cause) or not worse:
                continue
            if result.cause in leads[other.cause or ""] and other.cause not in leads[result.cause]:
                return other.cause
        return None

    return [replace(result, follows=root_of(result)) for result in results]
