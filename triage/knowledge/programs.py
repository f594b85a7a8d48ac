"""Compiled expressions in the cache: to compile the few that a log needs takes longer than to try them on it.

`regex` makes its patterns ready for pickling; what it hands out then is kept, and makes the pattern again at once.
"""

from __future__ import annotations

import copyreg
from typing import Any

import msgspec
import regex

from triage.knowledge.model import Rule

Program = tuple[Any, ...]


def compile_expression(pattern: str) -> regex.Pattern[str]:
    """Return a rule's expression ready to search; raises regex.error."""
    return regex.compile(pattern, regex.MULTILINE)


def expressions_of(rule: Rule) -> list[str]:
    """Return all expressions of a rule."""
    return [rule.pattern, *rule.unless, *rule.unless_near]


def program_of(pattern: str) -> Program | None:
    """Return what `pattern_of` makes the compiled expression from; None if it does not compile, or comes back other."""
    try:
        compiled = compile_expression(pattern)
        _, program = copyreg.dispatch_table[regex.Pattern](compiled)
        again = pattern_of(msgspec.msgpack.encode(program))
    except Exception:  # a faulty expression is reported where it is used; another `regex` may pickle in another way
        return None
    return program if again is not None and again == compiled else None


def pattern_of(encoded: bytes | msgspec.Raw) -> regex.Pattern[str] | None:
    """Return the compiled expression that `program_of` gave; None if it gave none."""
    program = msgspec.msgpack.decode(encoded)
    if program is None:
        return None
    make, _ = copyreg.dispatch_table[regex.Pattern](_ANY)
    return make(*(tuple(part) if isinstance(part, list) else part for part in program))


_ANY = regex.compile("")
