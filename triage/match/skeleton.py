"""The fixed pieces of a rule's pattern, as the expression that hyperscan looks for.

Hyperscan finds candidates, `regex` confirms them. A candidate is a line that holds a pattern's fixed pieces in order:
that is all hyperscan is told, so any pattern of Python's dialect can be a rule, text beyond ASCII is matched byte by
byte, and scanning stays at the speed of a search for literals.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

if sys.version_info >= (3, 11):
    from re import _constants as sre
    from re import _parser as sre_parse
else:
    import sre_constants as sre
    import sre_parse

SHORT = 3
"""Pieces with fewer bytes are dropped where there are longer ones."""
MOST_BRANCHES = 40


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A hyperscan expression and whether it ignores case."""

    expression: bytes
    ignore_case: bool
    fixed: int
    """Bytes that every candidate must hold; few mean many false candidates."""


class Folded(str):
    """A fixed piece within `(?i:...)`."""


_GAP = None
Piece = str | list["list[Piece]"] | None


def skeleton_of(pattern: str, across_lines: bool) -> Skeleton:
    """Return the skeleton of `pattern`.

    `across_lines` marks a pattern that may span lines: only its best single piece is looked for, since the others may
    stand in other lines. Raises re.error for a bad pattern, ValueError if no fixed piece is left.
    """
    parsed = sre_parse.parse(pattern)
    ignore_case = bool(parsed.state.flags & sre.SRE_FLAG_IGNORECASE)
    pieces = _pieces(parsed)
    if across_lines:
        best = max(_split_lines(pieces), key=_length, default=_GAP)
        pieces = [best]
    fixed = sum(map(_length, pieces))
    if fixed < SHORT:
        raise ValueError("has no fixed piece of three bytes or more to look for")
    return Skeleton(_expression(_drop_short(pieces)), ignore_case, fixed)


def _pieces(parsed: Any, kind: type[str] = str) -> list[Piece]:
    out: list[Piece] = []

    def extend(more: list[Piece]) -> None:
        for piece in more:
            last = out[-1] if out else None
            if isinstance(piece, str) and isinstance(last, str) and type(piece) is type(last):
                out[-1] = type(piece)(last + piece)
            else:
                out.append(piece)

    for op, av in parsed:
        if op is sre.LITERAL:
            extend([kind(chr(av))])
        elif op is sre.SUBPATTERN:
            _, added, removed, inner = av
            folds = Folded if added & sre.SRE_FLAG_IGNORECASE else str if removed & sre.SRE_FLAG_IGNORECASE else kind
            extend(_pieces(inner, folds))
        elif op is getattr(sre, "ATOMIC_GROUP", object()):
            extend(_pieces(av, kind))
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            low, high, inner = av
            if low == high == 1:
                extend(_pieces(inner, kind))
            elif low >= 1:
                extend([_GAP, *_pieces(inner, kind), _GAP])
            else:
                out.append(_GAP)
        elif op is sre.BRANCH:
            branches = [_pieces(branch, kind) for branch in av[1]]
            usable = len(branches) <= MOST_BRANCHES and all(sum(map(_length, b)) for b in branches)
            out.append(branches if usable else _GAP)
        elif op is sre.AT:
            continue
        else:
            out.append(_GAP)
    return out


def _length(piece: Piece) -> int:
    if piece is None:
        return 0
    if isinstance(piece, str):
        return len(piece.encode())
    return min(sum(map(_length, branch)) for branch in piece)


def _split_lines(pieces: list[Piece]) -> list[Piece]:
    out: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str):
            out.extend(type(piece)(part) for part in piece.split("\n"))
        elif piece is not None:
            out.append([[max(_split_lines(branch), key=_length)] for branch in piece])
    return out


def _drop_short(pieces: list[Piece]) -> list[Piece]:
    if any(_length(piece) >= SHORT for piece in pieces):
        return [piece if _length(piece) >= SHORT else _GAP for piece in pieces]
    return pieces


def _expression(pieces: list[Piece], inside: bool = False) -> bytes:
    out = bytearray()
    gap = False
    for piece in pieces:
        if piece is None:
            gap = True
            continue
        if gap and (out or inside):
            out += b".*"
        gap = False
        if isinstance(piece, str):
            out += b"(?i:" + _escape(piece) + b")" if isinstance(piece, Folded) else _escape(piece)
        else:
            branches = [_expression(_drop_short(branch), True) for branch in piece]
            out += b"(?:" + b"|".join(branches) + b")"
            gap = True
    return bytes(out)


def _escape(text: str) -> bytes:
    return b"".join(
        bytes((b,)) if (b < 128 and (chr(b).isalnum() or b in b" _,:;=<>\"'%@!~`&")) else b"\\x%02x" % b
        for b in text.encode()
    )
