"""Read one YAML file into plain data, and remember where each value stands.

Stricter than YAML: one document, no tags, anchors or aliases, no duplicate keys, no booleans or dates by accident,
bounded size and depth. Nothing in a file can run, refer to or repeat anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from triage.errors import TriageError

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 24
MAX_DIGITS = 18

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?(0|[1-9][0-9]*)\.[0-9]+([eE][-+]?[0-9]+)?\Z|[-+]?[1-9][0-9]*[eE][-+]?[0-9]+\Z")
_ACCIDENTS = re.compile(r"(?i:y|yes|n|no|on|off|True|TRUE|False|FALSE|Null|NULL|~)\Z")
_LOOKALIKE = re.compile(
    r"[-+]?[0-9][0-9_]*(:[0-9]+)+(\.[0-9]*)?\Z|\d{4}-\d{1,2}-\d{1,2}.*\Z|0[0-9_]+\Z|0[xob][0-9a-fA-F_]+\Z"
)
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Controls of a terminal and of the direction of writing."""

Path_ = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Document:
    """The data of one file, and the place of each value and key by its path, e.g. `("rules", 3, "pattern")`."""

    file: str
    data: Any
    places: dict[Path_, Place]

    def place(self, path: Path_) -> Place:
        """Return the place of the value at `path`, or of its nearest parent that stands in the file."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, Place(self.file, 1, 1))


def read_document(path: Path, name: str | None = None) -> Document:
    """Read `path`; raises TriageError with file, line and column for whatever the format forbids."""
    file = name or str(path)
    return decode_document(read_bounded(path, file), file)


def read_bounded(path: Path, file: str) -> bytes:
    """Return the content of a file of knowledge; a pipe, a device or too large a file is refused unread."""
    try:
        if not path.is_file():
            what = "is no file" if path.exists() else "cannot be read (no such file, or a link to none)"
            raise TriageError(what, file)
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise TriageError(f"cannot be read ({error.strerror})", file) from error
    if len(raw) > MAX_BYTES:
        raise TriageError(f"is larger than {MAX_BYTES // 2**20} MiB; split it", file)
    return raw


def decode_document(raw: bytes, file: str) -> Document:
    """Parse the content of a file that `file` names; raises TriageError."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TriageError(f"is not UTF-8 (byte {error.start})", file) from error
    return parse_document(text, file)


def parse_document(text: str, file: str) -> Document:
    """Parse YAML `text`; `file` names it in places and errors. Raises TriageError."""
    builder = _Builder(file)
    loader = yaml.CSafeLoader(text)
    try:
        data = builder.build(loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(file, mark.line + 1, mark.column + 1) if mark else Place(file, 1, 1)
        raise TriageError(f"is not valid YAML: {error.problem or error.context}", str(place)) from error
    except yaml.YAMLError as error:
        raise TriageError(f"is not valid YAML: {error}", file) from error
    finally:
        loader.dispose()
    return Document(file, data, builder.places)


class _Builder:
    """Turns parser events into data without ever constructing objects."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.places: dict[Path_, Place] = {}

    def fail(self, event: Any, message: str) -> TriageError:
        return TriageError(message, str(self.place(event)))

    def place(self, event: Any) -> Place:
        return Place(self.file, event.start_mark.line + 1, event.start_mark.column + 1)

    def build(self, loader: Any) -> Any:
        self.next = loader.get_event
        self.next()  # stream start
        event = self.next()
        if isinstance(event, yaml.StreamEndEvent):
            raise TriageError("is empty", self.file)
        data = self.value(self.next(), (), 0)
        self.next()  # document end
        event = self.next()
        if not isinstance(event, yaml.StreamEndEvent):
            raise self.fail(event, "holds more than one document; put each in its own file")
        return data

    def value(self, event: Any, path: Path_, depth: int) -> Any:
        if isinstance(event, yaml.AliasEvent):
            raise self.fail(event, f"uses the alias *{event.anchor}; aliases are not allowed, write the value out")
        if event.anchor is not None:
            raise self.fail(event, f"defines the anchor &{event.anchor}; anchors are not allowed")
        if event.tag is not None and not (isinstance(event, yaml.ScalarEvent) and event.implicit[1]):
            raise self.fail(event, f"uses the tag {event.tag}; tags are not allowed")
        if depth > MAX_DEPTH:
            raise self.fail(event, f"is nested deeper than {MAX_DEPTH} levels")
        self.places.setdefault(path, self.place(event))
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Any] = []
            while not isinstance(event := self.next(), yaml.SequenceEndEvent):
                items.append(self.value(event, (*path, len(items)), depth + 1))
            return items
        mapping: dict[str, Any] = {}
        while not isinstance(event := self.next(), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent) or event.anchor is not None or event.tag is not None:
                raise self.fail(event, "has a key that is not a plain text")
            key = event.value
            if key == "<<":
                raise self.fail(event, "uses the merge key <<; merging is not allowed")
            if key in mapping:
                raise self.fail(event, f"has the key {key!r} twice")
            here = (*path, key)
            self.places[here] = self.place(event)
            mapping[key] = self.value(self.next(), here, depth + 1)
        return mapping

    def scalar(self, event: Any) -> Any:
        value: str = event.value
        hidden = None if value.isprintable() else _HIDDEN.search(value)
        if hidden is not None:
            what = f"holds the invisible character U+{ord(hidden[0]):04X}, which may change what a terminal shows"
            raise self.fail(event, f"{what}; remove it")
        if (event.style is not None and event.style != "") or not event.implicit[0]:
            return value
        if value in ("", "null"):
            return None
        if value in ("true", "false"):
            return value == "true"
        if _ACCIDENTS.match(value):
            raise self.fail(
                event, f"has the bare word {value}, which YAML may take for a boolean; quote it, or write true or false"
            )
        if _LOOKALIKE.match(value):
            raise self.fail(
                event, f"has the bare value {value}, which YAML may take for a date or another base; quote it"
            )
        if _INT.match(value):
            if len(value) > MAX_DIGITS:
                raise self.fail(event, f"has a number of more than {MAX_DIGITS} digits; quote it")
            return int(value)
        if _FLOAT.match(value):
            return float(value)
        return value
