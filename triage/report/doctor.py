"""The picture that `triage doctor` gives: what is fine in a line, what could not be told, what is wrong, a sentence."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from rich.cells import set_cell_size
from rich.console import Console
from rich.text import Text

from triage.doctor import CheckResult, Examination
from triage.recheck import Recheck
from triage.redact import redact
from triage.report.doctor_words import mark, word
from triage.report.words import PROMPTS, risk_word
from triage.report.wrap import wrapped
from triage.sanitize import clean_text

STATES = ("ok", "not applicable", "denied", "timeout", "doubtful", "bad")
STYLES = {"ok": "green", "bad": "bold red", "doubtful": "bold yellow", "not applicable": "dim"}
WIDEST = 100
SHOWN = 160
"""Characters of the values at hand that a line shows; `--json` has all."""


def print_examination(found: Examination, console: Console, verbose: bool, language: str) -> None:
    """Print an examination; with `verbose` also each check that is fine or does not apply, and all recipes."""
    put = _Printer(console, language)
    chosen: dict[str, list[CheckResult]] = {state: [] for state in STATES}
    for check in found.checks:
        chosen[check.state].append(check)
    if verbose:
        for check in (*chosen["not applicable"], *chosen["ok"]):
            put.check(check, verbose)
    else:
        for text in _fine(chosen["ok"]):
            put.line("ok", f"{text}  {word('each', language)}", "")
    for check in (*chosen["denied"], *chosen["timeout"]):
        put.check(check, verbose)
    for group in _by_cause([*chosen["doubtful"], *chosen["bad"]]):
        for check in group:
            put.check(check, verbose)
        put.cause(group[-1], verbose, found.facts.get("python.command"))
    silent = [f"{p.name} ({p.status})" for p in found.probes if p.status in ("timeout", "crashed", "garbled", "denied")]
    if silent:
        put(Text(word("silent", language, ", ".join(silent)), style="dim"))
    put(_sentence({state: len(checks) for state, checks in chosen.items()}, language))


def print_recheck(found: Recheck, console: Console, deep: bool, language: str) -> None:
    """Print whether a cause is gone."""
    put = _Printer(console, language)
    put(Text(f"{found.title}  [{found.cause}]"))
    for row in found.rows:
        put.line(row.state, row.says, row.shows)
    end = word({"ok": "gone", "bad": "there"}.get(found.state, "unclear"), language)
    if found.state == "unknown" and not deep:
        end += word("deeper", language)
    put(Text(end, style={"ok": "bold green", "bad": "bold red"}.get(found.state, "bold yellow")))


def _fine(checks: Iterable[CheckResult]) -> Iterator[str]:
    """What is fine, in one line: families with their number of checks."""
    families: dict[str, int] = {}
    for check in checks:
        family = check.id.partition("-")[0]
        families[family] = families.get(family, 0) + 1
    if families:
        yield ", ".join(f"{name} {count}" for name, count in families.items())


def _by_cause(checks: list[CheckResult]) -> Iterator[list[CheckResult]]:
    """Checks in order, those of one cause together, so that its recipe is printed once."""
    groups: dict[str, list[CheckResult]] = {}
    for check in checks:
        groups.setdefault(check.cause or check.id, []).append(check)
    # What is bad comes last, nearest to the prompt; consequences come before their causes.
    yield from sorted(groups.values(), key=lambda group: (group[-1].state == "bad", group[-1].follows is None))


def _sentence(counts: dict[str, int], language: str) -> Text:
    """The last line: what is wrong, and what was looked at."""
    kind, style = ("broken", "bold red") if counts["bad"] else ("fine", "bold green")
    if counts["doubtful"] and not counts["bad"]:
        kind, style = "doubtful", "bold yellow"
    end = Text(word(kind, language, counts["bad"], counts["doubtful"]), style=style)
    rest = word("counts", language, counts["ok"])
    unknown = counts["denied"] + counts["timeout"]
    rest += word("untold", language, unknown) if unknown else ""
    end.append(rest + word("beside", language, counts["not applicable"]), style="default not bold")
    return end


class _Printer:
    """Prints paragraphs within a width that is good to read."""

    def __init__(self, console: Console, language: str) -> None:
        self.console, self.language = console, language
        self.width = min(console.width, WIDEST)

    def __call__(self, text: Text | str, indent: int = 0, first: Text | None = None) -> None:
        """Print a paragraph; `first` stands in the indent of its first line."""
        text = Text(text) if isinstance(text, str) else text
        width = max(20, self.width - indent)
        for number, part in enumerate(wrapped(text, width) or text.wrap(self.console, width)):
            part.rstrip()
            before = first if first is not None and number == 0 else " " * indent
            self.console.print(Text.assemble(before, part), soft_wrap=True, markup=False, highlight=False)

    def line(self, state: str, says: str, shows: str, limit: int = SHOWN) -> None:
        """Print one sentence with its state and the values at hand."""
        row = Text((word("untrue", self.language) if state == "bad" else "") + clean_text(says))
        if shows:
            row.append(f"  ({clean_text(redact(shows), limit)})", style="dim")
        self(row, 8, Text(set_cell_size(mark(state, self.language), 8), style=STYLES.get(state, "yellow")))

    def check(self, check: CheckResult, verbose: bool) -> None:
        """Print a check."""
        self.line(check.state, check.says, check.shows, 2000 if verbose else SHOWN)

    def cause(self, check: CheckResult, verbose: bool, interpreter: object) -> None:
        """Print the cause of a check that failed, and how to fix it unless another cause explains it."""
        if check.cause is None:
            return
        self(Text(f"{check.title}  [{check.cause}]"), 8)
        if check.follows is not None and not verbose:
            self(Text(word("follows", self.language, check.follows), style="dim"), 8)
            return
        for fix in check.fix if verbose else check.fix[:1]:
            self(Text.assemble((fix.title, "bold green"), f"  ({risk_word(fix.risk, self.language)})"), 8)
            for number, step in enumerate(fix.steps, 1):
                self(f"{number}. {redact(step.text)}", 10)
                for each in (step.command or "").splitlines():
                    command = Text(f"{'':13}{PROMPTS[step.language]}{redact(each)}", style="cyan")
                    self.console.print(command, soft_wrap=True, markup=False, highlight=False)
        named = isinstance(interpreter, str) and interpreter != "python"
        again = f"triage doctor --check {check.cause}" + (f" --python {shlex.quote(str(interpreter))}" if named else "")
        self(Text(f"{word('again', self.language)}: {redact(again)}", style="dim"), 8)
