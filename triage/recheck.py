"""Ask again, after a fix, whether a cause still holds: by the checks of its recipes and of the machine that name it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from triage.doctor import gather_facts, judge
from triage.errors import TriageError
from triage.knowledge.base import Knowledge
from triage.knowledge.model import Cause, Check, MachineCheck
from triage.language import say
from triage.probing.run import ProbeRun, Progress
from triage.probing.target import Target
from triage.reason.book import FactBook, FactValue
from triage.reason.evaluate import Context, evaluate
from triage.recipe import Renderer, expectation
from triage.result import ProbeResult


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that must be so when the cause is gone."""

    says: str
    state: str
    """`ok`, `bad`, or `unknown`."""
    shows: str


@dataclass(frozen=True, slots=True)
class Recheck:
    """Whether a cause is gone."""

    cause: str
    title: str
    rows: tuple[Row, ...]
    probes: tuple[ProbeResult, ...]
    facts: dict[str, FactValue]

    @property
    def state(self) -> str:
        """`bad` while something still speaks for the cause, `unknown` while anything could not be told, else `ok`."""
        states = {row.state for row in self.rows}
        return "bad" if "bad" in states else "unknown" if "unknown" in states or not states else "ok"


def recheck_cause(
    knowledge: Knowledge,
    cause: str,
    target: Target | None,
    facts: dict[str, FactValue] | None = None,
    deep: bool = False,
    language: str = "en",
    progress: Progress | None = None,
) -> Recheck:
    """Run the probes that can tell whether `cause` is gone from `target` (None: only the given facts count).

    Raises TriageError for an unknown cause, for one that no probe can tell, and for an interpreter or host that cannot
    be used.
    """
    page = knowledge.page(cause)
    checks = [c for c in knowledge.checks if cause in {c.cause, *(reason.cause for reason in c.reasons)}]
    names = {_probe_of(recipe.check, knowledge) for recipe in page.recipes}
    names |= {name for check in checks for name in check.probes}
    wanted = sorted(name for name in names if name is not None)
    if not wanted:
        context = Context(knowledge, FactBook(knowledge), None)
        renderer = Renderer(knowledge, knowledge.templates(cause), context, {}, language)
        by_hand = page.recipes[0].check
        told = renderer.command(by_hand.command) or renderer.text(by_hand.text)
        raise TriageError(f"no probe can tell whether {cause} is gone; see for yourself: {told}")
    context, runs = gather_facts(knowledge, target, facts, wanted, deep, progress)
    rows = [*_by_recipes(page, knowledge, context, language)]
    rows += _by_checks(checks, cause, knowledge, context, runs, deep, language)
    probes = tuple(ProbeResult(run.name, run.status, run.seconds, run.detail) for run in runs)
    shown = {known.name: known.value for known in context.facts}
    return Recheck(cause, say(page.title, language), tuple(dict.fromkeys(rows)), probes, shown)


def _probe_of(check: Check, knowledge: Knowledge) -> str | None:
    """The probe that a recipe's check names, or whose fact it expects."""
    if check.expect is None:
        return None
    record = knowledge.facts.find(check.expect.fact) if check.expect.fact else None
    return check.probe or (record.probe if record else None)


def _by_recipes(page: Cause, knowledge: Knowledge, context: Context, language: str) -> Iterator[Row]:
    """What the recipes that may apply say a probe must then report."""
    renderer = Renderer(knowledge, knowledge.templates(page.id), context, {}, language)
    for recipe in page.recipes:
        expect = recipe.check.expect
        if expect is None or (recipe.when is not None and evaluate(recipe.when, context) is False):
            continue
        fact, words = expectation(expect)
        says = f"{fact} {words}" if fact and words else renderer.text(recipe.check.text) or ""
        known = context.facts.matching(fact) if fact else []
        holds = evaluate(expect, context)
        shows = ", ".join("none" if each.value is None else str(each.value) for each in known)
        yield Row(says, "unknown" if holds is None else "ok" if holds else "bad", shows)


def _by_checks(
    checks: Sequence[MachineCheck],
    cause: str,
    knowledge: Knowledge,
    context: Context,
    runs: Sequence[ProbeRun],
    deep: bool,
    language: str,
) -> Iterator[Row]:
    """What the machine's checks say that name this cause; one that fails for another cause does not count."""
    for check in checks:
        found = judge(check, knowledge, context, runs, deep, language)
        if found.state == "ok" or found.cause == cause:
            yield Row(found.says, "ok" if found.state == "ok" else "bad", found.shows)
        elif found.state in ("timeout", "denied"):
            yield Row(found.says, "unknown", found.state)
