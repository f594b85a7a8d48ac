"""How records are written: ids, both languages, sources, dead entries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triage.check.finding import Finding, at
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Bilingual, Cause, Rule, Text

RULE_ID = re.compile(r"[a-z][a-z0-9_]*(?:-[a-z0-9]+)+")
CAUSE_ID = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
LONGEST_TITLE = 140
_CJK = re.compile(r"[\u4e00-\u9fff]")


def check_style(base: Base) -> Iterator[Finding]:
    """Yield a finding for each record that is not written as the others are."""
    for rule in base.rules.values():
        yield from _rule(rule)
    for cause in base.causes.values():
        yield from _cause(cause)
    for tree in base.trees.values():
        if not re.fullmatch(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", tree.record.id):
            yield at(tree, ("id",), f"the id {tree.record.id} is not in kebab case", "lower case words joined by -")
        if not tree.document.file.endswith(f"{tree.record.id}.yaml"):
            yield at(tree, ("id",), f"the tree {tree.record.id} stands in a file of another name", "name it as its id")
    for table in base.tables.values():
        if not table.document.file.endswith(f"{table.record.table}.yaml"):
            what = f"the table {table.record.table} stands in a file of another name"
            yield at(table, ("table",), what, "name it as the table")
    for name, fact in base.facts.items():
        if not re.fullmatch(r"[a-z][\w*-]*(?:\.[\w*-]+)+", name):
            yield at(fact, ("name",), f"the fact {name} is not dotted lower case", "e.g. torch.cuda_version")


def _rule(loaded: Loaded[Rule]) -> Iterator[Finding]:
    rule = loaded.record
    family = str(loaded.document.data.get("family", ""))
    if not RULE_ID.fullmatch(rule.id):
        yield at(
            loaded, ("id",), f"the id {rule.id} is not in kebab case", f"{family}-<words>, lower case, joined by -"
        )
    elif not rule.id.startswith(f"{family}-"):
        fix = f"begin it with {family}-, or move the rule"
        yield at(loaded, ("id",), f"the rule {rule.id} does not belong to the family {family} of this file", fix)
    yield from _both(loaded, ("says",), rule.says)
    if len(rule.source.strip()) < 3:
        yield at(
            loaded, ("source",), f"{rule.id} does not say where its text comes from", "name program and file, or a link"
        )
    for key in ("samples", "near_misses"):
        for index, item in enumerate(getattr(rule, key)):
            text = item if isinstance(item, str) else item.text
            if len(text) > 8000:
                yield at(
                    loaded, (key, index), f"{rule.id}: the text is longer than 8,000 characters", "keep what matters"
                )


def _cause(loaded: Loaded[Cause]) -> Iterator[Finding]:
    cause = loaded.record
    if not CAUSE_ID.fullmatch(cause.id):
        yield at(loaded, ("id",), f"the id {cause.id} is not <family>.<snake_case>", "e.g. cuda.driver_too_old")
    yield from _both(loaded, ("title",), cause.title)
    title = cause.title if isinstance(cause.title, str) else cause.title.en
    if len(title) > LONGEST_TITLE:
        yield at(loaded, ("title",), f"{cause.id}: the title is longer than {LONGEST_TITLE} characters", "say less")
    if cause.id in cause.leads_to:
        yield at(loaded, ("leads_to",), f"{cause.id} leads to itself", "remove it")
    for index, name in enumerate(cause.leads_to):
        if name in cause.leads_to[:index]:
            yield at(loaded, ("leads_to", index), f"{cause.id} leads to {name} twice", "remove one")


def _both(loaded: Loaded[object], path: tuple[str | int, ...], text: Text) -> Iterator[Finding]:
    if not isinstance(text, Bilingual):
        if loaded.layer == "shipped":
            yield at(loaded, path, f"{path[-1]} is in one language", f"{path[-1]}: {{en: ..., zh: ...}}")
        elif not text.strip():
            yield at(loaded, path, f"{path[-1]} is empty", "write it")
        return
    for key in ("en", "zh"):
        if not getattr(text, key).strip():
            yield at(loaded, (*path, key), f"{path[-1]} is empty in {key}", "write it")
    if text.zh.strip() and not _CJK.search(text.zh):
        yield at(loaded, (*path, "zh"), f"the Chinese {path[-1]} has no Chinese in it", "translate it", "warning")
    if _CJK.search(text.en):
        yield at(loaded, (*path, "en"), f"the English {path[-1]} has Chinese in it", "translate it", "warning")
