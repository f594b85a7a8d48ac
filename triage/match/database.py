"""The compiled databases of a knowledge base, kept in the cache beside it.

Hyperscan itself checks that a database is whole when it is loaded; one that is not is compiled anew.
"""

from __future__ import annotations

import re
from typing import Literal

import hyperscan

from triage.errors import TriageError
from triage.knowledge.base import Knowledge
from triage.knowledge.cache import read_plain, write_plain
from triage.knowledge.store import engine
from triage.match.scan import Scanner

FORM = 4
"""Counts up when expressions are made otherwise of the same patterns."""
Kind = Literal["patterns", "survey"]
"""`patterns` for reading logs, `survey` for a first pass over large ones."""


def open_scanner(knowledge: Knowledge, kind: Kind = "patterns") -> Scanner:
    """Return a scanner for all rules; raises TriageError for a pattern that cannot be looked for."""
    name = f"{kind}-{FORM}-{knowledge.digest}-{engine()}.bin"
    cached = read_plain(name)
    if cached is not None:
        try:
            return Scanner(cached, len(knowledge.rules))
        except hyperscan.error:
            pass
    made = _compile(knowledge, kind)
    write_plain(name, made)
    return Scanner(made, len(knowledge.rules))


def _compile(knowledge: Knowledge, kind: Kind) -> bytes:
    from triage.match.compile import compile_database, compile_survey
    from triage.match.skeleton import skeleton_of

    if kind == "survey":
        return compile_survey(knowledge.rules)
    skeletons = []
    for rule in knowledge.rules:
        try:
            skeletons.append(skeleton_of(rule.pattern, rule.where == "block"))
        except (re.error, ValueError) as error:
            place = knowledge.origin("rule", rule.id)
            raise TriageError(f"{rule.id}: the pattern is not usable: {error}", place) from error
    return compile_database(skeletons)
