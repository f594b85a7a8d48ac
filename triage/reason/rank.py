"""Rank causes: add up what speaks for and against each, explain consequences away, put the first fault first.

Weights are few and coarse. What decides between causes that all have a strong observation is structure: which cause
leads to which, and whose fault came first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Text
from triage.knowledge.store import CauseIndex
from triage.match.observe import Observation
from triage.reason.book import Known
from triage.reason.evaluate import Context, Trace, evaluate
from triage.reason.walk import LADDER, Answer, Leaf, OpenNode, walk_trees

FOR = {"decisive": 0.95, "strong": 0.85, "weak": 0.45, "hint": 0.2}
"""How sure one observation of this weight makes a cause."""
FACT_FOR = {"decisive": 0.8, "strong": 0.5, "weak": 0.2}
"""Share of the remaining doubt that a fact of this weight takes away."""
AGAINST = {"decisive": 0.08, "strong": 0.45, "weak": 0.8}
"""What a fact against leaves of the confidence."""
EXPLAINED = 0.4
"""What is left of a cause whose symptoms another established cause produces."""
LATER = 0.87
"""What is left of a cause whose fault came after another well-supported one."""
FIRM = 0.6
"""Confidence from which a cause counts as established."""
TOP = 0.98
FLOOR = 0.05


class Support(msgspec.Struct, frozen=True):
    """One thing that speaks for a cause."""

    weight: str
    observation: Observation | None
    path: tuple[Answer, ...] = ()


class FactEvidence(msgspec.Struct, frozen=True):
    """A fact that speaks for or against a cause."""

    for_: bool
    known: tuple[Known, ...]
    weight: str
    because: Text | None
    seen: tuple[str, ...] = ()


class Candidate(msgspec.Struct):
    """A cause under consideration."""

    cause: CauseIndex
    supports: list[Support] = []
    facts: list[FactEvidence] = []
    open: dict[str, float] = {}
    """Unknown facts that would change its standing, each with how much it would do so at most."""
    raw: float = 0.0
    confidence: float = 0.0
    explained_by: str | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Index of the first line among its best supports, and how little the match there says (negative length)."""
        best = max((FOR[s.weight] for s in self.supports if s.observation), default=0.0)
        found = [s.observation for s in self.supports if s.observation and FOR[s.weight] >= best - 0.15]
        return min(((o.index, -o.span) for o in found), default=(1 << 60, 0))

    @property
    def position(self) -> int:
        """Index of the first line among its best supports; large if it has none."""
        return self.place[0]

    def leave_open(self, facts: Iterable[str], change: float) -> None:
        """Note unknown facts that may change the confidence by `change`."""
        for fact in facts:
            self.open[fact] = max(self.open.get(fact, 0.0), change)


class Ranking(msgspec.Struct, frozen=True):
    """Causes, best first, and the questions that trees left open."""

    candidates: tuple[Candidate, ...]
    open: tuple[OpenNode, ...]


def rank_causes(
    knowledge: Knowledge, context: Context, observations: Sequence[Observation], ends_well: bool
) -> Ranking:
    """Return every cause that something speaks for, with its confidence."""
    by_rule: dict[str, list[Observation]] = {}
    for observation in observations:
        by_rule.setdefault(observation.rule.id, []).append(observation)
    candidates: dict[str, Candidate] = {}

    def candidate(cause: str) -> Candidate:
        if cause not in candidates:
            candidates[cause] = Candidate(knowledge.causes[cause])
        return candidates[cause]

    wanted = dict.fromkeys(cause for rule in by_rule for cause in knowledge.causes_by_rule.get(rule, ()))
    for cause in wanted:
        for support, open_, change in _seen_as(knowledge.causes[cause], by_rule, context, ends_well):
            candidate(cause).supports.append(support)
            candidate(cause).leave_open(open_, change)
    walk = walk_trees(list(knowledge.trees), context)
    for leaf in walk.leaves:
        if leaf.cause in knowledge.causes:
            _add_leaf(candidate(leaf.cause), leaf, by_rule, ends_well)
    for each in candidates.values():
        _weigh(each, context)
    _explain_away(candidates, knowledge)
    _first_fault_first(candidates)
    ranked = sorted(candidates.values(), key=lambda c: (-round(c.confidence, 2), c.place, c.cause.id))
    return Ranking(tuple(c for c in ranked if c.confidence >= FLOOR), walk.open)


def _seen_as(
    cause: CauseIndex, by_rule: Mapping[str, list[Observation]], context: Context, ends_well: bool
) -> Iterable[tuple[Support, list[str], float]]:
    for seen in cause.seen_as:
        for rule in [seen.rule] if isinstance(seen.rule, str) else seen.rule:
            observations = by_rule.get(rule)
            if not observations:
                continue
            weight: str = seen.weight
            trace = Trace()
            if seen.when is not None:
                holds = evaluate(seen.when, context, trace)
                if holds is False:
                    continue
                if holds is None:
                    weight = _lower(weight)
            for observation in observations:
                yield Support(_by_role(weight, observation, ends_well), observation), trace.open, FOR[seen.weight]


