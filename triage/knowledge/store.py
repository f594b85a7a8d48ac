"""Knowledge compiled for a run, and its cache.

A warm start reads one file: no YAML, no pattern is compiled. The file's name is a digest of the names, sizes and times
of all sources and of the versions of triage and hyperscan. Where nothing can be written, knowledge is compiled each
time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from triage.knowledge.cache import MAGIC, read_checked, write_checked
from triage.knowledge.model import Argument, Cause, Fact, Seen, Text, Tree
from triage.knowledge.roots import Root
from triage.version import VERSION

if TYPE_CHECKING:
    from triage.knowledge.load import Base


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
    """Content of the cache file. Records that most runs never look at stay encoded."""

    digest: str
    rule_ids: list[str]
    rules: list[msgspec.Raw]
    causes: list[CauseIndex]
    causes_by_rule: dict[str, list[str]]
    pages: dict[str, msgspec.Raw]
    templates: dict[str, msgspec.Raw]
    trees: list[Tree]
    facts: list[Fact]
    tables: dict[str, msgspec.Raw]
    checks: dict[str, msgspec.Raw]
    check_templates: msgspec.Raw
    origins: dict[str, str]


def compile_base(base: Base) -> Compiled:
    """Return what a run needs of `base`; raises TriageError for a bad template."""
    from triage.knowledge.templating import cause_templates, check_templates

    encode = msgspec.msgpack.Encoder().encode
    origins = {f"rule:{name}": str(loaded.place()) for name, loaded in base.rules.items()}
    origins |= {f"cause:{name}": str(loaded.place()) for name, loaded in base.causes.items()}
    origins |= {f"tree:{name}": str(loaded.place()) for name, loaded in base.trees.items()}
    causes = [_index(c.record) for c in base.causes.values()]
    return Compiled(
        digest=base.digest,
        rule_ids=list(base.rules),
        rules=[
            msgspec.Raw(encode(msgspec.structs.replace(r.record, samples=[], near_misses=[])))
            for r in base.rules.values()
        ],
        causes=causes,
        causes_by_rule=_by_rule(causes),
        pages={name: msgspec.Raw(encode(c.record)) for name, c in base.causes.items()},
        templates={name: msgspec.Raw(encode(cause_templates(c))) for name, c in base.causes.items()},
        trees=[t.record for t in base.trees.values()],
        facts=[f.record for f in base.facts.values()],
        tables={name: msgspec.Raw(encode(t.record)) for name, t in base.tables.items()},
        checks={name: msgspec.Raw(encode(c.record)) for name, c in base.checks.items()},
        check_templates=msgspec.Raw(encode(check_templates(base.checks.values()))),
        origins=origins,
    )


def _by_rule(causes: Sequence[CauseIndex]) -> dict[str, list[str]]:
    out: dict[str, dict[str, None]] = {}
    for cause in causes:
        for seen in cause.seen_as:
            for rule in [seen.rule] if isinstance(seen.rule, str) else seen.rule:
                out.setdefault(rule, {})[cause.id] = None
    return {rule: list(found) for rule, found in out.items()}


def _index(cause: Cause) -> CauseIndex:
    return CauseIndex(
        cause.id, cause.title, cause.seen_as, cause.arguments_for, cause.arguments_against, cause.leads_to, cause.status
    )


def load_compiled(roots: Sequence[Root], notice: Callable[[], None] | None = None) -> Compiled:
    """Return the compiled knowledge of the layers, from the cache if it is fresh and whole.

    `notice` is called before a slow compilation starts. Raises TriageError for faulty knowledge.
    """
    name = f"knowledge-{_stamp(roots)}.bin"
    body = read_checked(name)
    if body is not None:
        with contextlib.suppress(msgspec.DecodeError):
            return msgspec.msgpack.decode(body, type=Compiled)
    if notice is not None:
        notice()
    from triage.knowledge.load import load_base

    compiled = compile_base(load_base(roots))
    write_checked(name, msgspec.msgpack.encode(compiled))
    return compiled


def engine() -> str:
    """Return what compiled files hang on beside the knowledge."""
    from hyperscan import __version__ as hyperscan_version  # type: ignore[attr-defined]

    machine = os.uname().machine if hasattr(os, "uname") else sys.platform
    return f"{VERSION} {hyperscan_version} {machine} {sys.version_info[:2]}"


def _stamp(roots: Sequence[Root]) -> str:
    lines = [engine(), MAGIC.decode()]
    for root in roots:
        for kind, path in root.files():
            stat = os.stat(path)
            lines.append(f"{kind} {path} {stat.st_size} {stat.st_mtime_ns}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:24]
