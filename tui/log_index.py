"""Where the lines of a log of any size are: newlines counted per block, lines found when they are looked at.

One number is kept for each 64 KiB, so an index of 1 GB is 128 KiB; nothing of the log itself stays in memory.
"""

from __future__ import annotations

import bisect
from array import array
from collections.abc import Callable, Iterator

from triage.log.clean import clean_line
from triage.log.source import Source

BLOCK = 64 << 10
READ = 64 * BLOCK
LONGEST = 4096
"""Bytes of a line that are read to show it; the rest is counted."""


class LogIndex:
    """Line numbers to text. `extend` may run in one thread while others read the lines found so far."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._before = array("Q")  # newlines before each block
        self._newlines = 0
        self._read = 0
        self._last = b"\n"

    @property
    def size(self) -> int:
        """Bytes of the log."""
        return self._source.size

    @property
    def done(self) -> int:
        """Bytes indexed so far."""
        return self._read

    @property
    def complete(self) -> bool:
        """Whether all of the log is indexed."""
        return self._read >= self._source.size

    @property
    def count(self) -> int:
        """Lines found so far; a last line without an end counts."""
        return self._newlines + (0 if self._last == b"\n" else 1)

    def extend(self, progress: Callable[[int], bool] | None = None) -> None:
        """Index the rest; `progress` is told the bytes done and may return False to stop."""
        while not self.complete:
            data = self._source.read(self._read, self._read + READ)
            if not data:  # the file has shrunk
                break
            for start in range(0, len(data), BLOCK):
                self._before.append(self._newlines)
                self._newlines += data.count(b"\n", start, start + BLOCK)
            self._last = data[-1:]
            self._read += len(data)
            if progress is not None and not progress(self._read):
                break

    def line(self, number: int) -> str:
        """Return line `number` (from 1) without escapes; a long line ends with how much was left out."""
        return next(self.lines(number, 1), "")

    def lines(self, first: int, count: int) -> Iterator[str]:
        """Yield up to `count` lines from line `first` on, read as one piece where they are short."""
        at = self._offset(first)
        if at is None:
            return
        end = at + max(LONGEST, 160 * count)
        data = self._source.read(at, end)
        for _ in range(count):
            cut = data.find(b"\n")
            if cut >= 0:
                yield _show(data[:cut], 0)
                data, at = data[cut + 1 :], at + cut + 1
                continue
            data = self._source.read(at, at + LONGEST + 1)
            if not data:
                return
            cut = data.find(b"\n")
            if cut >= 0:
                yield _show(data[:cut], 0)
                at += cut + 1
            elif len(data) <= LONGEST:
                yield _show(data, 0)
                return
            else:
                following = self._after(at)
                ended = self._source.read(following - 1, following) == b"\n"
                yield _show(data[:LONGEST], following - at - LONGEST - ended)
                at = following
            data = self._source.read(at, at + max(LONGEST, 160 * count))

    def _offset(self, number: int) -> int | None:
        """Return the offset of the first byte of a line, None where there is no such line yet."""
        if number < 1 or number > self.count:
            return None
        if number == 1:
            return 0
        wanted = number - 1  # the line starts after this many newlines
        block = bisect.bisect_left(self._before, wanted) - 1
        data = self._source.read(block * BLOCK, (block + 1) * BLOCK)
        at = -1
        for _ in range(wanted - self._before[block]):
            at = data.find(b"\n", at + 1)
            if at < 0:
                return None
        return block * BLOCK + at + 1

    def _after(self, at: int) -> int:
        """Return the offset after the end of the line that goes on at `at`."""
        while at < self._source.size:
            block = min(at // BLOCK, len(self._before) - 1)
            following = self._before[block + 1] if block + 1 < len(self._before) else self._newlines
            if following > self._before[block]:
                cut = self._source.read(at, (block + 1) * BLOCK).find(b"\n")
                if cut >= 0:
                    return at + cut + 1
            at = (block + 1) * BLOCK
        return self._source.size

    def find(self, text: str, start: int, backwards: bool, going: Callable[[], bool]) -> int | None:
        """Return the next line after (before) line `start` that holds `text`, case ignored; None if there is none.

        Reads the log piece by piece; `going` is asked between pieces whether to go on.
        """
        wanted = text.encode().lower()
        if not wanted:
            return None
        number = len(self._before)
        origin = self._offset(start) or 0
        block = min(origin // BLOCK, max(0, number - 1))
        while 0 <= block < number and going():
            found = self._search_block(wanted, block, start, backwards)
            if found is not None:
                return found
            block += -1 if backwards else 1
        return None

    def _search_block(self, wanted: bytes, block: int, start: int, backwards: bool) -> int | None:
        base = block * BLOCK
        data = self._source.read(base, base + BLOCK + len(wanted)).lower()
        best = None
        at = data.find(wanted)
        line, counted = self._before[block] + 1, 0
        while 0 <= at < BLOCK:
            line += data.count(b"\n", counted, at)
            counted = at
            if not backwards and line > start:
                return line
            if backwards and line < start:
                best = line
            at = data.find(wanted, at + 1)
        return best


def _show(data: bytes, left: int) -> str:
    """Return a line as it is shown: of what was printed over each other the last, without escapes."""
    text = clean_line(data.rstrip(b"\r").rpartition(b"\r")[2].decode("utf-8", "replace"))
    return f"{text} ... ({left:,} bytes more)" if left > 0 else text
