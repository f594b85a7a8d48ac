"""A group of commands whose modules are imported when they are called."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import ClassVar

import click


class LazyGroup(click.Group):
    """Knows the module of each command by its name; the module's `command` is the command."""

    modules: ClassVar[Mapping[str, str]]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        module = self.modules.get(name)
        if module is None:
            return None
        command: click.Command = importlib.import_module(module).command
        return command
