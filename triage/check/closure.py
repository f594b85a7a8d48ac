"""Nothing is left over: each cause has all its parts and a way to it, each rule is of use."""

from __future__ import annotations

from collections.abc import Iterator

from triage.check.finding import Finding, at
from triage.check.mentions import Mentions, collect_mentions
from triage.check.situations import without_recipe
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Cause, Rule, Table, Text

SHORTEST = 80
"""Characters of an explanation that explains something."""


def check_closure(base: Base) -> Iterator[Finding]:
    """Yield a finding for each cause without a part, and each rule or table without a use."""
    mentions = collect_mentions(base)
    for cause in base.causes.values():
        yield from _cause(base, mentions, cause)
    for rule in base.rules.values():
        yield from _rule(mentions, rule)
    for table in base.tables.values():
        yield from _table(mentions, table)


def _cause(base: Base, mentions: Mentions, loaded: Loaded[Cause]) -> Iterator[Finding]:
    cause = loaded.record
    if len(_english(cause.explanation)) < SHORTEST:
        what = f"{cause.id}: the explanation is shorter than {SHORTEST} characters"
        yield at(loaded, ("explanation",), what, "say what happened, why, and in which order")
    if not cause.recipes:
        yield at(loaded, ("recipes",), f"{cause.id} has no recipe", "say how to fix it")
    for index, recipe in enumerate(cause.recipes):
        if not recipe.steps:
            yield at(loaded, ("recipes", index, "steps"), f"{cause.id}: this recipe has no step", "say what to do")
        if recipe.risk == "data" and recipe.undo is None:
            what = f"{cause.id}: this recipe may lose data and does not say how to go back"
            yield at(loaded, ("recipes", index), what, "add undo", "warning")
    trees = mentions.tree_causes.get(cause.id, [])
    bare = without_recipe(cause, bool(trees))
    if bare:
        what = f"{cause.id}: no recipe applies where {bare}"
        yield at(loaded, ("recipes",), what, "add a recipe for it, or one without `when`", "warning")
    if not cause.seen_as and not trees:
        fix = "add seen_as, or a branch of a tree"
        yield at(loaded, ("id",), f"no observation and no tree leads to {cause.id}", fix)
    named = [rule for seen in cause.seen_as for rule in ([seen.rule] if isinstance(seen.rule, str) else seen.rule)]
    named += [rule for tree in trees for rule in sorted(mentions.tree_rules[tree])]
    known = [base.rules[name].record for name in named if name in base.rules]
    if (cause.seen_as or trees) and not any(rule.samples and rule.near_misses for rule in known):
        fix = "give a rule that leads to it a sample and a near miss"
        yield at(loaded, ("id",), f"no rule with samples leads to {cause.id}", fix)
    once = [r for s in cause.seen_as if s.when is None for r in ([s.rule] if isinstance(s.rule, str) else s.rule)]
    for rule_id in sorted({rule for rule in once if once.count(rule) > 1}):
        yield at(loaded, ("seen_as",), f"{cause.id} names the rule {rule_id} twice", "keep the stronger", "warning")


def _rule(mentions: Mentions, loaded: Loaded[Rule]) -> Iterator[Finding]:
    rule = loaded.record
    used = rule.id in mentions.seen_as or rule.id in mentions.tested
    tells = bool(rule.sets) or any(capture.fact is not None for capture in rule.captures.values())
    if rule.role == "fault" and not used and not tells:
        what = f"the fault rule {rule.id} leads to no cause"
        yield at(loaded, ("id",), what, "name it in seen_as of a cause or in a tree, or give it another role")
    if rule.role == "benign" and rule.id in mentions.seen_as:
        causes = ", ".join(mentions.seen_as[rule.id])
        yield at(loaded, ("role",), f"{rule.id} is benign and yet speaks for {causes}", "choose one", "warning")


def _table(mentions: Mentions, loaded: Loaded[Table]) -> Iterator[Finding]:
    table = loaded.record
    used = table.table in mentions.tables
    if used is ("explain" in table.for_):
        what = f"nothing looks anything up in the table {table.table}"
        fix = "use it in a test, a template or a derived fact, or say `for: [explain]` if only people read it"
        if used:
            what, fix = f"the table {table.table} is used, and yet called one for people only", "remove `for`"
        yield at(loaded, ("table",), what, fix)


def _english(text: Text) -> str:
    return text if isinstance(text, str) else text.en
