"""Compile the rules' skeletons into one hyperscan database."""

from __future__ import annotations

from collections.abc import Sequence

import hyperscan

from triage.knowledge.model import Rule
from triage.match.literals import literals_of
from triage.match.skeleton import Skeleton

ANCHORS: tuple[bytes, ...] = (
    rb"Traceback \x28most recent call last\x29",
    rb"[A-Za-z](?:Error|Exception):",
    rb"Segmentation fault|core dumped|Killed|Aborted",
    rb"(?i)\b(?:fatal|panic)",
)
"""What any failed program may print: makes large logs show where to look when no rule fits."""


def compile_survey(rules: Sequence[Rule]) -> bytes:
    """Return the serialised database for large logs: id i is any of the literals of rule i, anchors after them.

    Rules that only calm or describe are left out; each id is reported once a scan.
    """
    expressions: list[bytes] = []
    ids: list[int] = []
    flags: list[int] = []
    for number, rule in enumerate(rules):
        if rule.role in ("benign", "context"):
            continue
        for text, fold in literals_of(rule.pattern):
            expressions.append(b"".join(b"\\x%02x" % byte for byte in text))
            ids.append(number)
            flags.append(hyperscan.HS_FLAG_SINGLEMATCH | (hyperscan.HS_FLAG_CASELESS if fold else 0))
    for offset, anchor in enumerate(ANCHORS):
        expressions.append(anchor)
        ids.append(len(rules) + offset)
        flags.append(hyperscan.HS_FLAG_SINGLEMATCH)
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(expressions=expressions, ids=ids, elements=len(ids), flags=flags)
    serialised: bytes = hyperscan.dumpb(database)
    return serialised


def compile_database(skeletons: Sequence[Skeleton]) -> bytes:
    """Return the serialised database; id i is skeleton i, ids from `len(skeletons)` on are the anchors."""
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    expressions = [s.expression for s in skeletons] + list(ANCHORS)
    flags = [hyperscan.HS_FLAG_CASELESS if s.ignore_case else 0 for s in skeletons] + [0] * len(ANCHORS)
    database.compile(expressions=expressions, ids=list(range(len(expressions))), elements=len(expressions), flags=flags)
    serialised: bytes = hyperscan.dumpb(database)
    return serialised
