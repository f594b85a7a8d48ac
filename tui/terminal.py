"""The terminal itself: keys although the log came through the pipe, colours it can show, and how it is left."""

from __future__ import annotations

import contextlib
import io
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

from triage.errors import TriageError

if TYPE_CHECKING:
    from textual.app import App

RESTORE = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?1004l\x1b[<u\x1b[?25h\x1b[?1049l"
"""Mouse, paste and focus reports off, cursor on, normal screen: what Textual leaves behind when it is killed."""
PATIENCE = 3.0
"""Seconds that the application may take to leave after a signal."""
RICH_TERMS = ("256color", "truecolor", "24bit", "kitty", "alacritty", "ghostty", "direct", "wezterm")
NO_TERMINAL = "the TUI needs a terminal for its keys and its screen; use `triage LOG` where there is none"


def is_served() -> bool:
    """Whether the screen is shown by another program (`textual serve`), which brings its own keys."""
    return bool(os.environ.get("TEXTUAL_DRIVER"))


def take_terminal() -> BinaryIO | None:
    """Make descriptors 0 to 2 the terminal; return what was piped into standard input, if anything was.

    Raises TriageError where there is no terminal at all.
    """
    if is_served():
        return None
    piped: BinaryIO | None = None
    if not _is_terminal(0):
        with contextlib.suppress(OSError):
            piped = os.fdopen(os.dup(0), "rb", buffering=0)
        os.dup2(_open_terminal(), 0)
        keys = open(0, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
        for attribute in ("stdin", "__stdin__"):
            setattr(sys, attribute, keys)
    for number, name in ((1, "stdout"), (2, "stderr")):
        if not _is_terminal(number):
            os.dup2(_open_terminal(), number)
            written = open(number, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
            setattr(sys, name, written)
            setattr(sys, f"__{name}__", written)
    for stream in (sys.__stdout__, sys.__stderr__):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    return piped


def _is_terminal(descriptor: int) -> bool:
    try:
        return os.isatty(descriptor)
    except OSError:
        return False


def _open_terminal() -> int:
    try:
        return os.open("CON" if sys.platform == "win32" else "/dev/tty", os.O_RDWR)
    except OSError:
        raise TriageError(NO_TERMINAL) from None


def set_colour_choice() -> None:
    """Hold Textual to the rule of the command line: TRIAGE_COLOR, then a non-empty NO_COLOR; before it is imported."""
    if not os.environ.get("NO_COLOR"):
        os.environ.pop("NO_COLOR", None)  # Textual takes an empty one for set, the rest of the world does not
    chosen = os.environ.get("TRIAGE_COLOR")
    if chosen == "never":
        os.environ["NO_COLOR"] = "1"
    elif chosen == "always":
        os.environ.pop("NO_COLOR", None)


def theme_for_terminal() -> str | None:
    """Return the theme for a terminal of 16 colours or fewer, where Textual's own print invisible text."""
    term, colours = os.environ.get("TERM", ""), os.environ.get("COLORTERM", "")
    if is_served() or os.environ.get("TEXTUAL_THEME") or colours in ("truecolor", "24bit"):
        return None
    if any(word in term for word in RICH_TERMS) or sys.platform == "win32":
        return None
    return "ansi-light" if os.environ.get("COLORFGBG", "").endswith((";7", ";15")) else "ansi-dark"


class Tap(io.RawIOBase):
    """A pipe that tells how much came and can be told to end, so that an open pipe never holds the program."""

    def __init__(self, pipe: BinaryIO, tell: Callable[[int], None]) -> None:
        super().__init__()
        self._pipe = pipe
        self._tell = tell
        self.taken = 0
        self.ended = threading.Event()

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what is there; wait for more unless it was told to end."""
        descriptor = self._pipe.fileno()
        while not self.ended.is_set():
            if sys.platform == "win32" or select.select([descriptor], [], [], 0.1)[0]:
                data = os.read(descriptor, len(buffer))
                buffer[: len(data)] = data
                self.taken += len(data)
                if data:
                    self._tell(self.taken)
                return len(data)
            self._tell(self.taken)
        return 0


def watch_signals(app: App[int]) -> None:
    """Leave in order on SIGTERM and SIGHUP, with exit status 128 + n."""
    import asyncio

    if sys.platform == "win32" or app.is_headless:
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):
            loop.add_signal_handler(number, _leave, app, int(number))


def _leave(app: App[int], number: int) -> None:
    app.exit(128 + number)
    timer = threading.Timer(PATIENCE, _give_up, (number,))
    timer.daemon = True
    timer.start()


def _give_up(number: int) -> None:
    with contextlib.suppress(OSError):
        os.write(2, RESTORE.encode())
    os._exit(128 + number)


def show_plain(app: App[int], text: str) -> bool:
    """Print text outside the screen and wait for Enter, so that the terminal's own selection works.

    Returns False where the screen cannot be left.
    """
    from textual.app import SuspendNotSupported

    try:
        with app.suspend():
            print(text, end="", flush=True)
            with contextlib.suppress(EOFError, KeyboardInterrupt):
                input()
    except SuspendNotSupported:
        return False
    return True
