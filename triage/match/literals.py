"""The rarest fixed text of a rule's pattern, for the first pass over a large log.

A search for plain literals runs at memory speed, a search for 1,500 expressions does not. So a large log is surveyed
with one set of literals a rule, of which every match must hold one; the expressions themselves are only tried around
the hits. A rule that has nothing telling in its pattern takes no part in the survey.
"""

from __future__ import annotations

import sys
from typing import Any

from triage.match.skeleton import REPEATS

if sys.version_info >= (3, 11):
    from re import _constants as sre
    from re import _parser as sre_parse
else:
    import sre_constants as sre
    import sre_parse

COMMON = (
    "loss",
    "grad",
    "norm",
    "step",
    "epoch",
    "iter",
    "train",
    "batch",
    "time",
    "info",
    "tok",
    "lr",
    "eval",
    "rank",
)
"""Words of every training log; a literal that is little more tells nothing."""
TELLING = 16
"""Worth from which a literal tells something: about four letters."""
MOST = 60
"""Alternatives of one set at most."""

Literal = tuple[bytes, bool]
"""A literal and whether its case is ignored."""


def literals_of(pattern: str) -> list[Literal]:
    """Return literals of which each match of `pattern` holds at least one; none if all it offers is too common.

    Of the sets that a pattern offers, the one whose least telling member tells most is taken.
    """
    parsed = sre_parse.parse(pattern)
    items: list[Any] = list(parsed)  # type: ignore[call-overload]
    fold = bool(parsed.state.flags & sre.SRE_FLAG_IGNORECASE)
    best = max(_sets(items, fold), key=_worth, default=[])
    return sorted(set(best)) if best and _worth(best) >= TELLING else []


def _worth(literals: list[Literal]) -> int:
    return min(_telling(text) for text, _ in literals)


def _telling(text: bytes) -> int:
    lowered = text.decode("utf-8", "replace").lower()
    for word in COMMON:
        lowered = lowered.replace(word, "")
    return sum(char.isalpha() for char in lowered) * 4 + len(text)


def _sets(items: list[Any], fold: bool) -> list[list[Literal]]:
    """Return the sets of literals that a sequence offers; any one of them would do."""
    out: list[list[Literal]] = []
    run = ""
    for op, value in [*items, (None, None)]:
        if op is sre.LITERAL and value != 10:
            run += chr(value)
            continue
        if op is sre.AT:
            continue
        if run:
            out.append([(run.encode(), fold)])
            run = ""
        if op is sre.SUBPATTERN:
            _, added, removed, inner = value
            inside = True if added & sre.SRE_FLAG_IGNORECASE else False if removed & sre.SRE_FLAG_IGNORECASE else fold
            out.extend(_sets(list(inner), inside))
        elif op in REPEATS and value[0] >= 1:
            out.extend(_sets(list(value[2]), fold))
        elif op is sre.BRANCH:
            chosen = [max(_sets(list(branch), fold), key=_worth, default=[]) for branch in value[1]]
            together = [literal for branch in chosen for literal in branch]
            if all(chosen) and len(together) <= MOST:
                out.append(together)
    return out
