"""The record of what is agreed on, one thing a line: what a change of the knowledge must not lose by accident.

It holds each rule's kind and the texts it takes (`triage.check.forms`), each step from a rule or a branch to a cause
with its weight and condition, what causes lead to, and the parts of every recipe. A checkout keeps it in
`tests/rules/record/`, one file a family and one for the trees, so that a change shows where it belongs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from triage.check.finding import Finding, at
from triage.check.forms import forms_of, still_holds
from triage.check.memory import Memory, digest_of
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Argument, Cause, Recipe, Rule, Test, Text, Tree
from triage.knowledge.roots import data_folder

LONGEST = 80
"""Characters that are kept of a text."""
WHERE = "tests/rules/record"
FIX = "mend it, or, if it is meant to go, write the record anew: triage rules record"
AGAIN = "mend the knowledge files, then write the record anew: triage rules record"
_FORM = (" = ", " ! ")


def record_of(base: Base) -> list[str]:
    """Return the lines of a base's record, sorted."""
    rules = [loaded.record for loaded in base.rules.values()]
    memory: Memory[list[str]] = Memory("forms", list[str])
    forms = memory.work_out([_digest(rule) for rule in rules], rules, forms_of)
    texts = {f"{rule.id}{form}" for rule, found in zip(rules, forms, strict=True) for form in found}
    return sorted(texts | set(_steps(base)))


def record_folder() -> Path:
    """Return the folder of a checkout that holds the record as last agreed on."""
    return data_folder("rules").parent / WHERE


def read_record() -> dict[str, list[str]]:
    """Return the lines as last agreed on, by file name; none where there is no checkout."""
    files = sorted(record_folder().glob("*.txt"))
    return {path.name: path.read_text(encoding="utf-8").splitlines() for path in files}


def record_files(base: Base) -> dict[str, list[str]]:
    """Return the lines of a base's record by the name of the file that each belongs in."""
    families = {re.split(r"[-.]", name, maxsplit=1)[0] for name in (*base.rules, *base.causes)}
    files: dict[str, list[str]] = defaultdict(list)
    for line in record_of(base):
        name = line.split(" ", 1)[0]
        family = re.split(r"[-.]", name, maxsplit=1)[0]
        is_tree = name.rstrip(":").split(".")[0] in base.trees
        files["trees.txt" if is_tree or family not in families else f"{family}.txt"].append(line)
    return dict(files)


def write_record(now: Mapping[str, list[str]]) -> None:
    """Write the record anew; a family that is no more loses its file."""
    folder = record_folder()
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.txt"):
        if path.name not in now:
            path.unlink()
    for name, lines in now.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def check_record(base: Base) -> Iterator[Finding]:
    """Yield a finding for each rule, cause and tree of which something recorded is lost; what is new is no fault."""
    recorded = read_record()
    steps = set(_steps(base)) if recorded else set()
    lost: dict[str, list[str]] = defaultdict(list)
    forms: dict[str, list[str]] = defaultdict(list)
    for file, lines in recorded.items():
        for number, line in enumerate(lines, 1):
            name = line.split(" ", 1)[0]
            if line.startswith(("<<<<<<<", "=======", ">>>>>>>")):
                yield Finding(f"{WHERE}/{file}", number, 1, "a merge left its marks in the record", AGAIN)
            elif line[len(name) : len(name) + 3] in _FORM:
                forms[name].append(line[len(name) :])
            elif line and line not in steps:
                lost[name].append(line[len(name) :])
    for name, gone in _lost_forms(base, forms):
        lost[name] += gone
    for name, gone in sorted(lost.items()):
        more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
        what = f"{name} has lost what is recorded of it: {_cut(gone[0].strip())!r}{more}"
        loaded = _loaded(base, name)
        if loaded is not None:
            yield at(loaded, ("pattern",) if gone[0][:3] in _FORM else ("id",), what, FIX)
        else:
            file, number = _place(recorded, name)
            yield Finding(f"{WHERE}/{file}", number, 1, what, FIX)


def _place(recorded: Mapping[str, list[str]], name: str) -> tuple[str, int]:
    places = ((f, i) for f, lines in recorded.items() for i, x in enumerate(lines, 1) if x.startswith(f"{name} "))
    return next(places)


