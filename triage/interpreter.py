"""The interpreter in a recipe's commands: the one that failed, where it is known, and the installer it has.

Works on the parsed template, never on what was filled in, so a value from a log cannot be taken for a command.
"""

from __future__ import annotations

import re
import shlex
from typing import Any

from triage.lazy import lazy_pattern
from triage.rendering import Piece

_PYTHON = lazy_pattern(r"(?P<before>^|[;&|(]\s*|\b[A-Z_]+=\S+\s+)python3?(?=\s+-[mc]\s)", re.MULTILINE)
_PIP = lazy_pattern(
    r"(?P<before>^|[;&|(]\s*|\b[A-Z_]+=\S+\s+)python3?\s+-m\s+pip\s+(?P<verb>install|uninstall(?:\s+-y)?|show|list|check)\b",
    re.MULTILINE,
)


def name_interpreter(tree: list[Piece], interpreter: str, uv: bool) -> list[Piece]:
    """Return the template with `python` replaced by a path, and `python -m pip` by `uv pip` in an environment of uv."""
    word = shlex.quote(interpreter)
    target = "" if interpreter == "python" else f" --python {word}"

    def pip(match: re.Match[str]) -> str:
        return f"{match['before']}uv pip {match['verb'].split()[0]}{target}"

    def change(piece: Any) -> Any:
        if not isinstance(piece, list):
            return piece
        if piece and piece[0] == "text":
            text = _PIP.sub(pip, piece[1]) if uv else piece[1]
            return ["text", _PYTHON.sub(lambda m: m["before"] + word, text)]
        if piece and piece[0] == "out":
            return piece
        return [change(part) for part in piece]

    return [change(piece) for piece in tree]
