"""Recipes rendered for the facts at hand.

Templates see names only: captures of the rule that matched, and facts. In commands every value is quoted for the
shell; unknown names are false in conditions and render as their label in angle brackets.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Cause, Check, Recipe, Test, Text
from triage.knowledge.versions import version_prefix
from triage.language import say
from triage.reason.evaluate import Context, evaluate
from triage.result import Fix, FixCheck, FixStep
from triage.sanitize import clean_value

if TYPE_CHECKING:
    from triage.templates import TemplateRenderer


class Namespace:
    """Facts below a dotted prefix that is no known fact itself: `torch` in `{{ torch.version }}`."""

    def __init__(self, renderer: Renderer, prefix: str) -> None:
        self._renderer = renderer
        self._prefix = prefix

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._renderer.value(f"{self._prefix}.{name}")

    def __getitem__(self, name: str) -> Any:
        return self._renderer.value(f"{self._prefix}.{name}" if self._prefix else name)

    def __str__(self) -> str:
        return f"<{self._renderer.label(self._prefix)}>"

    def __bool__(self) -> bool:
        return False


class Renderer:
    """Renders the texts of one cause."""

    def __init__(self, knowledge: Knowledge, context: Context, captures: Mapping[str, str], language: str) -> None:
        self._knowledge = knowledge
        self._context = context
        self._captures = captures
        self._language = language
        self._templates: dict[bool, TemplateRenderer] = {}

    def label(self, name: str) -> str:
        """Return what stands in place of an unknown value."""
        return say(self._knowledge.facts.label(name), self._language)

    def value(self, name: str) -> Any:
        """Return a fact's value, or the namespace below that name."""
        known = self._context.facts.get(name)
        if known is not None and known.value is not None:
            return clean_value(known.value)
        return Namespace(self, name)

    def text(self, template: Text | None) -> str | None:
        """Render a text for people."""
        return None if template is None else self._render(say(template, self._language), command=False)

    def command(self, template: str | None) -> str | None:
        """Render a command, every value in it quoted for the shell."""
        return None if template is None else self._render(template, command=True)

    def _render(self, template: str, command: bool) -> str:
        if "{{" not in template and "{%" not in template:
            return template.strip()
        templates = self._templates.get(command)
        if templates is None:
            templates = self._templates[command] = self._renderer(command)
        rendered = templates.render(template)
        return "\n".join(line.rstrip() for line in rendered.strip().splitlines())

    def _renderer(self, command: bool) -> TemplateRenderer:
        from triage.templates import TemplateRenderer

        def lookup(value: object, table: str, column: str) -> Any:
            cell = self._knowledge.table(table).cell(value, column)
            return ", ".join(map(str, cell)) if isinstance(cell, list) else cell

        def distribution(value: object) -> Any:
            found = self._knowledge.table("import_to_distribution").cell(str(value).split(".")[0], "distribution")
            return found or str(value).split(".")[0].replace("_", "-")

        return TemplateRenderer(
            self.names,
            finalize=_quote if command else _plain,
            filters={
                "lookup": lookup,
                "distribution": distribution,
                "bytes": human_bytes,
                "minor": _minor,
                "major": _major,
            },
        )

    def names(self, name: str) -> Any:
        """Return what a bare name stands for: a capture, or facts below it."""
        if name in self._captures:
            return clean_value(self._captures[name])
        if name == "fact":
            return Namespace(self, "")
        return self.value(name)


def _quote(value: object) -> object:
    if isinstance(value, (str, Namespace)):
        return shlex.quote(str(value)) if isinstance(value, str) else str(value)
    return value


def _plain(value: object) -> object:
    return "unknown" if value is None else value


def _minor(value: object) -> str:
    return version_prefix(str(value), 2)


def _major(value: object) -> str:
    return version_prefix(str(value), 1)


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
    """Return the recipes of a cause that may apply: those made for this situation first, order kept otherwise."""
    fixes = []
    for recipe in cause.recipes:
        applies = True if recipe.when is None else evaluate(recipe.when, context)
        if applies is not False:
            fixes.append((recipe, applies))
    fixes.sort(key=lambda pair: 0 if pair[1] is True and pair[0].when is not None else 1)
    return tuple(_fix(recipe, applies, renderer, context) for recipe, applies in fixes)


def _fix(recipe: Recipe, applies: bool | None, renderer: Renderer, context: Context) -> Fix:
    steps = tuple(
        FixStep(renderer.text(step.text) or "", renderer.command(step.command))
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
    return FixCheck(renderer.text(check.text) or "", renderer.command(check.command), check.probe, fact, words)


WORDS = {"is_": "is", "not_": "is not", "in_": "one of", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
         "matches": "matches", "contains": "contains"}  # fmt: skip


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
