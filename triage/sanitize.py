"""Text from logs and machines, made safe to show: no control characters, no bidirectional tricks, bounded length."""

from __future__ import annotations

from typing import Any

from triage.lazy import lazy_pattern

_UNSAFE = lazy_pattern("[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u061c\ud800-\udfff]")

EVIDENCE = 2000
"""Characters of a log line that a report shows."""


def clean_text(text: str, limit: int = EVIDENCE) -> str:
    """Return `text` on one line without control or bidirectional characters, at most `limit` characters long."""
    if not text.isprintable():
        text = _UNSAFE.sub(" ", text)
    return text if len(text) <= limit else text[: limit - 1] + "\u2026"


def clean_value(value: Any) -> Any:
    """Return a fact or capture for a template: texts cleaned, lists joined."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return ", ".join(clean_text(str(item)) for item in value)
    return value


def cut_around(text: str, start: int, end: int, limit: int = EVIDENCE) -> tuple[str, int]:
    """Return at most `limit` characters of `text` around [start, end), and where `start` is in them."""
    if len(text) <= limit:
        return text, start
    left = max(0, min(start - (limit - min(end - start, limit)) // 2, len(text) - limit))
    return text[left : left + limit], start - left
