"""Make a pattern of a line: what differs from run to run becomes a typed capture, the rest stays as it is."""

from __future__ import annotations

import builtins
import re
from dataclasses import dataclass

LONGEST = 240
"""Characters of a line that a pattern keeps; the first sentences of a message name it."""
TELLING = 10
"""Letters that a pattern must keep as fixed text, its exception's class left out, to tell one fault from another."""

_KINDS: tuple[tuple[str, str, str, str], ...] = (
    # kind, what is found, what the pattern says, its capture type ("" for none)
    ("utf", r"(?i:utf-(?:8|16|32))\b", "", ""),
    ("url", r"[a-z][a-z0-9+.-]{1,10}://[^\s'\"<>`]+", r"[a-z0-9+.-]{2,12}://[^\s'\"]{1,300}", "url"),
    ("uuid", r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", r"[0-9a-f-]{36}", ""),
    ("digest", r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{12,128}\b", r"[0-9a-f]{12,128}", ""),
    ("address", r"\b0x[0-9a-fA-F]+\b", r"0x[0-9a-fA-F]{1,16}", ""),
    ("symbol", r"\b_Z\w+", r"_Z\w{1,400}", "symbol"),
    ("host", r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b", r"\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?", "host"),
    ("path", r"(?<![\w.])(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]+)*/?", r"[^\s'\":,]{1,300}", "path"),
    ("path", r"(?<![\w./])[\w.-]+(?:/[\w.@+-]+)+\.[a-z]\w{0,11}\b", r"[^\s'\":,]{1,300}", "path"),
    ("path", r"\b[A-Za-z]:\\[^\s'\":,()<>|]+", r"[^\s'\",()]{1,300}", "path"),
    ("place", r"(?<=[a-z]):\d+(?::\d+)?(?=[\s\]),:]|$)", r":\d{1,7}(?::\d{1,5})?", ""),
    ("place", r"(?<=\w)\(\d+\)(?=:)", r"\(\d{1,7}\)", ""),
    ("shape", r"\[\d+(?:, ?\d+)*\]|\(\d+(?:, ?\d+)+,?\)", r"[\[(][\d, ]{1,60}[\])]", "shape"),
    ("device", r"\b(?:cuda|npu|xpu|hpu|mps|cpu):\d+\b", r"[a-z]{2,8}:\d{1,4}", "device"),
    ("size", r"\b\d+(?:\.\d+)? ?(?:[KMGT]i?B|bytes)\b", r"\d{1,20}(?:\.\d{1,4})? ?(?:[KMGT]i?B|bytes)", "bytes"),
    ("seconds", r"\b\d+(?:\.\d+)?(?=(?:ms|us|ns|s|sec|secs)\b)", r"\d{1,12}(?:\.\d{1,9})?", "float"),
    ("percent", r"\b\d+(?:\.\d+)?(?=%)", r"\d{1,12}(?:\.\d{1,9})?", "float"),
    ("arch", r"\b(?:sm|compute)_\d+a?\b|\bgfx\d+[a-f]?\b", r"(?:sm_|compute_|gfx)\w{1,8}", "arch"),
    ("value", r"(?<![\w.])-?\d+(?:\.\d+)?e[+-]?\d+\b", r"-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?", "float"),
    ("version", r"\bv?\d+\.\d+(?:\.\d+)*(?:[._+-]?[a-z]+[\w.]*)?(?:\+[\w.]+)?\b", r"v?\d[\w.+-]{0,40}", "version"),
    ("version", r"\bv\d+\b(?!\.\d)", r"v\d{1,10}", "version"),
    ("number", r"(?<![\w.])-?\d+(?![\w.]*[A-Za-z_])", r"-?\d{1,20}", "int"),
    ("ordinal", r"(?<=[a-z]\.)\d+(?![\w.])", r"\d{1,10}", ""),
)
_QUOTED = re.compile(r"'([^'\n]{1,200})'|\"([^\"\n]{1,200})\"|`([^`\n]{1,200})`")
_VALUE = re.compile("|".join(f"(?P<k{i}>{found})" for i, (_, found, _, _) in enumerate(_KINDS)))
_SPECIAL = re.compile(r"([.^$*+?{}\[\]\\|()])")
_PIECE = re.compile(r"\w+|\s+|.", re.DOTALL)
_CLASS = re.compile(r"^(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:Error|Exception|Warning|Exit|Interrupt): ?")
_KEY = re.compile(r"(?<![\w.])([a-z][a-z_]{2,20})=$")
_OF_VERSIONS = re.compile(
    r"(?i)(?:version|release|driver|runtime|python|cuda|cudnn|torch|opset|than|with|[a-z]-|[=<>~!]=|\bv)[ ,('\"]*$"
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern and its captures: name to (type, the text that it held in the line)."""

    expression: str
    captures: dict[str, tuple[str, str]]


def generalise(line: str) -> Pattern:
    """Return a pattern that matches `line` and others like it.

    Quoted names, paths, addresses, versions, sizes, shapes, devices and numbers become bounded groups, everything else
    is kept as fixed text. An exception's own class is kept: it belongs to the message. One of Python's own classes is
    left out where the rest tells enough, since relays and other versions print the message with another one. Where
    hardly anything would stay, quoted names are kept as well, with their numbers open.
    """
    text = _shorten(line.strip())
    made = _make(text, keep_names=False)
    raised = _CLASS.match(text)
    letters = made.fixed_letters - (len(raised[0]) if raised else 0)
    if letters < TELLING:
        made = _make(text, keep_names=True)
    elif raised and letters >= 2 * TELLING and hasattr(builtins, raised[0].rstrip(": ")):
        made = _make(text[raised.end() :], keep_names=False)
    return Pattern("".join(made.parts), made.captures)


def _make(text: str, keep_names: bool) -> _Maker:
    maker = _Maker(keep_names)
    at = 0
    while at < len(text):
        quoted = _QUOTED.match(text, at) if at == 0 or not text[at - 1].isalnum() else None
        value = _VALUE.match(text, at)
        if quoted is not None and _varies(quoted.group()):
            maker.quoted(quoted.group())
            at = quoted.end()
        elif value is not None and value.end() > at:
            maker.value(int(str(value.lastgroup)[1:]), value.group(), text[:at])
            at = value.end()
        else:
            step = _PIECE.match(text, at)
            piece = step.group() if step else text[at]
            maker.fixed(piece)
            at += len(piece)
    return maker


def _shorten(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    cut = text[:LONGEST]
    return cut[: max(cut.rfind(". ") + 1, cut.rfind(" "), LONGEST // 2)].rstrip()


def _varies(quoted: str) -> bool:
    """Quoted prose belongs to the message; a quoted name, file or number is a value."""
    return len(quoted[1:-1].split()) <= 2 or re.match(r"[A-Za-z]:\\|/", quoted[1:]) is not None


class _Maker:
    def __init__(self, keep_names: bool) -> None:
        self.parts: list[str] = []
        self.captures: dict[str, tuple[str, str]] = {}
        self.fixed_letters = 0
        self._keep_names = keep_names

    def fixed(self, piece: str) -> None:
        self.fixed_letters += sum(char.isalpha() for char in piece)
        self.parts.append(r"\s{1,40}" if piece.isspace() and len(piece) > 1 else _SPECIAL.sub(r"\\\1", piece))

    def value(self, number: int, text: str, before: str) -> None:
        name, _, expression, kind = _KINDS[number]
        if not expression:
            self.fixed(text)
        elif not kind:
            self.parts.append(expression)
        elif name == "version" and re.fullmatch(r"\d+\.\d+", text) and not _OF_VERSIONS.search(before):
            self._capture("value", r"-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?", "float", text)
        else:
            key = _KEY.search(before) if kind in ("int", "float") else None
            self._capture(key[1] if key else name, expression, kind, text)

    def quoted(self, text: str) -> None:
        mark, inside = text[0], text[1:-1]
        if self._keep_names and not inside.isdigit():
            self.fixed(mark)
            for index, piece in enumerate(re.split(r"(?<![A-Za-z0-9])(\d+)(?![A-Za-z0-9])", inside)):
                self.parts.append(r"\d{1,20}") if index % 2 else self.fixed(piece)
            self.fixed(mark)
            return
        kind = "path" if "/" in inside or "\\" in inside else "int" if inside.isdigit() else "text"
        if re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", inside):
            kind = "module" if "." in inside else "word"
        self.parts.append(mark)
        self._capture("name" if kind in ("word", "module", "text") else "path" if kind == "path" else "number",
                      rf"[^{mark}\n]{{1,200}}", kind, inside)  # fmt: skip
        self.parts.append(mark)

    def _capture(self, name: str, expression: str, kind: str, text: str) -> None:
        unique = next(n for n in (name, *(f"{name}{i}" for i in range(2, 99))) if n not in self.captures)
        self.captures[unique] = (kind, text)
        self.parts.append(f"(?P<{unique}>{expression})")
