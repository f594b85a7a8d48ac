"""Healthy logs of real programs: no rule may give an alarm on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from triage.check.corpus import Corpus
from triage.check.finding import Finding, at
from triage.knowledge.roots import Root, data_folder


def healthy_logs(roots: Sequence[Root] = ()) -> list[Path]:
    """Return the known-good logs of a checkout and of each layer (`known_good/` beside its rules)."""
    folders = [data_folder("rules").parent / "tests" / "known_good"]
    folders += [root.rules.parent / "known_good" for root in roots if root.name != "shipped"]
    return [path for folder in dict.fromkeys(folders) for path in sorted(folder.glob("*.log"))]


def check_healthy(corpus: Corpus, logs: Sequence[Path]) -> Iterator[Finding]:
    """Yield a finding for each fault rule that gives an alarm on a healthy log."""
    by_id = {loaded.record.id: loaded for loaded in corpus.rules}
    for path in logs:
        text = path.read_text(encoding="utf-8", errors="replace")
        told: set[str] = set()
        for observation in corpus.hits(text).alarms():
            rule = observation.rule
            if rule.role != "fault" or rule.id in told:
                continue
            told.add(rule.id)
            what = f"{rule.id} gives an alarm on the healthy log {path.name}, line {observation.line}: "
            what += repr(observation.text.strip()[:120])
            yield at(by_id[rule.id], ("pattern",), what, "narrow the pattern, use unless, or add a benign rule")
