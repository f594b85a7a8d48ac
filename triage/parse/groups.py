"""Exception groups: a tree drawn with margins, each member a log of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from triage.lazy import lazy_pattern
from triage.log.streams import Line
from triage.parse.drafts import Draft, indent_of

if TYPE_CHECKING:
    from triage.parse.stacks import StackParser

GROUP = lazy_pattern(r"\s*\+ Exception Group Traceback \(most recent call last\):")
"""The header of a group that is not itself a member."""

_MARGIN = lazy_pattern(r"( *)[|+] ?")
_SEPARATOR = lazy_pattern(r"( *)\+(?:-\+)?-{4,} ?(?:(?P<member>\d+|\.\.\.) ?-{4,})?\s*$")


def read_group(parser: StackParser, place: int) -> int:
    """Read an exception group: its own stack at the margin, then each member with a parser of its own.

    Layout: `traceback.py` of CPython 3.11, `_ExceptionPrintContext`: `|` margins, members parted by `+---- N ----`.
    """
    lines = parser.lines
    column = indent_of(lines[place].text)
    end = place + 1
    while end < len(lines) and end - place < 100_000:
        margin = _MARGIN.match(lines[end].text)
        if margin is None or len(margin[1]) < column:
            break
        end += 1
    own, members = _split_group(lines[place:end], column)
    firsts: list[Draft] = []
    for member in members:
        inner = type(parser)(member, parser.depth + 1)
        found = inner.parse()
        parser.out += found
        if found:
            firsts.append(found[-1])
    inner = type(parser)(own, parser.depth + 1)
    inner.parse()
    for draft in inner.out[:-1]:
        parser.out.append(draft)
    if inner.out:
        top = inner.out[-1]
        top.first_line = lines[place].number
        top.last_line = max(top.last_line, lines[end - 1].number)
        if firsts and top.previous is None:
            top.relation, top.previous = "group", firsts[0]
        parser.add(top)
    return end


def _split_group(lines: Sequence[Line], column: int) -> tuple[list[Line], list[list[Line]]]:
    """Part a group's lines into its own, margin off, and those of each member."""
    own: list[Line] = []
    members: list[list[Line]] = []
    current: list[Line] | None = None
    nested = False
    for line in lines:
        separator = _SEPARATOR.match(line.text)
        depth = len(separator[1]) + (2 if "+-+" in line.text[: len(separator[1]) + 3] else 0) if separator else -1
        if separator and depth == column + 2:
            current = None
            if separator["member"]:
                current, nested = [], False
                members.append(current)
            continue
        margin = indent_of(line.text)
        if current is not None and margin >= column + 2:
            text = line.text[column + 2 :]
            if text.startswith("| Exception Group Traceback"):
                nested, text = True, f"+{text[1:]}"
            elif text.startswith("|") and not nested:
                text = text[2:]
            current.append(replace(line, text=text))
        elif margin == column:
            text = line.text[column:][2:].replace("Exception Group Traceback", "Traceback", 1)
            own.append(replace(line, text=text))
    return own, members
