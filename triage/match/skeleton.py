"""A rule's pattern as the expression that hyperscan looks for: everything the pattern matches, and little else.

Hyperscan finds candidates, `regex` confirms them. The expression is made from the parsed pattern. Fixed text, classes
of characters and alternatives are kept; what hyperscan cannot do, or does slowly, is widened: anchors and look-around
are dropped, counted repeats become open ones, and characters beyond ASCII match byte by byte (digits are 0 to 9). Of an
alternative that has a telling piece only that is looked for, which makes the database smaller and quicker to load. So
any pattern of Python's dialect can be a rule, and a candidate is never missed.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

if sys.version_info >= (3, 11):
    from re import _constants as sre
    from re import _parser as sre_parse
else:
    import sre_constants as sre
    import sre_parse

MOST_COUNTED = 12
"""A minimum number of repeats up to this is kept; hyperscan pays for counting."""
LEAST = 3
"""Bytes of fixed text in one piece that every candidate must hold."""

TELLING = 18
"""Letters of fixed text in one run that tell enough: of such an alternative only this run is looked for."""
APART = 12
"""Bytes of fixed text that a piece between wide gaps must hold to be looked for alone."""
WIDE = 8
"""Characters that a gap may span from which it parts pieces."""

_ANY = b"[^\\n]"
_GAP = b"[^\\n]*"
_BYTES = b"{1,4}"
_CATEGORIES = {
    "CATEGORY_DIGIT": b"0-9",
    "CATEGORY_SPACE": b" \\t\\r\\x0b\\x0c\\x80-\\xff",
    "CATEGORY_WORD": b"a-zA-Z0-9_\\x80-\\xff",
    "CATEGORY_NOT_DIGIT": b"\\x01-\\x09\\x0b-/:-\\xff",
    "CATEGORY_NOT_SPACE": b"!-\\xff\\x01-\\x08",
    "CATEGORY_NOT_WORD": b"\\x01-\\x09\\x0b-/:-@\\[-^`{-\\xff",
}
"""Categories as bytes: a character beyond ASCII may belong to any but the digits, a line break to none."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A hyperscan expression and whether it ignores case."""

    expression: bytes
    ignore_case: bool
    fixed: int
    """Bytes of the longest fixed piece that every candidate holds."""


@cache
def skeleton_of(pattern: str, across_lines: bool) -> Skeleton:
    """Return the skeleton of `pattern`.

    `across_lines` marks a pattern that may span lines: only the best part within one line is looked for, since the
    others may stand in other lines. Raises re.error for a bad pattern, ValueError if no fixed piece is left.
    """
    parsed = sre_parse.parse(pattern)
    ignore_case = bool(parsed.state.flags & sre.SRE_FLAG_IGNORECASE)
    items: list[Any] = list(parsed)  # type: ignore[call-overload]
    if across_lines:
        items = max(_lines(items), key=_fixed)
    fixed = _fixed(items)
    if fixed < LEAST:
        raise ValueError("has no fixed piece of three bytes or more to look for")
    pieces = (
        _strip_gaps(_sequence(_without_open_ends(_telling_piece(each)), across_lines)).removesuffix(_BYTES)
        for each in _alternatives(items)
    )
    return Skeleton(b"|".join(pieces), ignore_case, fixed)


def _alternatives(items: list[Any]) -> list[list[Any]]:
    """Return the alternatives that a whole pattern consists of; itself if it is no choice between any."""
    items = _flat(items)
    if len(items) == 1 and items[0][0] is sre.BRANCH:
        return [each for branch in items[0][1][1] for each in _alternatives(list(branch))]
    return [items]


def _telling_piece(items: list[Any]) -> list[Any]:
    """Return the part of an alternative that tells enough, or all of it."""
    runs: list[list[Any]] = [[]]
    pieces: list[list[Any]] = [[]]
    for op, value in items:
        if op is sre.LITERAL and value != 10:
            runs[-1].append((op, value))
        elif op is not sre.AT:
            runs.append([])
        if op in REPEATS and value[1] >= WIDE and _is_one_character(list(value[2])):
            pieces.append([])
        else:
            pieces[-1].append((op, value))
    run = max(runs, key=lambda each: sum(chr(value).isalpha() for _, value in each))
    if sum(chr(value).isalpha() for _, value in run) >= TELLING:
        return run
    piece = max(pieces, key=_fixed)
    return piece if _fixed(piece) >= APART else items


def _without_open_ends(items: list[Any]) -> list[Any]:
    """Take repeats at either end once or not at all: hyperscan reports each length at which a match may end."""
    first, last = 0, len(items)
    while first < last and _is_optional(items[first]):
        first += 1
    while last > first and _is_optional(items[last - 1]):
        last -= 1
    kept = items[first:last]
    if kept and kept[-1][0] in REPEATS:
        kept[-1:] = list(kept[-1][1][2])
    if kept and kept[0][0] in REPEATS:
        kept[:1] = list(kept[0][1][2])
    return kept or items


def _is_optional(item: Any) -> bool:
    op, value = item
    return op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT) or (op in REPEATS and value[0] == 0)


def _is_one_character(items: list[Any]) -> bool:
    return len(items) == 1 and items[0][0] in (sre.ANY, sre.IN, sre.NOT_LITERAL)


def _lines(items: list[Any]) -> list[list[Any]]:
    """Cut a sequence where it may cross a line end."""
    out: list[list[Any]] = [[]]
    for item in _flat(items):
        if _may_cross(item):
            out.append([])
        else:
            out[-1].append(item)
    return out


