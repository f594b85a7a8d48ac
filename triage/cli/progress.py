"""Progress on standard error."""

from __future__ import annotations

import sys
import time


def tell_probe(name: str, run: object) -> None:
    """Say on a terminal which probe is at work."""
    text = f"triage: looking at {name} ..." if run is None else ""
    print(f"\r{text:<60}\r", end="", file=sys.stderr, flush=True)


class ScanProgress:
    """Says how far a long scan is, from the first second on."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.next = time.monotonic() + 1.0
        self.shown = False

    def tell(self, done: int) -> None:
        """Take in the bytes scanned so far."""
        now = time.monotonic()
        if now < self.next or not self.size:
            return
        self.next = now + 0.5
        self.shown = True
        end = "\r" if sys.stderr.isatty() else "\n"
        print(f"triage: reading {100 * done // self.size} % ", end=end, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clear the line."""
        if self.shown and sys.stderr.isatty():
            print(" " * 40, end="\r", file=sys.stderr, flush=True)
