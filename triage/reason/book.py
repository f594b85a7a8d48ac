"""Facts at hand, each with where it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Derive

FactValue = str | int | float | bool | None | list[str] | list[int] | list[float]
"""Value of a fact; None means known to be absent."""
Provenance = Literal["log", "probe", "file", "person", "derived"]
PRECEDENCE: tuple[Provenance, ...] = ("person", "file", "log", "probe", "derived")


class Known(msgspec.Struct, frozen=True):
    """A fact that is known."""

    name: str
    value: FactValue
    source: Provenance
    detail: str = ""
    """Name of the probe or rule it comes from."""
    line: int | None = None
    """Line of the log, for facts from it."""


class FactBook:
    """Facts by name. A person's word goes before a file's, the log's, a probe's and what was derived."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._facts: dict[str, Known] = {}

    def copy(self) -> FactBook:
        """Return a book of its own with the same facts."""
        other = FactBook(self._knowledge)
        other._facts = dict(self._facts)
        return other

    def add(self, known: Known) -> None:
        """Take a fact in; of two values of the same standing the first one stays."""
        old = self._facts.get(known.name)
        if old is None or PRECEDENCE.index(known.source) < PRECEDENCE.index(old.source):
            self._facts[known.name] = known

    def add_all(self, values: Mapping[str, FactValue], source: Provenance, detail: str = "") -> None:
        """Take in several facts of one provenance."""
        for name, value in values.items():
            self.add(Known(name, value, source, detail))

    def get(self, name: str) -> Known | None:
        """Return the fact, derived from others if need be; None while it is unknown."""
        known = self._facts.get(name)
        if known is None:
            known = self._derive(name)
            if known is not None:
                self._facts[name] = known
        return known

    def matching(self, name: str) -> list[Known]:
        """Return the facts whose names fit `name`, in which `*` stands for one part."""
        if "*" not in name:
            known = self.get(name)
            return [] if known is None else [known]
        pattern = re.compile(re.escape(name).replace(r"\*", r"[^.]+"))
        names = {known for known in self._facts if pattern.fullmatch(known)}
        names |= self._derivable(name)
        return [known for each in sorted(names) if (known := self.get(each)) is not None]

    def _derivable(self, name: str) -> set[str]:
        record = self._knowledge.facts.find(name)
        if record is None:
            return set()
        out = set()
        for derive in record.derive:
            if "*" in derive.of:
                star = re.compile(re.escape(derive.of).replace(r"\*", r"([^.]+)"))
                out |= {name.replace("*", m.group(1)) for known in self._facts if (m := star.fullmatch(known))}
        return out

    def _derive(self, name: str) -> Known | None:
        record = self._knowledge.facts.find(name)
        if record is None:
            return None
        for derive in record.derive:
            of = derive.of
            if "*" in of and "*" in record.name:
                star = re.fullmatch(re.escape(record.name).replace(r"\*", "([^.]+)"), name)
                of = of.replace("*", star.group(1)) if star else of
            base = self.get(of)
            value = None if base is None else self._derived_value(derive, base.value)
            if base is not None and value is not None:
                if not derive.lookup and derive.pattern is None:  # another name of the same thing
                    return Known(name, value, base.source, base.detail, base.line)
                return Known(name, value, "derived", of)
        return None

    def _derived_value(self, derive: Derive, value: FactValue) -> FactValue:
        if derive.lookup and derive.column:
            cell = self._knowledge.table(derive.lookup).cell(value, derive.column)
            return None if cell is None or isinstance(cell, list) else cell
        if derive.pattern is not None and isinstance(value, (str, int)):
            match = re.search(derive.pattern, str(value))
            return match.expand(derive.value or r"\g<0>") if match else None
        return value if derive.pattern is None else None

    def __iter__(self) -> Iterator[Known]:
        yield from (self._facts[name] for name in sorted(self._facts))
