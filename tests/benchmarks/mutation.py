"""Spoil the knowledge in one place after another and see whether the check or the recorded cases notice.

    python tests/benchmarks/mutation.py [--count 120] [--seed 1] [--show]

Each mutation deletes or weakens one rule, branch, recipe or table part in a copy of the knowledge that is only held in
memory. It counts as noticed if `triage rules check` finds an error or a warning that was not there before (`check`: by
itself; `record`: because tests/rules/record/ holds what was lost), or if a recorded case gets another answer. Prints
the share that was noticed, by kind and means; exit status 1 below 95 %.
"""

from __future__ import annotations

import argparse
import copy
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import regex
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).parents[2]))

from triage.check.closure import check_closure
from triage.check.corpus import Corpus
from triage.check.finding import Finding
from triage.check.forms import class_end, without_guard
from triage.check.ladder import check_ladder
from triage.check.patterns import check_patterns
from triage.check.recipes import check_recipes
from triage.check.record import check_record
from triage.check.recorded import RecordedCase, answer_case, read_cases, shipped_cases
from triage.check.references import check_references
from triage.check.samples import check_samples
from triage.check.style import check_style
from triage.check.tables import check_tables
from triage.knowledge.base import Knowledge
from triage.knowledge.load import Base, load_base
from triage.knowledge.model import Branch, Check, Recipe, Rule
from triage.knowledge.roots import all_roots
from triage.knowledge.store import compile_base
from triage.match.literals import literals_of

Mutation = tuple[str, str, Callable[[Base], None]]
"""Kind, where, and the change itself."""
MISSED = "NOT NOTICED"
Kind = Callable[[Base, random.Random], Mutation | None]
"""Makes a mutation of a kind at a place chosen by chance; None if that place has nothing of the kind."""


def mutations(base: Base, random_: random.Random) -> Iterator[Mutation]:
    """Yield mutations without end: kinds in turn, the place in each by chance."""
    kinds = [*RULE_KINDS, *CAUSE_KINDS, *TREE_KINDS]
    while True:
        random_.shuffle(kinds)
        for kind in kinds:
            made = kind(base, random_)
            if made is not None:
                yield made


def _set(kind: str, name: str, **values: Any) -> Callable[[Base], None]:
    def change(base: Base) -> None:
        records = getattr(base, kind)
        records[name] = changed(records[name], record=replace(records[name].record, **values))

    return change


def _without(items: list[Any], index: int) -> list[Any]:
    return items[:index] + items[index + 1 :]


def _of_rule(
    what: str, fits: Callable[[Rule], bool], values: Callable[[Rule, random.Random], dict[str, Any] | None]
) -> Kind:
    """Return a kind of mutation that gives a rule other values."""

    def make(base: Base, random_: random.Random) -> Mutation | None:
        rule = random_.choice([loaded.record for loaded in base.rules.values() if fits(loaded.record)])
        given = values(rule, random_)
        return None if given is None else (what, rule.id, _set("rules", rule.id, **given))

    return make


def _of_item(what: str, key: str, change: Callable[[Any, random.Random], Any] | None = None) -> Kind:
    """Return a kind of mutation that drops or changes one item of a cause's list."""

    def make(base: Base, random_: random.Random) -> Mutation | None:
        cause = random_.choice([loaded.record for loaded in base.causes.values() if getattr(loaded.record, key)])
        items = getattr(cause, key)
        index = random_.randrange(len(items))
        other = None if change is None else change(items[index], random_)
        if change is not None and other is None:
            return None
        spoilt = _without(items, index) if other is None else [*items[:index], other, *items[index + 1 :]]
        return what, f"{cause.id} {key}[{index}]", _set("causes", cause.id, **{key: spoilt})

    return make


def _delete_rule(base: Base, random_: random.Random) -> Mutation:
    name = random_.choice(list(base.rules))
    return "rule deleted", name, lambda spoilt: spoilt.rules.pop(name) and None


