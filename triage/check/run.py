"""All checks, in order."""

from __future__ import annotations

from collections.abc import Sequence

from triage.check.finding import Finding
from triage.check.patterns import check_patterns
from triage.check.references import check_references
from triage.check.samples import check_samples
from triage.errors import TriageError
from triage.knowledge.load import Base, load_base
from triage.knowledge.roots import Root


def check_knowledge(roots: Sequence[Root]) -> tuple[Base, list[Finding]]:
    """Load all layers and run every check; findings are in the order of files and lines."""
    findings: list[Finding] = []

    def report(error: TriageError) -> None:
        file, line, column = (
            ([*error.place.rsplit(":", 2), "1", "1"])[:3] if error.place.count(":") >= 2 else (error.place, "1", "1")
        )
        findings.append(Finding(file, int(line), int(column), error.message))

    base = load_base(roots, report)
    for check in (check_references, check_patterns, check_samples):
        findings.extend(check(base))
    return base, sorted(set(findings))
