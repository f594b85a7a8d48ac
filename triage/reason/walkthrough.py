"""The decision trees as a conversation: which question comes next, and what a person's answers change.

Answers reshape the trees and add facts; the engine then ranks as ever. A branch that a person chose is the only one
left at its node. In a tree that a person chose by its symptom, text that the log does not hold counts as unknown, not
as absent, so that each of its questions is asked.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Bilingual, Branch, Fact, Node, Test, Text, Tree
from triage.language import say
from triage.reason.book import FactBook, FactValue, Known
from triage.reason.rank import Ranking
from triage.reason.walk import OpenNode

UNSEEN = Test(fact="walk.unseen", missing=False)
"""Stands for a text that might have been printed: never known."""
ALWAYS = Test(all=[])
CHOSEN = 1000.0
"""Worth of the first question of the tree that the person chose; deeper ones follow."""
PROBE_COST = 0.5
WALK = "walk-through"
"""Detail of the facts that a person answered."""
YES, NO = Bilingual(en="yes", zh="是"), Bilingual(en="no", zh="否")
STANDING = 0.12
"""Confidence from which a candidate's open facts are worth a question."""
TELLING = 0.05
"""Change of a candidate's confidence from which a fact is worth a question."""


class Choice(msgspec.Struct, frozen=True):
    """What a person answered to one question."""

    key: str
    """`tree/node`, or `fact:NAME`."""
    question: str
    answer: str
    """In words, as shown."""
    branch: int | None = None
    """Index of the branch chosen; None for "I do not know" and for plain facts."""
    fact: str | None = None
    value: FactValue = None


class Option(msgspec.Struct, frozen=True):
    """One possible answer."""

    answer: Text
    branch: int | None
    fact: str | None = None
    """Fact that this answer settles, with its `value`."""
    value: FactValue = None


class Ask(msgspec.Struct, frozen=True):
    """One question of the conversation."""

    key: str
    question: Text
    why: Text
    fact: str | None
    record: Fact | None
    options: tuple[Option, ...]
    between: tuple[str, ...]
    """Causes that the answer tells apart."""
    gain: float
    """How much it tells for its cost."""
    tree: Tree | None = None
    node: str = ""

    @property
    def probe(self) -> str | None:
        """Probe that answers it, if there is one."""
        return self.record.probe if self.record else None


def reshape(knowledge: Knowledge, choices: Sequence[Choice], chosen: str | None) -> Knowledge:
    """Return the knowledge with its trees as the answers leave them; `chosen` is the tree picked by its symptom."""
    forced: dict[str, dict[str, int]] = {}
    for choice in choices:
        tree, _, node = choice.key.partition("/")
        if choice.branch is not None:
            forced.setdefault(tree, {})[node] = choice.branch
    if not forced and chosen is None:
        return knowledge
    changed = copy.copy(knowledge)
    changed.trees = [_reshape(tree, forced.get(tree.id, {}), tree.id == chosen) for tree in knowledge.trees]
    return changed


def _reshape(tree: Tree, forced: dict[str, int], soft: bool) -> Tree:
    if not forced and not soft:
        return tree
    nodes = {}
    for name, node in tree.nodes.items():
        branches = node.branches
        if name in forced and forced[name] < len(branches):
            branches = [msgspec.structs.replace(branches[forced[name]], when=None)]
        elif soft:
            branches = [_soften_branch(branch) for branch in branches]
        nodes[name] = msgspec.structs.replace(node, branches=branches)
    return msgspec.structs.replace(tree, nodes=nodes, enter=ALWAYS if soft else tree.enter)


def _soften_branch(branch: Branch) -> Branch:
    return branch if branch.when is None else msgspec.structs.replace(branch, when=_soften(branch.when))


