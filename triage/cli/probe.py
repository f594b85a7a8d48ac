"""`triage probe`: the facts of a machine."""

from __future__ import annotations

import json
import sys

import click


def _probes(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Complete the names of probes."""
    from triage.probing.run import find_probes

    return [name for name in find_probes() if name.startswith(begun)]


@click.command("probe")
@click.argument("names", nargs=-1, shell_complete=_probes)
@click.option("--save", type=click.Path(dir_okay=False), help="Write the facts to a file for --facts (secrets masked).")
@click.option("--deep", is_flag=True, help="Also import frameworks, start devices and run a small kernel.")
@click.option("--python", "interpreter", help="Interpreter to examine.")
@click.option("--via", help='Command that reaches the machine, e.g. "docker exec -i trainer".')
@click.option("--json", "as_json", is_flag=True, help="Facts and probes as one JSON object.")
@click.option("--list", "listing", is_flag=True, help="List the probes.")
def command(
    names: tuple[str, ...],
    save: str | None,
    deep: bool,
    interpreter: str | None,
    via: str | None,
    as_json: bool,
    listing: bool,
) -> int:
    """Run probes (all, or the NAMEs given) and print what they found."""
    from triage.cli.progress import tell_probe
    from triage.probing.facts_file import save_facts
    from triage.probing.run import find_probes, run_probes
    from triage.probing.target import make_target
    from triage.redact import redact, redact_value
    from triage.sanitize import clean_text

    if listing:
        for name in find_probes():
            click.echo(name)
        return 0
    seconds = 180.0 if deep else 20.0
    telling = tell_probe if sys.stderr.isatty() else None
    chosen = names or tuple(find_probes())
    runs = run_probes(chosen, make_target(interpreter, via), deep, seconds, seconds * 0.8, telling)
    facts = {name: value for run in runs for name, value in run.facts.items()}
    if save is not None:
        save_facts(facts, save)
        click.echo(f"{len(facts)} facts written to {save}", err=True)
    if as_json:
        probes = [
            {"name": r.name, "status": r.status, "seconds": round(r.seconds, 3), "detail": r.detail} for r in runs
        ]
        click.echo(json.dumps(redact_value({"facts": facts, "probes": probes}), indent=2, ensure_ascii=False))
    elif save is None:
        for run in runs:
            note = f", {clean_text(run.detail)}" if run.detail else ""
            click.echo(redact(f"{run.name}: {run.status} ({run.seconds:.1f} s{note})"))
            for name, value in sorted(run.facts.items()):
                click.echo(redact(clean_text(f"  {name} = {_shown(value)}")))
            for note in run.notes:
                click.echo(redact(clean_text(f"  note: {note}")))
    return 0


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
