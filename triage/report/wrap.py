"""Lines of text in which a line may end between two characters: Chinese, beside words of Latin letters."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text

NOT_FIRST = frozenset("，。；：、！？）》】」』”’…％,.;:!?)]}%")
"""What no line begins with."""
NOT_LAST = frozenset("（《【「『“‘([{")
"""What no line ends with."""


def wrapped(text: Text, width: int) -> list[Text] | None:
    """Return the lines of a text with wide characters in it; None for one without: its words have spaces between."""
    if len(text.plain) == cell_len(text.plain):
        return None
    lines = []
    for part in text.split("\n", allow_blank=True):
        for line in part.divide(_line_starts(part.plain, width)):
            line.rstrip()
            lines.append(line)
    return lines


def _line_starts(text: str, width: int) -> list[int]:
    """Return where lines begin after the first: at the last place that allows it before a line is too wide."""
    starts: list[int] = []
    start = allowed = used = 0
    for index, char in enumerate(text):
        if index > start and _may_end(text[index - 1], char):
            allowed = index
        used += cell_len(char)
        if used > width and index > start and not char.isspace():
            start = allowed if allowed > start else index
            starts.append(start)
            used = cell_len(text[start : index + 1])
    return starts


def _may_end(before: str, after: str) -> bool:
    if after.isspace():
        return False
    if before.isspace():
        return True
    wide = cell_len(before) > 1 or cell_len(after) > 1
    return wide and after not in NOT_FIRST and before not in NOT_LAST
