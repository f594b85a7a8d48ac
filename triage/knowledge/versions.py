"""Order of versions as this field writes them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from triage.lazy import lazy_pattern

if TYPE_CHECKING:
    from packaging.version import Version

_NUMBERS = lazy_pattern(r"\d+")


@lru_cache(maxsize=4096)
def version_key(text: str) -> Version:
    """Return the sort key of a version text.

    Local parts (`+cu121`) are ignored; texts that are no PEP 440 version (`CUDA 12.4`, `535.104.05-0ubuntu1`) count by
    their first run of dotted numbers. Raises ValueError if there is no number in it.
    """
    from packaging.version import InvalidVersion, Version  # few logs show versions to compare

    cleaned = text.strip().lstrip("vV").split("+", 1)[0]
    try:
        return Version(cleaned)
    except InvalidVersion:
        match = re.search(r"\d+(?:\.\d+)*", cleaned)
        if match is None:
            raise ValueError(f"{text!r} is not a version") from None
        return Version(match.group())


def version_prefix(text: str, parts: int) -> str:
    """Return the first `parts` numbers of a version: 2.4.1+cu121 with 2 is "2.4"."""
    return ".".join(_NUMBERS.findall(text.split("+", 1)[0])[:parts])
