"""Knowledge compiled for a run, and its cache.

A warm start parses no YAML and compiles no pattern. It reads the beginning of one file, the index: what ranking always
looks at, and where each other record lies. Records are decoded when asked for. The index holds the names, sizes and
times of all sources and the versions of triage and its engines; where they differ, knowledge is compiled anew. Where
nothing can be written, it is compiled each time.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from triage.errors import TriageError
from triage.knowledge.cache import MAGIC, map_file, write_plain
from triage.knowledge.model import Argument, Rule, Seen, Text
from triage.version import VERSION

if TYPE_CHECKING:
    from triage.knowledge.load import Base
    from triage.knowledge.roots import Root

Span = tuple[int, int, int]
"""Where a record lies behind the index (first byte, byte after the last), and its check sum."""


class RuleEntry(msgspec.Struct, frozen=True, array_like=True):
    """A rule as it is kept."""

    rule: Rule
    programs: list[msgspec.Raw]
    """The compiled form of each of its expressions, in the order of `expressions_of`."""
    origin: str


class CauseIndex(msgspec.Struct, frozen=True, array_like=True):
    """What ranking needs of a cause; the rest is decoded when shown."""

    id: str
    title: Text
    seen_as: list[Seen]
    arguments_for: list[Argument]
    arguments_against: list[Argument]
    leads_to: list[str]
    status: str


class CauseEntry(msgspec.Struct, frozen=True, array_like=True):
    """A cause as it is kept."""

    index: CauseIndex
    page: msgspec.Raw
    templates: msgspec.Raw
    origin: str


class Index(msgspec.Struct, frozen=True, array_like=True):
    """What a cache file begins with. Spans are those of single records where not said otherwise."""

    stamp: str
    """What the file was made from."""
    digest: str
    rules: dict[str, Span]
    causes: dict[str, Span]
    causes_by_rule: dict[str, list[str]]
    tables: dict[str, Span]
    checks: dict[str, Span]
    check_templates: Span
    trees: Span
    """Of all trees."""
    facts: Span
    """Of all facts."""
    tree_origins: Span
    """Of all places of trees by their ids."""


class Compiled:
    """The index and the records behind it."""

    def __init__(self, index: Index, body: memoryview, recompile: Callable[[], memoryview] | None = None) -> None:
        self.index = index
        self.body = body
        self._recompile = recompile

    def record(self, span: Span) -> memoryview:
        """Return an encoded record; if the file turns out to be damaged, knowledge is compiled and kept in memory.

        Raises TriageError if the sources have changed meanwhile.
        """
        start, end, check = span
        found = self.body[start:end]
        if zlib.crc32(found) != check and self._recompile is not None:
            self.body = self._recompile()
            found = self.body[start:end]
            if zlib.crc32(found) != check:
                raise TriageError("the knowledge files were changed while they were read; run again")
        return found


class _Body:
    """Records being put one after the other."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._encode = msgspec.msgpack.Encoder().encode

    def add(self, record: object) -> Span:
        raw = self._encode(record)
        start = len(self.data)
        self.data += raw
        return start, len(self.data), zlib.crc32(raw)

    def add_all(self, records: Mapping[str, object]) -> dict[str, Span]:
        return {name: self.add(record) for name, record in records.items()}


