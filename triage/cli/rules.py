"""`triage rules`: work on rules."""

from __future__ import annotations

import click


@click.group("rules")
def command() -> None:
    """Write and check rules."""


@command.command("check")
@click.argument("paths", nargs=-1, type=click.Path())
def check(paths: tuple[str, ...]) -> int:
    """Check the shipped knowledge, with the folders PATHS laid over it."""
    from pathlib import Path

    from triage.check.run import check_knowledge
    from triage.knowledge.roots import all_roots

    base, findings = check_knowledge(all_roots([Path(path) for path in paths]))
    for finding in findings:
        click.echo(str(finding))
    errors = sum(finding.level == "error" for finding in findings)
    click.echo(
        f"{len(base.rules)} rules, {len(base.causes)} causes, {len(base.trees)} trees, {len(base.tables)} tables: "
        + ("no fault found" if not errors else f"{errors} faults"),
        err=True,
    )
    return 2 if errors else 0
