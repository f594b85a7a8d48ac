"""Whether an expression's time can grow faster than the text that it is held against.

Each repeat of the expression is pumped: a text that leads up to it, many times what it repeats, then something that
fits nothing, then what would follow. On the real engine such a text shows quadratic or exponential backtracking.
Measured is the growth from one length to four times that length, so a slow machine does not matter.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

from triage.match.observe import compile_pattern
from triage.match.skeleton import REPEATS

if sys.version_info >= (3, 11):
    from re import _constants as sre
    from re import _parser as sre_parse
else:
    import sre_constants as sre
    import sre_parse

MANY = 48
"""A repeat that may go on longer than this is pumped."""
SHORT, LONG = 512, 2048
"""Characters pumped."""
QUICK, SLOW, ENDLESS = 0.002, 0.05, 0.2
"""Seconds of processor time on the long text: below the first growth does not matter, from the second on it is taken
for granted, and at the third the search is given up: nothing but exponential growth takes as long."""
GROWTH = 9.0
"""Most that four times the text may cost: linear is 4, quadratic 16."""
TEXTS = 8
"""Pumped texts tried for one expression."""
_LETTERS = "a0 ./_-:,='\"(<A"
_BREAK = "\x01"


def nested_repeats(pattern: str) -> bool:
    """Return whether a repeat without bound stands inside another one."""
    return _nested(sre_parse.parse(pattern), False)


def _nested(items: Any, inside: bool) -> bool:
    for op, value in items:
        if op in REPEATS:
            endless = value[1] == sre.MAXREPEAT
            if (endless and inside) or _nested(value[2], inside or endless):
                return True
        elif any(_nested(part, inside) for part in _parts(op, value)):
            return True
    return False


def doubled_repeat(pattern: str) -> bool:
    """Return whether a repeat without bound holds nothing but another one, as in `(?:a+)+`."""
    return _doubled(sre_parse.parse(pattern))


def _doubled(items: Any) -> bool:
    for op, value in items:
        if op in REPEATS:
            inner = _bare(list(value[2]))
            if value[1] == sre.MAXREPEAT and inner is not None and inner[1] == sre.MAXREPEAT:
                return True
            if _doubled(value[2]):
                return True
        elif any(_doubled(part) for part in _parts(op, value)):
            return True
    return False


def _bare(items: list[Any]) -> Any:
    """Return the repeat that a sequence consists of, groups around it opened; None for anything else."""
    while len(items) == 1 and items[0][0] is sre.SUBPATTERN:
        items = list(items[0][1][3])
    return items[0][1] if len(items) == 1 and items[0][0] in REPEATS else None


def slowness(pattern: str) -> list[str]:
    """Return how an expression's time grows on the worst of its pumped texts.

    It is two texts: `growing`, `endless` or nothing, and a description of the pumped text.
    """
    worst = ["", ""]
    compiled = compile_pattern(pattern)
    for lead, unit, tail in pumped(pattern):
        took = _seconds(compiled, lead, unit, tail, LONG)
        shown = f"{lead[-40:]!r} and then {unit!r} many times"
        if took >= ENDLESS:
            return ["endless", shown]
        if not worst[0] and took >= QUICK and (took >= SLOW or _growth(compiled, lead, unit, tail) > GROWTH):
            worst = ["growing", shown]
    return worst


def _growth(compiled: Any, lead: str, unit: str, tail: str) -> float:
    """Return how many times longer the long text takes; the least of several tries counts."""
    short = min(_seconds(compiled, lead, unit, tail, SHORT) for _ in range(5))
    return min(_seconds(compiled, lead, unit, tail, LONG) for _ in range(3)) / max(short, 1e-6)


def _seconds(compiled: Any, lead: str, unit: str, tail: str, length: int) -> float:
    text = lead + unit * (length // len(unit)) + tail
    start = time.process_time()
    try:
        compiled.search(text, timeout=ENDLESS)
    except TimeoutError:
        return ENDLESS
    return min(time.process_time() - start, ENDLESS)


def pumped(pattern: str) -> list[tuple[str, str, str]]:
    """Return (lead, unit, tail) of texts that pump the repeats of an expression, at most `TEXTS`."""
    out: dict[tuple[str, str, str], None] = {}
    items: list[Any] = list(sre_parse.parse(pattern))  # type: ignore[call-overload]
    for lead, body, rest in _repeats(items, "", ""):
        for unit in _units(body):
            out[lead, unit, _BREAK + rest] = None
            out[lead, unit, rest[:-1]] = None
        if len(out) >= TEXTS:
            break
    return list(out)[:TEXTS]


def _repeats(items: list[Any], lead: str, after: str) -> Iterator[tuple[str, list[Any], str]]:
    """Yield (text that leads up to it, body, text that would follow) of each long repeat."""
    for index, (op, value) in enumerate(items):
        rest = _least(items[index + 1 :]) + after
        if op in REPEATS:
            if value[1] > MANY:
                yield lead, list(value[2]), rest
            yield from _repeats(list(value[2]), lead, rest)
        else:
            for part in _parts(op, value):
                yield from _repeats(list(part), lead, rest)
        lead += _least([(op, value)])


def _parts(op: Any, value: Any) -> list[Any]:
    if op is sre.SUBPATTERN:
        return [value[3]]
    if op is sre.BRANCH:
        return list(value[1])
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [value[1]]
    return [value] if str(op) == "ATOMIC_GROUP" else []


def _units(body: list[Any]) -> list[str]:
    if len(body) == 1 and body[0][0] in (sre.IN, sre.ANY, sre.NOT_LITERAL):
        return [letter for letter in _LETTERS if _takes(body[0], letter)][:3] or [_least(body) or "a"]
    return [_least(body) or "a"]


def _least(items: list[Any]) -> str:
    """Return a short text that a sequence matches, roughly."""
    out = ""
    for op, value in items:
        if op is sre.LITERAL:
            out += chr(value)
        elif op in (sre.IN, sre.ANY, sre.NOT_LITERAL):
            out += next((letter for letter in _LETTERS if _takes((op, value), letter)), "a")
        elif op in REPEATS:
            out += _least(list(value[2])) * min(value[0], 4)
        elif op is sre.SUBPATTERN:
            out += _least(list(value[3]))
        elif op is sre.BRANCH:
            out += _least(list(value[1][0]))
    return out


def _takes(item: Any, letter: str) -> bool:
    op, value = item
    if op is sre.ANY:
        return True
    if op is sre.NOT_LITERAL:
        return bool(value != ord(letter))
    negated = any(kind is sre.NEGATE for kind, _ in value)
    return negated != any(_member(kind, what, letter) for kind, what in value)


def _member(kind: Any, what: Any, letter: str) -> bool:
    if kind is sre.LITERAL:
        return bool(what == ord(letter))
    if kind is sre.RANGE:
        return bool(what[0] <= ord(letter) <= what[1])
    if kind is sre.CATEGORY:
        name = str(what)
        held = (
            letter.isdigit()
            if name.endswith("DIGIT")
            else letter.isspace()
            if name.endswith("SPACE")
            else (letter.isalnum() or letter == "_")
        )
        return held != ("_NOT_" in name)
    return False
