"""What the shell completes: ids of causes, families, areas of checks."""

from __future__ import annotations

import click


def complete_causes(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Complete the ids of causes."""
    from triage.knowledge.base import Knowledge

    return [name for name in Knowledge.load().causes if name.startswith(begun)]


def complete_families(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Complete the families of causes."""
    from triage.knowledge.base import Knowledge

    families = dict.fromkeys(name.split(".")[0] for name in Knowledge.load().causes)
    return [name for name in families if name.startswith(begun)]


def complete_pages(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Complete the ids of causes and their families."""
    return complete_causes(context, parameter, begun) + complete_families(context, parameter, begun)


def complete_areas(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Complete the last of some areas of checks, separated by commas."""
    from triage.doctor import areas_of
    from triage.knowledge.base import Knowledge

    before, comma, last = begun.rpartition(",")
    return [f"{before}{comma}{area}" for area in areas_of(Knowledge.load()) if area.startswith(last)]
