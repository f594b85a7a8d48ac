"""All checks, in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from triage.check.closure import check_closure
from triage.check.corpus import Corpus
from triage.check.finding import Finding
from triage.check.healthy import check_healthy, healthy_logs
from triage.check.ladder import check_ladder
from triage.check.languages import check_languages
from triage.check.overlap import check_overlap
from triage.check.patterns import check_patterns
from triage.check.recipes import check_recipes
from triage.check.record import check_record
from triage.check.references import check_references
from triage.check.samples import check_samples
from triage.check.style import check_style
from triage.check.tables import check_tables
from triage.errors import TriageError
from triage.knowledge.load import Base, load_base
from triage.knowledge.roots import Root


def check_knowledge(roots: Sequence[Root], logs: Sequence[Path] | None = None) -> tuple[Base, list[Finding]]:
    """Load all layers and run every check; findings are in the order of files and lines.

    `logs` are the healthy logs; without them those of the checkout and the layers are taken.
    """
    findings: list[Finding] = []
    base = load_base(roots, lambda error: findings.append(_from_error(error)))

    def add(check: str, found: Iterable[Finding]) -> list[Finding]:
        named = [replace(finding, check=check) for finding in found]
        findings.extend(named)
        return named

    add("references", check_references(base))
    if any(finding.level == "error" for finding in findings):
        base = _without_broken(base)
    add("style", check_style(base))
    add("languages", check_languages(base))
    add("closure", check_closure(base))
    add("tables", check_tables(base))
    add("recipes", check_recipes(base))
    add("patterns", check_patterns(base))
    corpus = Corpus(base)
    add("samples", check_samples(corpus))
    add("overlap", check_overlap(corpus))
    alarming = add("healthy", check_healthy(corpus, healthy_logs(roots) if logs is None else logs))
    add("status", check_ladder(base, {finding.what.split(" ", 1)[0] for finding in alarming}))
    if [root.name for root in roots] == ["shipped"]:
        add("record", check_record(base))
    return base, sorted(set(findings))


def _without_broken(base: Base) -> Base:
    """Return the base with references to causes that are not there taken out, so that later checks can go on."""
    from msgspec.structs import replace as changed

    for name, loaded in base.causes.items():
        cause = loaded.record
        leads = [other for other in cause.leads_to if other in base.causes]
        neighbours = [other for other in cause.neighbours if other.cause in base.causes]
        base.causes[name] = replace(loaded, record=changed(cause, leads_to=leads, neighbours=neighbours))
    return base


def _from_error(error: TriageError) -> Finding:
    parts = error.place.rsplit(":", 2)
    if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
        return Finding(parts[0], int(parts[1]), int(parts[2]), error.message, check="format")
    return Finding(error.place, 1, 1, error.message, check="format")
