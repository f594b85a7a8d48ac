"""Each rule matches its samples with the captures they give, and none of its near misses."""

from __future__ import annotations

from collections.abc import Iterator

from triage.check.finding import Finding
from triage.check.patterns import usable_rules
from triage.diagnose import read_text
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Rule
from triage.match.compile import compile_database
from triage.match.observe import Observation, observe
from triage.match.scan import Scanner


def check_samples(base: Base) -> Iterator[Finding]:
    """Yield a finding for each sample that its rule misses, each capture that differs, each near miss that is hit.

    Texts go the whole way of a log: cleaning, streams, tracebacks, scanning, confirming.
    """
    for loaded, skeleton in usable_rules(base):
        rule = loaded.record
        scanner = Scanner(compile_database([skeleton]), 1)
        for index, sample in enumerate(rule.samples):
            found = _observe(rule, sample.text, scanner)
            if not found:
                yield _finding(
                    loaded,
                    ("samples", index, "text"),
                    f"{rule.id} does not match this sample",
                    _why(rule, sample.text, scanner),
                )
            for name, value in sample.captures.items():
                got = [o.captures.get(name) for o in found]
                if found and value not in got:
                    what = f"{rule.id} captures {name} as {got[0]!r}, not {value!r}"
                    yield _finding(
                        loaded, ("samples", index, "captures", name), what, "check the pattern and the capture's type"
                    )
        for index, text in enumerate(rule.near_misses):
            if _observe(rule, text, scanner):
                yield _finding(
                    loaded,
                    ("near_misses", index),
                    f"{rule.id} matches this near miss",
                    "narrow the pattern or use unless",
                )
        if not rule.samples:
            yield _finding(loaded, (), f"{rule.id} has no sample", "add a line that the program really printed")
        if not rule.near_misses:
            yield _finding(
                loaded, (), f"{rule.id} has no near miss", "add a line that looks like it and is something else"
            )


def _observe(rule: Rule, text: str, scanner: Scanner) -> list[Observation]:
    return observe(read_text(text), [rule], scanner)


def _why(rule: Rule, text: str, scanner: Scanner) -> str:
    from msgspec.structs import replace

    if rule.where not in ("any", "block") and _observe(replace(rule, where="any"), text, scanner):
        return f"the text matches, but does not stand where {rule.where!r} says"
    if (rule.unless or rule.unless_near) and _observe(replace(rule, unless=[], unless_near=[]), text, scanner):
        return "an expression of unless or unless_near rules it out"
    return "the pattern is searched in one line without its prefixes; see docs/knowledge.md"


def _finding(loaded: Loaded[Rule], path: tuple[str | int, ...], what: str, fix: str) -> Finding:
    place = loaded.place(*path)
    return Finding(place.file, place.line, place.column, what, fix)
