"""`triage rules check [PATH...]`: is the knowledge fit to be merged?"""

from __future__ import annotations

import click

from triage.check.output import FORMATS


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Form of the findings.")
@click.option("--strict", is_flag=True, help="Warnings count as faults.")
@click.option("-q", "--quiet", is_flag=True, help="Leave warnings out.")
@click.option(
    "--rules", "folders", multiple=True, type=click.Path(), help="Folder with your own rules, checked as well."
)
def command(paths: tuple[str, ...], form: str, strict: bool, quiet: bool, folders: tuple[str, ...]) -> int:
    """Check the shipped knowledge and what lies over it.

    PATHS are files or folders: of shipped ones only their findings are shown, others are laid over the shipped
    knowledge as a layer of their own.

    Exit status: 0 fit to be merged, 2 faults.
    """
    from triage.check.output import show_findings
    from triage.check.run import check_knowledge
    from triage.check.selection import select

    roots, wanted = select(paths, folders)
    base, findings = check_knowledge(roots)
    errors = sum(finding.level == "error" or strict for finding in findings if wanted(finding))
    warnings = sum(finding.level == "warning" and not strict for finding in findings if wanted(finding))
    shown = [f for f in findings if wanted(f) and not (quiet and f.level == "warning")]
    text = show_findings(shown, form)
    if text:
        click.echo(text)
    counted = f"{len(base.rules)} rules, {len(base.causes)} causes, {len(base.trees)} trees, {len(base.tables)} tables"
    result = f"{errors} fault{'s' * (errors != 1)}" if errors else "no fault found"
    click.echo(f"{counted}: {result}" + (f", {warnings} warning{'s' * (warnings != 1)}" if warnings else ""), err=True)
    return 2 if errors else 0
