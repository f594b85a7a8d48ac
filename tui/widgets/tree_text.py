"""Decision trees drawn as trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from textual.content import Content

from triage.knowledge.model import Tree

from ..text import ACCENT, GOOD, MUTED, STRONG, ascii_only, row, safe
from ..words import Words


def draw_tree(tree: Tree, words: Words, here: str = "", taken: Mapping[str, int] | None = None) -> Content:
    """Return a tree as text: questions, answers, and the causes they lead to.

    `here` is the node being asked; `taken` the branch chosen at each node that was answered.
    """
    drawn = _Drawing(tree, words, here, taken or {})
    return Content("\n").join(list(drawn.node(tree.start, "")))


class _Drawing:
    def __init__(self, tree: Tree, words: Words, here: str, taken: Mapping[str, int]) -> None:
        self.tree = tree
        self.words = words
        self.here = here
        self.taken = taken
        self.seen: set[str] = set()
        plain = ascii_only()
        self.tee, self.elbow, self.pipe = ("+- ", "`- ", "|  ") if plain else ("├─ ", "└─ ", "│  ")
        self.arrow = "->" if plain else "→"

    def node(self, name: str, indent: str) -> Iterator[Content]:
        node = self.tree.nodes[name]
        now = name == self.here
        yield row(indent, ("> " if now else "", ACCENT), (safe(self.words.of(node.ask)), ACCENT if now else STRONG))
        if name in self.seen:
            yield row(indent, ("   " + self.words("see-above"), MUTED))
            return
        self.seen.add(name)
        for index, branch in enumerate(node.branches):
            last = index == len(node.branches) - 1
            chosen = self.taken.get(name) == index
            passed = name in self.taken and not chosen
            answer = safe(self.words.of(branch.answer))
            head = row((indent + (self.elbow if last else self.tee), MUTED), ("* " if chosen else "", GOOD),
                       (answer, MUTED if passed else GOOD if chosen else ""))  # fmt: skip
            if branch.cause is not None:
                yield row(head, (f" {self.arrow} {safe(branch.cause)}", MUTED if passed else ACCENT))
            else:
                yield head
            if branch.go is not None and not passed:
                yield from self.node(branch.go, indent + ("   " if last else self.pipe))
