"""Compiled patterns for a check: one database a file of rules, cached, so that an edit recompiles one family."""

from __future__ import annotations

from collections.abc import Sequence

from triage.check.memory import Memory, digest_of
from triage.knowledge.load import Loaded
from triage.knowledge.model import Rule
from triage.knowledge.store import engine
from triage.match.compile import compile_database
from triage.match.scan import Scanner
from triage.match.skeleton import Skeleton


class FamilyScanner(Scanner):
    """Scans with the databases of all families as if they were one."""

    def __init__(self, parts: Sequence[tuple[int, Scanner]], rules: int) -> None:
        self._parts = parts
        self.rules = rules

    def scan(self, data: bytes) -> list[tuple[int, int]]:
        """Return (rule number, end offset) of each hit, in the order of their ends."""
        hits = [
            (first + number, end)
            for first, scanner in self._parts
            for number, end in scanner.scan(data)
            if number < scanner.rules
        ]
        hits.sort(key=lambda hit: hit[1])
        return hits


def scanner_for(rules: Sequence[tuple[Loaded[Rule], Skeleton]]) -> FamilyScanner:
    """Return a scanner whose ids are positions in `rules`, which stand in the order of their files."""
    groups: list[list[Skeleton]] = []
    file = ""
    for loaded, skeleton in rules:
        if not groups or loaded.document.file != file:
            groups.append([])
            file = loaded.document.file
        groups[-1].append(skeleton)
    keys = [digest_of(engine(), *(part for s in group for part in (s.expression, s.ignore_case))) for group in groups]
    databases = Memory("databases", bytes).work_out(keys, groups, compile_database)
    parts: list[tuple[int, Scanner]] = []
    first = 0
    for group, database in zip(groups, databases, strict=True):
        parts.append((first, Scanner(database, len(group))))
        first += len(group)
    return FamilyScanner(parts, len(rules))
