"""`triage rules record`: agree on what the knowledge holds now."""

from __future__ import annotations

import click

SHOWN = 40
"""Lost lines that are shown; git shows the rest."""


@click.command("record")
@click.option("--dry-run", is_flag=True, help="Show what would go and come, and write nothing.")
def command(dry_run: bool) -> int:
    """Write the record of the shipped knowledge anew, and show what goes.

    tests/rules/record/ holds what nobody may lose by accident. New lines need no haste: the check passes without them.
    Lines that go are what a change takes away; read them before you commit. After a merge conflict in the record,
    mend the knowledge files first, then run this.
    """
    from triage.check.record import WHERE, read_record, record_files, record_folder, write_record
    from triage.errors import TriageError
    from triage.knowledge.load import load_base
    from triage.knowledge.roots import all_roots
    from triage.sanitize import clean_text

    if not record_folder().parent.is_dir():
        raise TriageError("the record stands in a checkout of triage; this is an installed one")
    before, now = read_record(), record_files(load_base(all_roots()))
    gone, new = 0, 0
    for name in sorted(before.keys() | now.keys()):
        old, lines = set(before.get(name, ())), set(now.get(name, ()))
        lost = sorted(old - lines)
        if old == lines:
            continue
        click.echo(f"{WHERE}/{name}: {len(lines - old)} new, {len(lost)} gone")
        for line in lost[: max(0, SHOWN - gone)]:
            click.echo(clean_text(f"  gone: {line}"))
        gone, new = gone + len(lost), new + len(lines - old)
    if not gone and not new:
        click.echo("the record is as it should be")
    if not dry_run:
        write_record(now)
    return 0
