"""Causes and rules as pages to read."""

from __future__ import annotations

from textual.content import Content

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Rule
from triage.language import say
from triage.report.words import risk_word
from triage.result import Report

from .text import ACCENT, BAD, COMMAND, GOOD, MUTED, STRONG, block, command_rows, row, safe


def cause_page(knowledge: Knowledge, name: str, language: str) -> Content:
    """Return the page of a cause; templates are shown as they are written."""
    cause = knowledge.page(name)
    about = f"{cause.id}   {cause.status}   {knowledge.origin('cause', name)}"
    rows = [row((safe(say(cause.title, language)), BAD)), row((about, MUTED)), Content("")]
    rows.append(block(say(cause.explanation, language)))
    if cause.seen_as:
        rows.append(row(("\nSeen as", ACCENT)))
        for seen in cause.seen_as:
            for rule in [seen.rule] if isinstance(seen.rule, str) else seen.rule:
                says = knowledge.rules_by_id[rule].says if rule in knowledge.rules_by_id else ""
                rows.append(row(f"- {safe(rule)} ", (f"({seen.weight})  ", MUTED), safe(say(says, language))))
    for title, arguments in (("Speaks for it", cause.arguments_for), ("Speaks against it", cause.arguments_against)):
        if arguments:
            rows.append(row((f"\n{title}", ACCENT)))
            rows += [row(f"- {safe(say(a.because, language))} ", (f"({a.weight})", MUTED)) for a in arguments]
    for recipe in cause.recipes:
        rows.append(
            row(
                ("\nFix  ", ACCENT),
                (safe(say(recipe.title, language)), GOOD),
                f"  ({risk_word(recipe.risk, language)})",
            )
        )
        for number, step in enumerate(recipe.steps, 1):
            rows.append(row(f"{number}. ", safe(say(step.text, language))))
            rows += command_rows(step.command, step.language)
        rows.append(row(("   check: ", MUTED), safe(say(recipe.check.text, language))))
    if cause.neighbours:
        rows.append(row(("\nLooks alike", ACCENT)))
        rows += [row(f"- {safe(n.cause)}: ", (safe(say(n.by, language)), MUTED)) for n in cause.neighbours]
    if cause.leads_to:
        rows.append(row(("\nLeads to  ", ACCENT), safe(", ".join(cause.leads_to))))
    rows += [row((f"- {safe(link)}", MUTED)) for link in cause.references]
    return Content("\n").join(rows)


def rule_page(knowledge: Knowledge, rule: Rule, language: str) -> Content:
    """Return a rule with its samples and near misses."""
    origin = knowledge.origin("rule", rule.id)
    rows = [row((safe(say(rule.says, language)), STRONG)),
            row((f"{rule.id}   {rule.role}, stands in: {rule.where}, {rule.status}   {origin}", MUTED)),
            row(("\nPattern\n", ACCENT), (safe(rule.pattern), COMMAND))]  # fmt: skip
    for title, texts in (("Must match", [s.text for s in rule.samples]), ("Must not match", rule.near_misses)):
        if texts:
            rows.append(row((f"\n{title}", ACCENT)))
            rows += [block("- " + text) for text in texts]
    if rule.captures:
        rows.append(row(("\nCaptures", ACCENT)))
        rows += [
            row(f"- {name}: {c.type}", (f"  fact {c.fact}" if c.fact else "", MUTED))
            for name, c in rule.captures.items()
        ]
    causes = knowledge.causes_by_rule.get(rule.id, ())
    if causes:
        rows.append(row(("\nSpeaks for  ", ACCENT), safe(", ".join(causes))))
    rows.append(row((f"\nsource: {safe(rule.source)}", MUTED)))
    return Content("\n").join(rows)


def new_rule(report: Report | None) -> str:
    """Return a rule to start from, with the line of an unknown log as its sample."""
    anchor = report.anchor if report else None
    text = safe(anchor.text if anchor else "paste the line here", 400).strip()
    quoted = "'" + text.replace("'", "''") + "'"
    fixed = safe(anchor.search if anchor and anchor.search else text, 120).replace("'", "''")
    return "\n".join((
        "family: mine", "rules:", "  - id: mine-give-it-a-name", "    says: what the line means, in a few words",
        f"    pattern: '{_escape(fixed)}'   # keep four or more fixed characters, put changing parts into groups",
        "    where: any", "    role: fault", "    status: experimental", "    source: 'observed: program and version'",
        "    samples:", f"      - text: {quoted}", "    near_misses: []",
    ))  # fmt: skip


def _escape(text: str) -> str:
    return "".join("\\" + char if char in r"\.^$*+?{}[]|()" else char for char in text)
