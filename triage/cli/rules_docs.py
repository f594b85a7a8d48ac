"""`triage rules docs DIR`: the reference as static pages."""

from __future__ import annotations

import click


@click.command("docs")
@click.argument("folder", type=click.Path(file_okay=False))
@click.option("--rules", "folders", multiple=True, type=click.Path(), help="Folder with your own rules.")
def command(folder: str, folders: tuple[str, ...]) -> int:
    """Write a page for each cause and rule into FOLDER, with a start page that searches; no server is needed."""
    from pathlib import Path

    from triage.docs_site.build import build_site
    from triage.knowledge.load import load_base
    from triage.knowledge.roots import all_roots
    from triage.settings import overlay_folders

    count = build_site(load_base(all_roots(overlay_folders(folders))), Path(folder))
    click.echo(f"{count} pages; begin with {Path(folder) / 'index.html'}")
    return 0
