"""Failures as pytest reports them: source lines, `E` lines, and the place below."""

from __future__ import annotations

from collections.abc import Sequence

from triage.lazy import lazy_pattern
from triage.log.streams import Line
from triage.parse.drafts import Draft, indent_of
from triage.parse.exceptions import is_certain, match_exception
from triage.parse.frames import Frame, make_frame

_PLACE = lazy_pattern(r"(?P<file>\S.{0,1000}?\.\w{1,4}):(?P<line>\d{1,9}): (?P<type>[A-Za-z_][\w.]*)$")
_MARK = lazy_pattern(r"(?:^|\s)E {3,7}$")
_STEP = lazy_pattern(r"(?P<file>\S.{0,1000}?\.\w{1,4}):(?P<line>\d{1,9}): ?(?:in (?P<function>\S+))?$")
_TITLE = lazy_pattern(r"_{3,} .* _{3,}$")


def is_pytest_mark(line: Line) -> bool:
    """Whether `E` at the margin marks this line as pytest's account of an exception."""
    return "E   " in line.raw and _MARK.search(line.raw[: len(line.raw) - len(line.text)]) is not None


def read_pytest(lines: Sequence[Line], place: int) -> tuple[Draft, int] | None:
    """Read pytest's `E` lines at `place`, the `file:line: Type` below, the steps above; None when it is no such form.

    Returns the draft and the index after it. An `assert` that pytest rewrote has no type on its `E` line.
    """
    end = place
    margin = indent_of(lines[place].text)
    parts: list[str] = []
    while end < len(lines) and is_pytest_mark(lines[end]):
        text = lines[end].text
        parts.append(text[min(margin, indent_of(text)) :])
        end += 1
    found = match_exception(parts[0])
    draft = Draft(lines[place].stream, lines[place].number, lines[place].number, lines[end - 1].number)
    where = None
    for at in range(end, min(end + 4, len(lines))):
        where = _PLACE.match(lines[at].text)
        if where:
            draft.last_line, end = lines[at].number, at + 1
            break
    if where is None and (found is None or not is_certain(found[0])):
        return None
    kind = where["type"] if where else ""
    if found and (not kind or found[0].rsplit(".", 1)[-1] == kind.rsplit(".", 1)[-1]):
        draft.type, parts[0] = found
    else:
        draft.type = kind
    draft.message = "\n".join(parts)
    if where:
        draft.frames, draft.first_line = _collect_steps(lines, place)
        draft.frames.append(make_frame(where["file"], where["line"], "", _code_above(lines, place)))
    draft.truncated = not draft.frames
    return draft, end


def _collect_steps(lines: Sequence[Line], place: int) -> tuple[list[Frame], int]:
    """Collect the frames above an `E` line, up to the test's title or the exception before."""
    frames: list[Frame] = []
    first = lines[place].number
    for at in range(place - 1, max(-1, place - 300), -1):
        text = lines[at].text
        if _TITLE.match(text) or "above exception" in text or _PLACE.match(text):
            break
        step = _STEP.match(text)
        if step:
            frames.append(make_frame(step["file"], step["line"], step["function"] or "", _code_above(lines, at)))
            first = lines[at].number
    frames.reverse()
    return frames, first


def _code_above(lines: Sequence[Line], place: int) -> str:
    for at in range(place - 1, max(-1, place - 12), -1):
        text = lines[at].text
        if text.startswith(">  "):
            return text[1:].strip()
    return ""
