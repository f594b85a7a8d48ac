"""Captured texts held against the alphabet of their type: what does not fit is dropped."""

from __future__ import annotations

import re
from collections.abc import Mapping

from triage.knowledge.model import Rule
from triage.lazy import lazy_pattern

ALPHABETS: Mapping[str, re.Pattern[str]] = {
    name: lazy_pattern(pattern)
    for name, pattern in {
        "text": r"[^\x00-\x1f\x7f]{1,400}",
        "word": r"[\w.+-]{1,120}",
        "int": r"-?\d{1,20}",
        "float": r"-?\d{1,20}(?:\.\d{1,20})?(?:[eE][-+]?\d{1,3})?",
        "bytes": r"\d{1,20}(?:\.\d{1,6})? ?(?:[kKMGTP]i?)?(?:[bB]|[Bb]ytes)?",
        "version": r"[vV]?\d[\w.+!*-]{0,60}",
        "path": r"[^\x00-\x1f\x7f\"'`$;|&<>*?]{1,400}",
        "module": r"[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*",
        "distribution": r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?",
        "symbol": r"[\w@.$:<>~*&,() ]{1,1000}",
        "device": r"[a-z]{2,12}(?::\d{1,4})?|[A-Z][\w:]{1,20}|\d{1,4}",
        "shape": r"[\[(]?[\d, x?*-]{1,200}[\])]?",
        "dtype": r"[\w.:]{1,60}",
        "host": r"[\w.:\[\]%-]{1,255}",
        "port": r"\d{1,5}",
        "library": r"[\w./+@:\\-]{1,300}",
        "arch": r"(?:sm_|compute_|gfx|ascend)?[\w.-]{1,40}",
        "url": r"[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s\x00-\x1f\"'<>`]{1,400}",
        "env": r"[A-Za-z_][A-Za-z0-9_]{0,120}",
    }.items()
}
"""What a value of each capture type may consist of."""


def fits(kind: str, value: str) -> bool:
    """Return whether `value` is a text of capture type `kind`."""
    return ALPHABETS[kind].fullmatch(value) is not None


def typed_captures(rule: Rule, groups: Mapping[str, str | None]) -> dict[str, str]:
    """Return the captures of a match that fit their types, without surrounding blanks."""
    out = {}
    for name, value in groups.items():
        if value is None:
            continue
        value = value.strip()
        capture = rule.captures.get(name)
        if capture is not None and fits(capture.type, value):
            out[name] = value
    return out
