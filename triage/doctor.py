"""Examine a machine without a log: run the probes, hold the checks against their facts, name what is wrong."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from triage.errors import TriageError
from triage.knowledge.base import Knowledge
from triage.knowledge.model import MachineCheck
from triage.language import say
from triage.probing.run import ProbeRun, Progress, find_probes, run_probes
from triage.probing.target import Target
from triage.reason.book import FactBook, FactValue
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
    checks = _chosen(knowledge, areas)
    runs: list[ProbeRun] = []
    book = FactBook(knowledge)
    book.add_all(facts or {}, "file")
    if target is not None:
        there = find_probes()
        names = there if not areas else {name for check in checks for name in check.probes if name in there}
        seconds = DEEP if deep else QUICK
        runs = run_probes(sorted(names), target, deep=deep, deadline=seconds, each=seconds * 0.8, progress=progress)
        for run in runs:
            book.add_all(run.facts, "probe", run.name)
    context = Context(knowledge, book, set())
    results = [_judge(check, knowledge, context, runs, deep, language) for check in checks]
    if not areas:
        results += _from_trees(knowledge, context, {result.cause for result in results}, language)
    probes = tuple(ProbeResult(run.name, run.status, run.seconds, run.detail) for run in runs)
    return Examination(tuple(results), probes, {known.name: known.value for known in book})


def _chosen(knowledge: Knowledge, areas: Collection[str]) -> list[MachineCheck]:
    named = {area for check in knowledge.checks for area in check.areas}
    for area in areas:
        if area not in named:
            raise TriageError(f"there is nothing to check for {area}; there is: {', '.join(sorted(named))}")
    return [check for check in knowledge.checks if not areas or not check.areas or set(areas) & set(check.areas)]


def _judge(
    check: MachineCheck, knowledge: Knowledge, context: Context, runs: Sequence[ProbeRun], deep: bool, language: str
) -> CheckResult:
    applies = True if check.applies is None else evaluate(check.applies, context)
    good = evaluate(check.good, context) if applies is not False else None
    state: State = "not applicable"
    if applies and good is not None:
        state = "ok" if good else check.level
    elif applies is not False and not (check.deep and not deep):
        failed = {run.status for run in runs if run.name in check.probes}
        if "timeout" in failed:
            state = "timeout"
        elif failed & {"denied", "crashed", "garbled"}:
            state = "denied"
    renderer = Renderer(knowledge, knowledge.check_templates, context, {}, language)
    shows = renderer.text(check.shows) or "" if state in ("ok", "bad", "doubtful") else ""
    return _result(check.id, say(check.says, language), state, shows, check.cause, knowledge, context, language)


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


def recheck_cause(
    knowledge: Knowledge, cause: str, target: Target, deep: bool = True
) -> list[tuple[str, str, bool | None, FactValue]]:
    """Run the probes that a cause's recipes name as their check.

    Returns (fact, expectation in words, whether it holds or None while unknown, value) of each. Raises TriageError for
    an unknown cause, or one whose recipes name no probe.
    """
    from triage.recipe import expectation

    page = knowledge.page(cause)
    checks = [recipe.check for recipe in page.recipes if recipe.check.probe and recipe.check.expect is not None]
    if not checks:
        command = page.recipes[0].check.command or say(page.recipes[0].check.text)
        raise TriageError(f"no recipe of {cause} names a probe; its check is: {command}")
    names = dict.fromkeys(check.probe for check in checks if check.probe)
    book = FactBook(knowledge)
    for run in run_probes(names, target, deep=deep, deadline=DEEP, each=60.0):
        book.add_all(run.facts, "probe", run.name)
    context = Context(knowledge, book, set())
    out: dict[tuple[str, str], tuple[str, str, bool | None, FactValue]] = {}
    for check in checks:
        if check.expect is not None:
            fact, words = expectation(check.expect)
            known = book.get(fact) if fact else None
            row = (fact or "", words or "", evaluate(check.expect, context), known.value if known else None)
            out[row[:2]] = row
    return list(out.values())
