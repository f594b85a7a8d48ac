"""Patterns that cannot be used: invalid, unbounded, without a fixed piece, groups and captures that differ."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from triage.check.finding import Finding
from triage.errors import TriageError
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Rule
from triage.match.compile import rule_skeleton
from triage.match.skeleton import Skeleton


def usable_rules(base: Base) -> Iterator[tuple[Loaded[Rule], Skeleton]]:
    """Yield the rules whose patterns compile, with their skeletons."""
    for loaded in base.rules.values():
        try:
            skeleton = rule_skeleton(loaded)
            for pattern in (loaded.record.pattern, *loaded.record.unless, *loaded.record.unless_near):
                regex.compile(pattern, regex.MULTILINE)
        except (TriageError, regex.error):
            continue
        yield loaded, skeleton


def check_patterns(base: Base) -> Iterator[Finding]:
    """Yield a finding for each pattern that a rule must not have."""
    for loaded in base.rules.values():
        rule = loaded.record
        place = loaded.place("pattern")

        def finding(what: str, fix: str = "", place=place) -> Finding:  # type: ignore[no-untyped-def]
            return Finding(place.file, place.line, place.column, what, fix)

        try:
            rule_skeleton(loaded)
        except TriageError as error:
            yield finding(error.message, "a pattern needs a fixed piece and the common part of re and regex")
            continue
        for key in ("unless", "unless_near"):
            for index, pattern in enumerate(getattr(rule, key)):
                try:
                    re.compile(pattern)
                    regex.compile(pattern)
                except (re.error, regex.error) as error:
                    at = loaded.place(key, index)
                    yield Finding(at.file, at.line, at.column, f"{rule.id}: not a valid expression: {error}")
        groups = set(re.compile(rule.pattern).groupindex)
        for name in sorted(groups - set(rule.captures)):
            yield finding(
                f"{rule.id}: the group {name} has no entry in captures", f"captures: {{{name}: {{type: text}}}}"
            )
        for name in sorted(set(rule.captures) - groups):
            yield finding(f"{rule.id}: captures names {name}, which is no group of the pattern")
