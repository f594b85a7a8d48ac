"""`triage doctor`: is this machine fit for the work?"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from triage.cli.complete import complete_areas, complete_causes

if TYPE_CHECKING:
    from triage.doctor import Examination
    from triage.recheck import Recheck

STATUS = {"ok": 0, "doubtful": 1, "bad": 2}
RECHECK = {"ok": 0, "unknown": 1, "bad": 2}


@click.command("doctor")
@click.option("--deep", is_flag=True, help="Also import frameworks, start devices and run a small kernel.")
@click.option("--for", "areas", shell_complete=complete_areas, help="Only what these need, e.g. torch,vllm,ascend.")
@click.option("--check", "cause", shell_complete=complete_causes, help="Look again whether this cause is gone.")
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

    Exit status: 0 fit, 1 something is doubtful, 2 something is broken. With --check: 0 the cause is gone, 1 it cannot
    be told, 2 it is still there.
    """
    from triage.cli.progress import tell_probe
    from triage.doctor import examine_machine
    from triage.knowledge.base import Knowledge
    from triage.probing.facts_file import load_facts
    from triage.probing.target import make_target
    from triage.report.terminal import open_console
    from triage.settings import overlay_folders, text_language

    language = text_language(lang)
    knowledge = Knowledge.load(overlay_folders(rules))
    target = None if facts_file is not None and interpreter is None and via is None else make_target(interpreter, via)
    facts = load_facts(facts_file) if facts_file is not None else None
    telling = tell_probe if sys.stderr.isatty() else None
    as_json = as_json or form == "json"
    if cause is not None:
        from triage.recheck import recheck_cause

        again = recheck_cause(knowledge, cause, target, facts, deep, language, telling)
        if as_json:
            click.echo(_dump(_recheck(again), knowledge.digest))
        else:
            from triage.report.doctor import print_recheck

            print_recheck(again, open_console(color), deep, language)
        return RECHECK[again.state]
    wanted = [area.strip() for area in areas.split(",") if area.strip()] if areas else ()
    found = examine_machine(knowledge, target, facts, deep, wanted, language, telling)
    if as_json:
        click.echo(_dump(_examination(found), knowledge.digest))
    else:
        from triage.report.doctor import print_examination

        print_examination(found, open_console(color), verbose, language)
    return STATUS[found.worst]


def _examination(found: Examination) -> dict[str, Any]:
    from triage.report.json import fix_to_dict, probe_to_dict

    checks = []
    for check in found.checks:
        row: dict[str, Any] = {"id": check.id, "says": check.says, "state": check.state, "shows": check.shows}
        row |= {"cause": check.cause, "fix": [fix_to_dict(fix) for fix in check.fix]}
        checks.append(row | ({"explained_by": check.follows} if check.follows else {}))
    return {"state": found.worst, "checks": checks, "facts": found.facts, "probes": [*map(probe_to_dict, found.probes)]}


def _recheck(found: Recheck) -> dict[str, Any]:
    from triage.report.json import probe_to_dict

    rows = [{"says": row.says, "state": row.state, "shows": row.shows} for row in found.rows]
    probes = [*map(probe_to_dict, found.probes)]
    return {"state": found.state, "cause": found.cause, "checks": rows, "facts": found.facts, "probes": probes}


def _dump(data: dict[str, Any], digest: str) -> str:
    from triage.redact import redact_value
    from triage.version import VERSION

    whole = {"schema": 1, "triage": VERSION, "knowledge": digest, **data}
    return json.dumps(redact_value(whole), ensure_ascii=False, indent=2)
