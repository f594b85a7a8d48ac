"""`triage rules stats`: what the rules are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from triage.cli.complete import complete_families

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.check.statistics import RuleNumbers


@click.command("stats")
@click.argument("family", required=False, shell_complete=complete_families)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--rules", "folders", multiple=True, type=click.Path(), help="Folder with your own rules.")
def command(family: str | None, as_json: bool, folders: tuple[str, ...]) -> int:
    """Show how many recorded cases each family covers; with FAMILY, the numbers of each of its rules."""
    from triage.check.corpus import Corpus
    from triage.check.recorded import read_cases, shipped_cases
    from triage.check.statistics import numbers_of
    from triage.errors import TriageError
    from triage.knowledge.load import load_base
    from triage.knowledge.roots import all_roots
    from triage.settings import overlay_folders

    base = load_base(all_roots(overlay_folders(folders)))
    cases = read_cases(shipped_cases())
    numbers = numbers_of(Corpus(base), cases, ages=family is not None)
    chosen = [n for n in numbers if family is None or n.rule.split("-")[0] == family]
    if not chosen:
        raise TriageError(f"there is no family {family}")
    if as_json:
        import json
        from dataclasses import asdict

        click.echo(json.dumps([asdict(n) for n in chosen], ensure_ascii=False, indent=1))
    elif family is None:
        _families(numbers, [case.cause for case in cases], list(base.causes))
    else:
        _rules(chosen)
    return 0


def _families(numbers: Sequence[RuleNumbers], answered: list[str], causes: list[str]) -> None:
    click.echo(
        f"{'family':<14}{'rules':>6}{'stable':>8}{'earned':>8}{'hit':>6}{'causes':>8}{'with a case':>13}{'cases':>7}"
    )
    families = dict.fromkeys(n.rule.split("-")[0] for n in numbers)
    for family in families:
        own = [n for n in numbers if n.rule.split("-")[0] == family]
        theirs = [cause for cause in causes if cause.split(".")[0] == family]
        cells = (
            f"{len(own):>6}{sum(n.status == 'stable' for n in own):>8}{sum(n.earned == 'stable' for n in own):>8}"
            f"{sum(n.hits > 0 for n in own):>6}{len(theirs):>8}{sum(c in answered for c in theirs):>13}"
            f"{sum(a in theirs for a in answered):>7}"
        )
        click.echo(f"{family:<14}{cells}")
    covered = sum(cause in answered for cause in causes)
    click.echo(f"\n{len(numbers)} rules; {covered} of {len(causes)} causes have a recorded case")


def _rules(numbers: Sequence[RuleNumbers]) -> None:
    from triage.sanitize import clean_text

    head = f"{'rule':<44}{'role':<12}{'status':<13}{'earned':<13}"
    click.echo(f"{head}{'samples':>8}{'hits':>6}{'healthy':>8}  changed     source")
    for n in numbers:
        samples = f"{n.samples}+{n.near_misses}"
        row = f"{n.rule:<44}{n.role:<12}{n.status:<13}{n.earned:<13}{samples:>8}{n.hits:>6}{n.healthy:>8}"
        click.echo(clean_text(f"{row}  {n.changed:<10}  {n.source[:80]}"))
