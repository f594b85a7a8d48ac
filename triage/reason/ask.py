"""Which question would tell the remaining causes apart."""

from __future__ import annotations

from collections.abc import Sequence

from triage.knowledge.base import Knowledge
from triage.language import say
from triage.reason.rank import Ranking
from triage.reason.walkthrough import TELLING, ask_about, separation
from triage.result import Hypothesis, Question

MOST = 5


def questions(
    ranking: Ranking, hypotheses: Sequence[Hypothesis], knowledge: Knowledge, language: str
) -> tuple[Question, ...]:
    """Return the open questions that bear on the reported hypotheses: the most telling for its cost first."""
    standing = {h.id: h.confidence for h in hypotheses if h.explained_by is None}
    out: dict[str, tuple[float, Question]] = {}
    for node in ranking.open:
        between = tuple(cause for cause in node.between if cause in standing)
        if len(between) < 2 or node.fact is None:
            continue
        _offer(
            out,
            knowledge,
            node.fact,
            say(node.question, language),
            say(node.why, language),
            between,
            standing,
            language,
        )
    for candidate in ranking.candidates:
        if candidate.cause.id not in standing:
            continue
        others = [h.id for h in hypotheses if h.id != candidate.cause.id and h.id in standing]
        for fact, change in candidate.open.items():
            if fact not in out and others and change >= TELLING:
                _offer(out, knowledge, fact, "", "", (candidate.cause.id, others[0]), standing, language)
    ranked = sorted(out.values(), key=lambda pair: (-pair[0], pair[1].fact))
    return tuple(question for _, question in ranked[:MOST])


def _offer(
    out: dict[str, tuple[float, Question]],
    knowledge: Knowledge,
    fact: str,
    text: str,
    why: str,
    between: tuple[str, ...],
    standing: dict[str, float],
    language: str,
) -> None:
    record = knowledge.facts.find(fact)
    if record is None or fact in out:
        return
    label = say(record.label, language)
    asked = text or (say(ask_about(record, fact), language) if record.ask else f"{label}?")
    cost = 0.5 if record.probe else float(record.cost)
    gain = separation(between, standing)
    out[fact] = (gain / cost, Question(asked, fact, record.probe, between, why, record.how))