def _add_leaf(candidate: Candidate, leaf: Leaf, by_rule: Mapping[str, list[Observation]], ends_well: bool) -> None:
    observations = [by_rule[rule][0] for rule in leaf.rules if rule in by_rule]
    for position, observation in enumerate(reversed(observations)):
        weight = leaf.weight if position < 2 else _lower(leaf.weight)
        candidate.supports.append(Support(_by_role(weight, observation, ends_well), observation, leaf.path))
    if not observations:
        candidate.supports.append(Support(leaf.weight, None, leaf.path))
    if leaf.facts:
        candidate.facts.append(FactEvidence(True, leaf.facts, "weak", None))


def _lower(weight: str) -> str:
    return LADDER[min(LADDER.index(weight) + 1, len(LADDER) - 1)]


def _by_role(weight: str, observation: Observation, ends_well: bool) -> str:
    """Consequences and teardown prove little; so does a mere warning in a run that ended well."""
    if observation.rule.role == "teardown":
        return "hint"
    if observation.rule.role in ("consequence", "context") and weight == "decisive":
        return "strong"
    if ends_well and observation.traceback is None and observation.level not in ("ERROR", "FATAL"):
        return _lower(_lower(weight))
    return weight


def _weigh(candidate: Candidate, context: Context) -> None:
    best: dict[str, float] = {}
    for support in candidate.supports:
        key = support.observation.rule.id if support.observation else "tree"
        best[key] = max(best.get(key, 0.0), FOR[support.weight])
    doubt = 1.0
    for order, value in enumerate(sorted(best.values(), reverse=True)[:4]):
        doubt *= 1 - value * 0.5**order
    confidence = 1 - doubt
    for argument in candidate.cause.arguments_for:
        trace = Trace()
        if evaluate(argument.when, context, trace):
            confidence = 1 - (1 - confidence) * (1 - FACT_FOR[argument.weight])
            candidate.facts.append(_evidence(True, trace, argument.weight, argument.because))
        candidate.leave_open(trace.open, (1 - confidence) * FACT_FOR[argument.weight])
    for argument in candidate.cause.arguments_against:
        trace = Trace()
        if evaluate(argument.when, context, trace):
            confidence *= AGAINST[argument.weight]
            candidate.facts.append(_evidence(False, trace, argument.weight, argument.because))
        candidate.leave_open(trace.open, confidence * (1 - AGAINST[argument.weight]))
    if candidate.cause.status == "experimental":
        confidence = min(confidence, 0.6)
    candidate.raw = candidate.confidence = min(confidence, TOP)


def _evidence(for_: bool, trace: Trace, weight: str, because: Text) -> FactEvidence:
    used = {known.name: known for known in trace.used}
    return FactEvidence(for_, tuple(used.values()), weight, because, tuple(dict.fromkeys(trace.seen)))


def _explain_away(candidates: Mapping[str, Candidate], knowledge: Knowledge) -> None:
    """Lower each cause that an established one leads to; of two that lead to each other the earlier is the root."""
    established = [c for c in candidates.values() if c.raw >= 0.4]
    for root in sorted(established, key=lambda c: (-c.raw, c.position)):
        if root.explained_by is not None:
            continue
        for name in _consequences(root.cause.id, knowledge):
            other = candidates.get(name)
            if other is None or other is root or other.explained_by:
                continue
            if root.raw < FIRM and root.raw < other.raw:
                continue
            mutual = root.cause.id in _consequences(name, knowledge)
            if mutual and (other.raw, -other.position) > (root.raw, -root.position):
                continue
            other.explained_by = root.cause.id
            other.confidence = other.raw * EXPLAINED


def _consequences(cause: str, knowledge: Knowledge) -> set[str]:
    """Return the causes that `cause` leads to, directly or over one other."""
    out: set[str] = set()
    for name in knowledge.causes[cause].leads_to:
        out.add(name)
        if name in knowledge.causes:
            out.update(knowledge.causes[name].leads_to)
    out.discard(cause)
    return out


def _first_fault_first(candidates: Mapping[str, Candidate]) -> None:
    roots = [c for c in candidates.values() if c.explained_by is None]
    firm = sorted(
        (c for c in roots if c.raw >= FIRM), key=lambda c: (c.position, -round(c.raw, 1), c.place, c.cause.id)
    )
    if not firm:
        return
    first = firm[0]
    for other in roots:
        if other is not first and other.place > first.place:
            other.confidence *= LATER
    rivals = [c.confidence for c in roots if c is not first]
    if rivals and max(rivals) >= FIRM:
        first.confidence *= 0.93
