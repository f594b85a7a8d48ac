"""Recipes can be rendered in every situation, with names that mean something, and their commands can be run."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable, Iterator
from typing import Any

from triage.check.finding import Finding, at
from triage.check.mentions import filters_in
from triage.knowledge.facts import FactRegistry
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Cause, Table
from triage.knowledge.templating import cause_texts
from triage.rendering import Filler, Piece, Unknown, tree_names
from triage.templates import TemplateError, is_template, parse_template

_PYTHON = re.compile(
    r"\s*(?:import \w|from [\w.]+ import |def \w+\(|class \w+|@\w|[A-Za-z_][\w.]*(?:\[[^\]]*\])? = "
    r"|[\w.]+\.\w+\(.*\)\s*$)"
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=\S*")
_PROSE = re.compile(r"[A-Z][a-z]+(?: [a-z]+){2,}|.*[a-z]{3,}\.$")
_DANGEROUS = re.compile(
    r"\brm\s+-[a-zA-Z]*[rR][a-zA-Z]*\s+(?:/|~|\$HOME)\s*(?:$|[;&|])|\bmkfs|\bdd\s+.*\bof=/dev/|:\(\)\s*\{"
)
_WORDS = re.compile(r"\b[a-z]{2,} [a-z]{2,}\b")
Path = tuple[str | int, ...]


def check_recipes(base: Base) -> Iterator[Finding]:
    """Yield a finding for each template that cannot be rendered or names what nobody knows, and each odd command."""
    facts = FactRegistry(fact.record for fact in base.facts.values())
    trees: dict[str, set[str]] = {}
    for tree in base.trees.values():
        for node in tree.record.nodes.values():
            for branch in node.branches:
                if branch.cause is not None:
                    trees.setdefault(branch.cause, set()).update(_rules_of(tree.record.enter))
    for cause in base.causes.values():
        captures = _captures(base, cause.record, trees.get(cause.record.id, set()))
        for path, text, _ in cause_texts(cause.record):
            if is_template(text):
                yield from _template(base, facts, captures, cause, path, text)
            if path[-1] == "command":
                yield from _command(cause, path, text, _language(cause.record, path))


def _rules_of(record: object) -> set[str]:
    from triage.check.mentions import tests_in

    out: set[str] = set()
    for test in tests_in(record):
        if test.seen is not None:
            out.update([test.seen] if isinstance(test.seen, str) else test.seen)
    return out


def _captures(base: Base, cause: Cause, others: set[str]) -> set[str]:
    """Return the names that rules leading to a cause capture."""
    rules = {name for seen in cause.seen_as for name in ([seen.rule] if isinstance(seen.rule, str) else seen.rule)}
    rules |= others | _rules_of(cause)
    return {name for rule in rules if rule in base.rules for name in base.rules[rule].record.captures}


def _template(
    base: Base, facts: FactRegistry, captures: set[str], loaded: Loaded[Cause], path: Path, text: str
) -> Iterator[Finding]:
    name = loaded.record.id
    try:
        tree = parse_template(text)
    except TemplateError as error:
        fix = "use names, filters and conditions only; see docs/knowledge.md"
        yield at(loaded, path, f"{name}: the template is not usable: {error}", fix)
        return
    names = sorted(set(tree_names(tree)))
    for used in names:
        if used not in captures and facts.find(used) is None:
            fix = "use a fact of knowledge_base/facts/, or a capture of a rule that leads to this cause"
            yield at(loaded, path, f"{name}: the template names {used}, which is neither", fix)
    for filter_name, arguments in filters_in(tree):
        if filter_name == "lookup":
            yield from _lookup(base, loaded, path, arguments)
    for known in ((), tuple(names), *((used,) for used in names)):
        try:
            _fill(tree, known)
        except Exception as error:
            shown = f" with {', '.join(known)} known" if known else " with nothing known"
            what = f"{name}: the template cannot be rendered{shown}: {type(error).__name__}: {error}"
            yield at(loaded, path, what, "mend the filter's arguments")
            return


def _lookup(base: Base, loaded: Loaded[Cause], path: Path, arguments: list[object]) -> Iterator[Finding]:
    name = loaded.record.id
    if len(arguments) != 2:
        yield at(
            loaded,
            path,
            f"{name}: lookup needs a table and a column",
            "{{ torch.version | lookup('TABLE', 'COLUMN') }}",
        )
        return
    table = base.tables.get(str(arguments[0]))
    if table is None:
        yield at(loaded, path, f"{name}: there is no table {arguments[0]}", "write it in knowledge_base/tables/")
    elif str(arguments[1]) not in table.record.columns:
        fix = f"one of {', '.join(table.record.columns)}"
        yield at(loaded, path, f"{name}: the table {arguments[0]} has no column {arguments[1]}", fix)
    elif path[-1] == "zh" and table.layer == "shipped" and _in_words(table.record, str(arguments[1])):
        what = f"{name}: the Chinese text shows {arguments[1]} of the table {arguments[0]} in English"
        yield at(loaded, path, what, "list the column under the table's texts, and its Chinese under zh", "warning")


def _in_words(table: Table, column: str) -> bool:
    """Say whether a column without Chinese is mostly written in words for people."""
    cells = [cell for row in table.rows if isinstance(cell := row.get(column), str)]
    return column not in table.texts and 2 * sum(bool(_WORDS.search(cell)) for cell in cells) > len(cells)


def _fill(tree: list[Piece], known: tuple[str, ...]) -> str:
    unknown = Unknown("column", lambda name: name)
    filters: dict[str, Callable[..., Any]] = {
        "lookup": lambda value, table, column: unknown,
        "distribution": str,
        "bytes": str,
        "minor": str,
        "major": str,
    }
    return Filler(lambda name: "1.2" if name in known else None, lambda name: name, str, filters).fill(tree)


def _language(cause: Cause, path: Path) -> str:
    recipe = cause.recipes[int(path[1])]
    return recipe.steps[int(path[3])].language if path[2] == "steps" else recipe.check.language


def _command(loaded: Loaded[Cause], path: Path, text: str, language: str) -> Iterator[Finding]:
    """A command goes where its language says; in a shell, a line of another language or prose is a fault."""
    name = loaded.record.id
    plain = re.sub(r"\{%.*?%\}", "", re.sub(r"\{\{.*?\}\}", "value", text, flags=re.S), flags=re.S)
    if not plain.strip():
        yield at(loaded, path, f"{name}: the command is empty", "write it, or leave the key out")
        return
    if _DANGEROUS.search(plain):
        yield at(loaded, path, f"{name}: the command may destroy what it is not about", "name exactly what to remove")
    if language != "shell":
        if language == "python" and not _parses(plain):
            what = f"{name}: this is called Python, and Python cannot read it"
            yield at(loaded, path, what, "language: config, or mend it", "warning")
        return
    try:
        shlex.split(plain, comments=True)
    except ValueError as error:
        yield at(loaded, path, f"{name}: a shell cannot read this command: {error}", "balance the quotes", "warning")
        return
    first = next((line for line in plain.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    if _PYTHON.match(first):
        yield at(
            loaded, path, f"{name}: the command looks like Python, not like a shell's", "language: python", "warning"
        )
    elif _PROSE.match(first) and not _ASSIGNMENT.match(first):
        yield at(loaded, path, f"{name}: the command reads like a sentence", "put it into text", "warning")


def _parses(text: str) -> bool:
    try:
        ast.parse(re.sub(r"<[^<>\n]*>", "value", text))
    except (SyntaxError, ValueError):
        return False
    return True
