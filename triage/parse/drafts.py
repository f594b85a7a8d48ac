"""A traceback while it is being read."""

from __future__ import annotations

from typing import Literal

import msgspec

from triage.lazy import lazy_pattern
from triage.log.streams import Line
from triage.parse.frames import Frame

_LEVELLED = lazy_pattern(r"[\d.,]*\d|\s+")


class Draft(msgspec.Struct):
    """The fields of a `Traceback`, with the previous one of the chain as an object."""

    stream: str
    first_line: int
    exception_line: int = 0
    last_line: int = 0
    type: str = ""
    message: str = ""
    frames: list[Frame] = []
    notes: list[str] = []
    relation: Literal["", "cause", "context", "remote", "group"] = ""
    previous: Draft | None = None
    truncated: bool = False


def indent_of(text: str) -> int:
    """Count the blanks before the text."""
    return len(text) - len(text.lstrip(" \t"))


def header_of(line: Line) -> str:
    """The shape of what a logger put before the line (digits and blanks levelled); a traceback's lines share it."""
    if line.text and line.raw.endswith(line.text):
        return _LEVELLED.sub("0", line.raw[: len(line.raw) - len(line.text)]) if len(line.raw) > len(line.text) else ""
    return line.level + line.time[:1]
