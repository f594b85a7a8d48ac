"""Numbers about rules: what they hit in the corpus, what status they have earned, what the families cover."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from triage.check.corpus import Corpus
from triage.check.healthy import healthy_logs
from triage.check.ladder import earned_status
from triage.check.recorded import RecordedCase
from triage.knowledge.load import Loaded
from triage.knowledge.model import Rule
from triage.knowledge.roots import data_folder


@dataclass(frozen=True, slots=True)
class RuleNumbers:
    """What is known about the use of a rule."""

    rule: str
    role: str
    status: str
    earned: str
    samples: int
    near_misses: int
    hits: int
    """Recorded cases in which it matches."""
    healthy: int
    """Healthy logs in which it matches."""
    source: str
    """Where its text comes from, with the versions that were looked at."""
    changed: str
    """Date of the last change of its lines, `-` where git does not tell."""


def numbers_of(corpus: Corpus, cases: Sequence[RecordedCase], ages: bool = False) -> list[RuleNumbers]:
    """Return the numbers of all usable rules in their order; `ages` asks git for the age of each file's lines."""
    hits: Counter[str] = Counter()
    healthy: Counter[str] = Counter()
    for case in cases:
        hits.update(corpus.hits(case.log).by_rule.keys())
    for path in healthy_logs():
        healthy.update(corpus.hits(path.read_text(encoding="utf-8", errors="replace")).by_rule.keys())
    dates: dict[str, dict[int, str]] = {}
    out = []
    for loaded in corpus.rules:
        rule = loaded.record
        alarming = healthy[rule.id] > 0 and rule.role == "fault"
        out.append(
            RuleNumbers(
                rule.id,
                rule.role,
                rule.status,
                earned_status(rule, alarming),
                len(rule.samples),
                len(rule.near_misses),
                hits[rule.id],
                healthy[rule.id],
                rule.source,
                _age(loaded, dates) if ages else "-",
            )
        )
    return out


def _age(loaded: Loaded[Rule], dates: dict[str, dict[int, str]]) -> str:
    file = loaded.document.file
    if file not in dates:
        dates[file] = _blame(file)
    first = loaded.place().line
    known = [dates[file].get(line, "") for line in range(first, first + 8)]
    return max(known, default="") or "-"


def _blame(file: str) -> dict[int, str]:
    """Return the date of the last change of each line of a file, by number; empty where git does not tell."""
    command = ["git", "-C", str(data_folder("rules").parent), "blame", "--line-porcelain", "--", file]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError:
        return {}
    import datetime

    out: dict[int, str] = {}
    number = 0
    for line in done.stdout.splitlines():
        if line.startswith("author-time "):
            number += 1
            out[number] = datetime.datetime.fromtimestamp(int(line[12:]), datetime.timezone.utc).date().isoformat()
    return out
