"""Recipes rendered for the facts at hand.

Templates see names only: captures of the rule that matched, and facts. In commands every value is quoted for the shell.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Cause, Check, Recipe, Test, Text
from triage.knowledge.tables import say_cell
from triage.knowledge.versions import version_prefix
from triage.language import say
from triage.reason.evaluate import Context, evaluate
from triage.rendering import Filler, Piece, Unknown
from triage.result import Fix, FixCheck, FixStep
from triage.sanitize import clean_text, clean_value

SHORT = 60
"""Characters of an English text that stands on one line with the Chinese one."""


class Renderer:
    """Renders the texts of one record, whose parsed templates it is given."""

    def __init__(
        self,
        knowledge: Knowledge,
        templates: Mapping[str, list[Piece]],
        context: Context,
        captures: Mapping[str, str],
        language: str,
        unknown: str | None = None,
    ) -> None:
        """`unknown` stands for every value that is not known, instead of its label in angle brackets."""
        self._unknown = unknown
        self._knowledge = knowledge
        self._context = context
        self._captures = captures
        self._language = language
        self._templates = templates
        filters: dict[str, Callable[..., Any]] = {
            "distribution": self._distribution,
            "bytes": human_bytes,
            "minor": lambda value: version_prefix(str(value), 2),
            "major": lambda value: version_prefix(str(value), 1),
        }

        def filler(language: str, show: Callable[[Any], str]) -> Filler:
            lookup = partial(self._lookup, language)
            return Filler(self._value, partial(self._label, language), show, {"lookup": lookup, **filters})

        languages = ("en", "zh") if language == "both" else (language,)
        self._plain = {name: filler(name, self._shown) for name in languages}
        self._written = filler("en", self._shown)
        self._quoted = filler("en", _quoted)

    def text(self, template: Text | None) -> str | None:
        """Render a text for people."""
        if template is None:
            return None
        if isinstance(template, str) or self._language != "both":
            language = "en" if self._language == "both" else self._language
            return self._fill(say(template, language), self._plain[language])
        en, zh = self._fill(template.en, self._plain["en"]), self._fill(template.zh, self._plain["zh"])
        return f"{en} / {zh}" if len(en) < SHORT else f"{en}\n{zh}"

    def command(self, template: str | None, language: str = "shell") -> str | None:
        """Render a command, every value in it quoted for the shell, for the interpreter in question if it is known.

        What is written into code or a configuration file (`language`) is only filled in.
        """
        if template is None:
            return None
        if language != "shell":
            return self._fill(template, self._written)
        tree = self._templates.get(template, [["text", template]])
        interpreter = self._context.facts.get("python.command")
        if interpreter is not None and isinstance(interpreter.value, str) and not interpreter.value.startswith("~"):
            from triage.interpreter import name_interpreter

            installer = self._context.facts.get("python.installer")
            uv = installer is not None and installer.value == "uv"
            tree = name_interpreter(tree, clean_text(interpreter.value), uv)
        return self._filled(tree, self._quoted)

    def _fill(self, template: str, filler: Filler) -> str:
        tree = self._templates.get(template)
        return template.strip() if tree is None else self._filled(tree, filler)

    @staticmethod
    def _filled(tree: list[Piece], filler: Filler) -> str:
        return "\n".join(line.rstrip() for line in filler.fill(tree).strip().splitlines())

    def _value(self, name: str) -> Any:
        if name in self._captures:
            return clean_value(self._captures[name])
        known = self._context.facts.get(name)
        return None if known is None else clean_value(known.value)

    def _shown(self, value: Any) -> str:
        return self._unknown if self._unknown is not None and isinstance(value, Unknown) else _plain(value)

    def _label(self, language: str, name: str) -> str:
        return say(self._knowledge.facts.label(name), language)

    def _lookup(self, language: str, value: object, name: str, column: str) -> Any:
        index = self._knowledge.table(name)
        cell = index.cell(value, column)
        if cell is None:
            return Unknown(column, lambda name: name.replace("_", " "))
        return say_cell(index.table, column, cell, language) if isinstance(cell, (str, list)) else cell

    def _distribution(self, module: object) -> Any:
        top = str(module).split(".", 1)[0]
        return self._knowledge.table("import_to_distribution").cell(top, "distribution") or top.replace("_", "-")


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _quoted(value: Any) -> str:
    return str(value) if isinstance(value, Unknown) else shlex.quote(_plain(value))


def human_bytes(value: object) -> str:
    """Return a number of bytes as `15.9 GiB`."""
    try:
        size = float(str(value))
    except ValueError:
        return str(value)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(size) < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} TiB"


def render_fixes(cause: Cause, renderer: Renderer, context: Context) -> tuple[Fix, ...]:
    """Return the recipes of a cause that may apply: those meant to come first, those with a `when`, the others."""
    fixes = []
    for recipe in cause.recipes:
        applies = True if recipe.when is None else evaluate(recipe.when, context)
        if applies is not False:
            fixes.append((recipe, applies))
    fixes.sort(key=lambda pair: _place(pair[0], pair[1], context))
    return tuple(_fix(recipe, applies, renderer, context) for recipe, applies in fixes)


def _place(recipe: Recipe, applies: bool | None, context: Context) -> int:
    if recipe.first_when is not None and evaluate(recipe.first_when, context) is True:
        return 0
    return 1 if recipe.when is not None and applies is True else 2


def _fix(recipe: Recipe, applies: bool | None, renderer: Renderer, context: Context) -> Fix:
    steps = tuple(
        FixStep(renderer.text(step.text) or "", renderer.command(step.command, step.language), step.language)
        for step in recipe.steps
        if step.when is None or evaluate(step.when, context) is not False
    )
    return Fix(
        renderer.text(recipe.title) or "",
        recipe.risk,
        steps,
        _check(recipe.check, renderer),
        renderer.text(recipe.undo),
        applies,
    )


def _check(check: Check, renderer: Renderer) -> FixCheck:
    fact, words = (None, None) if check.expect is None else expectation(check.expect)
    command = renderer.command(check.command, check.language)
    return FixCheck(renderer.text(check.text) or "", command, check.probe, fact, words, check.language)


WORDS = {"is_": "is", "not_": "is not", "in_": "one of", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
         "matches": "matches", "contains": "contains", "fits": "fits"}  # fmt: skip


def expectation(test: Test) -> tuple[str | None, str | None]:
    """Return a test's fact and its comparison in words."""
    if test.missing is not None:
        return test.fact, "absent" if test.missing else "present"
    for name, word in WORDS.items():
        operand = getattr(test, name)
        if operand is not None and isinstance(operand, (str, int, float, bool, list)):
            shown = (
                ", ".join(map(str, operand))
                if isinstance(operand, list)
                else str(operand).lower()
                if isinstance(operand, bool)
                else str(operand)
            )
            return test.fact, f"{word} {shown}"
    return test.fact, None
