"""The page of a cause, and the list of causes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Text as Text_
from triage.knowledge.tables import say_cell
from triage.language import say
from triage.reference import Found
from triage.report.words import PROMPTS, risk_word, weight_word, word
from triage.report.wrap import wrapped

WIDEST = 100


def print_list(knowledge: Knowledge, console: Console, family: str | None, language: str) -> None:
    """Print the ids and titles of all causes, or of one family."""
    width = max(len(name) for name in knowledge.causes) + 2
    for name in sorted(knowledge.causes):
        if family is None or name.startswith(family + "."):
            line = Text(name.ljust(width), style="bold")
            line.append(say(knowledge.causes[name].title, language), style="default not bold")
            console.print(line, markup=False, highlight=False, overflow="fold")


def print_rows(rows: Sequence[Found], console: Console, language: str) -> None:
    """Print rows of tables, each under its table's title."""
    for found in rows:
        table = found.table
        console.print(Text(f"{table.table}: {found.row[table.key]}", style="bold"), markup=False, highlight=False)
        console.print(Text(f" {say(table.about, language)}", style="dim"), markup=False, highlight=False)
        for column, meaning in table.columns.items():
            value = found.row.get(column)
            if value is None or column == table.key:
                continue
            line = word("titled", language, say(meaning, language), say_cell(table, column, value, language))
            console.print(Text(f" {line}"), markup=False, highlight=False)
        source = next((s for s in table.sources if s.id == found.row.get("src")), None)
        if source is not None:
            line = word("titled", language, word("source", language), source.what)
            console.print(Text(f" {line}", style="dim"), markup=False, highlight=False)


def print_page(knowledge: Knowledge, console: Console, cause: str, language: str) -> None:
    """Print everything known about a cause; templates are shown as they stand, with their variables."""
    page = knowledge.page(cause)
    width = min(console.width, WIDEST)

    def put(text: str, style: str = "", indent: int = 0) -> None:
        whole = Text(text, style=style)
        lines = wrapped(whole, width - indent)
        shown = whole if lines is None else Text("\n").join(lines)
        console.print(Padding(shown, (0, 0, 0, indent)), width=width, markup=False, highlight=False)

    def head(name: str) -> None:
        put("\n" + word(name, language), "bold")

    def titled(name: str, text: Text_) -> str:
        return word("titled", language, word(name, language), say(text, language))

    put(say(page.title, language), "bold red")
    put(page.id, "dim")
    put("")
    put(say(page.explanation, language))
    if page.seen_as:
        head("shows")
        for seen in page.seen_as:
            for rule in [seen.rule] if isinstance(seen.rule, str) else seen.rule:
                record = knowledge.rules_by_id.get(rule)
                if record is not None:
                    put(f"- {say(record.says, language)} ({rule}, {weight_word(seen.weight, language)})", indent=1)
    trees = [
        (tree, node, branch)
        for tree in knowledge.trees
        for node in tree.nodes.values()
        for branch in node.branches
        if branch.cause == cause
    ]
    if trees:
        head("trees")
        for tree, node, branch in trees:
            put(f"- {say(tree.title, language)}: {say(node.ask, language)} {say(branch.answer, language)}", indent=1)
    for name, arguments in (("speaks_for", page.arguments_for), ("speaks_against", page.arguments_against)):
        if arguments:
            head(name)
            for argument in arguments:
                put(f"- {say(argument.because, language)} ({weight_word(argument.weight, language)})", indent=1)
    for recipe in page.recipes:
        put("\n" + titled("fix", recipe.title), "bold green")
        put(f"({risk_word(recipe.risk, language)})", "dim", 1)
        for number, step in enumerate(recipe.steps, 1):
            put(f"{number}. {say(step.text, language)}", indent=1)
            for line in (step.command or "").splitlines():
                put(PROMPTS[step.language] + line, "cyan", 4)
        put(titled("check", recipe.check.text), indent=1)
        for line in (recipe.check.command or "").splitlines():
            put(PROMPTS[recipe.check.language] + line, "cyan", 4)
        if recipe.undo is not None:
            put(titled("undo", recipe.undo), indent=1)
    if page.neighbours:
        head("neighbours")
        for neighbour in page.neighbours:
            put(f"- {neighbour.cause}: {say(neighbour.by, language)}", indent=1)
    if page.leads_to:
        head("leads_to")
        put(", ".join(page.leads_to), indent=1)
    if page.references:
        head("references")
        for reference in page.references:
            put(reference, indent=1)
