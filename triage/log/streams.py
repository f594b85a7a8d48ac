"""Lines with their prefixes taken off, each attributed to the process that printed it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from triage.lazy import lazy_pattern
from triage.log.clean import clean_line, split_carriage_returns
from triage.log.prefixes import HEADER_LIMIT, Peeled, peel, unbox
from triage.log.records import read_record


class Line(msgspec.Struct, frozen=True):
    """One line of a log, or one line of a message that a JSON record or a progress bar packed into a line."""

    number: int
    """Line number in the log, from 1; several lines unpacked from one share its number."""
    raw: str
    """The line as printed, cleaned; of a line that was unpacked, the unpacked piece."""
    text: str
    """The message: all prefixes off, its own indentation kept."""
    stream: str = ""
    """Who printed it, outermost part first, parts joined by `/`; empty when nothing tells."""
    level: str = ""
    """DEBUG, INFO, WARNING, ERROR, FATAL, or empty."""
    time: str = ""
    """The outermost time stamp as printed, or empty."""
    kernel: bool = False
    """Whether the kernel printed it (dmesg, journal, NVRM)."""


_LABEL = lazy_pattern(
    r" {0,5}(?:(\d{1,6}|[A-Za-z][\w.-]{0,62}|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}):|\[(\d{1,5})\])(?: |$)", re.ASCII
)
"""`3: ` of srun -l, `node-3: ` and `10.0.0.3: ` of pdsh, `[3] ` of mpiexec -prepend-rank."""
_COMPOSE = lazy_pattern(r"([A-Za-z][\w.-]{0,62})() +\| ", re.ASCII)
_AFTER_LABEL = lazy_pattern(
    r"Traceback \(|  File \"|    \S|\d{4}[-/]\d\d[-/]\d\d[T ]|\[(?:rank|default)\d|\[\d{4}-\d\d-\d\d|\[[IWEF]\d{3,4} "
    r"|(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception)(?::|$)|(?:INFO|WARNING|ERROR|DEBUG)[ :]"
)
"""What cannot follow a colon by chance, so that the number before it is srun's task label."""
_NO_HOST = lazy_pattern(r"(?i)error|exception|warn|^(?:info|debug|trace|note|step|epoch|iter|loss|file|line|gpu|layer)")
_BAR_END = lazy_pattern(r"(?:it/s|s/it)(?:, [^\]\n]{0,300})?\] ?(?=[^\s,\]])")
_RICH_PLACE = lazy_pattern(r" {2,}[\w.-]{1,80}:\d{1,6}$")
_PIP_OUTPUT = lazy_pattern(r"( *)(?:╰─>|Complete output \() ?\[?\d+ lines?(?: of output\]|\):)")
_PIP_END = lazy_pattern(r" *(?:\[end of output\]|-{30,}$)")


def read_lines(numbered: Iterable[tuple[int, str]], stream: str = "") -> list[Line]:
    """Clean lines, take their prefixes off and attribute them.

    Args:
        numbered: (line number from 1, line with or without its line end) in the order of the log. Labels that are only
            known as such by being on most lines (`3: ` of srun -l, `node-3: ` of pdsh) are judged on these lines.
        stream: stream that is known from elsewhere (a rank's own file); it becomes the outermost part.

    Never raises. Of a line longer than 16 KiB the prefixes are read, and only its two ends are cut at carriage returns.
    """
    lines: list[Line] = []
    for number, text in numbered:
        _read_line(lines, number, text.rstrip("\r\n"), stream)
    _strip_labels(lines)
    _strip_pip_indent(lines)
    return lines


