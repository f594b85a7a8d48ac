"""The picture that `triage doctor` gives: what is wrong first, then what could not be checked, one sentence to end."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from triage.doctor import CheckResult, Examination
from triage.redact import redact
from triage.report.words import risk_word

MARKS = {
    "ok": "ok",
    "bad": "BAD",
    "doubtful": "doubt",
    "denied": "denied",
    "timeout": "timeout",
    "not applicable": "n/a",
}
STYLES = {"ok": "green", "bad": "bold red", "doubtful": "bold yellow", "denied": "yellow", "timeout": "yellow"}
WIDEST = 100


def print_examination(found: Examination, console: Console, verbose: bool, language: str) -> None:
    """Print an examination; with `verbose` also what is fine and all recipes."""
    width = min(console.width, WIDEST)

    def put(text: Text | str, indent: int = 0) -> None:
        console.print(Padding(text, (0, 0, 0, indent)), width=width, markup=False, highlight=False)

    def line(check: CheckResult) -> None:
        row = Text(f"{MARKS[check.state]:8}", style=STYLES.get(check.state, "dim"))
        row.append(check.says, style="default not bold")
        if check.shows:
            row.append(f"  ({redact(check.shows)})", style="dim not bold")
        put(row)

    order = ["ok", "not applicable", "denied", "timeout", "doubtful", "bad"]
    shown = order if verbose else ["ok", "denied", "timeout", "doubtful", "bad"]
    for state in shown:
        for check in (c for c in found.checks if c.state == state):
            line(check)
            if check.cause is None:
                continue
            put(Text(f"{check.title}  [{check.cause}]"), 8)
            for fix in check.fix if verbose else check.fix[:1]:
                put(Text.assemble((fix.title, "bold green"), f"  ({risk_word(fix.risk, language)})"), 8)
                for number, step in enumerate(fix.steps, 1):
                    put(f"{number}. {redact(step.text)}", 10)
                    for each in (step.command or "").splitlines():
                        put(Text(f"$ {each}", style="cyan"), 13)
    counts = {state: sum(c.state == state for c in found.checks) for state in order}
    silent = [p.name for p in found.probes if p.status in ("timeout", "crashed", "garbled", "denied")]
    if silent:
        put(Text(f"could not be looked at: {', '.join(silent)}", style="dim"))
    if counts["bad"]:
        end = Text(f"{counts['bad']} of {len(found.checks)} checks found something broken.", style="bold red")
    elif counts["doubtful"]:
        end = Text(f"Nothing is broken; {counts['doubtful']} checks are doubtful.", style="bold yellow")
    else:
        end = Text(f"Nothing wrong was found: {counts['ok']} checks are fine.", style="bold green")
    unknown = counts["denied"] + counts["timeout"]
    end.append(f" {unknown} could not be made, {counts['not applicable']} do not apply here.", style="default not bold")
    put(end)
