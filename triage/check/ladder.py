"""The status of a rule is earned: stable means seen from two programs or versions, proven against a look-alike, silent
on healthy logs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from triage.check.finding import Finding, at
from triage.knowledge.load import Base
from triage.knowledge.model import Rule

_SHAPE = re.compile(r"\d+|0x[0-9a-f]+")


def check_ladder(base: Base, alarming: Collection[str] = ()) -> Iterator[Finding]:
    """Yield a finding for each stable rule that has not earned it; `alarming` are those heard on healthy logs."""
    for loaded in base.rules.values():
        rule = loaded.record
        if rule.status != "stable":
            continue
        missing = missing_for_stable(rule, rule.id in alarming)
        if missing:
            what = f"{rule.id} is called stable without {' and '.join(missing)}"
            yield at(loaded, ("status",), what, "status: test, until it has")


def missing_for_stable(rule: Rule, alarming: bool = False) -> list[str]:
    """Return what a rule lacks to be called stable."""
    out = []
    if sample_variety(rule) < 2:
        out.append("two samples from different programs or versions")
    if not rule.near_misses:
        out.append("a near miss")
    if alarming:
        out.append("silence on the healthy logs")
    return out


def sample_variety(rule: Rule) -> int:
    """Return how many samples differ in more than their numbers, or name different sources."""
    shapes = {_SHAPE.sub("0", sample.text) for sample in rule.samples}
    sources = {sample.source for sample in rule.samples if sample.source}
    return max(len(shapes), len(sources))


def earned_status(rule: Rule, alarming: bool = False) -> str:
    """Return the highest status that a rule has earned."""
    if not missing_for_stable(rule, alarming):
        return "stable"
    return "test" if rule.samples and rule.near_misses and not alarming else "experimental"
