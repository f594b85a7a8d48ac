"""Python tracebacks of a log: every exception with its frames, its message and its place in a chain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from triage.log.streams import Line
from triage.parse.drafts import Draft
from triage.parse.frames import Frame
from triage.parse.stacks import StackParser

__all__ = ["Frame", "Traceback", "find_tracebacks", "root_of"]

Relation = Literal["", "cause", "context", "remote", "group"]


class Traceback(msgspec.Struct, frozen=True):
    """One exception as it was printed."""

    stream: str
    """Stream of the lines, as in `Line.stream`."""
    type: str
    """Exception type as printed (`torch.cuda.OutOfMemoryError`); empty when the log breaks off before it."""
    message: str
    r"""Message with its continuation lines, joined with `\n`; at most 400 lines."""
    frames: tuple[Frame, ...]
    """Outermost call first."""
    first_line: int
    """Number of the first line, the header if there is one."""
    exception_line: int
    """Number of the line `Type: message`; of the last line when the log breaks off before it."""
    last_line: int
    """Number of the last line of the message."""
    relation: Relation
    """How the traceback at `previous` led to this one: `cause` (raise from), `context` (raised while handling it),
    `remote` (relayed from another process, worker or compiler stage), `group` (first member of an exception group)."""
    previous: int | None
    """Index of the traceback before this one in its chain, closer to the root; None at the root."""
    notes: tuple[str, ...]
    """Lines of the message that are a framework's standing advice, which no evidence should rest on."""
    truncated: bool
    """Whether the header, the frames or the exception line are missing."""


def find_tracebacks(lines: Sequence[Line]) -> list[Traceback]:
    """Find all Python exceptions in lines of any number of streams, which may interleave.

    Returns them in the order of their exception lines. Where line numbers leave a gap, a stack ends. Never raises; time
    grows linearly with the lines.
    """
    parts: dict[tuple[str, int], list[Line]] = {}
    region, last = 0, 0
    for line in lines:
        if line.number > last + 1:  # lines were left out here: nothing spans the gap
            region += 1
        last = line.number
        parts.setdefault((line.stream, region), []).append(line)
    drafts: list[Draft] = []
    for part in parts.values():
        drafts += StackParser(part).parse()
    drafts.sort(key=lambda draft: (draft.exception_line, draft.first_line))
    index = {id(draft): place for place, draft in enumerate(drafts)}
    return [_freeze(draft, index) for draft in drafts]


def _freeze(draft: Draft, index: dict[int, int]) -> Traceback:
    previous = index.get(id(draft.previous)) if draft.previous is not None else None
    return Traceback(
        draft.stream,
        draft.type,
        draft.message,
        tuple(draft.frames),
        draft.first_line,
        draft.exception_line,
        draft.last_line,
        draft.relation if previous is not None else "",
        previous,
        tuple(draft.notes),
        draft.truncated,
    )


def root_of(tracebacks: Sequence[Traceback], index: int) -> int:
    """Follow `previous` from the traceback at `index` to the one that started its chain; return its index."""
    seen = {index}
    while (previous := tracebacks[index].previous) is not None and previous not in seen:
        seen.add(previous)
        index = previous
    return index
