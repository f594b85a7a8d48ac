"""Read all files of all layers into one base of records, each with its place and layer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from triage.errors import TriageError
from triage.knowledge.convert import convert_document
from triage.knowledge.document import Document, Path_, Place, decode_document, read_bounded
from triage.knowledge.model import (
    Cause,
    CauseFile,
    CheckFile,
    Fact,
    FactFile,
    MachineCheck,
    Pack,
    Rule,
    RuleFile,
    Table,
    Tree,
)
from triage.knowledge.roots import Root
from triage.version import VERSION

R = TypeVar("R", covariant=True)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Loaded(Generic[R]):
    """A record with the file and path it stands at, and the layer it came from."""

    record: R
    document: Document
    path: Path_
    layer: str

    def place(self, *inside: str | int) -> Place:
        """Return the place of the record, or of a value inside it."""
        return self.document.place((*self.path, *inside))


@dataclass(slots=True)
class Base:
    """Everything known, by id, in the order read."""

    rules: dict[str, Loaded[Rule]] = field(default_factory=dict)
    causes: dict[str, Loaded[Cause]] = field(default_factory=dict)
    trees: dict[str, Loaded[Tree]] = field(default_factory=dict)
    facts: dict[str, Loaded[Fact]] = field(default_factory=dict)
    tables: dict[str, Loaded[Table]] = field(default_factory=dict)
    checks: dict[str, Loaded[MachineCheck]] = field(default_factory=dict)
    packs: dict[str, Loaded[Pack]] = field(default_factory=dict)
    """The packs of private layers, by layer."""
    disabled: set[tuple[str, str]] = field(default_factory=set)
    """(kind, id) of what packs switched off."""
    digest: str = ""
    """SHA-256 over names and contents of all files, first 16 hexadecimal digits."""
    layers: dict[str, str] = field(default_factory=dict)
    """The digest of each layer, in their order."""


def load_base(roots: Sequence[Root], report: Callable[[TriageError], None] | None = None) -> Base:
    """Load all layers in order.

    A faulty file raises TriageError; with `report` it is handed over instead and the file is left out.
    """
    base = Base()
    digest = hashlib.sha256()
    for root in roots:
        own = hashlib.sha256()
        for kind, path in root.files():
            name = root.label(path)
            try:
                raw = read_bounded(path, name)
                content = f"{kind}/{path.name}\0".encode() + raw + b"\0"
                digest.update(content)
                own.update(content)
                _load_file(base, kind, decode_document(raw, name), root.name)
            except TriageError as error:
                if report is None:
                    raise
                report(error)
        base.layers[root.name] = own.hexdigest()[:16]
    base.digest = digest.hexdigest()[:16]
    return base


def _load_file(base: Base, kind: str, document: Document, layer: str) -> None:
    if kind == "pack":
        take_pack(base, document, layer)
    elif kind == "rules":
        rules = convert_document(document, RuleFile).rules
        _put(base.rules, {(("rules", i)): (r.id, r) for i, r in enumerate(rules)}, document, layer)
    elif kind == "causes":
        causes = convert_document(document, CauseFile).causes
        _put(base.causes, {("causes", i): (c.id, c) for i, c in enumerate(causes)}, document, layer)
    elif kind == "facts":
        facts = convert_document(document, FactFile).facts
        _put(base.facts, {("facts", i): (f.name, f) for i, f in enumerate(facts)}, document, layer)
    elif kind == "checks":
        checks = convert_document(document, CheckFile).checks
        _put(base.checks, {("checks", i): (c.id, c) for i, c in enumerate(checks)}, document, layer)
    elif kind == "trees":
        tree = convert_document(document, Tree)
        _put(base.trees, {(): (tree.id, tree)}, document, layer)
    else:
        table = convert_document(document, Table)
        _put(base.tables, {(): (table.table, table)}, document, layer)


def take_pack(base: Base, document: Document, layer: str) -> None:
    """Hold a pack against this version of triage and take out what it switches off."""
    pack = convert_document(document, Pack)
    base.packs[layer] = Loaded(pack, document, (), layer)
    _refuse_incompatible(pack, document)
    for kind in ("rules", "causes", "trees", "checks"):
        for index, name in enumerate(getattr(pack.disable, kind)):
            if getattr(base, kind).pop(name, None) is None and (kind, name) not in base.disabled:
                raise TriageError(
                    f"the pack {pack.name} switches off {name}, and there is no such record; remove the line",
                    str(document.place(("disable", kind, index))),
                )
            base.disabled.add((kind, name))


def _refuse_incompatible(pack: Pack, document: Document) -> None:
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

    try:
        Version(pack.version)
    except ValueError:  # no version, or one of thousands of digits
        place = str(document.place(("version",)))
        raise TriageError(f"{pack.version!r} is no version; write one such as '1.0'", place) from None
    try:
        fits = SpecifierSet(pack.requires).contains(VERSION, prereleases=True)
    except ValueError:
        place = str(document.place(("requires",)))
        raise TriageError(f"{pack.requires!r} names no versions; write such as '>=0.1,<2'", place) from None
    if not fits:
        raise TriageError(
            f"the pack {pack.name} {pack.version} wants triage {pack.requires}, and this is {VERSION}: "
            "update one of the two, or leave its folder out",
            str(document.place(("requires",))),
        )


def _put(into: dict[str, Loaded[T]], records: dict[Path_, tuple[str, T]], document: Document, layer: str) -> None:
    for path, (name, record) in records.items():
        known = into.get(name)
        if known is not None and known.layer == layer:
            raise TriageError(
                f"{name} is already defined at {known.place()}; give this one another name", str(document.place(path))
            )
        into[name] = Loaded(record, document, path, layer)
