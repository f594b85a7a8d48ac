"""Knowledge compiled for a run, and its cache.

A warm start reads one file: no YAML, no pattern is compiled. The file's name is a digest of the names, sizes and times
of all sources and of the versions of triage and hyperscan; its content carries a check sum. It is written aside and
moved into place, so two processes may start at once; where nothing can be written, knowledge is compiled each time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from triage.knowledge.model import Argument, Cause, Fact, Rule, Seen, Text, Tree
from triage.knowledge.roots import Root
from triage.version import VERSION

if TYPE_CHECKING:
    from triage.knowledge.load import Base

MAGIC = b"triage-knowledge-4\n"


class CauseIndex(msgspec.Struct, frozen=True, array_like=True):
    """What ranking needs of a cause; the rest is decoded when shown."""

    id: str
    title: Text
    seen_as: list[Seen]
    arguments_for: list[Argument]
    arguments_against: list[Argument]
    leads_to: list[str]
    status: str


class Compiled(msgspec.Struct, frozen=True, array_like=True):
    """Content of the cache file."""

    digest: str
    rules: list[Rule]
    causes: list[CauseIndex]
    pages: dict[str, msgspec.Raw]
    templates: dict[str, msgspec.Raw]
    trees: list[Tree]
    facts: list[Fact]
    tables: dict[str, msgspec.Raw]
    origins: dict[str, str]
    database: bytes


def compile_base(base: Base) -> Compiled:
    """Return what a run needs of `base`, patterns compiled; raises TriageError for a bad pattern."""
    from triage.knowledge.templating import cause_templates
    from triage.match.compile import compile_database, rule_skeleton

    encode = msgspec.msgpack.Encoder().encode
    origins = {f"rule:{name}": str(loaded.place()) for name, loaded in base.rules.items()}
    origins |= {f"cause:{name}": str(loaded.place()) for name, loaded in base.causes.items()}
    origins |= {f"tree:{name}": str(loaded.place()) for name, loaded in base.trees.items()}
    return Compiled(
        digest=base.digest,
        rules=[msgspec.structs.replace(r.record, samples=[], near_misses=[]) for r in base.rules.values()],
        causes=[_index(c.record) for c in base.causes.values()],
        pages={name: msgspec.Raw(encode(c.record)) for name, c in base.causes.items()},
        templates={name: msgspec.Raw(encode(cause_templates(c))) for name, c in base.causes.items()},
        trees=[t.record for t in base.trees.values()],
        facts=[f.record for f in base.facts.values()],
        tables={name: msgspec.Raw(encode(t.record)) for name, t in base.tables.items()},
        origins=origins,
        database=compile_database([rule_skeleton(r) for r in base.rules.values()]),
    )


def _index(cause: Cause) -> CauseIndex:
    return CauseIndex(
        cause.id, cause.title, cause.seen_as, cause.arguments_for, cause.arguments_against, cause.leads_to, cause.status
    )


def load_compiled(roots: Sequence[Root], notice: Callable[[], None] | None = None) -> Compiled:
    """Return the compiled knowledge of the layers, from the cache if it is fresh and whole.

    `notice` is called before a slow compilation starts. Raises TriageError for faulty knowledge.
    """
    path = cache_folder() / f"knowledge-{_stamp(roots)}.bin"
    found = _read(path)
    if found is not None:
        return found
    if notice is not None:
        notice()
    from triage.knowledge.load import load_base

    compiled = compile_base(load_base(roots))
    _write(path, compiled)
    return compiled


def cache_folder() -> Path:
    """Return the folder for compiled knowledge: `TRIAGE_CACHE_DIR`, or the user's cache folder."""
    given = os.environ.get("TRIAGE_CACHE_DIR")
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_cache_dir("triage", appauthor=False))


def _stamp(roots: Sequence[Root]) -> str:
    from hyperscan import __version__ as hyperscan_version  # type: ignore[attr-defined]

    digest = hashlib.sha256(MAGIC)
    machine = os.uname().machine if hasattr(os, "uname") else sys.platform
    digest.update(f"{VERSION} {hyperscan_version} {machine} {sys.version_info[:2]}".encode())
    for root in roots:
        for kind, path in root.files():
            stat = path.stat()
            digest.update(f"{kind} {path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:24]


def _read(path: Path) -> Compiled | None:
    try:
        if hasattr(os, "getuid") and path.stat().st_uid not in (os.getuid(), 0):
            return None
        raw = path.read_bytes()
    except OSError:
        return None
    head = len(MAGIC)
    body = memoryview(raw)[head + 4 :]
    if raw[:head] != MAGIC or zlib.crc32(body).to_bytes(4, "big") != raw[head : head + 4]:
        return None
    try:
        return msgspec.msgpack.decode(body, type=Compiled)
    except msgspec.DecodeError:
        return None


def _write(path: Path, compiled: Compiled) -> None:
    import tempfile

    body = msgspec.msgpack.encode(compiled)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".knowledge-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MAGIC + zlib.crc32(body).to_bytes(4, "big") + body)
            os.replace(name, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
        _drop_old(path)


def _drop_old(fresh: Path) -> None:
    """Keep the eight newest cache files: each edit of a rule makes a new one."""
    files = sorted(fresh.parent.glob("knowledge-*.bin"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in files[8:]:
        with contextlib.suppress(OSError):
            old.unlink()
