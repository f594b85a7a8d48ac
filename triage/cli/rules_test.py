"""`triage rules test`: what do the rules say to recorded logs, and what changes?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from triage.check.recorded import RecordedCase
    from triage.knowledge.base import Knowledge


@click.command("test")
@click.argument("cases", nargs=-1, type=click.Path())
@click.option("--against", metavar="REV", help="Show which logs get another answer than at this git revision.")
@click.option("--rules", "folders", multiple=True, type=click.Path(), help="Folder with your own rules.")
@click.option("--no-samples", is_flag=True, help="Recorded cases only.")
def command(cases: tuple[str, ...], against: str | None, folders: tuple[str, ...], no_samples: bool) -> int:
    """Hold the rules against their samples and against recorded cases (CASES: files or folders; tests/cases).

    Exit status: 0 all right, 2 a sample, a case or a comparison shows a fault.
    """
    from pathlib import Path

    from triage.check.recorded import read_cases, shipped_cases
    from triage.knowledge.base import Knowledge
    from triage.settings import overlay_folders

    overlays = overlay_folders(folders)
    faults = 0 if no_samples else _samples(folders)
    knowledge = Knowledge.load(overlays)
    recorded = read_cases([Path(case) for case in cases] or shipped_cases())
    if against is None:
        faults += _held(recorded, knowledge)
    else:
        faults += _compared(recorded, knowledge, against)
    return 2 if faults else 0


def _samples(folders: tuple[str, ...]) -> int:
    from triage.check.corpus import Corpus
    from triage.check.output import show_findings
    from triage.check.samples import check_samples
    from triage.check.selection import select
    from triage.knowledge.load import load_base

    roots, _ = select((), folders)
    base = load_base(roots)
    findings = list(check_samples(Corpus(base)))
    if findings:
        click.echo(show_findings(findings, "text"))
    texts = sum(len(rule.record.samples) + len(rule.record.near_misses) for rule in base.rules.values())
    click.echo(f"{texts} samples and near misses of {len(base.rules)} rules: {len(findings)} faults")
    return len(findings)


def _held(recorded: list[RecordedCase], knowledge: Knowledge) -> int:
    from triage.check.recorded import answer_all, fault_of

    faults = 0
    for case, answer in answer_all(recorded, knowledge):
        fault = fault_of(case, answer)
        if fault:
            faults += 1
            click.echo(f"{case.id}: {fault}")
    click.echo(f"{len(recorded)} recorded cases: {faults} faults")
    return faults


def _compared(recorded: list[RecordedCase], knowledge: Knowledge, against: str) -> int:
    import tempfile
    from pathlib import Path

    from triage.check.recorded import answer_case, fault_of
    from triage.check.revision import knowledge_at

    worse = better = changed = 0
    with tempfile.TemporaryDirectory(prefix="triage-") as folder:
        before = knowledge_at(against, Path(folder))
        for case in recorded:
            old, new = answer_case(case, before), answer_case(case, knowledge)
            if (old.cause, old.shows_line, old.names_fix) == (new.cause, new.shows_line, new.names_fix):
                continue
            wrong_before, wrong_now = bool(fault_of(case, old)), bool(fault_of(case, new))
            word = "worse" if wrong_now > wrong_before else "better" if wrong_now < wrong_before else "changed"
            worse, better, changed = worse + (word == "worse"), better + (word == "better"), changed + 1
            why = fault_of(case, new) or fault_of(case, old)
            click.echo(f"{case.id}: {word}: {old} -> {new}" + (f"  [{why}]" if why else ""))
    click.echo(
        f"{len(recorded)} recorded cases against {against}: {changed} answers changed, {better} better, {worse} worse"
    )
    return worse