def _flat(items: list[Any]) -> list[Any]:
    """Open plain groups, so that a line end inside one cuts it."""
    out: list[Any] = []
    for op, value in items:
        if op is sre.SUBPATTERN and not value[1] and not value[2]:
            out.extend(_flat(list(value[3])))
        else:
            out.append((op, value))
    return out


def _may_cross(item: Any) -> bool:
    op, value = item
    if op is sre.LITERAL:
        return bool(value == 10)
    if op is sre.NOT_LITERAL:
        return bool(value != 10)
    if op is sre.IN:
        return _class_holds_line_end(value)
    if op in REPEATS:
        return any(_may_cross(inner) for inner in value[2])
    if op is sre.SUBPATTERN:
        return any(_may_cross(inner) for inner in value[3])
    if op is sre.BRANCH:
        return any(_may_cross(inner) for branch in value[1] for inner in branch)
    return False


def _class_holds_line_end(members: list[Any]) -> bool:
    negated = any(op is sre.NEGATE for op, _ in members)
    held = False
    for op, value in members:
        held |= op is sre.LITERAL and value == 10
        held |= op is sre.RANGE and value[0] <= 10 <= value[1]
        held |= op is sre.CATEGORY and str(value) in ("CATEGORY_SPACE", "CATEGORY_NOT_DIGIT", "CATEGORY_NOT_WORD")
    return held != negated


REPEATS = tuple(getattr(sre, name) for name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") if hasattr(sre, name))


def _fixed(items: list[Any]) -> int:
    """Return the bytes of the longest fixed piece that every match of a sequence holds."""
    best = run = 0
    for op, value in items:
        if op is sre.LITERAL:
            run += len(chr(value).encode())
            best = max(best, run)
            continue
        if op is sre.AT:
            continue
        run = 0
        if op is sre.SUBPATTERN:
            best = max(best, _fixed(list(value[3])))
        elif op in REPEATS and value[0] >= 1:
            best = max(best, _fixed(list(value[2])))
        elif op is sre.BRANCH:
            best = max(best, min(_fixed(list(branch)) for branch in value[1]))
    return best


def _sequence(items: Any, across_lines: bool) -> bytes:
    return b"".join(_item(op, value, across_lines) for op, value in items)


def _item(op: Any, value: Any, across_lines: bool) -> bytes:
    if op is sre.LITERAL:
        return _GAP if value == 10 else _escape(chr(value))
    if op is sre.ANY:
        return _ANY + _BYTES
    if op is sre.NOT_LITERAL:
        return _class([(sre.NEGATE, None), (sre.LITERAL, value)])
    if op is sre.IN:
        return _class(value)
    if op is sre.BRANCH:
        return b"(?:" + b"|".join(_sequence(branch, across_lines) for branch in value[1]) + b")"
    if op is sre.SUBPATTERN:
        _, added, removed, inner = value
        body = _sequence(inner, across_lines)
        if added & sre.SRE_FLAG_IGNORECASE:
            return b"(?i:" + body + b")"
        return (b"(?-i:" if removed & sre.SRE_FLAG_IGNORECASE else b"(?:") + body + b")"
    if op in REPEATS:
        return _repeat(value, across_lines)
    if str(op) == "ATOMIC_GROUP":
        return b"(?:" + _sequence(value, across_lines) + b")"
    if op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
        return b""
    return _GAP


def _repeat(value: Any, across_lines: bool) -> bytes:
    low, high, inner = value
    body = list(inner)
    single = _is_one_character(body)
    piece = _sequence(body, across_lines)
    piece = piece.removesuffix(_BYTES) if single else b"(?:" + piece + b")"
    if high == 1 and not single:
        return piece + (b"?" if low == 0 else b"")
    if single and 1 < low <= MOST_COUNTED:
        return piece + b"{%d,}" % low
    return piece + (b"*" if low == 0 else b"+")


def _class(members: list[Any]) -> bytes:
    """Return a character class over bytes; a character beyond ASCII is any run of high bytes."""
    negated = any(op is sre.NEGATE for op, _ in members)
    out = bytearray()
    beyond = negated
    for op, value in members:
        if op is sre.LITERAL:
            if value < 128:
                out += b"\\x%02x" % value
            beyond |= value >= 128
        elif op is sre.RANGE:
            low, high = value
            if low < 128:
                out += b"\\x%02x-\\x%02x" % (low, min(high, 127))
            beyond |= high >= 128
        elif op is sre.CATEGORY:
            if negated and str(value).startswith("CATEGORY_NOT"):
                return _ANY + _BYTES
            found = _CATEGORIES[str(value)]
            out += found.replace(b"\\x80-\\xff", b"") if negated else found
            beyond |= not negated and str(value) != "CATEGORY_DIGIT"
    if negated:
        out += b"\\n"
        single = b"[^" + bytes(out) + b"]"
    else:
        single = b"[" + bytes(out) + (b"\\x80-\\xff" if beyond and b"\\xff" not in out else b"") + b"]"
    return single + (_BYTES if beyond else b"")


def _strip_gaps(expression: bytes) -> bytes:
    while expression.startswith(_GAP):
        expression = expression[len(_GAP) :]
    while expression.endswith(_GAP):
        expression = expression[: -len(_GAP)]
    return expression


def _escape(text: str) -> bytes:
    return b"".join(
        bytes((b,)) if (b < 128 and (chr(b).isalnum() or b in b" _,:;=<>\"'%@!~`&")) else b"\\x%02x" % b
        for b in text.encode()
    )
