"""`triage tui [LOG...]`: look at a diagnosis, walk the trees, fix and check, in the terminal."""

from __future__ import annotations

import click

from triage.errors import TriageError


@click.command("tui")
@click.argument("logs", nargs=-1, type=click.Path())
@click.option("--facts", "facts_file", type=click.Path(), help="Facts saved on another machine (flat JSON).")
@click.option("--no-probes", is_flag=True, help="Do not look at this machine unless asked on the screen.")
@click.option("--python", "interpreter", help="Interpreter of the program that failed (its environment is examined).")
@click.option("--via", help='Command that reaches the machine, e.g. "ssh node7" or "docker exec -i trainer".')
@click.option("--rules", "rules", multiple=True, type=click.Path(), help="Folder with your own rules.")
@click.option("--lang", type=click.Choice(["en", "zh", "both"]), default=None, help="Language of texts.")
@click.option("--readonly", is_flag=True, help="Never run a command (also TRIAGE_READONLY=1).")
def command(
    logs: tuple[str, ...],
    facts_file: str | None,
    no_probes: bool,
    interpreter: str | None,
    via: str | None,
    rules: tuple[str, ...],
    lang: str | None,
    readonly: bool,
) -> int:
    """Look at a diagnosis on a screen of its own.

    \b
    Examples:
      triage tui error.log        the diagnosis, the log beside it
      triage tui < error.log      the same; keys come from the terminal
      triage tui                  a file, pasted text, a symptom, this machine
    """
    from triage.probing.facts_file import load_facts
    from triage.probing.target import make_target
    from triage.settings import overlay_folders, text_language

    try:
        from triage.tui.launch import run_tui  # type: ignore[import-not-found]
        from triage.tui.settings import Settings  # type: ignore[import-not-found]
    except ModuleNotFoundError as error:
        missing = f"the screens cannot start, {error.name} is not here"
        raise TriageError(f"{missing}: install triage (pip install -e .)") from error

    facts = load_facts(facts_file) if facts_file else {}
    looks = not no_probes and (facts_file is None or interpreter is not None or via is not None)
    settings = Settings(text_language(lang), looks, readonly, overlays=tuple(overlay_folders(rules)))
    named = interpreter is not None or via is not None
    status: int = run_tui(logs, make_target(interpreter, via), facts, settings, named)
    return status
