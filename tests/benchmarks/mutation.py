"""Spoil the knowledge in one place after another and see whether the check or the recorded cases notice.

    python tests/benchmarks/mutation.py [--count 60] [--seed 1] [--show]

Each mutation deletes or weakens one rule, branch, recipe or table part in a copy of the knowledge that is only held in
memory. It counts as noticed if `triage rules check` finds an error or a warning that was not there before, or if a
recorded case gets another answer. Prints the share that was noticed, by kind; exit status 1 below 95 %.
"""

from __future__ import annotations

import argparse
import copy
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).parents[2]))

from triage.check.closure import check_closure
from triage.check.corpus import Corpus
from triage.check.ladder import check_ladder
from triage.check.links import lost_links
from triage.check.patterns import check_patterns
from triage.check.recipes import check_recipes
from triage.check.recorded import RecordedCase, answer_case, read_cases, shipped_cases
from triage.check.references import check_references
from triage.check.samples import check_samples
from triage.check.style import check_style
from triage.check.tables import check_tables
from triage.knowledge.base import Knowledge
from triage.knowledge.load import Base, load_base
from triage.knowledge.roots import all_roots
from triage.knowledge.store import compile_base

Mutation = tuple[str, str, Callable[[Base], None]]
"""Kind, what it does, and the change itself."""


def mutations(base: Base, random_: random.Random) -> Iterator[Mutation]:
    """Yield mutations without end, kinds in turn."""
    kinds = [_delete_rule, _weaken_pattern, _loosen_pattern, _drop_capture, _drop_branch, _drop_recipe, _drop_steps,
             _drop_explanation, _drop_seen, _drop_unless, _drop_table_row_key, _drop_sample, _drop_near_miss]  # fmt: skip
    while True:
        for kind in kinds:
            made = kind(base, random_)
            if made is not None:
                yield made


def _rule(base: Base, random_: random.Random, fits: Callable[[Any], bool] = lambda rule: True) -> str:
    return random_.choice([name for name, loaded in base.rules.items() if fits(loaded.record)])


def _set(kind: str, name: str, **values: Any) -> Callable[[Base], None]:
    def change(base: Base) -> None:
        records = getattr(base, kind)
        records[name] = changed(records[name], record=replace(records[name].record, **values))

    return change


def _delete_rule(base: Base, random_: random.Random) -> Mutation:
    name = _rule(base, random_, lambda rule: rule.role == "fault")
    return "rule deleted", name, lambda spoilt: spoilt.rules.pop(name) and None


def _weaken_pattern(base: Base, random_: random.Random) -> Mutation:
    name = _rule(base, random_)
    pattern = base.rules[name].record.pattern
    return "pattern narrowed", name, _set("rules", name, pattern=pattern + " and never this")


