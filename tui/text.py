"""Text made ready for the screen: never markup, no control characters, no secrets."""

from __future__ import annotations

import sys

from rich.cells import cell_len
from textual.content import Content

from triage.redact import redact
from triage.report.words import PROMPTS
from triage.sanitize import clean_text

Piece = str | tuple[str, str] | Content
MUTED = "dim"
STRONG = "bold"
GOOD = "bold $text-success"
BAD = "bold $text-error"
DOUBT = "bold $text-warning"
ACCENT = "bold $text-accent"
COMMAND = "$text-primary"


def safe(text: str, limit: int = 2000) -> str:
    """Return text from a log, a machine or a rule on one line, secrets masked."""
    return clean_text(redact(text), limit)


def lines(*rows: Piece) -> Content:
    """Join rows with line ends."""
    return Content("\n").join([piece(row) for row in rows])


def row(*pieces: Piece) -> Content:
    """Join pieces of one row."""
    return Content.assemble(*[piece(each) for each in pieces])


def piece(item: Piece) -> Content:
    """Return a piece as content; the text of a tuple gets the tuple's style."""
    if isinstance(item, Content):
        return item
    return Content.styled(item[0], item[1]) if isinstance(item, tuple) else Content(item)


def block(text: str, style: str = "") -> Content:
    """Return text of several lines, each made safe."""
    return Content("\n").join([Content.styled(safe(line), style) for line in text.splitlines() or [""]])


def command_rows(command: str | None, language: str, indent: str = "   ") -> list[Content]:
    """Return the rows of a command; a prompt stands only before what goes into a shell."""
    return [row((indent + PROMPTS[language] + safe(line), COMMAND)) for line in (command or "").splitlines()]


def bar(share: float, width: int = 10) -> str:
    """Return a bar of `width` characters, readable without colour and in ASCII."""
    full = round(max(0.0, min(1.0, share)) * width)
    filled, empty = ("#", ".") if ascii_only() else ("■", "·")
    return filled * full + empty * (width - full)


def padded(text: str, width: int) -> str:
    """Return text filled with spaces to a width in cells; Chinese takes two a character."""
    return text + " " * max(0, width - cell_len(text))


def ascii_only() -> bool:
    """Whether the terminal's encoding has no line-drawing characters."""
    encoding = getattr(sys.__stdout__, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "") not in ("utf8", "utf16", "cp65001", "utf8sig")
