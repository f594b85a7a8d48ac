"""Who mentions what: rules, facts and tables as causes, trees, facts and checks name them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from triage.knowledge.load import Base
from triage.knowledge.model import Lookup, Test
from triage.knowledge.templating import cause_texts
from triage.templates import TemplateError, is_template, parse_template


@dataclass(slots=True)
class Mentions:
    """What the knowledge base uses."""

    seen_as: dict[str, list[str]] = field(default_factory=dict)
    """Ids of the causes whose `seen_as` names a rule."""
    tested: set[str] = field(default_factory=set)
    """Rules named in tests of causes, trees and checks."""
    tree_causes: dict[str, list[str]] = field(default_factory=dict)
    """Ids of the trees that end in a cause."""
    tree_rules: dict[str, set[str]] = field(default_factory=dict)
    """Rules that a tree asks for, by its id."""
    facts: set[str] = field(default_factory=set)
    """Facts named in tests, nodes and templates."""
    tables: set[str] = field(default_factory=set)


def collect_mentions(base: Base) -> Mentions:
    """Go through all records once."""
    out = Mentions()
    for cause in base.causes.values():
        for seen in cause.record.seen_as:
            for rule in [seen.rule] if isinstance(seen.rule, str) else seen.rule:
                out.seen_as.setdefault(rule, []).append(cause.record.id)
        _take(out, list(tests_in(cause.record)))
        for _, text, _ in cause_texts(cause.record):
            _template(out, text)
    for tree in base.trees.values():
        tests = list(tests_in(tree.record))
        _take(out, tests)
        out.tree_rules[tree.record.id] = {rule for test in tests for rule in _seen(test)}
        for node in tree.record.nodes.values():
            if node.fact is not None:
                out.facts.add(node.fact)
            for branch in node.branches:
                if branch.cause is not None:
                    out.tree_causes.setdefault(branch.cause, []).append(tree.record.id)
    for fact in base.facts.values():
        for derive in fact.record.derive:
            out.facts.add(derive.of)
            if derive.lookup is not None:
                out.tables.add(derive.lookup)
    for check in base.checks.values():
        _take(out, list(tests_in(check.record)))
    return out


def tests_in(record: object) -> Iterator[Test]:
    """Yield all tests in a record, those inside others included."""
    if isinstance(record, Test):
        yield record
    if isinstance(record, msgspec.Struct):
        for name in record.__struct_fields__:
            yield from tests_in(getattr(record, name))
    elif isinstance(record, list):
        for item in record:
            yield from tests_in(item)
    elif isinstance(record, dict):
        for item in record.values():
            yield from tests_in(item)


def _seen(test: Test) -> list[str]:
    return [] if test.seen is None else [test.seen] if isinstance(test.seen, str) else test.seen


def _take(out: Mentions, tests: list[Test]) -> None:
    for test in tests:
        out.tested.update(_seen(test))
        if test.fact is not None:
            out.facts.add(test.fact)
        for name in ("is_", "not_", "lt", "le", "gt", "ge", "contains", "fits"):
            operand = getattr(test, name)
            if isinstance(operand, Lookup):
                out.tables.add(operand.lookup)
                out.facts.add(operand.of)


def _template(out: Mentions, text: str) -> None:
    if not is_template(text):
        return
    try:
        tree = parse_template(text)
    except TemplateError:
        return
    for name, arguments in filters_in(tree):
        if name == "lookup" and arguments:
            out.tables.add(str(arguments[0]))
        elif name == "distribution":
            out.tables.add("import_to_distribution")


def filters_in(piece: object) -> Iterator[tuple[str, list[object]]]:
    """Yield (filter, its constant arguments) in a template's tree."""
    if not isinstance(piece, list):
        return
    if piece and piece[0] == "filter":
        yield str(piece[1]), [argument[1] for argument in piece[3] if argument[0] == "const"]
    for part in piece:
        yield from filters_in(part)