def _loosen_pattern(base: Base, random_: random.Random) -> Mutation:
    from triage.match.literals import literals_of

    name = _rule(
        base, random_, lambda rule: not rule.captures and len(literals_of(rule.pattern)) == 1 and not rule.unless
    )
    literal = literals_of(base.rules[name].record.pattern)[0][0].decode("utf-8", "replace")
    half = "".join(f"[{c}]" if c in ".^$*+?{}[]|()" else c for c in literal[: max(4, len(literal) // 2)] if c != "\\")
    return "pattern loosened", name, _set("rules", name, pattern=half)


def _drop_capture(base: Base, random_: random.Random) -> Mutation:
    name = _rule(base, random_, lambda rule: bool(rule.captures))
    return "captures dropped", name, _set("rules", name, captures={})


def _drop_unless(base: Base, random_: random.Random) -> Mutation:
    name = _rule(base, random_, lambda rule: bool(rule.unless))
    return "unless dropped", name, _set("rules", name, unless=[])


def _drop_sample(base: Base, random_: random.Random) -> Mutation:
    name = _rule(base, random_)
    return "samples dropped", name, _set("rules", name, samples=[])


def _drop_near_miss(base: Base, random_: random.Random) -> Mutation:
    name = _rule(base, random_)
    return "near misses dropped", name, _set("rules", name, near_misses=[])


def _drop_branch(base: Base, random_: random.Random) -> Mutation:
    name = random_.choice(list(base.trees))
    tree = base.trees[name].record
    node = random_.choice(list(tree.nodes))
    index = random_.randrange(len(tree.nodes[node].branches))
    nodes = copy.copy(tree.nodes)
    branches = tree.nodes[node].branches
    nodes[node] = replace(tree.nodes[node], branches=branches[:index] + branches[index + 1 :])
    return "branch dropped", f"{name}.{node}[{index}]", _set("trees", name, nodes=nodes)


def _cause(base: Base, random_: random.Random) -> str:
    return random_.choice(list(base.causes))


def _drop_recipe(base: Base, random_: random.Random) -> Mutation:
    name = _cause(base, random_)
    return "recipes dropped", name, _set("causes", name, recipes=[])


def _drop_steps(base: Base, random_: random.Random) -> Mutation:
    name = _cause(base, random_)
    recipes = base.causes[name].record.recipes
    return "steps dropped", name, _set("causes", name, recipes=[replace(recipes[0], steps=[]), *recipes[1:]])


def _drop_explanation(base: Base, random_: random.Random) -> Mutation:
    name = _cause(base, random_)
    return "explanation dropped", name, _set("causes", name, explanation="")


def _drop_seen(base: Base, random_: random.Random) -> Mutation:
    name = random_.choice([n for n, loaded in base.causes.items() if loaded.record.seen_as])
    seen = base.causes[name].record.seen_as
    index = random_.randrange(len(seen))
    return "observation dropped", f"{name}[{index}]", _set("causes", name, seen_as=seen[:index] + seen[index + 1 :])


def _drop_table_row_key(base: Base, random_: random.Random) -> Mutation:
    name = random_.choice([n for n, loaded in base.tables.items() if loaded.record.rows])
    table = base.tables[name].record
    index = random_.randrange(len(table.rows))
    rows = [{k: v for k, v in row.items() if i != index or k != table.key} for i, row in enumerate(table.rows)]
    return "key of a row dropped", f"{name}[{index}]", _set("tables", name, rows=rows)


def copy_of(base: Base) -> Base:
    """Return a base whose records can be replaced."""
    out = copy.copy(base)
    for kind in ("rules", "causes", "trees", "tables", "facts", "checks"):
        setattr(out, kind, dict(getattr(base, kind)))
    return out


def findings(base: Base, rules: set[str] | None = None) -> set[str]:
    """Return what the check says, without places; patterns and samples of the given rules only."""
    found = []
    for check in (check_references, check_style, check_closure, check_tables, check_recipes, check_ladder):
        found += list(check(base))
    if rules is not None:
        base = copy_of(base)
        base.rules = {name: loaded for name, loaded in base.rules.items() if name in rules}
    if base.rules:
        found += list(check_patterns(base))
        found += list(check_samples(Corpus(base)))
    return {f"{finding.what}" for finding in found}


def answers(base: Base, cases: list[RecordedCase]) -> list[tuple[str, bool, bool]]:
    """Return what is answered to each case."""
    base.digest = f"mutation-{random.getrandbits(60)}"
    knowledge = Knowledge(compile_base(base))
    given = [answer_case(case, knowledge) for case in cases]
    return [(answer.cause, answer.shows_line, answer.names_fix) for answer in given]


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print each mutation")
    options = parser.parse_args()
    random_ = random.Random(options.seed)
    base = load_base(all_roots())
    cases = read_cases(shipped_cases())
    lost = lost_links(base)
    before, answered = findings(base, set()), None
    noticed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    start = time.monotonic()
    for kind, name, change in mutations(base, random_):
        if sum(tried.values()) == options.count:
            break
        spoilt = copy_of(base)
        change(spoilt)
        tried[kind] += 1
        how = "check" if findings(spoilt, {name}) - before else ""
        how = how or ("links" if set(lost_links(spoilt)) - set(lost) else "")
        if not how:
            answered = answered or answers(copy_of(base), cases)
            how = "cases" if answers(spoilt, cases) != answered else ""
        noticed[kind] += bool(how)
        if options.show or not how:
            print(f"{how or 'NOT NOTICED':<12}{kind}: {name}", flush=True)
    for kind in tried:
        print(f"{kind:<24}{noticed[kind]:>4} of {tried[kind]}")
    share = sum(noticed.values()) / max(1, sum(tried.values()))
    print(f"noticed: {share:.1%} of {sum(tried.values())} mutations in {time.monotonic() - start:.0f} s")
    return 0 if share >= 0.95 else 1


if __name__ == "__main__":
    sys.exit(main())
