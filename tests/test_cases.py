"""Recorded real failures get their confirmed cause, the decisive line and the fix; healthy logs stay silent."""

from __future__ import annotations

from functools import cache

import pytest

from triage.check.recorded import RecordedCase, answer_all, answer_case, fault_of, read_cases, shipped_cases
from triage.knowledge.base import Knowledge


@cache
def knowledge() -> Knowledge:
    return Knowledge.load()


@pytest.mark.parametrize("case", read_cases(shipped_cases()), ids=lambda case: case.id)
def test_a_recorded_log_gets_its_confirmed_answer(case: RecordedCase) -> None:
    assert not fault_of(case, answer_case(case, knowledge()))


def test_the_recipe_shown_first_is_nearly_always_the_one_that_helped() -> None:
    right = [
        (case.id, answer.first_names_fix)
        for case, answer in answer_all(read_cases(shipped_cases()), knowledge())
        if case.fix_terms and answer.cause in (case.cause, *case.also)
    ]
    others = [name for name, first in right if not first]
    assert len(others) < 0.05 * len(right), others
