"""Every step from a text to a cause, one a line: what a change of the knowledge must not lose by accident."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from triage.knowledge.load import Base
from triage.knowledge.model import Text
from triage.knowledge.roots import data_folder


def links_of(base: Base) -> list[str]:
    """Return the steps of a base, sorted: `rule -> cause`, and `tree.node: answer -> node or cause`."""
    return sorted(set(_links(base)))


def _links(base: Base) -> Iterator[str]:
    for cause in base.causes.values():
        for seen in cause.record.seen_as:
            for rule in [seen.rule] if isinstance(seen.rule, str) else seen.rule:
                yield f"{rule} -> {cause.record.id}"
    for tree in base.trees.values():
        for name, node in tree.record.nodes.items():
            for branch in node.branches:
                yield f"{tree.record.id}.{name}: {_english(branch.answer)} -> {branch.go or branch.cause}"


def _english(text: Text) -> str:
    return " ".join((text if isinstance(text, str) else text.en).split())


def recorded_links() -> Path:
    """Return the file of a checkout that holds the steps as last agreed on."""
    return data_folder("rules").parent / "tests" / "rules" / "links.txt"


def lost_links(base: Base) -> list[str]:
    """Return the recorded steps that are not there any more; new ones are no fault."""
    path = recorded_links()
    if not path.is_file():
        return []
    return sorted(set(path.read_text(encoding="utf-8").splitlines()) - set(_links(base)))
