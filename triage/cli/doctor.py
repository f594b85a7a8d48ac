"""`triage doctor`: is this machine fit for the work?"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from triage.doctor import Examination

STATUS = {"ok": 0, "doubtful": 1, "bad": 2}


@click.command("doctor")
@click.option("--deep", is_flag=True, help="Also import frameworks, start devices and run a small kernel.")
@click.option("--for", "areas", help="Only what these need, e.g. torch,vllm,ascend.")
@click.option("--check", "cause", help="Re-run the checks of this cause's recipes.")
@click.option("--python", "interpreter", help="Interpreter to examine.")
@click.option("--via", help='Command that reaches the machine, e.g. "ssh node7".')
@click.option("--facts", "facts_file", type=click.Path(), help="Judge saved facts instead of probing.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("--json", "as_json", is_flag=True, help="Same as --format json.")
@click.option("--rules", "rules", multiple=True, type=click.Path(), help="Folder with your own rules.")
@click.option("--lang", type=click.Choice(["en", "zh", "both"]), default=None)
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default=None)
@click.option("-v", "--verbose", is_flag=True, help="Also what is fine, and every recipe.")
def command(
    deep: bool,
    areas: str | None,
    cause: str | None,
    interpreter: str | None,
    via: str | None,
    facts_file: str | None,
    form: str,
    as_json: bool,
    rules: tuple[str, ...],
    lang: str | None,
    color: str | None,
    verbose: bool,
) -> int:
    """Examine this machine and this Python environment.

    Exit status: 0 fit, 1 something is doubtful, 2 something is broken.
    """
    from triage.cli.progress import tell_probe
    from triage.doctor import examine_machine, recheck_cause
    from triage.knowledge.base import Knowledge
    from triage.probing.facts_file import load_facts
    from triage.probing.target import make_target
    from triage.report.terminal import open_console
    from triage.settings import overlay_folders, text_language

    language = text_language(lang)
    knowledge = Knowledge.load(overlay_folders(rules))
    if cause is not None:
        rows = recheck_cause(knowledge, cause, make_target(interpreter, via))
        for fact, words, holds, value in rows:
            said = "ok" if holds else "unknown" if holds is None else "not yet"
            click.echo(f"{said:8} {fact} {words}; now: {'unknown' if value is None else value}")
        return 0 if all(row[2] for row in rows) else 2
    target = None if facts_file is not None and interpreter is None and via is None else make_target(interpreter, via)
    found = examine_machine(
        knowledge,
        target,
        load_facts(facts_file) if facts_file is not None else None,
        deep,
        [area.strip() for area in areas.split(",") if area.strip()] if areas else (),
        language,
        tell_probe if sys.stderr.isatty() else None,
    )
    if as_json or form == "json":
        click.echo(_as_json(found, knowledge.digest))
    else:
        from triage.report.doctor import print_examination

        print_examination(found, open_console(color), verbose, language)
    return STATUS[found.worst]


def _as_json(found: Examination, digest: str) -> str:
    from triage.redact import redact_value
    from triage.report.json import fix_to_dict, probe_to_dict
    from triage.version import VERSION

    data = {
        "schema": 1,
        "triage": VERSION,
        "knowledge": digest,
        "state": found.worst,
        "checks": [
            {"id": c.id, "says": c.says, "state": c.state, "shows": c.shows, "cause": c.cause,
             "fix": [fix_to_dict(f) for f in c.fix]}
            for c in found.checks
        ],
        "facts": found.facts,
        "probes": [probe_to_dict(probe) for probe in found.probes],
    }  # fmt: skip
    return json.dumps(redact_value(data), ensure_ascii=False, indent=2)
