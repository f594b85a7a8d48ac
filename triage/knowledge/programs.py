"""Compiled expressions in the cache: to compile the few that a log needs takes longer than to try them on it.

`regex` makes its patterns ready for pickling; what it hands out then is kept, and makes the pattern again at once.
"""

from __future__ import annotations

import copyreg
import re
from typing import Any

import msgspec
import regex

from triage.knowledge.model import Rule

Program = tuple[
    str, int, bytes, dict[str, int], dict[int, str], dict[str, Any], list[Any], int, tuple[int, ...], int, int
]
"""What `regex` hands out for pickling: the expression, flags, its code, groups by name and by number, and so on."""


MOST_REPEATS = 100_000
"""What a counted repeat, or all least counts of an expression multiplied, may come to: `regex` writes them all out."""
_COUNTED = re.compile(r"\{(\d+)(?:,(\d*))?\}")


def compile_expression(pattern: str) -> regex.Pattern[str]:
    """Return a rule's expression ready to search; raises regex.error."""
    least = 1
    for low, high in _COUNTED.findall(pattern) if "{" in pattern else ():
        least *= max(1, int(low[:9]))
        if max(len(low), len(high)) > len(str(MOST_REPEATS)) or least > MOST_REPEATS or int(high or 0) > MOST_REPEATS:
            raise regex.error(f"it repeats something more than {MOST_REPEATS:,} times", pattern, 0)
    return regex.compile(pattern, regex.MULTILINE)


def expressions_of(rule: Rule) -> list[str]:
    """Return all expressions of a rule."""
    return [rule.pattern, *rule.unless, *rule.unless_near]


def program_of(pattern: str) -> Program | None:
    """Return what `pattern_of` makes the compiled expression from; None if it does not compile, or comes back other."""
    try:
        program: Program = _take_apart(compile_expression(pattern))
        again = pattern_of(msgspec.msgpack.encode(program))
        return program if again is not None and _take_apart(again) == program else None
    except Exception:  # a faulty expression is reported where it is used; another `regex` may have another form
        return None


def pattern_of(encoded: bytes | msgspec.Raw) -> regex.Pattern[str] | None:
    """Return the compiled expression that `program_of` took apart; None if there was none."""
    program = _DECODER.decode(encoded)
    return None if program is None else _MAKE(*program)


def _take_apart(compiled: regex.Pattern[str]) -> Any:
    return copyreg.dispatch_table[regex.Pattern](compiled)[1]


_MAKE: Any = copyreg.dispatch_table[regex.Pattern](regex.compile(""))[0]
_DECODER = msgspec.msgpack.Decoder(Program | None)
