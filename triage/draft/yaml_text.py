"""Records as YAML that the strict reader takes, and their place in files that are there already."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import yaml

from triage.knowledge.document import Document

_PLAIN = re.compile(r"[A-Za-z][\w./+-]*(?: [\w./+()-]+)*")
_WORDS = re.compile(r"(?i)y|yes|n|no|on|off|true|false|null")


class _Dumper(yaml.SafeDumper):
    """Quotes whatever is not a plain word or sentence."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = None if _PLAIN.fullmatch(value) and not _WORDS.fullmatch(value) else "|" if "\n" in value else "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def record_text(record: dict[str, Any], indent: int = 2) -> str:
    """Return a record as one entry of a list, indented."""
    text = yaml.dump([record], Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000)
    lines = text.splitlines()
    if lines and lines[0].startswith("  "):  # the list itself is indented by the dumper
        text = textwrap.dedent(text)
    return textwrap.indent(text, " " * indent)


def new_file(kind: str, family: str, records: list[dict[str, Any]], schema: str) -> str:
    """Return a file of rules or causes with these records."""
    head = f"# yaml-language-server: $schema={schema}\nfamily: {family}\n{kind}:\n"
    return head + "".join(record_text(record) for record in records)


def with_record(text: str, record: dict[str, Any]) -> str:
    """Return a file's text with one more record at its end; its list is the last key of the file."""
    match = re.search(r"^( *)- ", text, re.MULTILINE)
    return text.rstrip("\n") + "\n" + record_text(record, len(match.group(1)) if match else 2)


def with_observation(text: str, document: Document, index: int, rule: str, weight: str) -> str:
    """Return a cause file's text with one more entry in `seen_as` of the cause at `index`."""
    lines = text.splitlines(keepends=True)
    entry = f"{{rule: {rule}, weight: {weight}}}"
    first = document.places.get(("causes", index, "seen_as", 0))
    if first is None:
        place = document.place(("causes", index, "explanation"))
        lines.insert(place.line - 1, f"{' ' * (place.column - 1)}seen_as:\n{' ' * (place.column + 1)}- {entry}\n")
        return "".join(lines)
    line = lines[first.line - 1]
    dash = re.match(r"\s*- ", line)
    if dash and dash.end() == first.column - 1:
        lines.insert(first.line - 1, f"{' ' * (dash.end() - 2)}- {entry}\n")
    else:
        lines[first.line - 1] = f"{line[: first.column - 1]}{entry}, {line[first.column - 1 :]}"
    return "".join(lines)
