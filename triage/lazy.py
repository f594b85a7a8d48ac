"""Regular expressions that are compiled when they are first used.

Triage knows far more forms than one log shows, and to compile them all would take longer than to read a small log.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _LazyPattern:
    """Stands for a compiled expression; each attribute is fetched once, so that later calls cost nothing extra."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, value)
        return value


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what behaves as `re.compile(pattern, flags)`."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags))
