"""Tracebacks that other tools draw: Rich's box, notebooks, pytest, and exception groups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from triage.log.streams import Line
from triage.parse.drafts import Draft, indent_of
from triage.parse.exceptions import is_certain, match_exception
from triage.parse.frames import Frame, make_frame

if TYPE_CHECKING:
    from triage.parse.stacks import StackParser

_BOX_TOP = re.compile(r"\s*[╭+┌][─\-━ ]{1,400} ?Traceback \(most recent call last\)")
_BOX_FRAME = re.compile(r"(?P<file>\S.{0,1000}?):(?P<line>\d{1,9}) in (?P<function>\S.{0,200}?)\s*$")
_BOX_CODE = re.compile(r"\s*[❱>] ?\s{0,8}(?P<line>\d{1,9}) [│|]? ?(?P<code>.*)$")
_BOX_WORD = re.compile(r":\d{1,9}(?: in)?$")
_BOX_LINE = re.compile(r"[╭│╰┌└]")
_BOX_EDGE = re.compile(r"[╭│╰┌└|+]")
_BOX_SCRIPT = re.compile(r"in (?P<function>\S{1,200}):(?P<line>\d{1,9})$")
_NOTEBOOK = re.compile(r"\s*(?P<type>[\w.]{1,200}) {2,}Traceback \(most recent call last\)\s*$")
_CELL = re.compile(
    r"(?:Cell )?In ?\[(?P<cell>\d+|\*)\],? (?:line (?P<line>\d+)|in (?P<old>.*?))(?:, in (?P<function>.*))?:?\s*$"
    r"|File (?P<file>\S.{0,1000}?):(?P<file_line>\d+)(?:, in (?P<file_function>.*))?\s*$"
    r"|(?P<source><ipython-input-[\w-]+>|/\S{1,1000}|~[/\\]\S{1,1000}|[A-Za-z]:\\.{1,1000}?\.py)"
    r" in (?P<source_function>\S.*)$"
)
_ARROW = re.compile(r"-{1,6}> ?(?P<line>\d{1,9})(?: (?P<code>.*))?$")
_PYTEST_PLACE = re.compile(r"(?P<file>\S.{0,1000}?\.\w{1,4}):(?P<line>\d{1,9}): (?P<type>[A-Za-z_][\w.]*)$")
_PYTEST_MARK = re.compile(r"(?:^|\s)E {3,7}$")
_PYTEST_STEP = re.compile(r"(?P<file>\S.{0,1000}?\.\w{1,4}):(?P<line>\d{1,9}): ?(?:in (?P<function>\S+))?$")
_PYTEST_TITLE = re.compile(r"_{3,} .* _{3,}$")
_LIMIT = 3000
"""Lines of one box or one cell that are looked at."""

_MARGIN = re.compile(r"( *)[|+] ?")
_SEPARATOR = re.compile(r"( *)\+(?:-\+)?-{4,} ?(?:(?P<member>\d+|\.\.\.) ?-{4,})?\s*$")


def read_boxed(lines: Sequence[Line], place: int) -> tuple[Draft, int, bool] | None:
    """Read Rich's box at `place`; None when there is none.

    Returns the draft, the index of its exception line and True; or the index after the box and False.
    """
    first = lines[place]
    if not _BOX_TOP.match(first.text):
        return None
    draft = Draft(first.stream, first.number)
    held = ""
    at = place + 1
    while at < min(len(lines), place + _LIMIT):
        raw = lines[at].raw
        edge = _BOX_EDGE.search(raw) if raw.isascii() else _BOX_LINE.search(raw)
        text = lines[at].text.strip()
        if edge is None or edge[0] in "╰└╭" or (edge[0] == "+" and text.startswith("+--")):
            break
        draft.last_line = lines[at].number
        text = text.strip("|").strip() if edge[0] == "|" else text
        if held and _BOX_WORD.search(held):  # wrapped between words; a long path is folded within
            held += " "
        frame = _BOX_FRAME.match(held + text)
        script = _BOX_SCRIPT.match(text)
        code = _BOX_CODE.match(text)
        if code and draft.frames:
            last = draft.frames[-1]
            if last.line == int(code["line"]) and not last.code:
                draft.frames[-1] = replace(last, code=code["code"].strip(" │|"))
            held = ""
        elif script and not held:
            draft.frames.append(make_frame("<string>", script["line"], script["function"]))
        elif frame:
            draft.frames.append(make_frame(frame["file"], frame["line"], frame["function"]))
            held = ""
        else:  # a path that was wrapped at the width of the terminal
            held = held + text if text[:1] in "/~" or (held and text) else ""
        at += 1
    draft.last_line = draft.last_line or first.number
    for after in range(at, min(at + 4, len(lines))):
        found = match_exception(lines[after].text) if not _BOX_EDGE.match(lines[after].text.strip()) else None
        if found:
            draft.type, draft.message = found
            draft.exception_line = lines[after].number
            return draft, after, True
    return draft, at, False


def read_notebook(lines: Sequence[Line], place: int) -> tuple[Draft, int, bool] | None:
    """Read IPython's form at `place`; None when there is none. Returns as `read_boxed`."""
    first = lines[place]
    top = _NOTEBOOK.match(first.text)
    if top is None:
        return None
    kind = top["type"]
    draft = Draft(first.stream, first.number, last_line=first.number)
    at = place + 1
    while at < min(len(lines), place + _LIMIT):
        text = lines[at].text
        cell = _CELL.match(text.strip()) if text[:1] not in " \t-" else None
        arrow = _ARROW.match(text)
        if text == kind or text.startswith((f"{kind}: ", f"{kind}:")):
            draft.type, draft.message = kind, text[len(kind) + 1 :].lstrip(" ")
            draft.exception_line = lines[at].number
            return draft, at, True
        if _NOTEBOOK.match(text):
            break
        if cell:
            file = cell["file"] or cell["source"] or f"<cell {cell['cell']}>"
            function = cell["function"] or cell["file_function"] or cell["source_function"] or cell["old"] or ""
            draft.frames.append(make_frame(file, cell["line"] or cell["file_line"], function.split("(")[0]))
        elif arrow and draft.frames and not draft.frames[-1].code:
            last = draft.frames[-1]
            draft.frames[-1] = replace(last, line=last.line or int(arrow["line"]), code=(arrow["code"] or "").strip())
        if text.strip():
            draft.last_line = lines[at].number
        at += 1
    return draft, at, False


