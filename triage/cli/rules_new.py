"""`triage rules new`: from a log to a rule that passes the check."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from triage.knowledge.base import Knowledge

ROLES = ("fault", "consequence", "teardown", "benign", "context")


@click.command("new")
@click.option("--from", "log", type=click.Path(), help="Log of the failure; - for standard input.")
@click.option("--line", type=int, help="Line that names the failure; the first fault's message without it.")
@click.option(
    "--into", type=click.Path(file_okay=False), help="Layer to write to; this checkout, or the project's .triage/."
)
@click.option("--id", "rule", help="Id of the rule: <family>-<words>.")
@click.option("--says", help="What the text says, in English.")
@click.option("--says-zh", help="The same in Chinese.")
@click.option("--pattern", help="Expression; made from the line without it.")
@click.option("--role", type=click.Choice(ROLES), default="fault", show_default=True)
@click.option("--source", help="Program and version that printed the text, or a link.")
@click.option("--sample", "samples", multiple=True, help="A further line that must match.")
@click.option("--near-miss", "near_misses", multiple=True, help="A line that looks alike and must not match.")
@click.option("--cause", help="Cause that it speaks for: an id that is there, or a new <family>.<name>.")
@click.option("--search", metavar="WORDS", help="List causes that these words fit, and stop.")
@click.option("--weight", type=click.Choice(["decisive", "strong", "weak"]), default="strong", show_default=True)
@click.option("--title", help="Title of a new cause, in English.")
@click.option("--title-zh", help="The same in Chinese.")
@click.option("--explanation", help="Why it happens, in plain words (80 characters or more).")
@click.option("--explanation-zh", help="The same in Chinese; needed in a checkout.")
@click.option("--fix", help="What to do.")
@click.option("--fix-zh", help="The same in Chinese.")
@click.option("--fix-command", default="", help="Command that does it.")
@click.option("--check", help="How to know that it worked.")
@click.option("--check-zh", help="The same in Chinese.")
@click.option("--dry-run", is_flag=True, help="Show the draft and write nothing.")
def command(
    log: str | None,
    line: int | None,
    into: str | None,
    rule: str | None,
    says: str | None,
    says_zh: str | None,
    pattern: str | None,
    role: str,
    source: str | None,
    samples: tuple[str, ...],
    near_misses: tuple[str, ...],
    cause: str | None,
    search: str | None,
    weight: str,
    title: str | None,
    title_zh: str | None,
    explanation: str | None,
    explanation_zh: str | None,
    fix: str | None,
    fix_zh: str | None,
    fix_command: str,
    check: str | None,
    check_zh: str | None,
    dry_run: bool,
) -> int:
    """Draft a rule, and its cause, from the log of a failure.

    What no option gives is asked for on a terminal.

    \b
    Example:
      triage rules new --from error.log --cause shape.batch_mismatch
    """
    from triage.draft.place import draft_folder, holds_knowledge
    from triage.draft.records import Wish
    from triage.knowledge.base import Knowledge
    from triage.settings import overlay_folders

    folder = draft_folder(into)
    overlays = [path for path in overlay_folders() if path.resolve() != folder.resolve()]
    if holds_knowledge(folder):
        overlays.append(folder)
    knowledge = Knowledge.load(overlays)
    if search is not None:
        return _search(knowledge, search)
    wish = Wish(
        rule or "", says or "", says_zh or "", pattern or "", "any", role, {}, source or "", "", list(samples),
        list(near_misses), cause or "", weight, title or "", title_zh or "", explanation or "", explanation_zh or "",
        fix or "", fix_zh or "", fix_command, check or "", check_zh or "",
    )  # fmt: skip
    from triage.draft.session import Session

    session = Session(
        knowledge, wish, folder, tuple(overlays), _ask if sys.stdin.isatty() and log != "-" else None, click.echo
    )
    if log is not None:
        session.look_at(log, line)
    session.complete()
    return session.write(dry_run)


def _ask(question: str, default: str) -> str:
    answer: str = click.prompt(question, default=default or None)
    return answer


def _search(knowledge: Knowledge, words: str) -> int:
    from triage.draft.look import search_causes

    for name, title in search_causes(knowledge, words, 10):
        click.echo(f"{name:<40} {title}")
    return 0