def _soften(test: Test) -> Test:
    """Return `test` with texts that may not have been printed unknown instead of absent."""
    if test.seen is not None:
        return Test(any=[test, UNSEEN])
    parts: dict[str, list[Test]] = {}
    for name in ("all", "any", "none"):
        tests = getattr(test, name)
        if tests is not None:
            parts[name] = [_soften(each) for each in tests]
    return msgspec.structs.replace(test, **parts) if parts else test


def facts_with(knowledge: Knowledge, base: Iterable[Known], choices: Sequence[Choice]) -> FactBook:
    """Return a book of the `base` facts with what a person answered; derived facts are derived anew."""
    book = FactBook(knowledge)
    for known in base:
        if known.source != "derived":
            book.add(known)
    for choice in choices:
        if choice.fact is not None:
            book.add(Known(choice.fact, choice.value, "person", WALK))
    return book


def next_questions(
    knowledge: Knowledge,
    ranking: Ranking,
    facts: FactBook,
    choices: Sequence[Choice],
    chosen: str | None,
    looked: Collection[str] = (),
) -> list[Ask]:
    """Return the open questions, the one that tells most for its cost first; a chosen tree is asked from its start on.

    `knowledge` is the unchanged one: its trees name all answers. `looked` names the probes that were run already and
    left the question open.
    """
    trees = {tree.id: tree for tree in knowledge.trees}
    standing = {c.cause.id: c.confidence for c in ranking.candidates}
    done = {choice.key for choice in choices} | {f"fact:{choice.fact}" for choice in choices if choice.fact}
    asks: dict[str, Ask] = {}
    for open_ in ranking.open:
        ask = _ask_node(knowledge, trees[open_.tree], open_, standing, looked)
        if open_.tree == chosen:
            ask = msgspec.structs.replace(ask, gain=CHOSEN - depths_of(trees[chosen]).get(open_.node, 0))
        if ask.key not in done:
            asks[ask.key] = ask
    named = {ask.fact for ask in asks.values()}
    best = next((c.cause.id for c in ranking.candidates), "")
    for candidate in ranking.candidates:
        if candidate.confidence < STANDING or candidate.explained_by is not None:
            continue
        rival = best if candidate.cause.id != best else next((c for c in standing if c != best), "")
        for name, change in candidate.open.items():
            if change < TELLING or name in named or f"fact:{name}" in done or not rival or facts.matching(name):
                continue
            fact_ask = _ask_fact(knowledge, name, (candidate.cause.id, rival), change, looked)
            if fact_ask is not None and fact_ask.key not in asks:
                asks[fact_ask.key] = fact_ask
    return sorted(asks.values(), key=lambda ask: (-ask.gain, ask.key))


def separation(between: Iterable[str], standing: Mapping[str, float]) -> float:
    """Return how far a question parts the likely causes: most by the second likeliest of those it tells apart."""
    shares = sorted((standing.get(cause, 0.0) for cause in between), reverse=True)
    second = shares[1] if len(shares) > 1 else 0.0
    return second + 0.1 * sum(min(share, 1 - share) for share in shares)


def ask_about(record: Fact, name: str) -> Text:
    """Return the question for a fact; one for many names says which is meant."""
    asked: Text = record.ask if record.ask is not None else f"{say(record.label)}?"
    if "*" not in record.name or "*" in name:
        return asked
    meant = name.removeprefix(record.name.partition("*")[0])
    if isinstance(asked, str):
        return f"{meant}: {asked}"
    return Bilingual(en=f"{meant}: {say(asked, 'en')}", zh=f"{meant}：{say(asked, 'zh')}")


def _cost(record: Fact | None, looked: Collection[str]) -> float:
    cost = 1.0 if record is None else float(record.cost)
    if record is not None and record.probe and record.probe not in looked:
        cost = PROBE_COST
    return cost


