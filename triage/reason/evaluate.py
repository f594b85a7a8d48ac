"""Three-valued tests on facts and observations."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection
from typing import Any

import msgspec

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Lookup, Operand, Test
from triage.knowledge.versions import version_fits, version_key
from triage.reason.book import FactBook, FactValue, Known

ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


class Context(msgspec.Struct):
    """What tests are held against."""

    knowledge: Knowledge
    facts: FactBook
    seen: Collection[str] | None
    """Ids of the rules that matched; None where there is no log, so that nothing is known about it."""


class Trace(msgspec.Struct):
    """What an evaluation looked at."""

    used: list[Known] = []
    """Facts that were known and consulted."""
    open: list[str] = []
    """Names of facts that were consulted, are unknown and could still change the result."""
    seen: list[str] = []
    """Rules that were asked for and had matched."""


def evaluate(test: Test, context: Context, trace: Trace | None = None) -> bool | None:
    """Return whether `test` holds; None while a fact that decides it is unknown."""
    trace = trace if trace is not None else Trace()
    before = len(trace.open)
    holds = _evaluate(test, context, trace)
    if holds is not None:
        del trace.open[before:]
    return holds


def _evaluate(test: Test, context: Context, trace: Trace) -> bool | None:
    if test.fact is not None:
        return _on_fact(test, test.fact, context, trace)
    if test.seen is not None:
        if context.seen is None:
            return None
        wanted = [test.seen] if isinstance(test.seen, str) else test.seen
        found = [rule for rule in wanted if rule in context.seen]
        trace.seen.extend(found)
        return bool(found)
    if test.all is not None:
        return _all([evaluate(each, context, trace) for each in test.all])
    if test.any is not None:
        return _not(_all([_not(evaluate(each, context, trace)) for each in test.any]))
    if test.none is not None:
        return _all([_not(evaluate(each, context, trace)) for each in test.none])
    return None


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all(values: list[bool | None]) -> bool | None:
    if any(value is False for value in values):
        return False
    return None if any(value is None for value in values) else True


def _on_fact(test: Test, name: str, context: Context, trace: Trace) -> bool | None:
    known = context.facts.matching(name)
    if not known:
        trace.open.append(name)
        return None
    trace.used.extend(known)
    results = [_compare(test, fact.value, context, trace) for fact in known]
    return _not(_all([_not(result) for result in results]))


def _compare(test: Test, value: FactValue, context: Context, trace: Trace) -> bool | None:
    if test.missing is not None:  # a list without items says that there is nothing of the kind
        return (value is None or value == []) is test.missing
    if value is None:
        return False
    if test.matches is not None:
        items = value if isinstance(value, list) else [value]
        return any(re.search(test.matches, str(item)) for item in items)
    if test.in_ is not None:
        return any(_equal(value, item) for item in test.in_)
    if test.contains is not None:
        item = _operand(test.contains, context, trace)
        if item is None:
            return None
        return str(item) in ([str(each) for each in value] if isinstance(value, list) else str(value))
    if test.is_ is not None:
        item = _operand(test.is_, context, trace)
        return None if item is None else _equal(value, item)
    if test.not_ is not None:
        item = _operand(test.not_, context, trace)
        return None if item is None else not _equal(value, item)
    if test.fits is not None:
        item = _operand(test.fits, context, trace)
        wanted = ", ".join(map(str, item)) if isinstance(item, list) else str(item)
        return None if item is None else version_fits(str(value), wanted)
    for order, compare in ORDERS.items():
        bound = getattr(test, order)
        if bound is not None:
            item = _operand(bound, context, trace)
            return None if item is None else _ordered(value, item, compare)
    return None


def _operand(operand: Operand, context: Context, trace: Trace) -> object:
    """Return the right side of a comparison; None if it hangs on an unknown fact or an empty cell."""
    if not isinstance(operand, Lookup):
        return operand
    known = context.facts.get(operand.of)
    if known is None:
        trace.open.append(operand.of)
        return None
    trace.used.append(known)
    if not operand.lookup:
        return known.value
    return context.knowledge.table(operand.lookup).cell(known.value, operand.column)


def _equal(value: FactValue, item: object) -> bool:
    if isinstance(value, bool) or isinstance(item, bool):
        return value is item or str(value).lower() == str(item).lower()
    return value == item or str(value) == str(item)


def _ordered(value: FactValue, item: object, compare: Callable[[Any, Any], bool]) -> bool | None:
    if isinstance(value, (int, float)) and isinstance(item, (int, float)):
        return compare(value, item)
    try:
        return compare(version_key(str(value)), version_key(str(item)))
    except ValueError:
        return None
