"""The templates in a cause's texts, parsed when knowledge is compiled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from triage.errors import TriageError
from triage.knowledge.document import Path_
from triage.knowledge.load import Loaded
from triage.knowledge.model import Cause, MachineCheck, Text
from triage.rendering import Piece
from triage.templates import TemplateError, is_template, parse_template


def cause_texts(cause: Cause) -> Iterator[tuple[Path_, str, bool]]:
    """Yield (path, text, whether a shell gets it) of each text of a cause that may be a template."""
    yield from _both(("explanation",), cause.explanation)
    for index, recipe in enumerate(cause.recipes):
        path: Path_ = ("recipes", index)
        yield from _both((*path, "title"), recipe.title)
        for number, step in enumerate(recipe.steps):
            yield from _both((*path, "steps", number, "text"), step.text)
            if step.command is not None:
                yield (*path, "steps", number, "command"), step.command, step.language == "shell"
        yield from _both((*path, "check", "text"), recipe.check.text)
        if recipe.check.command is not None:
            yield (*path, "check", "command"), recipe.check.command, recipe.check.language == "shell"
        if recipe.undo is not None:
            yield from _both((*path, "undo"), recipe.undo)


def _both(path: Path_, text: Text) -> Iterator[tuple[Path_, str, bool]]:
    if isinstance(text, str):
        yield path, text, False
    else:
        yield (*path, "en"), text.en, False
        yield (*path, "zh"), text.zh, False


def check_templates(checks: Iterable[Loaded[MachineCheck]]) -> dict[str, list[Piece]]:
    """Return the parsed templates of what checks show, by their text; raises TriageError for a bad one."""
    out: dict[str, list[Piece]] = {}
    for loaded in checks:
        if loaded.record.shows is not None:
            for path, text, _ in _both(("shows",), loaded.record.shows):
                _parse(out, loaded, path, text)
    return out


def cause_templates(loaded: Loaded[Cause]) -> dict[str, list[Piece]]:
    """Return the parsed templates of a cause by their text; raises TriageError for a bad one."""
    out: dict[str, list[Piece]] = {}
    for path, text, _ in cause_texts(loaded.record):
        _parse(out, loaded, path, text)
    return out


def _parse(out: dict[str, list[Piece]], loaded: Loaded[object], path: Path_, text: str) -> None:
    if is_template(text):
        try:
            out[text] = parse_template(text)
        except TemplateError as error:
            raise TriageError(f"the template is not usable: {error}", str(loaded.place(*path))) from error
