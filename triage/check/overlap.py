"""Rules that get in each other's way: two that always match together, one that silences another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from triage.check.corpus import Corpus
from triage.check.finding import Finding, Level, at
from triage.check.mentions import collect_mentions
from triage.knowledge.load import Loaded
from triage.knowledge.model import Rule


def check_overlap(corpus: Corpus) -> Iterator[Finding]:
    """Yield a warning for each rule that is a double, or whose samples another rule of another cause takes as well."""
    mentions = collect_mentions(corpus.base)
    seen_as = mentions.seen_as
    patterns: dict[tuple[str, str, tuple[str, ...]], str] = {}
    for loaded in corpus.rules:
        rule = loaded.record
        key = (rule.pattern, rule.where, tuple(rule.unless + rule.unless_near))
        if key in patterns:
            twin = patterns[key]
            level: Level = "error" if corpus.base.rules[twin].record.role == rule.role else "warning"
            yield at(loaded, ("pattern",), f"{rule.id} has the pattern of {twin}", "make one rule of the two", level)
        patterns.setdefault(key, rule.id)
        yield from _silenced(corpus, loaded)
        if rule.role == "fault" and rule.id in seen_as:
            yield from _others(corpus, loaded, seen_as)


def _silenced(corpus: Corpus, loaded: Loaded[Rule]) -> Iterator[Finding]:
    """A fault rule all of whose samples a benign rule calms can never give an alarm."""
    rule = loaded.record
    if rule.role in ("benign", "context") or not rule.samples:
        return
    calming: set[str] = set()
    for sample in rule.samples:
        hits = corpus.hits(sample.text)
        own = hits.by_rule.get(rule.id, [])
        if not own or any(observation.index not in hits.calmed for observation in own):
            return
        calming |= {name for name, found in hits.by_rule.items() if found[0].rule.role == "benign"}
    what = f"{rule.id} can never give an alarm: {', '.join(sorted(calming))} calms the lines of all its samples"
    level: Level = "warning" if rule.role == "teardown" else "error"
    yield at(loaded, ("role",), what, "narrow the benign rule, or remove this one", level)


def _others(corpus: Corpus, loaded: Loaded[Rule], seen_as: dict[str, list[str]]) -> Iterator[Finding]:
    """Warn where each sample of a rule also fires one fault rule that speaks for causes foreign to this rule's."""
    rule = loaded.record
    mine = set(seen_as[rule.id])
    for name in list(mine):
        mine |= set(corpus.base.causes[name].record.leads_to)
        mine |= {n.cause for n in corpus.base.causes[name].record.neighbours}
    counts: dict[str, int] = defaultdict(int)
    for sample in rule.samples:
        hits = corpus.hits(sample.text)
        lines = {o.index for o in hits.by_rule.get(rule.id, [])}
        for other in {o.rule.id for o in hits.alarms() if o.rule.role == "fault" and o.index in lines}:
            counts[other] += 1
    for other, count in sorted(counts.items()):
        theirs = set(seen_as.get(other, []))
        if other == rule.id or count < len(rule.samples) or not theirs:
            continue
        if mine & theirs or any(mine & set(corpus.base.causes[name].record.leads_to) for name in theirs):
            continue
        if any(mine & {n.cause for n in corpus.base.causes[name].record.neighbours} for name in theirs):
            continue
        what = f"every sample of {rule.id} also matches {other}, which speaks for {', '.join(sorted(theirs))}"
        fix = "use unless, let one cause lead to the other, or name them neighbours"
        yield at(loaded, ("samples",), what, fix, "warning")
