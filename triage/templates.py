"""The template language of recipes: Jinja2's sandbox, cut down to names, attributes, filters, tests and conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jinja2 import ChainableUndefined, nodes
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

NAMES = "__names__"
FILTERS = ("default", "lookup", "distribution", "bytes", "minor", "major", "lower", "replace")

ALLOWED: tuple[type[nodes.Node], ...] = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Const,
    nodes.Filter, nodes.Test, nodes.If, nodes.CondExpr, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.Keyword,
)  # fmt: skip


class _Names(Context):
    """Variables of a template, looked up when used."""

    def resolve_or_missing(self, key: str) -> Any:
        return self.parent[NAMES](key)


class _Environment(ImmutableSandboxedEnvironment):
    context_class = _Names


class TemplateRenderer:
    """Renders templates whose names are looked up when used.

    `names` returns what a bare name stands for; every value passes `finalize` before it is put into the text.
    """

    def __init__(
        self,
        names: Callable[[str], object],
        finalize: Callable[[object], object],
        filters: Mapping[str, Callable[..., Any]],
    ) -> None:
        self._names = names
        environment = _Environment(finalize=finalize, undefined=ChainableUndefined, autoescape=False, cache_size=0)
        environment.globals.clear()
        kept = {name: environment.filters[name] for name in FILTERS if name in environment.filters}
        environment.filters.clear()
        environment.filters.update(kept | {"default": _default} | dict(filters))
        self._environment = environment

    def render(self, source: str) -> str:
        """Return the text that `source` gives with the facts at hand."""
        return self._environment.from_string(source).render({NAMES: self._names})


def _default(value: object, fallback: object = "") -> object:
    return value if value or (value == 0 and value is not False) else fallback


def forbidden(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, what) for each construct of a template that recipes must not use; raises TemplateSyntaxError."""
    environment = ImmutableSandboxedEnvironment()
    for node in _walk(environment.parse(source)):
        if not isinstance(node, ALLOWED):
            yield node.lineno, f"{type(node).__name__} is not allowed in a recipe"
        elif isinstance(node, nodes.Filter) and node.name not in FILTERS:
            yield node.lineno, f"the filter {node.name} is not one of {', '.join(FILTERS)}"


def names_in(source: str) -> Iterator[str]:
    """Yield the dotted names that a template uses; `fact['pkg.x']` counts as `pkg.x`."""
    for node in _walk(ImmutableSandboxedEnvironment().parse(source)):
        if isinstance(node, nodes.Name):
            yield node.name
        elif isinstance(node, (nodes.Getattr, nodes.Getitem)):
            dotted = _dotted(node)
            if dotted:
                yield dotted.removeprefix("fact.")


def _dotted(node: nodes.Node) -> str | None:
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Getattr):
        base = _dotted(node.node)
        return base and f"{base}.{node.attr}"
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
        base = _dotted(node.node)
        return base and f"{base}.{node.arg.value}"
    return None


def _walk(node: nodes.Node) -> Iterator[nodes.Node]:
    yield node
    for child in node.iter_child_nodes():
        yield from _walk(child)
