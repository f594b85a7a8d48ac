"""`triage rules list`: the rules, and the layers that they come from."""

from __future__ import annotations

import click

from triage.cli.complete import complete_families


@click.command("list")
@click.argument("words", nargs=-1, shell_complete=complete_families)
@click.option("--layers", is_flag=True, help="Show the layers: shipped knowledge, packs, folders, with their digests.")
@click.option("--record", is_flag=True, help="Show what tests/rules/record/ would hold of the knowledge.")
@click.option("--rules", "folders", multiple=True, type=click.Path(), help="Folder with your own rules.")
@click.option("--lang", type=click.Choice(["en", "zh", "both"]), default=None, help="Language of texts.")
def command(words: tuple[str, ...], layers: bool, record: bool, folders: tuple[str, ...], lang: str | None) -> int:
    """List rules: id, role, status, what it says, where it stands. WORDS choose those that hold all of them."""
    from triage.errors import TriageError
    from triage.knowledge.load import load_base
    from triage.knowledge.roots import all_roots
    from triage.language import say
    from triage.sanitize import clean_text
    from triage.settings import overlay_folders, text_language

    language = text_language(lang)
    base = load_base(all_roots(overlay_folders(folders)))
    if record:
        from triage.check.record import record_of

        click.echo("\n".join(record_of(base)))
        return 0
    if layers:
        for layer, digest in base.layers.items():
            pack = base.packs.get(layer)
            named = f"{pack.record.name} {pack.record.version}  " if pack else ""
            count = sum(loaded.layer == layer for loaded in base.rules.values())
            click.echo(clean_text(f"{digest}  {named}{layer}  {count} rules"))
        for kind, name in sorted(base.disabled):
            click.echo(f"switched off: {name} ({kind})")
        return 0
    found = False
    for loaded in base.rules.values():
        rule = loaded.record
        text = f"{rule.id:<44} {rule.role:<11} {rule.status:<12} {say(rule.says, language)}  [{loaded.place()}]"
        if all(word.lower() in text.lower() for word in words):
            found = True
            click.echo(clean_text(text))
    if not found:
        raise TriageError(f"no rule holds {' and '.join(words)}")
    return 0
