"""The message of an exception: how far it goes on, and the stacks of other processes that it carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.lazy import lazy_pattern
from triage.log.prefixes import HEADER_LIMIT
from triage.parse.drafts import Draft, header_of, indent_of
from triage.parse.exceptions import ADVICE, AFTER_BLANK, NEW_RECORD, match_lone_exception
from triage.parse.frames import FRAME, HEADER

if TYPE_CHECKING:
    from triage.parse.stacks import StackParser

MAX_LINES = 400
"""Lines of one message that are kept."""

MAX_NESTED = 30
"""Stacks within stacks that are followed."""

_CARRIES = lazy_pattern(
    r"-- Process \d+ terminated with the following error|Caught .{1,200} in (?:DataLoader|replica|pin memory)"
    r"|ray::|\"{3}\s*$|TorchScript interpreter|following error|in user code:|[Rr]emote|\bworker\b.{0,80}:\s*$"
    r"|root cause.{0,40}:\s*$|stack trace:\s*$|[Tt]raceback:?\s*$"
)
"""Words in a message after which a stack is that of another process, not the next event of this one."""
_QUOTES_FRAMES = lazy_pattern(r"from user code|in user code|defined at|[Ss]tack ?[Tt]race|created|call stack|traced")
_ASCEND = lazy_pattern(r"ERR\d{5} ")
"""torch_npu puts a log header of its own before this line of its messages."""
_RULE = lazy_pattern(r"[=*]{20,}\s*$")
_ANNOUNCED = lazy_pattern(r"Caught (\w{1,100}) in |RayTaskError\((\w{1,100})\)")
_QUOTE_END = lazy_pattern(r'\s*"{3}\s*$')


class MessageReader:
    """Reads messages for a StackParser, and hands stacks found inside back to it."""

    def __init__(self, parser: StackParser) -> None:
        self._parser = parser
        self._nested = 0

    def read(self, draft: Draft, at: int, base: int) -> int:
        """Extend the draft by the lines after its exception line at index `at`; return the index after the message."""
        lines = self._parser.lines
        if draft.type.endswith("ChildFailedError"):
            return self._read_box(draft, at)
        header = header_of(lines[at])
        parts = [draft.message]
        quoting = _QUOTES_FRAMES.search(draft.message[:HEADER_LIMIT]) is not None
        blanks = 0
        end = at = at + 1
        while at < len(lines) and len(parts) < MAX_LINES:
            line = lines[at]
            text = line.text if len(line.text) <= HEADER_LIMIT else line.text[:HEADER_LIMIT]
            if not text or text.isspace():
                blanks += 1
                at += 1
                if blanks > 2:
                    break
                continue
            if indent_of(text) < base and not draft.truncated:
                break
            found = header_of(line)
            if found != header and not _ASCEND.match(text):
                if len(parts) > 1 or not header.startswith(found):
                    break
                header = found  # a logger heads only the first line of its record
            if "raceback" in text and HEADER.search(text):
                if not self._is_inner(text, parts, base):
                    break
                end = self._read_inner(draft, at, True, None)
                break
            if 'File "' in text and FRAME.match(text):
                carries = any("ray::" in part or "in user code" in part for part in parts[:6])
                if carries or draft.type.startswith(("ray.", "RayTaskError")):
                    end = self._read_inner(draft, at, False, indent_of(text) if "in user code" in parts[0] else None)
                    break
                if not quoting:
                    break
            elif (blanks and parts != [""] and not self._goes_on(text, parts, base)) or NEW_RECORD.match(text):
                break
            elif match_lone_exception(text) and indent_of(text) <= base + 1:
                if parts[-1].rstrip().endswith(":") and not blanks:
                    end = self._read_quoted(draft, at)
                break
            parts += [""] * blanks
            parts.append(line.text)
            quoting = quoting or _QUOTES_FRAMES.search(text) is not None
            blanks = 0
            at += 1
            end = at
        draft.message = "\n".join(parts)
        draft.notes = [part.strip() for part in parts[1:] if ADVICE.match(part)]
        draft.last_line = max(draft.last_line, lines[min(end, len(lines)) - 1].number)
        return end

    def _goes_on(self, text: str, parts: list[str], base: int) -> bool:
        return indent_of(text) > base + 1 or AFTER_BLANK.match(text) is not None or parts[-1].rstrip().endswith(":")

    def _is_inner(self, text: str, parts: list[str], base: int) -> bool:
        before = text[: text.index("Traceback")].strip()
        if before.endswith((":", "Original")) or "TorchScript" in text or indent_of(text) > base:
            return True
        return any(_CARRIES.search(part) for part in parts[-8:])

    def _read_inner(self, draft: Draft, at: int, headed: bool, base: int | None) -> int:
        """Read a stack inside the message; it becomes the one before this in the chain."""
        if self._nested >= MAX_NESTED:
            return at
        self._nested += 1
        inner, end = self._parser.read_stack(at, headed, base)
        lines = self._parser.lines
        while inner is not None and not _is_announced(draft, inner):
            joint = self._parser.find_joint(end)
            if joint is None:
                break
            self._parser.link(joint[0], inner)
            outer, after = self._parser.read_stack(joint[1], joint[2])
            if outer is None:
                break
            inner, end = outer, after
        self._nested -= 1
        if end < len(lines) and _QUOTE_END.match(lines[end].text):
            end += 1
        if inner is not None:
            draft.relation, draft.previous = "remote", inner
            draft.last_line = max(draft.last_line, inner.last_line)
        return end

    def _read_quoted(self, draft: Draft, at: int) -> int:
        """Read `Type: message` that the line before announced with a colon."""
        line = self._parser.lines[at]
        found = match_lone_exception(line.text[:HEADER_LIMIT])
        if found is None or self._nested >= MAX_NESTED:
            return at
        self._nested += 1
        inner = Draft(line.stream, line.number, line.number, line.number, found[0], found[1], truncated=True)
        end = self._parser.finish(inner, at, indent_of(line.text))[1]
        self._nested -= 1
        draft.relation, draft.previous = "remote", inner
        draft.last_line = max(draft.last_line, inner.last_line)
        return end

    def _read_box(self, draft: Draft, at: int) -> int:
        """Read torchrun's box: two rules of `=`, failures with rank, exit code and, if recorded, their tracebacks."""
        lines = self._parser.lines
        parts = [draft.message]
        rules, root = 0, False
        at += 1
        while at < len(lines) and len(parts) < 20 * MAX_LINES:
            text = lines[at].text[:HEADER_LIMIT]
            if _RULE.match(text):
                rules += 1
            elif rules == 0 and text.strip() and not text.strip().endswith("FAILED"):
                break
            elif "Root Cause" in text:
                root = True
            elif "raceback" in text and HEADER.search(text):
                parts.append(text)
                previous = draft.previous
                end = self._read_inner(draft, at, True, None)
                if previous is not None and not root:
                    draft.previous = previous
                root = False
                at = max(at + 1, end)
                continue
            parts.append(lines[at].text)
            at += 1
            if rules >= 2:
                break
        draft.message = "\n".join(parts).rstrip()
        draft.last_line = max(draft.last_line, lines[min(at, len(lines)) - 1].number)
        return at


def _is_announced(draft: Draft, inner: Draft) -> bool:
    """Whether the outer exception says that it relays one of the inner's type: the chain inside ends there."""
    match = _ANNOUNCED.search(f"{draft.type} {draft.message[:400]}")
    return match is not None and inner.type.rsplit(".", 1)[-1] == (match[1] or match[2])
