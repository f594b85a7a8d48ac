"""Versions that must agree: every test of a cause that holds one fact against a table by another fact."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Argument, Lookup, Test, Text
from triage.reason.book import FactValue
from triage.reason.evaluate import Context, evaluate

WORDS = {"lt": "at least", "le": "above", "gt": "at most", "ge": "below", "is_": "not", "not_": "exactly"}
"""What is right, in words, by the comparison that speaks for a fault."""


class Agreement(msgspec.Struct, frozen=True):
    """One fact, what it must fit, and whether it does."""

    fact: str
    value: FactValue
    of: str
    """Fact that the bound hangs on, with its value `given`."""
    given: FactValue
    wanted: str
    """The bound in words, such as `at least 525.60.13`."""
    agrees: bool | None
    """None while one of the two is not known."""
    cause: str
    """Cause that it would be."""
    because: Text


def find_agreements(knowledge: Knowledge, context: Context) -> list[Agreement]:
    """Return the agreements of which at least one side is known, what is wrong first."""
    out: dict[tuple[str, str, str, str], Agreement] = {}
    for cause in knowledge.causes.values():
        for argument in cause.arguments_for:
            for test in _lookups(argument.when):
                found = _agreement(cause.id, argument, test, knowledge, context)
                if found is not None:
                    out.setdefault((found.fact, found.of, found.wanted, found.cause), found)
    return sorted(out.values(), key=lambda a: ({False: 0, True: 1, None: 2}[a.agrees], a.fact, a.of))


def _lookups(test: Test) -> Iterator[Test]:
    if test.fact is not None and any(isinstance(getattr(test, name), Lookup) for name in WORDS):
        yield test
    for tests in (test.all, test.any):
        for each in tests or ():
            yield from _lookups(each)


def _agreement(cause: str, argument: Argument, test: Test, knowledge: Knowledge, context: Context) -> Agreement | None:
    fact = test.fact or ""
    name = next(name for name in WORDS if isinstance(getattr(test, name), Lookup))
    bound: Lookup = getattr(test, name)
    known, given = context.facts.get(fact), context.facts.get(bound.of)
    values = [known.value if known else None, given.value if given else None]
    if values == [None, None] or fact == bound.of:
        return None
    cell = knowledge.table(bound.lookup).cell(values[1], bound.column) if values[1] is not None else None
    wanted = f"{WORDS[name]} {cell}" if cell is not None else ""
    holds = evaluate(test, context) if None not in values and cell is not None else None
    agrees = None if holds is None else not holds
    return Agreement(fact, values[0], bound.of, values[1], wanted, agrees, cause, argument.because)
