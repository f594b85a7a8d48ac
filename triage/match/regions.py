"""Choose which parts of a log are read line by line.

A log of ordinary size is read whole. Of a larger one, only the neighbourhoods of hits are: the first and last hits of
each pattern, the head and the tail of the file. The choice depends on the content alone, never on how it was cut into
chunks.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

import msgspec

from triage.log.clean import clean_chunk, needs_cleaning
from triage.log.source import Source
from triage.match.scan import Scanner

WHOLE = 4 * 1024 * 1024
"""Logs of up to this many bytes are read whole."""
CHUNK = 256 * 1024
"""Bytes in which a pattern is reported once, by its first hit; they stay in the cache of a core."""
BEFORE, AFTER = 48 * 1024, 24 * 1024
"""Bytes read around a hit."""
HEAD, TAIL = 64 * 1024, 192 * 1024
FIRST, LAST = 40, 8
"""Hits of one pattern that are looked at: that many from the start and that many from the end of the log."""
BUDGET = 6 * 1024 * 1024
"""Bytes read around hits in all."""


class Region(msgspec.Struct, frozen=True):
    """A run of whole lines: byte offsets, and the number of its first line (from 1)."""

    start: int
    end: int
    first_line: int


class Survey(msgspec.Struct, frozen=True):
    """The regions of a log in order, and the number of lines in the whole of it."""

    regions: tuple[Region, ...]
    lines: int


def survey_log(
    source: Source, surveyor: Callable[[], Scanner], progress: Callable[[int], None] | None = None
) -> Survey:
    """Decide what to read; `surveyor` gives the scanner for large logs, `progress` is told the bytes scanned so far."""
    whole = source.size <= WHOLE
    kept: dict[int, _Hits] = {}
    starts: list[int] = []
    counts: list[int] = []
    total = 0
    seen_to = 0
    scanner = None if whole else surveyor()
    for offset, chunk in source.chunks(CHUNK):
        skip = seen_to - offset
        new = chunk[skip:] if skip > 0 else chunk
        starts.append(offset + max(skip, 0))
        counts.append(total)
        total += new.count(b"\n")
        seen_to = offset + len(chunk)
        if scanner is None:
            continue
        data = clean_chunk(chunk) if needs_cleaning(chunk) else chunk
        scale = len(chunk) / max(len(data), 1)
        for number, end in scanner.scan(data):
            where = offset + min(int(end * scale), len(chunk))
            if number not in kept:
                kept[number] = _Hits()
            kept[number].add(where)
        if progress is not None:
            progress(seen_to)
    if source.size and source.read(source.size - 1, source.size) != b"\n":
        total += 1
    if scanner is None:
        return Survey((Region(0, source.size, 1),), total)
    spans = _spans(kept, scanner.rules, source.size)
    regions: list[Region] = []
    for start, end in spans:
        start, end = _whole_lines(source, start, end)
        at = bisect_right(starts, start) - 1
        newlines = counts[at] + source.read(starts[at], start).count(b"\n")
        if regions and start < regions[-1].end:
            regions[-1] = Region(regions[-1].start, end, regions[-1].first_line)
        else:
            regions.append(Region(start, end, newlines + 1))
    return Survey(tuple(regions), total)


class _Hits:
    """The first and last offsets of one pattern."""

    __slots__ = ("first", "last")

    def __init__(self) -> None:
        self.first: list[int] = []
        self.last: list[int] = []

    def add(self, offset: int) -> None:
        if len(self.first) < FIRST:
            self.first.append(offset)
        else:
            self.last.append(offset)
            if len(self.last) > 2 * LAST:
                del self.last[:-LAST]


def _spans(kept: dict[int, _Hits], rules: int, size: int) -> list[tuple[int, int]]:
    """Return merged byte spans around hits, those of rules first while the budget lasts."""
    wanted = [(0, HEAD), (size - TAIL, size)]
    offsets: list[tuple[int, int, int]] = []
    for number, hits in kept.items():
        for rank, offset in enumerate(hits.first + hits.last[-LAST:]):
            offsets.append((rank + (0 if number < rules else 10), offset, number))
    spent = 0
    covered: set[int] = set()
    for _, offset, _ in sorted(offsets):
        block = offset // AFTER
        if block in covered:
            continue
        covered.add(block)
        spent += BEFORE + AFTER
        if spent > BUDGET:
            break
        wanted.append((max(0, offset - BEFORE), min(size, offset + AFTER)))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(wanted):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _whole_lines(source: Source, start: int, end: int) -> tuple[int, int]:
    """Widen a span to line ends, within reach of one region's margin (a line may be longer than memory)."""
    if start > 0:
        head = source.read(max(0, start - BEFORE), start)
        cut = head.rfind(b"\n")
        if cut >= 0:
            start -= len(head) - cut - 1
    tail = source.read(end, min(source.size, end + AFTER))
    cut = tail.find(b"\n")
    return start, end + (cut + 1 if cut >= 0 else len(tail))