def _alternatives(pattern: str) -> list[tuple[int, int]]:
    """Return the places of all alternatives, each with one of the bars beside it."""
    out: list[tuple[int, int]] = []
    open_: list[list[int]] = [[-1]]
    at = 0
    while at <= len(pattern):
        char = pattern[at] if at < len(pattern) else ")"
        if char == "\\":
            at += 1
        elif char == "[":
            at = class_end(pattern, at)
        elif char == "(":
            inside = re.match(r"\((?:\?(?:P<\w+>|[:=!>]|<[=!]))?", pattern[at:])
            open_.append([at + len(inside[0]) - 1 if inside else at])
        elif char == "|":
            open_[-1].append(at)
        elif char == ")":
            bars = [*open_.pop(), at]
            if len(bars) > 2:
                out += [(bars[i] + (i == 0), bars[i + 1] + (i == 0)) for i in range(len(bars) - 1)]
        at += 1
    return out


def _drop_alternative(rule: Rule, random_: random.Random) -> dict[str, Any] | None:
    found = _alternatives(rule.pattern)
    if not found:
        return None
    start, end = random_.choice(found)
    return _valid(rule, rule.pattern[:start] + rule.pattern[end:])


def _loosen_word(rule: Rule, random_: random.Random) -> dict[str, Any] | None:
    """A fixed word may now be any word."""
    plain = re.sub(r"\[(?:\\.|[^\]])*\]|\\.|\(\?P<\w+>|\(\?\w+\)", lambda m: "\0" * len(m[0]), rule.pattern)
    words = list(re.finditer(r"[A-Za-z]{4,}", plain))
    if len(words) < 2:
        return None
    word = random_.choice(words)
    return _valid(rule, rule.pattern[: word.start()] + r"\w{1,40}" + rule.pattern[word.end() :])


