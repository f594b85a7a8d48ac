"""Each rule matches its samples with the captures they give, and none of its near misses."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from triage.check.corpus import Corpus
from triage.check.finding import Finding, at
from triage.knowledge.load import Loaded
from triage.knowledge.model import Rule


def check_samples(corpus: Corpus) -> Iterator[Finding]:
    """Yield a finding for each sample that its rule misses, each capture that differs, each near miss that is hit."""
    for loaded in corpus.rules:
        rule = loaded.record
        for index, sample in enumerate(rule.samples):
            found = corpus.hits(sample.text).by_rule.get(rule.id, [])
            if not found:
                why = _why(corpus, rule, sample.text)
                yield at(loaded, ("samples", index, "text"), f"{rule.id} does not match this sample", why)
                continue
            for name, value in sample.captures.items():
                got = [o.captures.get(name) for o in found]
                if value not in got:
                    what = f"{rule.id} captures {name} as {got[0]!r}, not {value!r}"
                    fix = "check the pattern and the capture's type"
                    yield at(loaded, ("samples", index, "captures", name), what, fix)
        for index, text in enumerate(rule.near_misses):
            if rule.id in corpus.hits(text).by_rule:
                fix = "narrow the pattern or use unless"
                yield at(loaded, ("near_misses", index), f"{rule.id} matches this near miss", fix)
        yield from _missing(loaded)


def _missing(loaded: Loaded[Rule]) -> Iterator[Finding]:
    rule = loaded.record
    if not rule.samples:
        yield at(loaded, (), f"{rule.id} has no sample", "add a line that the program really printed")
    if not rule.near_misses:
        yield at(loaded, (), f"{rule.id} has no near miss", "add a line that looks like it and is something else")
    for index, sample in enumerate(rule.samples):
        if not sample.text.strip():
            yield at(loaded, ("samples", index, "text"), f"{rule.id}: this sample is empty", "write the printed line")
        if any(sample.text == other.text for other in rule.samples[:index]):
            yield at(loaded, ("samples", index, "text"), f"{rule.id}: this sample stands twice", "remove one")


def _why(corpus: Corpus, rule: Rule, text: str) -> str:
    if rule.where not in ("any", "block") and corpus.matches_as(replace(rule, where="any"), text):
        return f"the text matches, but does not stand where {rule.where!r} says"
    if (rule.unless or rule.unless_near) and corpus.matches_as(replace(rule, unless=[], unless_near=[]), text):
        return "an expression of unless or unless_near rules it out"
    return "the pattern is searched in one line without its prefixes; see docs/knowledge.md"
