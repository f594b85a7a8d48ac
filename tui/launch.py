"""Start the TUI from the command line's options and return the exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import BinaryIO

from triage.configuration import setting
from triage.diagnosis import Options
from triage.knowledge.base import Knowledge
from triage.log.source import Source, open_source
from triage.probing.target import Target
from triage.reason.book import FactValue

from . import terminal
from .settings import Settings


def run_tui(
    logs: Sequence[str],
    target: Target,
    facts: dict[str, FactValue],
    settings: Settings,
    named: bool = False,
) -> int:
    """Show the TUI; `named`: a person named the interpreter or the way to it.

    Raises:
        TriageError: without a terminal, for faulty rules, and for a log that cannot be read.
    """
    terminal.set_colour_choice()
    piped = terminal.take_terminal()
    from .app import TriageApp
    from .desk import Desk
    from .keys import check_keymap

    given = setting("keys")
    settings = replace(settings, keymap=check_keymap(given.value, given.origin))
    knowledge = Knowledge.load(settings.overlays, notice=_compiling)
    desk = Desk(knowledge, target, Options(language=settings.language), named, facts)
    taps: list[terminal.Tap] = []

    def opener(tell: Callable[[int], None]) -> Source:
        """Open the logs named, or what is piped in."""
        if logs and "-" not in logs:
            return open_source(logs, None)
        assert piped is not None
        return open_source(logs, _tapped(piped, tell, taps))

    wants_log = bool(logs) or piped is not None
    name = logs[0] if len(logs) == 1 else f"{len(logs)} files" if logs else "standard input"
    app = TriageApp(desk, settings, opener if wants_log else None, name)
    try:
        status = app.run()
    finally:
        for tap in taps:
            tap.ended.set()
    if app.failure is not None and status == 2:
        raise app.failure
    return status or app.return_code or 0


def _compiling() -> None:
    print("triage: compiling its knowledge (once after an update) ...", file=sys.stderr, flush=True)


def _tapped(piped: BinaryIO, tell: Callable[[int], None], taps: list[terminal.Tap]) -> BinaryIO:
    import os
    import stat

    if stat.S_ISREG(os.fstat(piped.fileno()).st_mode):
        return piped
    tap = terminal.Tap(piped, tell)
    taps.append(tap)
    return tap  # type: ignore[return-value]
