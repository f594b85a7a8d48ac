"""Names that refer to something that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from triage.check.finding import Finding
from triage.knowledge.facts import FactRegistry
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Cause, Lookup, MachineCheck, Test, Tree


def check_references(base: Base) -> Iterator[Finding]:
    """Yield a finding for each rule, cause, node, fact, table or column that is named and not there."""
    checker = _Checker(base)
    for cause in base.causes.values():
        yield from checker.cause(cause)
    for tree in base.trees.values():
        yield from checker.tree(tree)
    for check in base.checks.values():
        yield from checker.machine_check(check)
    for rule in base.rules.values():
        for name, capture in rule.record.captures.items():
            if capture.fact is not None:
                yield from checker.fact(rule, capture.fact, ("captures", name, "fact"))
        for name in rule.record.sets:
            yield from checker.fact(rule, name, ("sets", name))
    for fact in base.facts.values():
        for index, derive in enumerate(fact.record.derive):
            if derive.lookup is not None:
                lookup = Lookup(lookup=derive.lookup, column=derive.column or "", of=derive.of)
                yield from checker.lookup(fact, lookup, ("derive", index))


class _Checker:
    def __init__(self, base: Base) -> None:
        self.base = base
        self.facts = FactRegistry(f.record for f in base.facts.values())

    def finding(self, loaded: Loaded[object], path: tuple[str | int, ...], what: str, fix: str = "") -> Finding:
        place = loaded.place(*path)
        return Finding(place.file, place.line, place.column, what, fix)

    def fact(self, loaded: Loaded[object], name: str, path: tuple[str | int, ...]) -> Iterator[Finding]:
        if self.facts.find(name) is None:
            yield self.finding(
                loaded, path, f"there is no fact {name}", "add it to knowledge_base/facts/ or use a known name"
            )

    def rule(self, loaded: Loaded[object], name: str, path: tuple[str | int, ...]) -> Iterator[Finding]:
        if name not in self.base.rules and ("rules", name) not in self.base.disabled:
            yield self.finding(loaded, path, f"there is no rule {name}", "write it in rules/ or mend the name")

    def known_cause(self, loaded: Loaded[object], name: str, path: tuple[str | int, ...]) -> Iterator[Finding]:
        if name not in self.base.causes and ("causes", name) not in self.base.disabled:
            yield self.finding(
                loaded, path, f"there is no cause {name}", "write it in knowledge_base/causes/ or mend the name"
            )

    def lookup(self, loaded: Loaded[object], lookup: Lookup, path: tuple[str | int, ...]) -> Iterator[Finding]:
        table = self.base.tables.get(lookup.lookup)
        if not lookup.lookup:
            pass  # the fact's own value
        elif table is None:
            yield self.finding(loaded, path, f"there is no table {lookup.lookup}", "write it in knowledge_base/tables/")
        elif lookup.column not in table.record.columns:
            yield self.finding(loaded, path, f"the table {lookup.lookup} has no column {lookup.column}")
        yield from self.fact(loaded, lookup.of, path)

    def test(self, loaded: Loaded[object], test: Test | None, path: tuple[str | int, ...]) -> Iterator[Finding]:
        if test is None:
            return
        subjects = [s for s in ("fact", "seen", "all", "any", "none") if getattr(test, s) is not None]
        if len(subjects) != 1:
            yield self.finding(loaded, path, "a test needs exactly one of fact, seen, all, any, none")
        comparisons = [
            c
            for c in ("is_", "not_", "in_", "lt", "le", "gt", "ge", "matches", "contains", "fits", "missing")
            if getattr(test, c) is not None
        ]
        if test.fact is not None:
            yield from self.fact(loaded, test.fact, (*path, "fact"))
            if len(comparisons) != 1:
                yield self.finding(
                    loaded,
                    path,
                    "a test on a fact needs exactly one comparison",
                    "is, not, in, lt, le, gt, ge, matches, contains, fits or missing",
                )
        elif comparisons:
            yield self.finding(loaded, path, f"{comparisons[0].rstrip('_')} compares nothing here; it needs a fact")
        if test.seen is not None:
            for name in [test.seen] if isinstance(test.seen, str) else test.seen:
                yield from self.rule(loaded, name, (*path, "seen"))
        for comparison in comparisons:
            operand = getattr(test, comparison)
            if isinstance(operand, Lookup):
                yield from self.lookup(loaded, operand, (*path, comparison.rstrip("_")))
        for group in ("all", "any", "none"):
            for index, each in enumerate(getattr(test, group) or []):
                yield from self.test(loaded, each, (*path, group, index))

    def cause(self, loaded: Loaded[Cause]) -> Iterator[Finding]:
        cause = loaded.record
        family = loaded.document.data.get("family", "")
        if not cause.id.startswith(f"{family}."):
            yield self.finding(loaded, ("id",), f"{cause.id} does not belong to the family {family} of this file")
        for index, seen in enumerate(cause.seen_as):
            path = ("seen_as", index)
            for rule in [seen.rule] if isinstance(seen.rule, str) else seen.rule:
                yield from self.rule(loaded, rule, (*path, "rule"))
            yield from self.test(loaded, seen.when, (*path, "when"))
        for key in ("arguments_for", "arguments_against"):
            for index, argument in enumerate(getattr(cause, key)):
                yield from self.test(loaded, argument.when, (key, index, "when"))
        for index, name in enumerate(cause.leads_to):
            yield from self.known_cause(loaded, name, ("leads_to", index))
        for index, neighbour in enumerate(cause.neighbours):
            yield from self.known_cause(loaded, neighbour.cause, ("neighbours", index, "cause"))
        for index, recipe in enumerate(cause.recipes):
            yield from self.test(loaded, recipe.when, ("recipes", index, "when"))
            yield from self.test(loaded, recipe.first_when, ("recipes", index, "first_when"))
            yield from self.test(loaded, recipe.check.expect, ("recipes", index, "check", "expect"))
            for number, step in enumerate(recipe.steps):
                yield from self.test(loaded, step.when, ("recipes", index, "steps", number, "when"))

    def machine_check(self, loaded: Loaded[MachineCheck]) -> Iterator[Finding]:
        check = loaded.record
        family = loaded.document.data.get("family", "")
        if not check.id.startswith(f"{family}-"):
            yield self.finding(loaded, ("id",), f"{check.id} does not belong to the family {family} of this file")
        yield from self.test(loaded, check.applies, ("applies",))
        yield from self.test(loaded, check.good, ("good",))
        if check.cause is not None:
            yield from self.known_cause(loaded, check.cause, ("cause",))
        for index, reason in enumerate(check.reasons):
            yield from self.test(loaded, reason.when, ("reasons", index, "when"))
            if reason.cause is not None:
                yield from self.known_cause(loaded, reason.cause, ("reasons", index, "cause"))

    def tree(self, loaded: Loaded[Tree]) -> Iterator[Finding]:
        tree = loaded.record
        yield from self.test(loaded, tree.enter, ("enter",))
        if tree.start not in tree.nodes:
            yield self.finding(loaded, ("start",), f"there is no node {tree.start}")
        reached = {tree.start}
        for name, node in tree.nodes.items():
            if node.fact is not None:
                yield from self.fact(loaded, node.fact, ("nodes", name, "fact"))
            if len(node.branches) < 2:
                yield self.finding(loaded, ("nodes", name), f"the node {name} has only one branch; it asks nothing")
            for index, branch in enumerate(node.branches):
                path = ("nodes", name, "branches", index)
                yield from self.test(loaded, branch.when, (*path, "when"))
                if branch.when is None and index < len(node.branches) - 1:
                    yield self.finding(
                        loaded, path, "only the last branch may go without a test", "add when, or move it to the end"
                    )
                if (branch.go is None) is (branch.cause is None):
                    yield self.finding(loaded, path, "a branch leads either to a node (go) or to a cause")
                if branch.cause is not None:
                    yield from self.known_cause(loaded, branch.cause, (*path, "cause"))
                if branch.go is not None:
                    reached.add(branch.go)
                    if branch.go not in tree.nodes:
                        yield self.finding(loaded, (*path, "go"), f"there is no node {branch.go}")
        yield from self.circles(loaded)
        for name in tree.nodes:
            if name not in reached:
                yield self.finding(loaded, ("nodes", name), f"no branch leads to the node {name}")

    def circles(self, loaded: Loaded[Tree]) -> Iterator[Finding]:
        """A walk must come to an end: no branch may lead back to a node before it."""
        nodes = loaded.record.nodes
        done: set[str] = set()

        def walk(name: str, above: tuple[str, ...]) -> Iterator[Finding]:
            if name in done or name not in nodes:
                return
            for index, branch in enumerate(nodes[name].branches):
                if branch.go in (*above, name):
                    path = ("nodes", name, "branches", index, "go")
                    yield self.finding(loaded, path, f"this branch leads back to the node {branch.go}", "go on, or end")
                elif branch.go is not None:
                    yield from walk(branch.go, (*above, name))
            done.add(name)

        yield from walk(loaded.record.start, ())
