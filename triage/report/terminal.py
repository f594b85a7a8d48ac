"""A console that honours what the user and the terminal want."""

from __future__ import annotations

import os
import sys
from typing import IO

from rich.console import Console

from triage.configuration import setting

WIDTH = 100
"""Columns where there is no terminal to ask."""
NARROWEST = 20


def wants_color(flag: str | None, is_terminal: bool) -> bool:
    """Decide on colour: flag, TRIAGE_COLOR or configuration, NO_COLOR (non-empty), FORCE_COLOR, then the terminal.

    Raises TriageError for a value that is none of `auto`, `always`, `never`.
    """
    choice = flag or setting("color").value
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal and os.environ.get("TERM") != "dumb"


def open_console(flag: str | None = None, file: IO[str] | None = None) -> Console:
    """Return a console on `file` (standard output if None): 100 columns where there is no terminal to ask."""
    stream = file or sys.stdout
    terminal = stream.isatty()
    color = wants_color(flag, terminal)
    width = None if terminal else _columns()
    return Console(
        file=stream,
        width=width,
        force_terminal=color,
        no_color=not color,
        color_system="auto" if color else None,
        highlight=False,
        emoji=False,
        legacy_windows=False,
        safe_box=True,
    )


def _columns() -> int:
    """Return the width that `COLUMNS` asks for, where it is one that can be printed in."""
    asked = os.environ.get("COLUMNS", "")
    return int(asked) if asked.isascii() and asked.isdigit() and int(asked) >= NARROWEST else WIDTH
