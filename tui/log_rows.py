"""Which lines of a log are shown, in which row: all, one stream, or only what is near the evidence."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from triage.log.streams import Line

AROUND = 8
"""Lines kept on each side of a line that matters when the rest is folded."""


class Rows:
    """Maps rows to line numbers. Without a choice all lines stand, and nothing is kept in memory."""

    def __init__(self, shown: Sequence[int] | None = None) -> None:
        self._shown = shown

    @property
    def all(self) -> bool:
        """Whether every line is shown."""
        return self._shown is None

    def count(self, lines: int) -> int:
        """Return how many rows there are for a log of `lines` lines."""
        return lines if self._shown is None else len(self._shown)

    def at(self, row: int) -> int:
        """Return the line number in a row; negative: so many lines are folded there; 0: nothing."""
        if self._shown is None:
            return row + 1
        return self._shown[row] if 0 <= row < len(self._shown) else 0

    def row_of(self, line: int) -> int:
        """Return the row of a line, or of the nearest one after it."""
        if self._shown is None:
            return line - 1
        return next((row for row, number in enumerate(self._shown) if number >= line), max(0, len(self._shown) - 1))


def of_stream(lines: Sequence[Line], stream: str) -> Rows:
    """Return the rows of one stream; a gap says how many lines of others it holds."""
    return _with_gaps(sorted({line.number for line in lines if line.stream == stream}), None)


def folded(total: int, important: Collection[int]) -> Rows:
    """Return the rows near lines that matter; the rest is folded to one row a gap."""
    keep = {n for line in important for n in range(line - AROUND, line + AROUND + 1) if 1 <= n <= total}
    return _with_gaps(sorted(keep), total)


def _with_gaps(numbers: Sequence[int], total: int | None) -> Rows:
    out: list[int] = []
    last = 0
    for number in numbers:
        if number > last + 1:
            out.append(-(number - last - 1))
        out.append(number)
        last = number
    if total is not None and total > last:
        out.append(-(total - last))
    return Rows(out)
