"""Tracebacks that other tools draw: Rich's box and notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from triage.lazy import lazy_pattern
from triage.log.streams import Line
from triage.parse.drafts import Draft
from triage.parse.exceptions import match_exception
from triage.parse.frames import make_frame

_BOX_TOP = lazy_pattern(r"\s*[╭+┌][─\-━ ]{1,400} ?Traceback \(most recent call last\)")
_BOX_FRAME = lazy_pattern(r"(?P<file>\S.{0,1000}?):(?P<line>\d{1,9}) in (?P<function>\S.{0,200}?)\s*$")
_BOX_CODE = lazy_pattern(r"\s*[❱>] ?\s{0,8}(?P<line>\d{1,9}) [│|]? ?(?P<code>.*)$")
_BOX_WORD = lazy_pattern(r":\d{1,9}(?: in)?$")
_BOX_LINE = lazy_pattern(r"[╭│╰┌└]")
_BOX_EDGE = lazy_pattern(r"[╭│╰┌└|+]")
_BOX_SCRIPT = lazy_pattern(r"in (?P<function>\S{1,200}):(?P<line>\d{1,9})$")
_NOTEBOOK = lazy_pattern(r"\s*(?P<type>[\w.]{1,200}) {2,}Traceback \(most recent call last\)\s*$")
_CELL = lazy_pattern(
    r"(?:Cell )?In ?\[(?P<cell>\d+|\*)\],? (?:line (?P<line>\d+)|in (?P<old>.*?))(?:, in (?P<function>.*))?:?\s*$"
    r"|File (?P<file>\S.{0,1000}?):(?P<file_line>\d+)(?:, in (?P<file_function>.*))?\s*$"
    r"|(?P<source><ipython-input-[\w-]+>|/\S{1,1000}|~[/\\]\S{1,1000}|[A-Za-z]:\\.{1,1000}?\.py)"
    r" in (?P<source_function>\S.*)$"
)
_ARROW = lazy_pattern(r"-{1,6}> ?(?P<line>\d{1,9})(?: (?P<code>.*))?$")
_LIMIT = 3000
"""Lines of one box or one cell that are looked at."""


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
