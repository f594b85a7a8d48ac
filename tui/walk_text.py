"""What the walk-through says beside its question."""

from __future__ import annotations

from textual.content import Content

from triage.reason.book import FactValue
from triage.reason.walkthrough import Ask, facts_in

from .desk import Desk
from .text import ACCENT, MUTED, STRONG, bar, row, safe
from .words import Words

MOST = 6


def describe_value(value: FactValue, words: Words) -> str:
    """Return a fact's value in words."""
    if value is None or value == []:
        return words("none")
    if isinstance(value, bool):
        return words("yes" if value else "no")
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def about_known(desk: Desk, ask: Ask | None, words: Words) -> Content:
    """Return what the tool already knows that bears on a question."""
    case = desk.case
    if ask is None or case is None:
        return Content("")
    rows = []
    if ask.tree is not None:
        names = [name for branch in ask.tree.nodes[ask.node].branches for name in facts_in(branch.when)]
        for name in dict.fromkeys(names):
            for known in case.facts.matching(name)[:3]:
                label = safe(words.of(desk.knowledge.facts.label(known.name)))
                value = safe(describe_value(known.value, words), 160)
                rows.append(row(f"- {label}: ", (value, STRONG), (f"  [{words.source(known.source)}]", MUTED)))
    seen = list(dict.fromkeys(safe(words.of(o.rule.says)) for o in case.observations if o.rule.role == "fault"))
    rows += [row("- " + words("known-from-log", text=text)) for text in seen[:4]]
    probe = desk.probes.get(ask.probe) if ask.probe else None
    if probe is not None:
        rows.append(row("- " + words("probe-silent", probe=probe.name, status=words(f"state-{probe.status}"))))
    if not rows:
        return row((f"\n{words('known')}  ", MUTED), words("known-nothing"))
    return Content("\n").join([row(("\n" + words("known-already"), MUTED)), *rows])


def about_standing(desk: Desk, words: Words) -> Content:
    """Return the causes still possible, as bars."""
    rows = [row((words("hypotheses"), MUTED))]
    standing = [(cause, share) for cause, share in desk.standing() if share >= 0.08]
    for cause, share in standing[:MOST]:
        title = safe(words.of(desk.knowledge.causes[cause].title), 90)
        rows.append(row((bar(share), ACCENT), (f" {share:4.0%} ", STRONG), title))
    if not standing:
        rows.append(row((words("none-yet"), MUTED)))
    if len(standing) > MOST:
        rows.append(row((words("and-more", count=len(standing) - MOST), MUTED)))
    return Content("\n").join(rows)


def about_path(desk: Desk, words: Words) -> Content:
    """Return the way so far: what the engine knew, then what the person answered."""
    rows = []
    report = desk.report()
    answered = {choice.question for choice in desk.choices}
    open_ = {words.of(ask.question) for ask in desk.questions()}
    for step in report.hypotheses[0].path if report.hypotheses else ():
        if step.question not in answered:
            state = "open" if step.question in open_ else "known"
            answer = "" if state == "open" else safe(step.answer)
            rows.append(row(f"- {safe(step.question)} ", (answer, STRONG), (f"  [{words(f'state-{state}')}]", MUTED)))
    for choice in desk.choices:
        rows.append(
            row(f"- {safe(choice.question)} ", (safe(choice.answer), STRONG), (f"  [{words('state-you')}]", MUTED))
        )
    none = [row((words("nothing-answered"), MUTED))]
    return Content("\n").join([row(("\n" + words("path"), MUTED)), *(rows or none)])
