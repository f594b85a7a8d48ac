"""A small sound layer, which tests spoil in one place each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from triage.check.finding import Finding
from triage.check.run import check_knowledge
from triage.knowledge.roots import overlay_root

RULES = """family: own
rules:
  - id: own-disk-full
    says: {en: the scratch disk is full, zh: 临时盘已满}
    pattern: 'scratch volume (?P<volume>[\\w/]{1,60}) has no room left'
    captures:
      volume: {type: path}
    source: frobnix 1.2, scratch.c
    samples:
      - text: 'frobnix: scratch volume /scr1 has no room left'
        captures: {volume: /scr1}
    near_misses:
      - 'frobnix: scratch volume /scr1 has room left'
"""
CAUSES = """family: own
causes:
  - id: own.disk_full
    title: {en: The scratch disk is full, zh: 临时盘已满}
    explanation: The job writes its scratch files to a volume of fixed size, and other jobs have filled it before this one began.
    seen_as:
      - {rule: own-disk-full, weight: decisive}
    arguments_for:
      - {when: {fact: own.free, lt: {lookup: volumes, column: least, of: own.kind}}, weight: weak, because: little room}
    recipes:
      - title: Free the volume
        risk: environment
        steps:
          - text: 'Remove what is old on {{ volume }}'
            command: 'find {{ volume }} -mtime +30'
        check: {text: df shows room, command: df -h}
"""
FACTS = """facts:
  - {name: own.free, type: bytes, label: free room}
  - {name: own.kind, type: string, label: kind of volume}
"""
TABLES = """table: volumes
about: volumes
key: kind
columns: {kind: kind, least: least room}
sources: [{id: s1, what: the cluster's handbook}]
rows:
  - {kind: fast, least: 1000, src: s1}
  - {kind: slow, least: 2000, src: s1}
"""
TREE = """id: own-tree
title: Disks
about: Disks.
enter: {seen: own-disk-full}
start: first
nodes:
  first:
    ask: Is it full?
    why: It matters.
    fact: own.free
    branches:
      - {answer: 'yes', when: {fact: own.free, lt: 10}, cause: own.disk_full}
      - {answer: 'no', go: second}
  second:
    ask: Which kind?
    why: It matters.
    fact: own.kind
    branches:
      - {answer: fast, when: {fact: own.kind, is: fast}, cause: own.disk_full}
      - {answer: other, cause: own.disk_full}
"""
FILES = {
    "rules/own.yaml": RULES,
    "causes/own.yaml": CAUSES,
    "facts/own.yaml": FACTS,
    "tables/volumes.yaml": TABLES,
    "trees/own-tree.yaml": TREE,
}


class SmallLayer:
    """Files of a layer in a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name: str, text: str | bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def spoil(self, name: str, old: str, new: str) -> None:
        text = FILES[name]
        assert old in text
        self.write(name, text.replace(old, new, 1))

    def check(self, logs: list[Path] | None = None) -> list[Finding]:
        return check_knowledge([overlay_root(self.folder)], logs or [])[1]


@pytest.fixture
def layer(tmp_path: Path) -> SmallLayer:
    return SmallLayer(tmp_path / "layer")


@pytest.fixture
def make_layer(tmp_path: Path) -> Callable[[], SmallLayer]:
    return lambda: SmallLayer(tmp_path / "layer")
