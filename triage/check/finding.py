"""What a check finds wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One fault of the knowledge: where, what, and how to mend it."""

    file: str
    line: int
    column: int
    what: str
    fix: str = ""
    level: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        fix = f": {self.fix}" if self.fix else ""
        level = "" if self.level == "error" else "warning: "
        return f"{self.file}:{self.line}:{self.column}: {level}{self.what}{fix}"
