"""Both languages of a text give the same values and name the same options, variables and functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triage.check.finding import Finding, at
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Bilingual, Cause, Text

_FILLED_IN = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.S)
NAMES = re.compile(
    r"(?<![\w-])--[a-zA-Z][\w-]*"  # options
    r"|\b[a-zA-Z]\w*_\w+\b"  # variables and arguments
    r"|\b[a-zA-Z_]\w+(?:\.[a-zA-Z_]\w+)+"  # functions, modules and files
    r"|\b\d+\.\d+(?:\.\d+)*",  # versions
    re.ASCII,
)
_DEFAULT = re.compile(r"""default\((?:'[^']*'|"[^"]*")\)""")
Path = tuple[str | int, ...]


def check_languages(base: Base) -> Iterator[Finding]:
    """Yield a finding for each text of a cause whose languages differ in what a person types or is told."""
    for loaded in base.causes.values():
        for path, text in _texts(loaded.record):
            if isinstance(text, Bilingual):
                yield from _compare(loaded, path, text)
            elif loaded.layer == "shipped" and path == ("explanation",):
                what = f"{loaded.record.id}: the explanation is in one language"
                yield at(loaded, path, what, "explanation: {en: ..., zh: ...}")
            elif loaded.layer == "shipped" and "steps" in path:
                what = f"{loaded.record.id}: this step is in one language"
                yield at(loaded, path, what, "text: {en: ..., zh: ...}", "warning")


def _texts(cause: Cause) -> Iterator[tuple[Path, Text]]:
    yield ("explanation",), cause.explanation
    for name in ("arguments_for", "arguments_against"):
        for index, argument in enumerate(getattr(cause, name)):
            yield (name, index, "because"), argument.because
    for index, neighbour in enumerate(cause.neighbours):
        yield ("neighbours", index, "by"), neighbour.by
    for index, recipe in enumerate(cause.recipes):
        for number, step in enumerate(recipe.steps):
            yield ("recipes", index, "steps", number, "text"), step.text
        yield ("recipes", index, "check", "text"), recipe.check.text
        if recipe.undo is not None:
            yield ("recipes", index, "undo"), recipe.undo


def _compare(loaded: Loaded[Cause], path: Path, text: Bilingual) -> Iterator[Finding]:
    en, zh = _filled_in(text.en), _filled_in(text.zh)
    for value in sorted(en ^ zh):
        where = "English" if value in en else "Chinese"
        what = f"{loaded.record.id}: only the {where} text has {value}"
        yield at(loaded, (*path, "zh"), what, "fill the same values in in both languages")
    for name in sorted(set(NAMES.findall(_FILLED_IN.sub("", text.en)))):
        if name not in text.zh:
            what = f"{loaded.record.id}: the Chinese text does not name {name}"
            yield at(loaded, (*path, "zh"), what, "names, options and versions are the same in both languages")


def _filled_in(text: str) -> set[str]:
    """Return what a template fills in; the words for a value that is not known may differ."""
    return {_DEFAULT.sub("default", " ".join(found.split())) for found in _FILLED_IN.findall(text)}
