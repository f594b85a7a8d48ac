"""The same log on different machines has different right answers, by the shipped knowledge base."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.reason.rerank_pairs import PAIRS, Facts
from triage.diagnosis import Options, open_case
from triage.knowledge.base import Knowledge
from triage.log.source import source_from_text
from triage.result import Report

ANSWERS = [(name, log, cause, facts) for name, log, answers in PAIRS for cause, facts in answers.items()]


@pytest.fixture(scope="module")
def shipped() -> Knowledge:
    """The knowledge base of this working tree."""
    return Knowledge.load()


def diagnosed(knowledge: Knowledge, log: str, facts: Facts) -> Report:
    """The report on a log and on the facts of a machine as probes find them."""
    return open_case(source_from_text(log), knowledge, facts, "probe", Options()).report()


def test_there_are_at_least_25_pairs_of_one_log_with_two_right_answers() -> None:
    assert sum(len(list(combinations(answers, 2))) for _, _, answers in PAIRS) >= 25


@pytest.mark.parametrize(("log", "cause", "facts"), [a[1:] for a in ANSWERS], ids=[f"{a[0]}-{a[2]}" for a in ANSWERS])
def test_the_facts_of_the_machine_decide(shipped: Knowledge, log: str, cause: str, facts: Facts) -> None:
    report = diagnosed(shipped, log, facts)
    assert report.hypotheses[0].id == cause, [(h.id, h.confidence) for h in report.hypotheses]
    assert report.hypotheses[0].fix


@pytest.mark.parametrize(("log", "answers"), [p[1:] for p in PAIRS], ids=[p[0] for p in PAIRS])
def test_a_fact_that_decides_is_shown_as_evidence(shipped: Knowledge, log: str, answers: dict[str, Facts]) -> None:
    shown = set()
    for facts in answers.values():
        for hypothesis in diagnosed(shipped, log, facts).hypotheses:
            shown |= {(e.fact, e.for_) for e in hypothesis.evidence if e.source == "probe"}
    assert shown, "no answer names a fact"
    assert {fact for fact, _ in shown} <= {fact for facts in answers.values() for fact in facts}
