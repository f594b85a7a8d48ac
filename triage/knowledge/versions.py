"""Order of versions as this field writes them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from triage.lazy import lazy_pattern

if TYPE_CHECKING:
    from packaging.version import Version

_NUMBERS = lazy_pattern(r"\d+")
_SPECIFIER = lazy_pattern(r"\s*[<>=!~]")


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


def version_fits(version: str, requirement: str) -> bool | None:
    """Return whether a version meets a requirement; None where one of the two cannot be read.

    A requirement is a PEP 440 specifier (`>=4.40,<5`), or one or several versions (`2.4.0`; `3.9, 3.10`), each of which
    stands for all versions that begin with it. Pre-releases count like others.
    """
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        have = version_key(version)
        if _SPECIFIER.match(requirement):
            return SpecifierSet(requirement).contains(have, prereleases=True)
        wanted = [version_key(part).release for part in requirement.split(",")]
    except (InvalidSpecifier, ValueError):
        return None
    return any((*have.release, *[0] * len(part))[: len(part)] == part for part in wanted)


def version_prefix(text: str, parts: int) -> str:
    """Return the first `parts` numbers of a version: 2.4.1+cu121 with 2 is "2.4"."""
    return ".".join(_NUMBERS.findall(text.split("+", 1)[0])[:parts])
