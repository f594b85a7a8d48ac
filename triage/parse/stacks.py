"""The stacks that the interpreter and its imitators print, read line by line within one stream."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from triage.lazy import lazy_pattern
from triage.log.prefixes import HEADER_LIMIT
from triage.log.streams import Line
from triage.parse import forms, groups, reports
from triage.parse.drafts import Draft, header_of, indent_of
from triage.parse.exceptions import (
    is_certain,
    match_exception,
    match_inline_exception,
    match_lone_exception,
)
from triage.parse.frames import FRAME, HEADER, Frame, make_frame
from triage.parse.messages import MessageReader

_MARK = lazy_pattern(r"[\s^~│└┃|]+$|\s*[│└┃]")
_ARROW = lazy_pattern(r"\s*-{2,5}> ?\d{0,9} ?(.*)$")
_NUMBERED = lazy_pattern(r"\s*\d{1,9} (?: .*|$)")
_REPEATED = lazy_pattern(r"\s*\[Previous line repeated \d+ more times?\]")
_SYNTAX = frozenset(("SyntaxError", "IndentationError", "TabError"))
_TERMINATE = lazy_pattern(r"terminate called after throwing an instance of '(?P<type>[^'\n]{1,200})'")
_WHAT = lazy_pattern(r"\s*what\(\): {1,2}(?P<message>.*)$", re.S)
_REMOTE = lazy_pattern(r"(?:[\w.]{1,200}\.)?_?RemoteTraceback:")
_SKIPPED_AFTER_HEADER = 12
_FOREIGN = 24
"""Lines of somebody else tolerated within one traceback."""

_LINK_REACH = 200
"""Lines after "The above exception ..." within which the exception it announces begins; pytest quotes source there."""

Link = Literal["cause", "context", "remote"]


class StackParser:
    """Reads the lines of one stream; `parse` returns its tracebacks in the order in which they end."""

    def __init__(self, lines: Sequence[Line], depth: int = 0) -> None:
        self.lines = lines
        self.depth = depth
        self.out: list[Draft] = []
        self._link: Link | Literal[""] = ""
        self._linked: Draft | None = None
        self._link_at = 0
        self._messages = MessageReader(self)

    def parse(self) -> list[Draft]:
        """Read all lines."""
        place = 0
        while place < len(self.lines):
            line = self.lines[place]
            if self._link and place > self._link_at + _LINK_REACH:
                self._link, self._linked = "", None
            wanted = _is_interesting(line.text) or reports.is_pytest_mark(line)
            place = max(place + 1, self._step(place)) if wanted else place + 1
        return self.out

    def add(self, draft: Draft) -> Draft:
        """Keep a finished draft; the connector printed before it, if any, makes its place in the chain."""
        if self._link and self._linked is not None and draft.previous is None:
            draft.relation, draft.previous = self._link, self._linked
        self._link, self._linked = "", None
        self.out.append(draft)
        return draft

    def _step(self, place: int) -> int:
        line = self.lines[place]
        text = line.text if len(line.text) <= HEADER_LIMIT else line.text[:HEADER_LIMIT]
        link = _link_of(text) if "above exception" in text else None
        if link is not None:
            self._connect(place, link)
            return place + 1
        if "raceback" in text:
            if "+ Exception Group" in text and groups.GROUP.match(text) and self.depth < 50:
                return groups.read_group(self, place)
            if HEADER.search(text):
                return self.read_stack(place, True)[1]
            special = forms.read_boxed(self.lines, place) or forms.read_notebook(self.lines, place)
            if special is not None:
                return self._finish_form(place, *special)
            if _REMOTE.match(text):  # a relay's label; what follows in quotes is read as it comes
                return place + 1
        if 'File "' in text and FRAME.match(text):
            return self.read_stack(place, False)[1]
        if "terminate called" in text:
            return self._read_terminate(place)
        if reports.is_pytest_mark(line):
            report = reports.read_pytest(self.lines, place)
            if report is not None:
                self.add(report[0])
                return report[1]
        return self._read_lone(place, text)

    def link(self, link: Link, previous: Draft) -> None:
        """Make `previous` the one before the next draft that is added."""
        self._link, self._linked = link, previous

    def find_joint(self, at: int) -> tuple[Link, int, bool] | None:
        """Look at index `at` for a connector line and a stack after it.

        Returns the link, the index of the stack's first line, and whether that is a header (Ray has none there).
        """
        found: Link | None = None
        for place in range(at, min(at + 6, len(self.lines))):
            text = self.lines[place].text[:HEADER_LIMIT]
            if not text or text.isspace() or (found and text.startswith("ray::")):
                continue
            if found is not None:
                headed = HEADER.search(text) is not None
                return (found, place, headed) if headed or FRAME.match(text) else None
            found = _link_of(text)
            if found is None:
                return None
        return None

    def _connect(self, place: int, link: Link) -> None:
        if not self.out:
            return
        quoted = any(line.text.strip() == '"""' for line in self.lines[max(0, place - 3) : place])
        self._link_at = place
        self.link("remote" if quoted and link == "cause" else link, self.out[-1])

    def read_stack(self, place: int, headed: bool, base: int | None = None) -> tuple[Draft | None, int]:
        """Read frames, then the exception line and its message.

        Args:
            place: index of the header, or of the first frame when there is no header.
            headed: whether there is one.
            base: column of the exception line, when the caller knows it.

        Returns the draft (None when nothing but a header was there) and the index after the last line that belongs.
        """
        lines = self.lines
        first = lines[place]
        draft = Draft(first.stream, first.number, truncated=not headed)
        if base is None:
            base = indent_of(first.text) if headed else max(0, indent_of(first.text) - 2)
        at = place + 1 if headed else place
        header: str | None = None
        foreign = loose = 0
        end = at
        glued = FRAME.match(first.text.split("last):", 1)[-1][:HEADER_LIMIT]) if headed else None
        if glued is not None:
            header = header_of(first)
            draft.frames.append(make_frame(glued[1], glued[2], glued[3] or ""))
            at = end = self._read_body(at, base, draft, header)
        while at < len(lines):
            line = lines[at]
            text = line.text if len(line.text) <= HEADER_LIMIT else line.text[:HEADER_LIMIT]
            if not text or text.isspace():
                at += 1
                continue
            frame = FRAME.match(text)
            if header is not None and header_of(line) != header:
                foreign += 1
                if foreign > _FOREIGN:
                    break
                at += 1
                continue
            if frame is not None:
                header = header_of(line) if header is None else header
                draft.frames.append(make_frame(frame[1], frame[2], frame[3] or ""))
                loose = 0
                end = at = at + 1
                at = end = self._read_body(at, base, draft, header)
                continue
            if HEADER.search(text) or "(most recent call first)" in text:
                if "of TorchScript" in text and "of TorchScript" in first.text:  # serialized code, then original code
                    at += 1
                    continue
                break
            found = match_exception(text) if indent_of(text) <= base or not draft.frames else None
            if found and not draft.frames and not is_certain(found[0]):
                found = None
            if found and not is_certain(found[0]) and (foreign or self._frame_follows(at + 1, base)):
                found = None
            if found and header is None and at > place + 1 and not header_of(first).startswith(header_of(line)):
                found = None
            if found:
                draft.exception_line = line.number
                draft.type, draft.message = found
                if not headed and found[0] in _SYNTAX:
                    draft.truncated = False
                return self.finish(draft, at, base)
            if draft.frames and indent_of(text) > base and loose < _FOREIGN:  # empty lines part it from its frame
                loose += 1
                at = end = self._read_body(at, base, draft, header or "")
                continue
            foreign += 1
            if foreign > (_FOREIGN if draft.frames else _SKIPPED_AFTER_HEADER):
                break
            at += 1
        if not draft.frames:
            return None, place + 1
        draft.truncated = True
        draft.exception_line = draft.last_line = lines[end - 1].number
        return self.add(draft), end

    def finish(self, draft: Draft, at: int, base: int) -> tuple[Draft, int]:
        """Read the message that goes on after the exception line at index `at`; keep the draft."""
        draft.last_line = self.lines[at].number
        link, linked = self._link, self._linked  # tracebacks inside the message must not take the connector
        self._link, self._linked = "", None
        end = self._messages.read(draft, at, base)
        self._link, self._linked = link, linked
        return self.add(draft), end

    def _read_body(self, at: int, base: int, draft: Draft, header: str) -> int:
        """Take the source lines and marks below a frame; return the index after them."""
        lines, frame = self.lines, draft.frames[-1]
        flat = indent_of(lines[at - 1].text) <= base  # indentation was lost, or a form that has none
        taken = 0
        while at < len(lines) and taken < 200:
            line = lines[at]
            text = line.text if len(line.text) <= HEADER_LIMIT else line.text[:HEADER_LIMIT]
            if not text or text.isspace() or header_of(line) != header or FRAME.match(text) or HEADER.search(text):
                break
            arrow = _ARROW.match(text)
            if indent_of(text) <= base and not arrow and not _REPEATED.match(text):
                found = match_exception(text)
                if taken or not flat or (found and is_certain(found[0])):
                    break
            if arrow:
                draft.truncated = False  # stackprinter has no header
                frame = Frame(frame.file, frame.line, frame.function, arrow[1].strip(), frame.owner)
            elif not frame.code and not _MARK.match(text) and not _NUMBERED.match(text) and not _REPEATED.match(text):
                frame = Frame(frame.file, frame.line, frame.function, text.strip(), frame.owner)
            taken += 1
            at += 1
        draft.frames[-1] = frame
        return at

    def _frame_follows(self, at: int, base: int) -> bool:
        for line in self.lines[at : at + 4]:
            if HEADER.search(line.text[-120:]):
                return False
            if 'File "' in line.text and FRAME.match(line.text[:HEADER_LIMIT]):
                return indent_of(line.text) > base
        return False

    def _finish_form(self, place: int, draft: Draft, at: int, found: bool) -> int:
        """Take a traceback of another form: `at` is its exception line if there is one, else the index after it."""
        if found:
            return self.finish(draft, at, indent_of(self.lines[at].text))[1]
        if not draft.frames:
            return place + 1
        draft.truncated = True
        draft.exception_line = draft.last_line
        self.add(draft)
        return at

    def _read_terminate(self, place: int) -> int:
        """C++'s last words: the type in one line, what() in one of the next."""
        line = self.lines[place]
        match = _TERMINATE.search(line.text)
        if match is None:
            return place + 1
        draft = Draft(line.stream, line.number, line.number, line.number, match["type"], truncated=True)
        for at in range(place + 1, min(place + 4, len(self.lines))):
            what = _WHAT.match(self.lines[at].text)
            if what:
                draft.message = what["message"]
                draft.exception_line = self.lines[at].number
                return self.finish(draft, at, 0)[1]
        self.add(draft)
        return place + 1

    def _read_lone(self, place: int, text: str) -> int:
        line = self.lines[place]
        found = match_lone_exception(text)
        if found is None:
            if line.level in ("ERROR", "FATAL"):
                found = match_inline_exception(text)
            if found is None:
                return place + 1
            draft = Draft(line.stream, line.number, line.number, line.number, found[0], found[1], truncated=True)
            self.add(draft)
            return place + 1
        draft = Draft(line.stream, line.number, line.number, line.number, found[0], found[1], truncated=True)
        return self.finish(draft, place, indent_of(text))[1]


_WORDS = (
    "rror", "xception", "raceback", 'File "', "Interrupt", "Exit", "terminate called", "StopIter", ".exc.",
    "Unsupported", "OutOfRes", "Expired",
)  # fmt: skip


def _is_interesting(text: str) -> bool:
    for word in _WORDS:  # noqa: SIM110 - a generator here doubles the time of a plain line
        if word in text:
            return True
    return False


def _link_of(text: str) -> Link | None:
    if "The above exception was the direct cause of the following exception" in text:
        return "cause"
    if "handling" in text and "the above exception, another exception occurred" in text:  # stackprinter says While
        return "context"
    return None
