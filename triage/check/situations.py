"""Situations in which a cause is named and none of its recipes applies."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec

from triage.check.mentions import tests_in
from triage.knowledge.model import Cause, Test

MOST_FACTS = 10
"""Tests on facts that are tried in all combinations; of more, only all true and all false."""
OPPOSITE = {"not_": "is_", "ge": "lt", "gt": "le"}
"""Comparisons that are true where another one is false."""

Atom = tuple[str, str, str]
"""A comparison of a fact: its name, the comparison without its opposite, and what it is compared with."""


def without_recipe(cause: Cause, by_tree: bool) -> str:
    """Return a situation for which a cause has no recipe, in words; empty if there is none.

    A situation is the one rule that speaks for the cause, or none where a tree leads to it (`by_tree`), and any
    values of the facts that recipes ask for.
    """
    if not cause.recipes or any(recipe.when is None for recipe in cause.recipes):
        return ""
    whens = [recipe.when for recipe in cause.recipes if recipe.when is not None]
    atoms = sorted({_atom(test)[0] for when in whens for test in tests_in(when) if test.fact is not None})
    for seen in _observed(cause, by_tree):
        for values in _assignments(atoms):
            if not any(_holds(when, seen, values) for when in whens):
                facts = [_words(atom, value) for atom, value in values.items()]
                return " and ".join([f"{rule} is seen" for rule in sorted(seen)] + facts) or "no rule of it is seen"
    return ""


def _observed(cause: Cause, by_tree: bool) -> Iterator[frozenset[str]]:
    for entry in cause.seen_as:
        for rule in [entry.rule] if isinstance(entry.rule, str) else entry.rule:
            alone = frozenset({rule})
            if entry.when is None or _possible(entry.when, alone):
                yield alone
                continue
            others = {name for test in tests_in(entry.when) for name in _seen(test)}
            yield from (alone | {name} for name in sorted(others) if _possible(entry.when, alone | {name}))
    if by_tree:
        yield frozenset()


def _possible(when: Test, seen: frozenset[str]) -> bool:
    atoms = sorted({_atom(test)[0] for test in tests_in(when) if test.fact is not None})
    return any(_holds(when, seen, values) for values in _assignments(atoms))


def _assignments(atoms: list[Atom]) -> Iterator[dict[Atom, bool]]:
    if len(atoms) > MOST_FACTS:
        yield from (dict.fromkeys(atoms, value) for value in (True, False))
    else:
        for values in itertools.product((True, False), repeat=len(atoms)):
            yield dict(zip(atoms, values, strict=True))


def _holds(test: Test, seen: frozenset[str], values: dict[Atom, bool]) -> bool:
    if test.fact is not None:
        atom, turned = _atom(test)
        return values[atom] is not turned
    if test.seen is not None:
        return any(rule in seen for rule in _seen(test))
    if test.all is not None:
        return all(_holds(each, seen, values) for each in test.all)
    if test.any is not None:
        return any(_holds(each, seen, values) for each in test.any)
    return not any(_holds(each, seen, values) for each in test.none or [])


def _seen(test: Test) -> list[str]:
    return [] if test.seen is None else [test.seen] if isinstance(test.seen, str) else test.seen


def _atom(test: Test) -> tuple[Atom, bool]:
    """Return the comparison of a test on a fact, and whether the test is its opposite."""
    for name in test.__struct_fields__:
        value = getattr(test, name)
        if value is None or name in ("fact", "seen", "all", "any", "none"):
            continue
        plain = OPPOSITE.get(name, name)
        turned = plain != name or (name == "missing" and value is False)
        shown = "" if name == "missing" else msgspec.json.encode(value).decode()
        return (str(test.fact), plain, shown), turned
    return (str(test.fact), "", ""), False


def _words(atom: Atom, value: bool) -> str:
    name, comparison, operand = atom
    text = " ".join(part for part in (name, comparison.rstrip("_"), operand) if part)
    return text if value else f"not {text}"