def _ask_node(
    knowledge: Knowledge, tree: Tree, open_: OpenNode, standing: Mapping[str, float], looked: Collection[str]
) -> Ask:
    node = tree.nodes[open_.node]
    name = open_.fact if open_.fact != UNSEEN.fact else None
    name = name or next((fact for branch in node.branches for fact in facts_in(branch.when)), None)
    record = knowledge.facts.find(name) if name else None
    return Ask(
        f"{tree.id}/{open_.node}", node.ask, node.why, name if record else None, record, options_of(node, name),
        open_.between, separation(open_.between, standing) / _cost(record, looked), tree, open_.node,
    )  # fmt: skip


def _ask_fact(
    knowledge: Knowledge, name: str, between: tuple[str, str], change: float, looked: Collection[str]
) -> Ask | None:
    record = knowledge.facts.find(name)
    if record is None or not (record.ask or (record.probe and record.probe not in looked)):
        return None
    options: tuple[Option, ...] = ()
    first = name.replace("*", "0")  # a person speaks of one device where the log and the probes name none
    if record.type == "bool":
        options = (Option(YES, None, first, True), Option(NO, None, first, False))
    gain = (0.5 if options else 0.2) * change / _cost(record, looked)  # to choose is easier than to type
    return Ask(f"fact:{name}", ask_about(record, name), "", first, record, options, between, gain)


def depths_of(tree: Tree) -> dict[str, int]:
    """Return how many questions lie between the start of a tree and each of its nodes, at least."""
    depths = {tree.start: 0}
    queue = [tree.start]
    for name in queue:
        for branch in tree.nodes[name].branches:
            if branch.go is not None and branch.go not in depths:
                depths[branch.go] = depths[name] + 1
                queue.append(branch.go)
    return depths


def options_of(node: Node, fact: str | None) -> tuple[Option, ...]:
    """Return the answers of a node, each with the value of `fact` that it stands for where it stands for one."""
    out = []
    for index, branch in enumerate(node.branches):
        found = implied(branch.when, fact) if fact and branch.when is not None else None
        out.append(Option(branch.answer, index, *found) if found else Option(branch.answer, index))
    return tuple(out)


def implied(test: Test, fact: str) -> tuple[str, FactValue] | None:
    """Return the fact and value that make `test` true, if the test names one value."""
    if test.fact == fact and "*" not in fact:
        if isinstance(test.is_, (str, int, float, bool)):
            return fact, test.is_
        if test.in_:
            return fact, test.in_[0]
        if test.missing:
            return fact, None
    for tests in (test.any, test.all):
        for each in tests or ():
            found = implied(each, fact)
            if found is not None:
                return found
    return None


def facts_in(test: Test | None) -> Iterator[str]:
    """Yield the names of the facts that a test asks."""
    if test is None:
        return
    if test.fact is not None and test.fact != UNSEEN.fact:
        yield test.fact
    for tests in (test.all, test.any, test.none):
        for each in tests or ():
            yield from facts_in(each)


def read_value(text: str, record: Fact) -> FactValue:
    """Return what a person typed as a value of the fact's type; raises ValueError with a plain sentence."""
    text = text.strip()
    if not text:
        raise ValueError("type a value, or press Esc")
    if text.lower() in ("none", "null", "absent", "not there", "无", "没有"):
        return None
    if record.type == "bool":
        if text.lower() in ("y", "yes", "true", "1", "是"):
            return True
        if text.lower() in ("n", "no", "false", "0", "否"):
            return False
        raise ValueError("answer yes or no")
    if record.type == "list":
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        if record.type == "int":
            return int(text)
        if record.type in ("float", "seconds"):
            return float(text)
        if record.type == "bytes":
            return _bytes(text)
    except ValueError:
        raise ValueError(f"{text} is not a number; {record.type} is wanted") from None
    return text


def _bytes(text: str) -> int:
    units = {"b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
    number = text.rstrip("iIbB ")
    unit = units.get(number[-1:].lower(), 1)
    return int(float(number[:-1] if number[-1:].lower() in units else number) * unit)