def _read_line(lines: list[Line], number: int, text: str, outer: str) -> None:
    if "\r" not in text and "it/s" not in text and "s/it" not in text:
        _read_piece(lines, number, clean_line(text), outer)
        return
    if "\r" in text and len(text) > HEADER_LIMIT:
        text = text[: HEADER_LIMIT // 2] + "\r" + text[-HEADER_LIMIT // 2 :]
    pieces = [clean_line(part) for piece in split_carriage_returns(text) for part in _split_glued(piece)]
    prefix = pieces[0][: peel(pieces[0]).end] if len(pieces) > 1 else ""
    for index, piece in enumerate(pieces):  # only the first piece shows who printed them all
        _read_piece(lines, number, piece if not index or piece.startswith(prefix) else prefix + piece, outer)


def _read_piece(lines: list[Line], number: int, raw: str, outer: str) -> None:
    peeled = peel(raw)
    message = raw[peeled.end :] if peeled.end else raw
    is_json = message[:1] == "{" and message[1:2] in ('"', " ") and message.rstrip()[-1:] == "}"
    if not is_json or not _read_record(lines, number, raw, message, peeled, outer):
        lines.append(_make_line(number, raw, message, peeled, outer))


def _split_glued(text: str) -> list[str]:
    """Part a progress bar from what the next program printed after it without a line end."""
    match = _BAR_END.search(text[:HEADER_LIMIT])
    return [text[: match.end()], text[match.end() :]] if match else [text]


def _make_line(number: int, raw: str, message: str, peeled: Peeled, outer: str) -> Line:
    stream = peeled.stream
    if outer:
        stream = f"{outer}/{stream}" if stream and stream != outer else outer
    if stream and " [repeated " in message:  # Ray folds equal lines of several workers into one
        message = message[: message.rindex(" [repeated ")]
    if len(peeled.time) == 8 and peeled.level and raw[:1] == "[":  # rich.logging puts the place at the right edge
        message = _RICH_PLACE.sub("", message)
    return Line(number, raw, unbox(message), stream, peeled.level, peeled.time, peeled.kernel)


def _read_record(lines: list[Line], number: int, raw: str, message: str, peeled: Peeled, outer: str) -> bool:
    record = read_record(message)
    if record is None:
        return False
    stream = "/".join(part for part in (outer, peeled.stream, record.stream) if part)
    texts = record.text.rstrip("\n").split("\n") if record.text else [""]
    for text in texts:
        for piece in split_carriage_returns(text):
            piece = clean_line(piece)
            inner = peel(piece)
            full = "/".join(part for part in (stream, inner.stream) if part)
            lines.append(
                Line(
                    number,
                    raw if len(texts) == 1 else piece,
                    unbox(piece[inner.end :]),
                    full,
                    inner.level or record.level or peeled.level,
                    peeled.time or record.time or inner.time,
                    inner.kernel or peeled.kernel,
                )
            )
    return True


def _strip_labels(lines: list[Line]) -> None:
    """Take off labels that only their frequency tells from text: `3: `, `node-3: `, `worker  | `."""
    labelled: list[tuple[int, str, int]] = []
    counts: Counter[str] = Counter()
    filled = 0
    for index, line in enumerate(lines):
        text = line.text
        if not text or text.isspace():
            continue
        filled += 1
        match = _LABEL.match(text) if text.find(":", 0, 70) > 0 or text[0] == "[" else None
        with_colon = match is not None
        if match is None and " | " in text[:80]:
            match = _COMPOSE.match(text)
        if match is None:
            continue
        name = match[1] or match[2]
        if not name.isdigit() and (_NO_HOST.search(name) or (with_colon and not _has_digit(name))):
            filled -= name in ("srun", "slurmstepd", "pdsh")
            continue
        labelled.append((index, name, match.end()))
        counts[name] += 1
    if not labelled:
        return
    common = len(labelled) >= 3 and 2 * len(labelled) >= filled and 3 * len(counts) <= len(labelled) + 3
    for index, name, end in labelled:
        line = lines[index]
        sure = (name.isdigit() or "-" in name or "." in name) and _AFTER_LABEL.match(line.text, end) is not None
        if not sure and not (common and counts[name] >= 2):
            continue
        inner = peel(line.text[end:])
        stream = "/".join(part for part in (line.stream, name, inner.stream) if part)
        lines[index] = replace(
            line,
            text=unbox(line.text[end + inner.end :]),
            stream=stream,
            level=inner.level or line.level,
            time=line.time or inner.time,
            kernel=line.kernel or inner.kernel,
        )


def _has_digit(name: str) -> bool:
    return any(char.isdigit() for char in name)


def _strip_pip_indent(lines: list[Line]) -> None:
    """Give the output that pip quotes from a build its own indentation back."""
    margins: dict[str, int] = {}
    for index, line in enumerate(lines):
        text = line.text
        margin = margins.get(line.stream, 0)
        if margin:
            if _PIP_END.match(text):
                margins[line.stream] = 0
            blank = len(text) - len(text.lstrip(" "))
            cut = min(margin, blank)
            if cut:
                lines[index] = replace(line, text=text[cut:])
                text = text[cut:]
        match = _PIP_OUTPUT.match(text) if "lines" in text else None
        if match:
            margins[line.stream] = margin + len(match[1]) + (4 if "╰" in text else 0)
