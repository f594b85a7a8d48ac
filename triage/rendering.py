"""Fill in the templates of recipes.

Works on the trees that `triage.templates` makes; see there for what a template may say.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Piece = list[Any]
"""A node of a template's tree: its kind, then its parts."""

FILTERS = ("default", "lookup", "distribution", "bytes", "minor", "major", "lower", "replace", "join")

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "lteq": operator.le,
    "gt": operator.gt,
    "gteq": operator.ge,
    "in": lambda item, group: item in group,
    "notin": lambda item, group: item not in group,
}


class Unknown:
    """A name without a value: false in conditions, its label in angle brackets in text."""

    def __init__(self, name: str, label: Callable[[str], str]) -> None:
        self.name = name
        self._label = label

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return f"<{self._label(self.name)}>"


class Filler:
    """Fills templates in.

    `value` returns what a dotted name stands for, or None while it is unknown; `label` names an unknown value for
    people; `show` makes a value into text (and quotes it, in commands); `filters` are those that need the knowledge
    base.
    """

    def __init__(
        self,
        value: Callable[[str], Any],
        label: Callable[[str], str],
        show: Callable[[Any], str],
        filters: Mapping[str, Callable[..., Any]],
    ) -> None:
        self._value = value
        self._label = label
        self._show = show
        self._filters: dict[str, Callable[..., Any]] = {
            "default": _default,
            "lower": _lower,
            "replace": _replace,
            "join": _join,
            **filters,
        }

    def fill(self, tree: list[Piece]) -> str:
        """Return the text of a template."""
        return "".join(self._piece(piece) for piece in tree)

    def _piece(self, piece: Piece) -> str:
        if piece[0] == "text":
            return str(piece[1])
        if piece[0] == "out":
            return self._show(self._evaluate(piece[1]))
        for test, body in piece[1]:
            if self._evaluate(test):
                return self.fill(body)
        return self.fill(piece[2])

    def _evaluate(self, piece: Piece) -> Any:
        kind = piece[0]
        if kind == "const":
            return piece[1]
        if kind == "name":
            return self._named("" if piece[1] == "fact" else piece[1])
        if kind == "attr":
            dotted = _dotted(piece)
            known = None if dotted is None else self._value(dotted.removeprefix("fact."))
            if known is not None:  # a capture may be called what the first part of a fact's name is
                return known
            base = self._evaluate(piece[1])
            if isinstance(base, Unknown):
                return self._named(f"{base.name}.{piece[2]}".lstrip("."))
            return Unknown(piece[2], self._label)
        if kind == "filter":
            value = self._evaluate(piece[2])
            if isinstance(value, Unknown) and piece[1] != "default":
                return value
            return self._filters[piece[1]](value, *(self._evaluate(arg) for arg in piece[3]))
        if kind == "known":
            return not isinstance(self._evaluate(piece[1]), Unknown)
        if kind == "and":
            return self._evaluate(piece[1]) and self._evaluate(piece[2])
        if kind == "or":
            return self._evaluate(piece[1]) or self._evaluate(piece[2])
        if kind == "not":
            return not self._evaluate(piece[1])
        if kind == "choose":
            return self._evaluate(piece[2] if self._evaluate(piece[1]) else piece[3])
        if kind == "list":
            return [self._evaluate(item) for item in piece[1]]
        return self._compare(piece[1], self._evaluate(piece[2]), self._evaluate(piece[3]))

    def _named(self, name: str) -> Any:
        value = self._value(name) if name else None
        return Unknown(name, self._label) if value is None else value

    @staticmethod
    def _compare(op: str, left: Any, right: Any) -> bool:
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return False
        try:
            return bool(_COMPARE[op](left, right))
        except TypeError:
            return bool(_COMPARE[op](str(left), str(right)))


def _default(value: Any, fallback: Any = "") -> Any:
    return fallback if isinstance(value, Unknown) or value is None or value == "" else value


def _lower(value: Any) -> str:
    return str(value).lower()


def _replace(value: Any, old: Any, new: Any) -> str:
    return str(value).replace(str(old), str(new))


def _join(value: Any, separator: Any = ", ") -> str:
    return str(separator).join(map(str, value)) if isinstance(value, list) else str(value)


def tree_names(piece: Any) -> Iterator[str]:
    """Yield the dotted names in a template's tree; `fact['pkg.x']` counts as `pkg.x`."""
    if not isinstance(piece, list) or not piece:
        return
    dotted = _dotted(piece)
    if dotted is not None:
        yield dotted.removeprefix("fact.")
        return
    for part in piece:
        yield from tree_names(part)


def _dotted(piece: Any) -> str | None:
    if isinstance(piece, list) and piece:
        if piece[0] == "name" and isinstance(piece[1], str):
            return piece[1]
        if piece[0] == "attr":
            base = _dotted(piece[1])
            return base and f"{base}.{piece[2]}"
    return None
