"""One process with a deadline and capped output, which is killed with all that it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

OUTPUT_LIMIT = 1 << 20
"""Bytes of standard output that are kept; a process that prints more is ended."""

ERROR_LIMIT = 1 << 16
"""Bytes of error output that are kept; what comes after is read and thrown away."""


@dataclass(frozen=True)
class Outcome:
    """How a process ended."""

    status: int | None
    """Exit status, negative for a signal; None if it did not end by itself."""

    output: bytes
    """Standard output, at most `OUTPUT_LIMIT` bytes and one read more."""

    errors: bytes
    """Start of the error output, at most `ERROR_LIMIT` bytes."""

    seconds: float
    """Time from the start to the end, in seconds."""

    timed_out: bool = False
    """The deadline passed, or `cancel` was set."""

    flooded: bool = False
    """It printed more than `OUTPUT_LIMIT` bytes."""


class _Reader(threading.Thread):
    """Reads a pipe in the background, keeping at most `limit` bytes."""

    def __init__(self, pipe: IO[bytes], limit: int, flood: threading.Event | None = None) -> None:
        super().__init__(daemon=True)
        self.pipe, self.limit, self.flood, self.data = pipe, limit, flood, bytearray()
        self.start()

    def run(self) -> None:
        """Read until the pipe closes, or until the limit where passing it counts as a flood."""
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self.pipe.fileno(), 1 << 16):
                if len(self.data) < self.limit:
                    self.data += chunk
                elif self.flood is not None:
                    self.flood.set()
                    return


def run_process(words: list[str], feed: bytes | None, seconds: float, cancel: threading.Event) -> Outcome:
    """Run a program in a session of its own and return within its deadline, whatever the program does.

    Args:
        words: the command line. The environment and the working folder are those of triage.
        feed: bytes for its standard input, or None for an empty one.
        seconds: deadline. When it passes the process is killed and abandoned: one in state D is not waited for.
        cancel: ends the wait early when set; counts as a passed deadline.

    Returns:
        The outcome; nothing that the process started is left where it can be killed.

    Raises:
        OSError: when the program cannot be started.
    """
    start = time.monotonic()
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    flood = threading.Event()
    output, errors = _Reader(process.stdout, OUTPUT_LIMIT, flood), _Reader(process.stderr, ERROR_LIMIT)
    if feed is not None:
        threading.Thread(target=_write, args=(process, feed), daemon=True).start()
    late, pause = False, 0.002
    try:
        while not flood.is_set() and process.poll() is None:
            late = cancel.is_set() or time.monotonic() - start > seconds
            if late:
                break
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)
    finally:
        end_session(process, thorough=late or flood.is_set() or process.returncode != 0)
    output.join(0.3)
    errors.join(0.1)
    for pipe, reader in ((process.stdout, output), (process.stderr, errors)):
        if not reader.is_alive():
            pipe.close()
    ended = None if late or flood.is_set() else process.returncode
    taken = time.monotonic() - start
    return Outcome(ended, bytes(output.data), bytes(errors.data[:ERROR_LIMIT]), taken, late, flood.is_set())


def _write(process: subprocess.Popen[bytes], feed: bytes) -> None:
    """Write `feed` and close the pipe; a reader that is gone is no fault here."""
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError):
        process.stdin.write(feed)
    with contextlib.suppress(OSError, ValueError):
        process.stdin.close()


def end_session(process: subprocess.Popen[bytes], thorough: bool) -> None:
    """Kill a process and its group; `thorough` also what left the group but not the session (Linux)."""
    if sys.platform == "win32":
        process.kill()
        return
    members = _session_members(process.pid) if thorough else []
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    for pid in members:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(0.2)


def _session_members(session: int) -> list[int]:
    """Process numbers of a session, by /proc; empty where there is no /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # pid (name) state parent group session ...; the name may hold anything, ")" too
            after_name = (folder / "stat").read_text(errors="replace").rpartition(")")[2]
            if int(after_name.split()[3]) == session:
                found.append(int(folder.name))
    return found
