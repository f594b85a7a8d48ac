"""Hold a document against its model, and say where it does not fit."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from triage.errors import TriageError
from triage.knowledge.document import Document, Path_

T = TypeVar("T")

_AT = re.compile(r" - at `(?:key )?(?:in )?\$?(?P<path>.*)`$")
_PART = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]|\[\.\.\.\]")


def convert_document(document: Document, model: type[T]) -> T:
    """Return the document's data as `model`; raises TriageError naming the place and what was expected there."""
    try:
        return msgspec.convert(document.data, model)
    except msgspec.ValidationError as error:
        message, path = _locate(str(error), document)
        raise TriageError(_explain(message), str(document.place(path))) from error


def _locate(message: str, document: Document) -> tuple[str, Path_]:
    match = _AT.search(message)
    if not match:
        unknown = re.search(r"unknown field `([^`]+)`", message)
        return message, (unknown.group(1),) if unknown else ()
    path: Path_ = ()
    for name, index in _PART.findall(match.group("path")):
        path += (name,) if name else (int(index),) if index else (_deeper(document, path),)
    text = message[: match.start()]
    unknown = re.search(r"unknown field `([^`]+)`", text)
    return text, (*path, unknown.group(1)) if unknown else path


def _deeper(document: Document, path: Path_) -> str | int:
    """Return the first key under `path`: the model's error does not name keys of free mappings."""
    for known in document.places:
        if len(known) == len(path) + 1 and known[: len(path)] == path:
            return known[-1]
    return ""


def _explain(message: str) -> str:
    message = message.replace("Object", "it").replace("`", "'")
    if "Expected 'str" in message and ("got 'float'" in message or "got 'int'" in message):
        message += "; quote versions and numbers that are texts"
    return message[0].lower() + message[1:]
