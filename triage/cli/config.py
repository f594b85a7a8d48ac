"""`triage config`: each setting, its value and where it comes from."""

from __future__ import annotations

import click


@click.command("config")
def command() -> int:
    """Show each setting with its value and its origin.

    \b
    Settings come from flags, TRIAGE_* variables, .triage.toml or [tool.triage] of the project,
    the user's config.toml, /etc/triage/config.toml, in this order.
    """
    from triage.configuration import DEFAULTS, setting
    from triage.sanitize import clean_text

    for name in DEFAULTS:
        found = setting(name)
        value = str(found.value)
        if isinstance(found.value, list):
            value = ", ".join(found.value)
        elif isinstance(found.value, dict):
            value = ", ".join(f"{key}={item}" for key, item in found.value.items())
        click.echo(clean_text(f"{name:8} {value or '-':24} {found.origin}"))
    return 0
