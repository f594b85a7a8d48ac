"""Tests on lists, on two facts, and where there is no log."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.conftest import Kit, cause
from triage.knowledge.model import Test
from triage.reason.book import FactBook, FactValue
from triage.reason.evaluate import Context, evaluate


def holds(kit: Kit, test: dict[str, Any], facts: dict[str, FactValue], seen: set[str] | None) -> bool | None:
    """Whether a test holds, written as in YAML."""
    kit.causes(cause("t.x", ""))
    book = FactBook(kit.knowledge)
    book.add_all(facts, "probe")
    return evaluate(msgspec.convert(test, Test), Context(kit.knowledge, book, seen))


@pytest.mark.parametrize(
    ("value", "missing"), [(None, True), ([], True), (["a"], False), ("", False), (0, False), (False, False)]
)
def test_a_list_without_items_says_that_there_is_none(kit: Kit, value: FactValue, missing: bool) -> None:
    assert holds(kit, {"fact": "box", "missing": True}, {"box": value}, set()) is missing
    assert holds(kit, {"fact": "box", "missing": False}, {"box": value}, set()) is not missing


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        ({"drv.version": "12.10", "cuda.wanted": "12.4"}, True),
        ({"drv.version": "12.4", "cuda.wanted": "12.4+cu1"}, True),
        ({"drv.version": "11.8", "cuda.wanted": "12.4"}, False),
        ({"drv.version": "11.8"}, None),
        ({"drv.version": "11.8", "cuda.wanted": None}, None),
        ({"drv.version": None, "cuda.wanted": "12.4"}, False),
    ],
)
def test_a_fact_is_held_against_another_fact(kit: Kit, facts: dict[str, FactValue], result: bool | None) -> None:
    assert holds(kit, {"fact": "drv.version", "ge": {"of": "cuda.wanted"}}, facts, set()) is result


def test_without_a_log_nothing_is_known_of_it(kit: Kit) -> None:
    assert holds(kit, {"seen": "t-x"}, {}, None) is None
    assert holds(kit, {"none": [{"seen": "t-x"}]}, {}, None) is None
    assert holds(kit, {"seen": "t-x"}, {}, set()) is False
    assert holds(kit, {"any": [{"seen": "t-x"}, {"fact": "box", "is": "a"}]}, {"box": "a"}, None) is True
