"""What a check finds wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from triage.knowledge.document import Place
from triage.knowledge.load import Loaded

Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One fault of the knowledge: where, what, and how to mend it."""

    file: str
    line: int
    column: int
    what: str
    fix: str = ""
    level: Level = "error"
    check: str = ""
    """Name of the check that found it, e.g. `samples`."""

    def __str__(self) -> str:
        fix = f": {self.fix}" if self.fix else ""
        level = "" if self.level == "error" else "warning: "
        return f"{self.file}:{self.line}:{self.column}: {level}{self.what}{fix}"


def at_place(place: Place, what: str, fix: str = "", level: Level = "error") -> Finding:
    """Return a finding at a place of a file."""
    return Finding(place.file, place.line, place.column, what, fix, level)


def at(
    loaded: Loaded[object], path: tuple[str | int, ...], what: str, fix: str = "", level: Level = "error"
) -> Finding:
    """Return a finding at a value inside a record; the nearest parent counts where the value does not stand."""
    return at_place(loaded.place(*path), what, fix, level)
