"""Patterns that cannot be used: invalid, without a fixed piece, groups and captures that differ, repeats that explode."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from triage.check.finding import Finding, at
from triage.check.pumping import nested_repeats, slow_text
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Rule
from triage.match.observe import compile_pattern
from triage.match.skeleton import Skeleton, skeleton_of

LONGEST = 2000
"""Characters of a pattern."""


def usable_rules(base: Base) -> Iterator[tuple[Loaded[Rule], Skeleton]]:
    """Yield the rules whose patterns compile, with their skeletons."""
    for loaded in base.rules.values():
        rule = loaded.record
        try:
            skeleton = skeleton_of(rule.pattern, rule.where == "block")
            for pattern in (rule.pattern, *rule.unless, *rule.unless_near):
                compile_pattern(pattern)
        except (ValueError, re.error, regex.error, RecursionError):
            continue
        yield loaded, skeleton


def check_patterns(base: Base) -> Iterator[Finding]:
    """Yield a finding for each pattern that a rule must not have."""
    for loaded in base.rules.values():
        rule = loaded.record
        expressions: list[tuple[tuple[str | int, ...], str]] = [(("pattern",), rule.pattern)]
        expressions += [(("unless", i), text) for i, text in enumerate(rule.unless)]
        expressions += [(("unless_near", i), text) for i, text in enumerate(rule.unless_near)]
        faults = [finding for path, text in expressions for finding in _expression(loaded, path, text)]
        yield from faults
        if not any(finding.level == "error" for finding in faults):
            yield from _groups(loaded)


def _expression(loaded: Loaded[Rule], path: tuple[str | int, ...], text: str) -> Iterator[Finding]:
    rule = loaded.record
    if len(text) > LONGEST:
        yield at(loaded, path, f"{rule.id}: the expression is longer than {LONGEST} characters", "make two rules of it")
        return
    try:
        re.compile(text)
        compile_pattern(text)
        if path == ("pattern",):
            skeleton_of(text, rule.where == "block")
    except (re.error, regex.error, RecursionError, OverflowError) as error:
        fix = "write it in the common part of Python's re and regex"
        yield at(loaded, path, f"{rule.id}: the pattern is not a valid expression: {error}", fix)
        return
    except ValueError as error:
        fix = "keep a fixed piece of the message, four letters or more, outside of alternatives"
        yield at(loaded, path, f"{rule.id}: the pattern {error}", fix)
        return
    if rule.where != "block" and path == ("pattern",) and "\\n" in text.replace("[^\\n]", ""):
        fix = "a pattern sees one line; use where: block for several"
        yield at(loaded, path, f"{rule.id}: the pattern looks for a line end", fix, "warning")
    if compile_pattern(text).search("") is not None:
        yield at(loaded, path, f"{rule.id}: the expression matches the empty text", "keep a fixed piece in it")
    inner = nested_repeats(text)
    slow = slow_text(text)
    if slow is not None:
        fix = "bound the repeats, or make neighbouring ones differ in what they take; never nest them"
        yield at(loaded, path, f"{rule.id}: the expression's time grows faster than the text, e.g. on {slow}", fix)
    elif inner:
        fix = "repeat a single class, bounded, e.g. [^']{1,200}"
        yield at(loaded, path, f"{rule.id}: the expression has a repeat without bound inside another one", fix)


def _groups(loaded: Loaded[Rule]) -> Iterator[Finding]:
    rule = loaded.record
    groups = set(compile_pattern(rule.pattern).groupindex)
    for name in sorted(groups - set(rule.captures)):
        fix = f"captures: {{{name}: {{type: text}}}}"
        yield at(loaded, ("pattern",), f"{rule.id}: the group {name} has no entry in captures", fix)
    for name in sorted(set(rule.captures) - groups):
        what = f"{rule.id}: captures names {name}, which is no group of the pattern"
        yield at(loaded, ("captures", name), what, f"write (?P<{name}>...) in the pattern, or remove the entry")
    for index, sample in enumerate(rule.samples):
        for name in sorted(set(sample.captures) - groups):
            what = f"{rule.id}: the sample captures {name}, which is no group of the pattern"
            yield at(loaded, ("samples", index, "captures", name), what, "mend the name, or remove the entry")
