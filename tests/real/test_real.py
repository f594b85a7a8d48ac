"""Failures that real libraries made: recorded ones always, made afresh where the libraries are installed."""

from __future__ import annotations

from functools import cache

import pytest

from tests.real.failures import Failure, all_failures
from triage.diagnosis import Options, open_case
from triage.knowledge.base import Knowledge
from triage.log.source import source_from_text

FAILURES = all_failures()


@cache
def knowledge() -> Knowledge:
    return Knowledge.load()


def check(failure: Failure, text: str) -> None:
    report = open_case(source_from_text(text), knowledge(), options=Options()).report()
    if failure.causes == ("none",):
        assert all(h.confidence < 0.5 for h in report.hypotheses), [(h.id, h.confidence) for h in report.hypotheses]
        return
    got = [(h.id, h.confidence) for h in report.hypotheses]
    assert got and got[0][0] in failure.causes, f"{got}\n{text[-1500:]}"


@pytest.mark.parametrize("failure", [f for f in FAILURES if f.recorded.exists()], ids=lambda f: f.name)
def test_a_recorded_failure_gets_its_cause(failure: Failure) -> None:
    check(failure, failure.recorded.read_text(encoding="utf-8"))


def test_every_failure_is_recorded() -> None:
    assert [f.name for f in FAILURES if not f.recorded.exists()] == []


@pytest.mark.real
@pytest.mark.parametrize("failure", FAILURES, ids=lambda f: f.name)
def test_a_failure_made_afresh_gets_its_cause(failure: Failure) -> None:
    missing = failure.missing()
    if missing:
        pytest.skip(f"{missing} is not here")
    check(failure, failure.run())
