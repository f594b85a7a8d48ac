"""`triage rules`: write, check and try rules."""

from __future__ import annotations

import importlib

import click

COMMANDS = {
    "new": "triage.cli.rules_new",
    "check": "triage.cli.rules_check",
    "test": "triage.cli.rules_test",
    "list": "triage.cli.rules_list",
    "stats": "triage.cli.rules_stats",
    "schema": "triage.cli.rules_schema",
    "docs": "triage.cli.rules_docs",
}
"""Module of each command, imported when it is called."""


class RuleCommands(click.Group):
    """Imports a command's module when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        module = COMMANDS.get(name)
        if module is None:
            return None
        command: click.Command = importlib.import_module(module).command
        return command


@click.group("rules", cls=RuleCommands)
def command() -> None:
    """Write, check and try rules: what logs say, and what it means.

    CONTRIBUTING.md shows the way from a log to a merged rule.
    """
