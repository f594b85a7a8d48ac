"""Patterns that cannot be used: invalid, without a fixed piece, with other groups than captures, or too slow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import regex

from triage.check.finding import Finding, at
from triage.check.memory import Memory, digest_of
from triage.check.mentions import tests_in
from triage.check.pumping import ENDLESS, LONG, doubled_repeat, nested_repeats, slowness
from triage.knowledge.document import Path_
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Derive, Fact, Rule
from triage.match.observe import compile_pattern
from triage.match.skeleton import Skeleton, skeleton_of

LONGEST = 4000
"""Characters of a pattern."""
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")

Expression = tuple[Loaded[Rule], Path_, str]


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
    sound: list[Expression] = []
    for loaded in base.rules.values():
        rule = loaded.record
        expressions: list[Expression] = [(loaded, ("pattern",), rule.pattern)]
        expressions += [(loaded, ("unless", i), text) for i, text in enumerate(rule.unless)]
        expressions += [(loaded, ("unless_near", i), text) for i, text in enumerate(rule.unless_near)]
        faults = [finding for expression in expressions for finding in _expression(*expression)]
        yield from faults
        if not faults:
            yield from _groups(loaded)
            sound += expressions
    yield from _conditions(base)
    keys = [digest_of(LONG, f"{ENDLESS}", text) for _, _, text in sound]
    memory: Memory[list[str]] = Memory("patterns", list[str])
    slow = memory.work_out(keys, [text for _, _, text in sound], slowness)
    shapes = Memory("shapes", str).work_out(keys, [text for _, _, text in sound], _shape)
    for (loaded, path, _), [growth, example], shape in zip(sound, slow, shapes, strict=True):
        yield from _slow(loaded, path, shape, growth, example)


def _shape(text: str) -> str:
    return "doubled" if doubled_repeat(text) else "nested" if nested_repeats(text) else ""


def _slow(loaded: Loaded[Rule], path: Path_, shape: str, growth: str, example: str) -> Iterator[Finding]:
    name = loaded.record.id
    fix = "bound the repeats, make neighbouring ones differ in what they take, start with fixed text; never nest them"
    if growth != "endless" and shape == "doubled":
        yield at(loaded, path, f"{name}: the expression needs far too long: it repeats a repeat, as in (a+)+", fix)
    elif growth == "endless":
        yield at(loaded, path, f"{name}: the expression needs far too long, e.g. on {example}", fix)
    elif growth:
        what = f"{name}: the expression's time grows faster than the text, e.g. on {example}"
        yield at(loaded, path, what, fix, "warning")
    elif shape == "nested":
        what = f"{name}: the expression has a repeat without bound inside another one"
        yield at(loaded, path, what, "repeat a single class, bounded, e.g. [^']{1,200}", "warning")


def _conditions(base: Base) -> Iterator[Finding]:
    """Expressions of tests on facts and of derived facts, which `re` searches in short texts."""
    found: list[tuple[Loaded[Any], Path_, str]] = []
    for records in (base.causes, base.trees, base.checks):
        for loaded in records.values():
            tests = (test for test in tests_in(loaded.record) if test.matches is not None)
            found += [(loaded, _path_of(loaded, str(test.matches)), str(test.matches)) for test in tests]
    for fact in base.facts.values():
        for index, derive in enumerate(fact.record.derive):
            if derive.pattern is not None:
                found.append((fact, ("derive", index), derive.pattern))
                yield from _derived(fact, index, derive)
    sound = []
    for loaded, path, text in found:
        try:
            re.compile(text)
            compile_pattern(text)
        except (re.error, regex.error, RecursionError, OverflowError) as error:
            yield at(loaded, path, f"{text!r} is not a valid expression: {error}", "mend it")
            continue
        sound.append((loaded, path, text))
    memory: Memory[list[str]] = Memory("conditions", list[str])
    slow = memory.work_out([digest_of(LONG, text) for *_, text in sound], [text for *_, text in sound], slowness)
    for (loaded, path, text), [growth, example] in zip(sound, slow, strict=True):
        if growth == "endless" or doubled_repeat(text):
            yield at(loaded, path, f"{text!r} needs far too long, e.g. on {example}", "never repeat a repeat")


def _derived(loaded: Loaded[Fact], index: int, derive: Derive) -> Iterator[Finding]:
    try:
        groups = re.compile(derive.pattern or "").groups
    except re.error:
        return
    wanted = max((int(number) for number in re.findall(r"\\(\d{1,3})", derive.value or "")), default=0)
    if wanted > groups:
        what = f"{loaded.record.name}: the value asks for group {wanted}, and the expression has {groups}"
        yield at(loaded, ("derive", index), what, "name a group that is there")


def _path_of(loaded: Loaded[Any], text: str) -> Path_:
    """Return the path of a `matches` with this text in a record."""
    data: Any = loaded.document.data
    for key in loaded.path:
        data = data[key]
    return next(_paths_to(data, text), ())


def _paths_to(data: Any, text: str) -> Iterator[Path_]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if key == "matches" and value == text:
            yield (key,)
        yield from ((key, *rest) for rest in _paths_to(value, text))


def _expression(loaded: Loaded[Rule], path: Path_, text: str) -> Iterator[Finding]:
    rule = loaded.record
    if len(text) > LONGEST:
        yield at(loaded, path, f"{rule.id}: the expression is longer than {LONGEST} characters", "make two rules of it")
        return
    try:
        compile_pattern(text)
        if path == ("pattern",):
            skeleton_of(text, rule.where == "block")
        else:
            re.compile(text)
    except (re.error, regex.error, RecursionError, OverflowError) as error:
        fix = "write it in the common part of Python's re and regex"
        yield at(loaded, path, f"{rule.id}: the pattern is not a valid expression: {error}", fix)
        return
    except ValueError as error:
        fix = "keep a fixed piece of the message, four letters or more, outside of alternatives"
        yield at(loaded, path, f"{rule.id}: the pattern {error}", fix)
        return
    if rule.where != "block" and path == ("pattern",) and "\\n" in _CLASS.sub("", text):
        fix = "a pattern sees one line; use where: block for several"
        yield at(loaded, path, f"{rule.id}: the pattern looks for a line end", fix)
    if compile_pattern(text).search("") is not None:
        yield at(loaded, path, f"{rule.id}: the expression matches the empty text", "keep a fixed piece in it")


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
