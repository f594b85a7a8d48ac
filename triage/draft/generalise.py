"""Make a pattern of a line: what differs from run to run becomes a typed capture, the rest stays as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 240
"""Characters of a line that a pattern keeps; the first sentences of a message name it."""

_KINDS: tuple[tuple[str, str, str, str], ...] = (
    # kind, what is found, what the pattern says, its capture type
    ("url", r"[a-z][a-z0-9+.-]{1,10}://[^\s'\"<>`]+", r"[a-z0-9+.-]{2,12}://[^\s'\"]{1,300}", "url"),
    ("address", r"\b0x[0-9a-fA-F]+\b", r"0x[0-9a-fA-F]{1,16}", ""),
    ("path", r"(?<![\w.])(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]+)*/?", r"[^\s'\":,]{1,300}", "path"),
    ("path", r"\b[A-Za-z]:\\[^\s'\":,]+", r"[^\s'\",]{1,300}", "path"),
    ("shape", r"\[\d+(?:, ?\d+)*\]|\(\d+(?:, ?\d+)+,?\)", r"[\[(][\d, ]{1,60}[\])]", "shape"),
    ("device", r"\b(?:cuda|npu|xpu|hpu|mps|cpu):\d+\b", r"[a-z]{2,8}:\d{1,4}", "device"),
    ("size", r"\b\d+(?:\.\d+)? ?(?:[KMGT]i?B|bytes)\b", r"\d{1,12}(?:\.\d{1,4})? ?(?:[KMGT]i?B|bytes)", "bytes"),
    ("arch", r"\b(?:sm|compute)_\d+a?\b|\bgfx\d+[a-f]?\b", r"(?:sm_|compute_|gfx)\w{1,8}", "arch"),
    ("version", r"\bv?\d+\.\d+(?:\.\d+)*(?:[._+-]?[a-z]+[\w.]*)?(?:\+[\w.]+)?\b", r"v?\d[\w.+-]{0,40}", "version"),
    ("number", r"(?<![\w.])-?\d+(?![\w.]*[A-Za-z_])", r"-?\d{1,20}", "int"),
)
_QUOTED = re.compile(r"'([^'\n]{1,200})'|\"([^\"\n]{1,200})\"|`([^`\n]{1,200})`")
_VALUE = re.compile("|".join(f"(?P<k{i}>{found})" for i, (_, found, _, _) in enumerate(_KINDS)))
_SPECIAL = re.compile(r"([.^$*+?{}\[\]\\|()])")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern and its captures: name to (type, the text that it held in the line)."""

    expression: str
    captures: dict[str, tuple[str, str]]


def generalise(line: str) -> Pattern:
    """Return a pattern that matches `line` and others like it.

    Quoted names, paths, addresses, versions, sizes, shapes, devices and numbers become bounded groups, everything else
    is kept as fixed text. An exception's own class is kept: it belongs to the message.
    """
    text = _shorten(line.strip())
    maker = _Maker()
    at = 0
    while at < len(text):
        quoted = _QUOTED.match(text, at) if at == 0 or not text[at - 1].isalnum() else None
        value = _VALUE.match(text, at)
        if quoted is not None and _varies(quoted.group()):
            maker.quoted(quoted.group())
            at = quoted.end()
        elif value is not None and value.end() > at:
            maker.value(int(str(value.lastgroup)[1:]), value.group())
            at = value.end()
        else:
            step = re.compile(r"\w+|\s+|.", re.DOTALL).match(text, at)
            piece = step.group() if step else text[at]
            maker.fixed(piece)
            at += len(piece)
    return Pattern("".join(maker.parts), maker.captures)


def _shorten(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    cut = text[:LONGEST]
    return cut[: max(cut.rfind(". ") + 1, cut.rfind(" "), LONGEST // 2)].rstrip()


def _varies(quoted: str) -> bool:
    """Quoted prose belongs to the message; a quoted name, file or number is a value."""
    return len(quoted[1:-1].split()) <= 2


class _Maker:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.captures: dict[str, tuple[str, str]] = {}

    def fixed(self, piece: str) -> None:
        self.parts.append(r"\s+" if piece.isspace() and len(piece) > 1 else _SPECIAL.sub(r"\\\1", piece))

    def value(self, number: int, text: str) -> None:
        name, _, expression, kind = _KINDS[number]
        if kind:
            self._capture(name, expression, kind, text)
        else:
            self.parts.append(expression)

    def quoted(self, text: str) -> None:
        mark, inside = text[0], text[1:-1]
        kind = "path" if "/" in inside or "\\" in inside else "int" if inside.isdigit() else "text"
        if re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", inside):
            kind = "module" if "." in inside else "word"
        self.parts.append(mark)
        self._capture("name" if kind in ("word", "module", "text") else "path" if kind == "path" else "number",
                      rf"[^{mark}\n]{{1,200}}", kind, inside)  # fmt: skip
        self.parts.append(mark)

    def _capture(self, name: str, expression: str, kind: str, text: str) -> None:
        count = sum(known.rstrip("0123456789") == name for known in self.captures)
        unique = name if not count else f"{name}{count + 1}"
        self.captures[unique] = (kind, text)
        self.parts.append(f"(?P<{unique}>{expression})")
