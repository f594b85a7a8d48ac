"""`triage [diagnose] [LOG...]`: what broke, the proof, the fix."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TextIO, TypeVar, cast

import click

from triage.errors import TriageError

if TYPE_CHECKING:
    from triage.diagnosis import Case
    from triage.reason.book import FactValue
    from triage.result import ProbeResult

STATUS = {"healthy": 0, "cause": 1, "unknown": 3}


@click.command("diagnose")
@click.argument("logs", nargs=-1, type=click.Path())
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", help="Form of the report."
)
@click.option("--json", "as_json", is_flag=True, help="Same as --format json.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write the report to a file (UTF-8).")
@click.option("--no-probes", is_flag=True, help="Do not look at this machine.")
@click.option("--each", is_flag=True, help="Diagnose each log by itself; JSON then has one line a log.")
@click.option("--deep", is_flag=True, help="Let probes import frameworks and use the devices.")
@click.option("--python", "interpreter", help="Interpreter of the program that failed (its environment is examined).")
@click.option("--via", help='Command that reaches the machine, e.g. "ssh node7" or "docker exec -i trainer".')
@click.option("--facts", "facts_file", type=click.Path(), help="Facts saved on another machine (flat JSON).")
@click.option("--top", type=click.IntRange(1, 50), default=None, help="Hypotheses at most (5).")
@click.option(
    "--rules", "rules", multiple=True, type=click.Path(), help="Folder with your own rules, laid over the shipped ones."
)
@click.option("--hide-home", is_flag=True, help="Mask the names in home paths too, for a report that others read.")
@click.option("--lang", type=click.Choice(["en", "zh", "both"]), default=None, help="Language of texts.")
@click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default=None, help="Colour of the text report."
)
@click.option("-v", "--verbose", is_flag=True, help="The whole report: all proof, all fixes, all hypotheses.")
def command(
    logs: tuple[str, ...],
    form: str,
    as_json: bool,
    output: str | None,
    no_probes: bool,
    each: bool,
    deep: bool,
    interpreter: str | None,
    via: str | None,
    facts_file: str | None,
    top: int | None,
    rules: tuple[str, ...],
    hide_home: bool,
    lang: str | None,
    color: str | None,
    verbose: bool,
) -> int:
    """Diagnose logs, or standard input.

    Exit status: 0 no fault found, 1 a cause was found, 2 wrong use or unreadable input, 3 a fault without a known
    cause.
    """
    from triage.cli.progress import ScanProgress
    from triage.configuration import setting
    from triage.diagnosis import Options, open_case
    from triage.knowledge.base import Knowledge
    from triage.log.source import open_source
    from triage.settings import overlay_folders, text_language

    if not logs and sys.stdin.isatty():
        raise TriageError("there is no log: name a file, or pipe one in (triage < error.log); triage --help shows more")
    language = text_language(lang)
    facts = _load_facts(facts_file)
    elsewhere = facts_file is not None and interpreter is None and via is None
    looks = not no_probes and setting("probes").value and not elsewhere
    knowledge = Knowledge.load(overlay_folders(rules), notice=_compiling)
    options = Options(top or setting("top").value, language)
    if each and output is not None:
        _create(output, more=False).close()
    worst = 0
    for group in [(log,) for log in logs] if each else [logs]:
        with open_source(group, sys.stdin.buffer) as source:
            progress = ScanProgress(source.size)
            case = open_case(source, knowledge, facts, options=options, progress=progress.tell)
            progress.end()
            probes, notes = _examine(case, interpreter, via, deep) if looks else ([], [])
            report = case.report(probes, notes)
        if hide_home:
            report = _without_homes(report)
        _write(report, "json" if as_json else form, output, color, verbose, language, each)
        worst = max(worst, STATUS[report.outcome])
    return worst


def _write(
    report: object, form: str, output: str | None, color: str | None, verbose: bool, language: str, each: bool
) -> None:
    from triage.result import Report

    assert isinstance(report, Report)
    if form == "json":
        from triage.report.json import report_to_json

        _emit(report_to_json(report, None if each else 2) + "\n", output, each)
    elif form == "markdown":
        from triage.report.markdown import report_to_markdown

        _emit(report_to_markdown(report), output, each)
    else:
        from triage.report.terminal import open_console
        from triage.report.text import print_report

        if output is None:
            print_report(report, open_console(color), verbose, language)
        else:
            with _create(output, each) as file:
                print_report(report, open_console("never", file), verbose, language)


_T = TypeVar("_T")


def _without_homes(value: _T) -> _T:
    """Return a report, or a part of one, with the names in home paths masked."""
    from dataclasses import fields, is_dataclass, replace

    from triage.redact import hide_home

    part: Any = value
    if isinstance(part, str):
        part = hide_home(part)
    elif isinstance(part, dict):
        part = {name: _without_homes(item) for name, item in part.items()}
    elif isinstance(part, (list, tuple)):
        part = type(part)([_without_homes(item) for item in part])
    elif is_dataclass(part) and not isinstance(part, type):
        part = replace(part, **{field.name: _without_homes(getattr(part, field.name)) for field in fields(part)})
    return cast("_T", part)


def _emit(text: str, output: str | None, more: bool) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        with _create(output, more) as file:
            file.write(text)


def _create(output: str, more: bool) -> TextIO:
    try:
        return open(output, "a" if more else "w", encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise TriageError(f"cannot write {output}: {error.strerror}") from error


def _load_facts(path: str | None) -> dict[str, FactValue]:
    if path is None:
        return {}
    from triage.probing.facts_file import load_facts

    return load_facts(path)


def _examine(case: Case, interpreter: str | None, via: str | None, deep: bool) -> tuple[list[ProbeResult], list[str]]:
    from triage.cli.progress import tell_probe
    from triage.examine import examine
    from triage.probing.target import make_target

    progress = tell_probe if sys.stderr.isatty() else None
    return examine(case, make_target(interpreter, via), deep, progress, chosen=interpreter is not None)


def _compiling() -> None:
    if sys.stderr.isatty():
        print("triage: compiling its knowledge (once after an update) ...", file=sys.stderr)
