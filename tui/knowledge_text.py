"""Causes and rules as pages to read."""

from __future__ import annotations

from textual.content import Content

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Rule

from .text import ACCENT, BAD, COMMAND, GOOD, MUTED, STRONG, block, command_rows, row, safe
from .words import Words


def cause_page(knowledge: Knowledge, name: str, words: Words) -> Content:
    """Return the page of a cause; templates are shown as they are written."""
    cause = knowledge.page(name)
    about = f"{cause.id}   {cause.status}   {knowledge.origin('cause', name)}"
    rows = [row((safe(words.of(cause.title)), BAD)), row((about, MUTED)), Content("")]
    rows.append(block(words.of(cause.explanation)))
    if cause.seen_as:
        rows.append(row(("\n" + words("seen-as"), ACCENT)))
        for seen in cause.seen_as:
            for rule in [seen.rule] if isinstance(seen.rule, str) else seen.rule:
                says = knowledge.rules_by_id[rule].says if rule in knowledge.rules_by_id else ""
                rows.append(row(f"- {safe(rule)} ", (f"({words.weight(seen.weight)})  ", MUTED), safe(words.of(says))))
    for title, arguments in (("speaks-for", cause.arguments_for), ("speaks-against", cause.arguments_against)):
        if arguments:
            rows.append(row(("\n" + words(title), ACCENT)))
            rows += [row(f"- {safe(words.of(a.because))} ", (f"({words.weight(a.weight)})", MUTED)) for a in arguments]
    for recipe in cause.recipes:
        title = safe(words.of(recipe.title))
        rows.append(row((f"\n{words('fix')}  ", ACCENT), (title, GOOD), f"  ({words.risk(recipe.risk)})"))
        for number, step in enumerate(recipe.steps, 1):
            rows.append(row(f"{number}. ", safe(words.of(step.text))))
            rows += command_rows(step.command, step.language)
        rows.append(row((f"   {words('check')}: ", MUTED), safe(words.of(recipe.check.text))))
    if cause.neighbours:
        rows.append(row(("\n" + words("looks-alike"), ACCENT)))
        rows += [row(f"- {safe(n.cause)}: ", (safe(words.of(n.by)), MUTED)) for n in cause.neighbours]
    if cause.leads_to:
        rows.append(row((f"\n{words('leads')}  ", ACCENT), safe(", ".join(cause.leads_to))))
    rows += [row((f"- {safe(link)}", MUTED)) for link in cause.references]
    return Content("\n").join(rows)


def rule_page(knowledge: Knowledge, rule: Rule, words: Words) -> Content:
    """Return a rule with its samples and near misses."""
    origin = knowledge.origin("rule", rule.id)
    about = words("rule-about", role=rule.role, where=rule.where, status=rule.status)
    rows = [row((safe(words.of(rule.says)), STRONG)), row((f"{rule.id}   {about}   {origin}", MUTED)),
            row((f"\n{words('pattern')}\n", ACCENT), (safe(rule.pattern), COMMAND))]  # fmt: skip
    for title, texts in (("must-match", [s.text for s in rule.samples]), ("must-not-match", rule.near_misses)):
        if texts:
            rows.append(row(("\n" + words(title), ACCENT)))
            rows += [block("- " + text) for text in texts]
    if rule.captures:
        rows.append(row(("\n" + words("captures"), ACCENT)))
        rows += [
            row(f"- {name}: {c.type}", (f"  fact {c.fact}" if c.fact else "", MUTED))
            for name, c in rule.captures.items()
        ]
    causes = knowledge.causes_by_rule.get(rule.id, ())
    if causes:
        rows.append(row((f"\n{words('rule-for')}  ", ACCENT), safe(", ".join(causes))))
    rows.append(row(("\n" + words("source", source=safe(rule.source)), MUTED)))
    return Content("\n").join(rows)
