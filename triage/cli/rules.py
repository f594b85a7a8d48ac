"""`triage rules`: write, check and try rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import click

from triage.cli.group import LazyGroup


class RuleCommands(LazyGroup):
    """The commands for rules."""

    modules: ClassVar[Mapping[str, str]] = {
        "new": "triage.cli.rules_new",
        "check": "triage.cli.rules_check",
        "test": "triage.cli.rules_test",
        "list": "triage.cli.rules_list",
        "record": "triage.cli.rules_record",
        "stats": "triage.cli.rules_stats",
        "schema": "triage.cli.rules_schema",
        "docs": "triage.cli.rules_docs",
    }


@click.group("rules", cls=RuleCommands)
def command() -> None:
    """Write, check and try rules: what logs say, and what it means.

    CONTRIBUTING.md shows the way from a log to a merged rule.
    """
