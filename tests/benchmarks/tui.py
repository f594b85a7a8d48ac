#!/usr/bin/env python3
"""Measure how soon `triage tui` draws, and how much memory a large log takes. Linux only.

usage: python tests/benchmarks/tui.py [--rounds N] [--large MB]

Each round starts, one after the other and in a pseudo-terminal of their own: an empty Textual application, `triage` on
the log, and `triage tui` on it. Printed are the medians, and the ratio of the TUI with its answer drawn to the other two
together, which should stay below 1.3. With --large, a log of that size is opened and scrolled, and the peak of the
resident memory is printed, which should stay below 300 MiB.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LOG = TOP / "examples" / "torchrun-flash-attn.log"
EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("drawn here")
Empty().run()
"""
PATIENCE = 300.0


class Shown:
    """A program in a pseudo-terminal."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str]) -> None:
        self.start = time.perf_counter()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvpe(argv[0], list(argv), dict(env))
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))

    def seconds_to(self, text: bytes) -> float:
        """Read until the text is drawn; return the seconds since the start."""
        seen = b""
        while text not in seen:
            if not select.select([self.terminal], [], [], PATIENCE)[0]:
                raise SystemExit(f"{text!r} was not drawn")
            try:
                seen = seen[-4096:] + os.read(self.terminal, 1 << 16)
            except OSError:  # Linux says so when the program has ended
                raise SystemExit(f"the program ended before {text!r} was drawn: {seen[-300:]!r}") from None
        return time.perf_counter() - self.start

    def press(self, keys: bytes) -> None:
        """Send keys."""
        os.write(self.terminal, keys)

    def read_for(self, seconds: float) -> None:
        """Take what is drawn."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                os.read(self.terminal, 1 << 16)

    def peak(self) -> float:
        """Return the most memory that it held, in MiB."""
        status = Path(f"/proc/{self.process}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024

    def end(self) -> None:
        """End the program."""
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def once(argv: Sequence[str], env: Mapping[str, str], *texts: bytes) -> list[float]:
    """Return the seconds until each text was drawn."""
    shown = Shown(argv, env)
    try:
        return [shown.seconds_to(text) for text in texts]
    finally:
        shown.end()


def large_log(path: Path, megabytes: int) -> None:
    """Write a log of that size whose last lines name a fault."""
    block = b"".join(b"2026-01-05 12:00:%02d INFO step %d | loss 2.0 | 4000 tok/s\n" % (i % 60, i) for i in range(20000))
    with open(path, "wb") as file:
        for _ in range(megabytes * 1_000_000 // len(block)):
            file.write(block)
        file.write(LOG.read_bytes())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How soon the TUI draws, and what a large log takes.")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--large", type=int, default=0, help="size of a large log, in MB")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "TRIAGE_STATE_DIR": folder}
        for name in ("LC_ALL", "TRIAGE_LANG", "PYTHONDONTWRITEBYTECODE", "NO_COLOR"):
            env.pop(name, None)
        triage = [sys.executable, "-m", "triage"]
        tui, logs = [*triage, "tui", "--no-probes"], [str(LOG)]
        empty, said, first, answer = [], [], [], []
        for number in range(options.rounds + 1):
            measured = [
                once([sys.executable, "-c", EMPTY], env, b"drawn here")[0],
                once([*triage, "--no-probes", *logs], env, b"next:")[0],
                *once([*tui, *logs], env, b"Diagnosis", b"cause found"),
            ]
            if number:  # the first round compiles what is to be compiled
                for each, value in zip((empty, said, first, answer), measured, strict=True):
                    each.append(value)
        ratio = statistics.median(a / (e + s) for a, e, s in zip(answer, empty, said, strict=True))
        for label, values in (
            ("empty application", empty), ("triage LOG", said), ("triage tui: first drawn", first),
            ("triage tui: with its answer", answer),
        ):  # fmt: skip
            print(f"{label:30} {statistics.median(values):6.2f} s")
        print(f"{'ratio to empty + diagnosis':30} {ratio:6.2f}")
        if options.large:
            path = Path(folder) / "large.log"
            large_log(path, options.large)
            shown = Shown([*tui, str(path)], env)
            print(f"{'large log: first drawn':30} {shown.seconds_to(b'Diagnosis'):6.2f} s")
            print(f"{'large log: with its answer':30} {shown.seconds_to(b'cause found'):6.2f} s")
            for keys in (b"l", b"G", b"g", b"/zzz\r"):
                shown.press(keys)
                shown.read_for(3.0)
            print(f"{'large log: peak memory':30} {shown.peak():6.0f} MiB")
            shown.end()


if __name__ == "__main__":
    main()
