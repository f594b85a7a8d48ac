"""What the walk-through says beside its question."""

from __future__ import annotations

from textual.content import Content

from triage.language import say
from triage.reason.book import FactValue
from triage.reason.walkthrough import Ask, facts_in

from .desk import Desk
from .text import ACCENT, MUTED, STRONG, bar, row, safe

MOST = 6


def describe_value(value: FactValue) -> str:
    """Return a fact's value in words."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def about_known(desk: Desk, ask: Ask | None, language: str) -> Content:
    """Return what the tool already knows that bears on a question."""
    case = desk.case
    if ask is None or case is None:
        return Content("")
    rows = []
    if ask.tree is not None:
        names = [name for branch in ask.tree.nodes[ask.node].branches for name in facts_in(branch.when)]
        for name in dict.fromkeys(names):
            for known in case.facts.matching(name)[:3]:
                label = safe(say(desk.knowledge.facts.label(known.name), language))
                rows.append(
                    row(
                        f"- {label}: ", (safe(describe_value(known.value), 160), STRONG), (f"  [{known.source}]", MUTED)
                    )
                )
    seen = list(dict.fromkeys(safe(say(o.rule.says, language)) for o in case.observations if o.rule.role == "fault"))
    rows += [row(f"- the log: {text}") for text in seen[:4]]
    probe = desk.probes.get(ask.probe) if ask.probe else None
    if probe is not None:
        rows.append(row(f"- the probe {probe.name} was run ({probe.status}) and did not tell"))
    if not rows:
        return row(("\nKNOWN  ", MUTED), "nothing that answers it")
    return Content("\n").join([row(("\nKNOWN ALREADY", MUTED)), *rows])


def about_standing(desk: Desk, language: str) -> Content:
    """Return the causes still possible, as bars."""
    rows = [row(("HYPOTHESES", MUTED))]
    standing = [(cause, share) for cause, share in desk.standing() if share >= 0.08]
    for cause, share in standing[:MOST]:
        title = safe(say(desk.knowledge.causes[cause].title, language), 90)
        rows.append(row((bar(share), ACCENT), (f" {share:4.0%} ", STRONG), title))
    if not standing:
        rows.append(row(("none yet", MUTED)))
    if len(standing) > MOST:
        rows.append(row((f"and {len(standing) - MOST} more", MUTED)))
    return Content("\n").join(rows)


def about_path(desk: Desk, language: str) -> Content:
    """Return the way so far: what the engine knew, then what the person answered."""
    rows = []
    report = desk.report()
    answered = {choice.question for choice in desk.choices}
    open_ = {say(ask.question, language) for ask in desk.questions()}
    for step in report.hypotheses[0].path if report.hypotheses else ():
        if step.question not in answered:
            state = "open" if step.question in open_ else "known"
            answer = "" if state == "open" else safe(step.answer)
            rows.append(row(f"- {safe(step.question)} ", (answer, STRONG), (f"  [{state}]", MUTED)))
    for choice in desk.choices:
        rows.append(row(f"- {safe(choice.question)} ", (safe(choice.answer), STRONG), ("  [you]", MUTED)))
    return Content("\n").join([row(("\nPATH SO FAR", MUTED)), *(rows or [row(("nothing answered yet", MUTED))])])