def compile_base(base: Base, stamp: str = "") -> Compiled:
    """Return what a run needs of `base`; raises TriageError for a bad template."""
    from triage.knowledge.programs import expressions_of, program_of
    from triage.knowledge.templating import cause_templates, check_templates

    raw = msgspec.msgpack.Encoder().encode
    body = _Body()
    rules = {}
    for name, loaded in base.rules.items():
        rule = msgspec.structs.replace(loaded.record, samples=[], near_misses=[])
        programs = [msgspec.Raw(raw(program_of(pattern))) for pattern in expressions_of(rule)]
        rules[name] = RuleEntry(rule, programs, str(loaded.place()))
    causes = {}
    for name, known in base.causes.items():
        templates = msgspec.Raw(raw(cause_templates(known)))
        cause = known.record
        causes[name] = CauseEntry(
            CauseIndex(
                cause.id,
                cause.title,
                cause.seen_as,
                cause.arguments_for,
                cause.arguments_against,
                cause.leads_to,
                cause.status,
            ),
            msgspec.Raw(raw(cause)),
            templates,
            str(known.place()),
        )
    index = Index(
        stamp=stamp,
        digest=base.digest,
        rules=body.add_all(rules),
        causes=body.add_all(causes),
        causes_by_rule=_by_rule(entry.index for entry in causes.values()),
        tables=body.add_all({name: t.record for name, t in base.tables.items()}),
        checks=body.add_all({name: c.record for name, c in base.checks.items()}),
        check_templates=body.add(check_templates(base.checks.values())),
        trees=body.add([t.record for t in base.trees.values()]),
        facts=body.add([f.record for f in base.facts.values()]),
        tree_origins=body.add({name: str(t.place()) for name, t in base.trees.items()}),
    )
    return Compiled(index, memoryview(bytes(body.data)))


def _by_rule(causes: Iterable[CauseIndex]) -> dict[str, list[str]]:
    out: dict[str, dict[str, None]] = {}
    for cause in causes:
        for seen in cause.seen_as:
            for rule in [seen.rule] if isinstance(seen.rule, str) else seen.rule:
                out.setdefault(rule, {})[cause.id] = None
    return {rule: list(found) for rule, found in out.items()}


def load_compiled(roots: Sequence[Root], notice: Callable[[], None] | None = None) -> Compiled:
    """Return the compiled knowledge of the layers, from the cache if it is fresh and whole.

    `notice` is called before a slow compilation starts. Raises TriageError for faulty knowledge.
    """
    stamp = _stamp(roots)
    name = f"knowledge-{zlib.crc32(stamp.encode()):08x}.bin"
    raw = map_file(name)
    if raw is not None:
        found = _read(raw, stamp, lambda: _compile(roots, stamp, name).body)
        if found is not None:
            return found
    if notice is not None:
        notice()
    return _compile(roots, stamp, name)


_HEAD = len(MAGIC) + 8
"""Bytes before the index: the mark of the format, the size and the check sum of the index."""


def _read(raw: memoryview, stamp: str, recompile: Callable[[], memoryview]) -> Compiled | None:
    if len(raw) < _HEAD or raw[: len(MAGIC)] != MAGIC:
        return None
    size, check = (int.from_bytes(raw[at : at + 4], "big") for at in (len(MAGIC), len(MAGIC) + 4))
    encoded = raw[_HEAD : _HEAD + size]
    if zlib.crc32(encoded) != check:
        return None
    try:
        index = msgspec.msgpack.decode(encoded, type=Index)
    except msgspec.DecodeError:
        return None
    return Compiled(index, raw[_HEAD + size :], recompile) if index.stamp == stamp else None


def _compile(roots: Sequence[Root], stamp: str, name: str) -> Compiled:
    from triage.knowledge.load import load_base

    compiled = compile_base(load_base(roots), stamp)
    index = msgspec.msgpack.encode(compiled.index)
    head = MAGIC + len(index).to_bytes(4, "big") + zlib.crc32(index).to_bytes(4, "big")
    write_plain(name, b"".join((head, index, compiled.body)))
    return compiled


def engine() -> str:
    """Return what compiled files hang on beside the knowledge."""
    from hyperscan import __version__ as hyperscan_version  # type: ignore[attr-defined]
    from regex import __version__ as regex_version

    machine = os.uname().machine if hasattr(os, "uname") else sys.platform
    python = ".".join(map(str, sys.version_info[:2]))
    return f"{VERSION}-{hyperscan_version}-{regex_version}-{machine}-{python}"


def _stamp(roots: Sequence[Root]) -> str:
    lines = [engine()]
    for root in roots:
        for kind, path in root.paths():
            stat = os.stat(path)
            lines.append(f"{kind} {path} {stat.st_size} {stat.st_mtime_ns}")
    return "\n".join(lines)