def is_pytest_mark(line: Line) -> bool:
    """Whether `E` at the margin marks this line as pytest's account of an exception."""
    return "E   " in line.raw and _PYTEST_MARK.search(line.raw[: len(line.raw) - len(line.text)]) is not None


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
        where = _PYTEST_PLACE.match(lines[at].text)
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
        draft.frames, draft.first_line = _pytest_steps(lines, place)
        draft.frames.append(make_frame(where["file"], where["line"], "", _pytest_code(lines, place)))
    draft.truncated = not draft.frames
    return draft, end


def _pytest_steps(lines: Sequence[Line], place: int) -> tuple[list[Frame], int]:
    """Collect the frames above an `E` line, up to the test's title or the exception before."""
    frames: list[Frame] = []
    first = lines[place].number
    for at in range(place - 1, max(-1, place - 300), -1):
        text = lines[at].text
        if _PYTEST_TITLE.match(text) or "above exception" in text or _PYTEST_PLACE.match(text):
            break
        step = _PYTEST_STEP.match(text)
        if step:
            frames.append(make_frame(step["file"], step["line"], step["function"] or "", _pytest_code(lines, at)))
            first = lines[at].number
    frames.reverse()
    return frames, first


def _pytest_code(lines: Sequence[Line], place: int) -> str:
    for at in range(place - 1, max(-1, place - 12), -1):
        text = lines[at].text
        if text.startswith(">  "):
            return text[1:].strip()
    return ""


def read_group(parser: StackParser, place: int) -> int:
    """Read an exception group: its own stack at the margin, then each member with a parser of its own.

    Layout: `traceback.py` of CPython 3.11, `_ExceptionPrintContext`: `|` margins, members parted by `+---- N ----`.
    """
    lines = parser.lines
    column = indent_of(lines[place].text)
    end = place + 1
    while end < len(lines) and end - place < 100_000:
        margin = _MARGIN.match(lines[end].text)
        if margin is None or len(margin[1]) < column:
            break
        end += 1
    own, members = _split_group(lines[place:end], column)
    firsts: list[Draft] = []
    for member in members:
        inner = type(parser)(member, parser.depth + 1)
        found = inner.parse()
        parser.out += found
        if found:
            firsts.append(found[-1])
    inner = type(parser)(own, parser.depth + 1)
    inner.parse()
    for draft in inner.out[:-1]:
        parser.out.append(draft)
    if inner.out:
        top = inner.out[-1]
        top.first_line = lines[place].number
        top.last_line = max(top.last_line, lines[end - 1].number)
        if firsts and top.previous is None:
            top.relation, top.previous = "group", firsts[0]
        parser.add(top)
    return end


def _split_group(lines: Sequence[Line], column: int) -> tuple[list[Line], list[list[Line]]]:
    """Part a group's lines into its own, margin off, and those of each member."""
    own: list[Line] = []
    members: list[list[Line]] = []
    current: list[Line] | None = None
    nested = False
    for line in lines:
        separator = _SEPARATOR.match(line.text)
        depth = len(separator[1]) + (2 if "+-+" in line.text[: len(separator[1]) + 3] else 0) if separator else -1
        if separator and depth == column + 2:
            current = None
            if separator["member"]:
                current, nested = [], False
                members.append(current)
            continue
        margin = indent_of(line.text)
        if current is not None and margin >= column + 2:
            text = line.text[column + 2 :]
            if text.startswith("| Exception Group Traceback"):
                nested, text = True, f"+{text[1:]}"
            elif text.startswith("|") and not nested:
                text = text[2:]
            current.append(replace(line, text=text))
        elif margin == column:
            text = line.text[column:][2:].replace("Exception Group Traceback", "Traceback", 1)
            own.append(replace(line, text=text))
    return own, members
