"""`triage rules schema [KIND]`: JSON Schemas for editors."""

from __future__ import annotations

import click


@click.command("schema")
@click.argument("kind", required=False)
@click.option("-o", "--output", type=click.Path(), help="Write to a file; without KIND, all kinds into a folder.")
def command(kind: str | None, output: str | None) -> int:
    """Print the JSON Schema of a kind of file: rules, causes, trees, facts, tables, checks or pack.

    Editors use it through the first line of a file: # yaml-language-server: $schema=PATH
    """
    from pathlib import Path

    from triage.check.schema import KINDS, schema_text
    from triage.errors import TriageError

    if kind is not None and kind not in KINDS:
        raise TriageError(f"there is no kind of file called {kind}; there are {', '.join(KINDS)}")
    try:
        if output is None:
            click.echo("\n".join(KINDS) if kind is None else schema_text(kind), nl=kind is None)
        elif kind is None:
            Path(output).mkdir(parents=True, exist_ok=True)
            for name in KINDS:
                (Path(output) / f"{name}.json").write_text(schema_text(name), encoding="utf-8")
        else:
            Path(output).write_text(schema_text(kind), encoding="utf-8")
    except OSError as error:
        raise TriageError(f"cannot write {output}: {error.strerror}") from error
    return 0