def _cut_pattern(rule: Rule, random_: random.Random) -> dict[str, Any] | None:
    """Only the first half of the longest fixed piece is still asked for."""
    literals = literals_of(rule.pattern)
    if rule.captures or len(literals) != 1:
        return None
    literal = literals[0][0].decode("utf-8", "replace")
    return _valid(rule, re.escape(literal[: max(4, len(literal) // 2)]))


def _drop_guard(rule: Rule, random_: random.Random) -> dict[str, Any] | None:
    """One expression of `unless` or `unless_near`, or one negative look-around, is dropped."""
    guards = [("unless", i) for i in range(len(rule.unless))] + [
        ("unless_near", i) for i in range(len(rule.unless_near))
    ]
    looks = list(without_guard(rule.pattern))
    chosen = random_.randrange(len(guards) + len(looks))
    if chosen >= len(guards):
        return _valid(rule, looks[chosen - len(guards)])
    key, index = guards[chosen]
    return {key: _without(getattr(rule, key), index)}


def _drop_optional(rule: Rule, random_: random.Random) -> dict[str, Any] | None:
    """An optional part is not allowed any more."""
    found = list(re.finditer(r"\(\?:[^()|\\\[]{2,}\)\?(?!\?)", rule.pattern))
    if not found:
        return None
    part = random_.choice(found)
    return _valid(rule, rule.pattern[: part.start()] + rule.pattern[part.end() :])


def _valid(rule: Rule, pattern: str) -> dict[str, Any] | None:
    try:
        groups = set(regex.compile(pattern).groupindex)
    except regex.error:
        return None
    if pattern == rule.pattern:
        return None
    return {"pattern": pattern, "captures": {k: v for k, v in rule.captures.items() if k in groups}}


def _guarded(rule: Rule) -> bool:
    return bool(rule.unless or rule.unless_near or re.search(r"\(\?<?!", rule.pattern))


def _capture_without_fact(rule: Rule, random_: random.Random) -> dict[str, Any] | None:
    name = random_.choice([k for k, c in rule.captures.items() if c.fact])
    return {"captures": {**rule.captures, name: replace(rule.captures[name], fact=None)}}


RULE_KINDS: list[Kind] = [
    _delete_rule,
    _of_rule("alternative dropped", lambda r: "|" in r.pattern, _drop_alternative),
    _of_rule("alternative dropped", lambda r: "|" in r.pattern, _drop_alternative),
    _of_rule("optional part dropped", lambda r: ")?" in r.pattern, _drop_optional),
    _of_rule("pattern narrowed", lambda r: True, lambda r, _: {"pattern": r.pattern + " and never this"}),
    _of_rule("word of a pattern loosened", lambda r: True, _loosen_word),
    _of_rule("word of a pattern loosened", lambda r: True, _loosen_word),
    _of_rule("pattern cut", lambda r: True, _cut_pattern),
    _of_rule("guard dropped", _guarded, _drop_guard),
    _of_rule("captures dropped", lambda r: bool(r.captures), lambda r, _: {"captures": {}}),
    _of_rule("fact of a capture dropped", lambda r: any(c.fact for c in r.captures.values()), _capture_without_fact),
    _of_rule("sets dropped", lambda r: bool(r.sets), lambda r, _: {"sets": {}}),
    _of_rule("role changed", lambda r: r.role == "fault", lambda r, _: {"role": "context"}),
    _of_rule("place loosened", lambda r: r.where in ("exception", "kernel", "native"), lambda r, _: {"where": "any"}),
    _of_rule("samples dropped", lambda r: True, lambda r, _: {"samples": []}),
    _of_rule("near misses dropped", lambda r: True, lambda r, _: {"near_misses": []}),
]


def _other_weight(item: Any, random_: random.Random) -> Any:
    return replace(item, weight=random_.choice([w for w in ("decisive", "strong", "weak") if w != item.weight]))


def _without_when(item: Any, random_: random.Random) -> Any:
    return None if item.when is None else replace(item, when=None)


def _step_dropped(recipe: Recipe, random_: random.Random) -> Recipe | None:
    return replace(recipe, steps=_without(recipe.steps, random_.randrange(len(recipe.steps)))) if recipe.steps else None


def _command_dropped(recipe: Recipe, random_: random.Random) -> Recipe | None:
    given = [i for i, step in enumerate(recipe.steps) if step.command]
    if not given:
        return None
    index = random_.choice(given)
    step = replace(recipe.steps[index], command=None)
    return replace(recipe, steps=[*recipe.steps[:index], step, *recipe.steps[index + 1 :]])


def _check_dropped(recipe: Recipe, random_: random.Random) -> Recipe:
    return replace(recipe, check=Check(text="it works"))


def _undo_dropped(recipe: Recipe, random_: random.Random) -> Recipe | None:
    return None if recipe.undo is None else replace(recipe, undo=None)


def _explanation_dropped(base: Base, random_: random.Random) -> Mutation:
    name = random_.choice(list(base.causes))
    return "explanation dropped", name, _set("causes", name, explanation="")


CAUSE_KINDS: list[Kind] = [
    _of_item("observation dropped", "seen_as"),
    _of_item("weight changed", "seen_as", _other_weight),
    _of_item("condition dropped", "seen_as", _without_when),
    _of_item("argument dropped", "arguments_for"),
    _of_item("argument dropped", "arguments_against"),
    _of_item("leads_to dropped", "leads_to"),
    _of_item("neighbour dropped", "neighbours"),
    _of_item("recipe dropped", "recipes"),
    _of_item("condition of a recipe dropped", "recipes", _without_when),
    _of_item("step dropped", "recipes", _step_dropped),
    _of_item("command dropped", "recipes", _command_dropped),
    _of_item("check dropped", "recipes", _check_dropped),
    _of_item("undo dropped", "recipes", _undo_dropped),
    _explanation_dropped,
]


def _of_branch(what: str, change: Callable[[list[Branch], int, random.Random], list[Branch] | None]) -> Kind:
    """Return a kind of mutation that changes one branch of a tree."""

    def make(base: Base, random_: random.Random) -> Mutation | None:
        name = random_.choice(list(base.trees))
        tree = base.trees[name].record
        node = random_.choice(list(tree.nodes))
        branches = tree.nodes[node].branches
        index = random_.randrange(len(branches))
        spoilt = change(branches, index, random_)
        if spoilt is None:
            return None
        nodes = {**tree.nodes, node: replace(tree.nodes[node], branches=spoilt)}
        return what, f"{name}.{node}[{index}]", _set("trees", name, nodes=nodes)

    return make


def _branch_dropped(branches: list[Branch], index: int, random_: random.Random) -> list[Branch]:
    return _without(branches, index)


def _branch_weighed(branches: list[Branch], index: int, random_: random.Random) -> list[Branch] | None:
    if branches[index].cause is None:
        return None
    return [*branches[:index], _other_weight(branches[index], random_), *branches[index + 1 :]]


def _branch_elsewhere(branches: list[Branch], index: int, random_: random.Random) -> list[Branch] | None:
    other = branches[(index + 1) % len(branches)]
    if (other.go, other.cause) == (branches[index].go, branches[index].cause):
        return None
    return [*branches[:index], replace(branches[index], go=other.go, cause=other.cause), *branches[index + 1 :]]


def _row_without_key(base: Base, random_: random.Random) -> Mutation:
    name = random_.choice([n for n, loaded in base.tables.items() if loaded.record.rows])
    table = base.tables[name].record
    index = random_.randrange(len(table.rows))
    rows = [{k: v for k, v in row.items() if i != index or k != table.key} for i, row in enumerate(table.rows)]
    return "key of a row dropped", f"{name}[{index}]", _set("tables", name, rows=rows)


TREE_KINDS: list[Kind] = [
    _of_branch("branch dropped", _branch_dropped),
    _of_branch("branch leads elsewhere", _branch_elsewhere),
    _of_branch("weight of a branch changed", _branch_weighed),
    _row_without_key,
]


def copy_of(base: Base) -> Base:
    """Return a base whose records can be replaced."""
    out = copy.copy(base)
    for kind in ("rules", "causes", "trees", "tables", "facts", "checks"):
        setattr(out, kind, dict(getattr(base, kind)))
    return out


def findings(base: Base, rules: set[str] | None = None) -> set[str]:
    """Return what the check says, without places; patterns and samples of the given rules only."""
    found: list[Finding] = []
    for check in (check_references, check_style, check_closure, check_tables, check_recipes, check_ladder):
        found += list(check(base))
    if rules is not None:
        base = copy_of(base)
        base.rules = {name: loaded for name, loaded in base.rules.items() if name in rules}
    if base.rules:
        found += list(check_patterns(base))
        found += list(check_samples(Corpus(base)))
    return {finding.what for finding in found}


def lost(base: Base) -> set[str]:
    """Return what a base has lost of what `tests/rules/record/` records."""
    return {finding.what for finding in check_record(base)}


def answers(base: Base, cases: list[RecordedCase]) -> list[tuple[str, bool, bool]]:
    """Return what is answered to each case."""
    base.digest = f"mutation-{random.getrandbits(60)}"
    knowledge = Knowledge(compile_base(base))
    given = [answer_case(case, knowledge) for case in cases]
    return [(answer.cause, answer.shows_line, answer.names_fix) for answer in given]


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print each mutation")
    options = parser.parse_args()
    random_ = random.Random(options.seed)
    base = load_base(all_roots())
    cases = read_cases(shipped_cases())
    before, recorded, answered = findings(base, set()), lost(base), None
    noticed: dict[str, Counter[str]] = {}
    start = time.monotonic()
    for kind, name, change in mutations(base, random_):
        if sum(counts.total() for counts in noticed.values()) == options.count:
            break
        spoilt = copy_of(base)
        change(spoilt)
        how = "check" if findings(spoilt, {name}) - before else ""
        how = how or ("record" if lost(spoilt) - recorded else "")
        if not how:
            answered = answered or answers(copy_of(base), cases)
            how = "cases" if answers(spoilt, cases) != answered else MISSED
        noticed.setdefault(kind, Counter())[how] += 1
        if options.show or how == MISSED:
            print(f"{how:<12}{kind}: {name}", flush=True)
    total: Counter[str] = Counter()
    print(f"{'noticed by':<32}{'check':>7}{'record':>7}{'cases':>7}{'none':>7}")
    for kind, counts in sorted(noticed.items()):
        total += counts
        print(f"{kind:<32}" + "".join(f"{counts[how]:>7}" for how in ("check", "record", "cases", MISSED)))
    share = 1 - total[MISSED] / max(1, total.total())
    means = ", ".join(f"{count} by {how}" for how, count in total.most_common() if how != MISSED)
    print(f"noticed: {share:.1%} of {total.total()} mutations ({means}) in {time.monotonic() - start:.0f} s")
    return 0 if share >= 0.95 else 1


if __name__ == "__main__":
    sys.exit(main())
