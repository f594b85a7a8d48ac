"""The template language of recipes, read: names, attributes, filters, conditions, comparisons, and nothing else.

Jinja2 parses a template when knowledge is compiled; what it gives is turned into a small tree of lists that
`triage.rendering` fills in. Loops, calls, assignments, imports and macros do not exist in that tree, so no template can
run anything, and a diagnosis does not load Jinja2 at all.
"""

from __future__ import annotations

from jinja2 import TemplateSyntaxError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from triage.rendering import FILTERS, Piece

_ENVIRONMENT = ImmutableSandboxedEnvironment()


class TemplateError(ValueError):
    """A template that recipes must not use; `line` counts from 1 within the template."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def is_template(text: str) -> bool:
    """Return whether `text` holds anything to fill in."""
    return "{{" in text or "{%" in text or "{#" in text


def parse_template(source: str) -> list[Piece]:
    """Return the tree of a template; raises TemplateError for what is malformed or not allowed."""
    try:
        return _body(_ENVIRONMENT.parse(source).body)
    except TemplateSyntaxError as error:
        raise TemplateError(error.message or "malformed", error.lineno) from error
    except RecursionError:
        raise TemplateError("its conditions or brackets are nested too deep", 1) from None


def _body(body: list[nodes.Node]) -> list[Piece]:
    out: list[Piece] = []
    for node in body:
        if isinstance(node, nodes.Output):
            for part in node.nodes:
                out.append(["text", part.data] if isinstance(part, nodes.TemplateData) else ["out", _expression(part)])
        elif isinstance(node, nodes.If):
            branches = [[_expression(node.test), _body(node.body)]]
            branches += [[_expression(branch.test), _body(branch.body)] for branch in node.elif_]
            out.append(["if", branches, _body(node.else_)])
        else:
            raise _refused(node)
    return out


def _expression(node: nodes.Node) -> Piece:
    if isinstance(node, nodes.Const):
        return ["const", node.value]
    if isinstance(node, nodes.Name):
        return ["name", node.name]
    if isinstance(node, nodes.Getattr):
        return ["attr", _expression(node.node), node.attr]
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
        return ["attr", _expression(node.node), str(node.arg.value)]
    if isinstance(node, nodes.Filter) and node.node is not None and not node.kwargs:
        if node.name not in FILTERS:
            raise TemplateError(f"the filter {node.name} is not one of {', '.join(FILTERS)}", node.lineno)
        return ["filter", node.name, _expression(node.node), [_expression(arg) for arg in node.args]]
    if isinstance(node, nodes.Test) and node.name == "defined":
        return ["known", _expression(node.node)]
    if isinstance(node, nodes.And):
        return ["and", _expression(node.left), _expression(node.right)]
    if isinstance(node, nodes.Or):
        return ["or", _expression(node.left), _expression(node.right)]
    if isinstance(node, nodes.Not):
        return ["not", _expression(node.node)]
    if isinstance(node, nodes.CondExpr):
        otherwise = ["const", ""] if node.expr2 is None else _expression(node.expr2)
        return ["choose", _expression(node.test), _expression(node.expr1), otherwise]
    if isinstance(node, nodes.Compare) and len(node.ops) == 1:
        return ["compare", node.ops[0].op, _expression(node.expr), _expression(node.ops[0].expr)]
    if isinstance(node, nodes.Tuple | nodes.List):
        return ["list", [_expression(item) for item in node.items]]
    raise _refused(node)


def _refused(node: nodes.Node) -> TemplateError:
    return TemplateError(f"{type(node).__name__} is not allowed in a recipe", node.lineno)
