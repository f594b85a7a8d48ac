"""`triage explain ID`: the page of a cause."""

from __future__ import annotations

import click

from triage.cli.complete import complete_pages


@click.command("explain")
@click.argument("words", nargs=-1, metavar="[CAUSE|CODE|NAME==VERSION]", shell_complete=complete_pages)
@click.option("--rules", "rules", multiple=True, type=click.Path(), help="Folder with your own rules.")
@click.option("--lang", type=click.Choice(["en", "zh", "both"]), default=None, help="Language of texts.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default=None)
def command(words: tuple[str, ...], rules: tuple[str, ...], lang: str | None, color: str | None) -> int:
    """Read about a cause: what it is, how it shows, how to fix it.

    Without an id, all causes are listed; with the name of a family, its causes. Error codes and versions are looked up
    in the tables: `triage explain Xid 79`, `triage explain EZ9999`, `triage explain torch==2.4.1`.
    """
    from triage.errors import TriageError
    from triage.knowledge.base import Knowledge
    from triage.report.page import print_list, print_page, print_rows
    from triage.report.terminal import open_console
    from triage.settings import overlay_folders, text_language

    cause = " ".join(words) or None
    language = text_language(lang)
    knowledge = Knowledge.load(overlay_folders(rules))
    console = open_console(color)
    if cause is None or cause in {name.split(".")[0] for name in knowledge.causes}:
        print_list(knowledge, console, cause, language)
        return 0
    if cause not in knowledge.causes:
        import difflib

        from triage.reference import find_rows

        rows = find_rows(knowledge, cause)
        if rows:
            print_rows(rows, console, language)
            return 0

        near = difflib.get_close_matches(cause, knowledge.causes, n=3, cutoff=0.5)
        near = near or [name for name in knowledge.causes if cause.lower() in name][:3]
        hint = f"; did you mean {' or '.join(near)}?" if near else "; `triage explain` lists all"
        raise TriageError(f"there is no cause {cause}{hint}")
    print_page(knowledge, console, cause, language)
    return 0
