"""Compiled patterns for a check: one database a file of rules, cached, so that an edit recompiles one family."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from triage.knowledge.cache import read_cached, write_cached
from triage.knowledge.load import Loaded
from triage.knowledge.model import Rule
from triage.knowledge.store import engine_stamp
from triage.match.compile import compile_database
from triage.match.scan import Scanner
from triage.match.skeleton import Skeleton

CACHE = "check-databases.bin"


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
    known = _read_cache()
    fresh: dict[str, bytes] = {}
    parts: list[tuple[int, Scanner]] = []
    first = 0
    for group in groups:
        digest = _digest(group)
        fresh[digest] = known.get(digest) or compile_database(group)
        parts.append((first, Scanner(fresh[digest], len(group))))
        first += len(group)
    if fresh.keys() - known.keys():
        write_cached(CACHE, msgspec.msgpack.encode(known | fresh if len(known) < 400 else fresh))
    return FamilyScanner(parts, len(rules))


def _digest(group: Sequence[Skeleton]) -> str:
    digest = hashlib.sha256(engine_stamp().encode())
    for skeleton in group:
        digest.update(b"%d %s\n" % (skeleton.ignore_case, skeleton.expression))
    return digest.hexdigest()[:24]


def _read_cache() -> dict[str, bytes]:
    body = read_cached(CACHE)
    if body is None:
        return {}
    try:
        return msgspec.msgpack.decode(body, type=dict[str, bytes])
    except msgspec.DecodeError:
        return {}