def _lost_forms(base: Base, forms: dict[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    known = {name: base.rules[name].record for name in forms if name in base.rules}
    yield from ((name, found) for name, found in forms.items() if name not in known)
    keys = [digest_of(_digest(rule), *forms[name]) for name, rule in known.items()]
    memory: Memory[list[str]] = Memory("record", list[str])
    gone = memory.work_out(keys, [(rule, forms[name]) for name, rule in known.items()], _no_longer)
    yield from ((name, found) for name, found in zip(known, gone, strict=True) if found)


def _no_longer(both: tuple[Rule, list[str]]) -> list[str]:
    rule, forms = both
    return [form for form in forms if not still_holds(rule, form)]


def _digest(rule: Rule) -> str:
    return digest_of("forms 4", rule.pattern, *rule.unless, "near", *rule.unless_near)


def _loaded(base: Base, name: str) -> Loaded[Rule] | Loaded[Cause] | Loaded[Tree] | None:
    return base.rules.get(name) or base.causes.get(name) or base.trees.get(name.rstrip(":").split(".")[0])


def _steps(base: Base) -> Iterator[str]:
    for rule in base.rules.values():
        yield _rule(rule.record)
    for cause in base.causes.values():
        yield from _cause(cause.record)
    for tree in base.trees.values():
        yield from _tree(tree.record)


def _rule(rule: Rule) -> str:
    parts = [rule.role, f"where {rule.where}"]
    parts += [f"{name} {c.type}" + (f" is {c.fact}" if c.fact else "") for name, c in sorted(rule.captures.items())]
    parts += [f"sets {name} to {value}" for name, value in sorted(rule.sets.items())]
    return f"{rule.id} : {', '.join(parts)}"


def _cause(cause: Cause) -> Iterator[str]:
    name = cause.id
    for seen in cause.seen_as:
        for rule in [seen.rule] if isinstance(seen.rule, str) else seen.rule:
            yield f"{rule} -> {name} ({seen.weight}{_when(seen.when)})"
    for key, arguments in (("for", cause.arguments_for), ("against", cause.arguments_against)):
        yield from (f"{name} {key}: {_argument(argument)}" for argument in arguments)
    yield from (f"{name} leads to {other}" for other in cause.leads_to)
    yield from (f"{name} is not {neighbour.cause}: {_short(neighbour.by)}" for neighbour in cause.neighbours)
    for recipe in cause.recipes:
        yield from (f"{name} recipe {_short(recipe.title)}: {part}" for part in _recipe(recipe))


def _argument(argument: Argument) -> str:
    return f"{argument.weight}{_when(argument.when)}"


def _recipe(recipe: Recipe) -> Iterator[str]:
    yield f"risk {recipe.risk}{_when(recipe.when)}"
    for step in recipe.steps:
        yield f"step {_short(step.text)}{_when(step.when)}"
        if step.command is not None:
            yield f"{step.language} {_short(step.command)}"
    check = recipe.check
    yield f"check {_short(check.text)}{_when(check.expect)}"
    if check.command is not None:
        yield f"check command {_short(check.command)}"
    if recipe.undo is not None:
        yield f"undo {_short(recipe.undo)}"


def _tree(tree: Tree) -> Iterator[str]:
    yield from (f"{tree.id} enter{when}" for when in _whens(tree.enter))
    for name, node in tree.nodes.items():
        yield f"{tree.id}.{name}: {_short(node.ask)}" + (f" [{node.fact}]" if node.fact else "")
        for branch in node.branches:
            step = f"{tree.id}.{name}: {_short(branch.answer)} -> {branch.go or branch.cause} ({branch.weight}"
            yield from (f"{step}{when})" for when in _whens(branch.when))


def _when(test: Test | None) -> str:
    return "" if test is None else f", when {msgspec.json.encode(test).decode()}"


def _cut(text: str) -> str:
    return text if len(text) <= 3 * LONGEST else text[: 3 * LONGEST - 3] + "..."


def _whens(test: Test | None) -> list[str]:
    """Return a condition as recorded; each of several rules that may be seen has its own, so that one more is new."""
    if test is not None:
        match msgspec.json.decode(msgspec.json.encode(test)):
            case {"seen": [*rules], **rest} if not rest:
                return [f", when seen {rule}" for rule in rules]
    return [_when(test)]


def _short(text: Text) -> str:
    plain = " ".join((text if isinstance(text, str) else text.en).split())
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 3] + "..."
