"""Walk the decision trees with what is known."""

from __future__ import annotations

import msgspec

from triage.knowledge.model import Branch, Node, Text, Tree
from triage.reason.book import Known
from triage.reason.evaluate import Context, Trace, evaluate

LADDER = ("decisive", "strong", "weak", "hint")
"""Weights from strong to slight; an open question on the way costs a leaf one step."""


class Answer(msgspec.Struct, frozen=True):
    """One question passed on the way, with the answer that led on."""

    tree: str
    node: str
    question: Text
    why: Text
    answer: Text
    known: bool
    """False if the question is open and this is one of several branches kept alive."""


class Leaf(msgspec.Struct, frozen=True):
    """A cause reached, how strongly, by which path, and what was used on the way."""

    tree: Tree
    cause: str
    weight: str
    path: tuple[Answer, ...]
    rules: tuple[str, ...]
    facts: tuple[Known, ...]


class OpenNode(msgspec.Struct, frozen=True):
    """A question that nothing known answers, and the causes between which it decides."""

    tree: str
    node: str
    question: Text
    why: Text
    fact: str | None
    between: tuple[str, ...]


class Walk(msgspec.Struct, frozen=True):
    """All leaves reached in all trees entered, and the questions left open."""

    leaves: tuple[Leaf, ...]
    open: tuple[OpenNode, ...]


def walk_trees(trees: list[Tree], context: Context) -> Walk:
    """Walk each tree whose `enter` test holds."""
    leaves: list[Leaf] = []
    open_: list[OpenNode] = []
    for tree in trees:
        trace = Trace()
        if evaluate(tree.enter, context, trace):
            _Walker(tree, context, leaves, open_).visit(tree.start, 0, (), trace)
    return Walk(tuple(leaves), tuple(open_))


def live_branches(node: Node, context: Context, trace: Trace) -> list[tuple[Branch, bool]]:
    """Return the branches still possible, each with whether it is certain."""
    alive: list[tuple[Branch, bool]] = []
    for branch in node.branches:
        holds = True if branch.when is None else evaluate(branch.when, context, trace)
        if holds is False:
            continue
        if holds is True:
            alive.append((branch, not alive))
            break
        alive.append((branch, False))
    return alive


class _Walker:
    def __init__(self, tree: Tree, context: Context, leaves: list[Leaf], open_: list[OpenNode]) -> None:
        self.tree = tree
        self.context = context
        self.leaves = leaves
        self.open = open_

    def visit(self, name: str, lowered: int, path: tuple[Answer, ...], trace: Trace) -> set[str]:
        """Follow a node; return the causes reached below it."""
        node = self.tree.nodes[name]
        reached: set[str] = set()
        here = Trace(list(trace.used), [], list(trace.seen))
        alive = live_branches(node, self.context, here)
        for branch, certain in alive:
            step = lowered + (0 if certain else 1)
            answer = Answer(self.tree.id, name, node.ask, node.why, branch.answer, certain)
            if branch.cause is not None:
                weight = LADDER[min(LADDER.index(branch.weight) + step, len(LADDER) - 1)]
                facts, rules = {known.name: known for known in here.used}, tuple(dict.fromkeys(here.seen))
                self.leaves.append(Leaf(self.tree, branch.cause, weight, (*path, answer), rules, tuple(facts.values())))
                reached.add(branch.cause)
            elif branch.go is not None and len(path) < 40:
                reached |= self.visit(branch.go, step, (*path, answer), here)
        if len(alive) > 1 and len(reached) > 1:
            fact = node.fact or next(iter(here.open), None)
            self.open.append(OpenNode(self.tree.id, name, node.ask, node.why, fact, tuple(sorted(reached))))
        return reached
