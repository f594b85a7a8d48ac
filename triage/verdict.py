"""Turn a ranking into what people read: hypotheses with proof and recipes, the outcome, the anchor of an unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from triage.knowledge.base import Knowledge
from triage.language import say
from triage.lazy import lazy_pattern
from triage.match.observe import Observation, ReadLog
from triage.reason.book import Known
from triage.reason.evaluate import Context
from triage.reason.incident import Incident
from triage.reason.rank import FOR, Candidate, FactEvidence, Ranking
from triage.recipe import Renderer, human_bytes, render_fixes
from triage.redact import redact
from triage.result import Anchor, Evidence, Hypothesis, Outcome, PathStep
from triage.sanitize import clean_text, cut_around

SURE = 0.5
"""Confidence from which a hypothesis is an answer."""
MOST_LINES = 8
SHOWN = 0.12
"""Hypotheses below this are not reported."""


def hypotheses_of(
    ranking: Ranking, knowledge: Knowledge, context: Context, top: int, language: str
) -> tuple[Hypothesis, ...]:
    """Return the best `top` causes with their proof and rendered recipes."""
    chosen = [c for c in ranking.candidates if c.confidence >= SHOWN][:top]
    return tuple(_hypothesis(c, knowledge, context, language) for c in chosen)


EXCEPTION = "traceback"
"""Stands for a rule's id on the line that ends a traceback in which a proof stands."""


def with_exceptions(hypothesis: Hypothesis, log: ReadLog) -> Hypothesis:
    """Add to the proof the last line of each exception in whose traceback a proof stands, two at most."""
    shown = {(e.stream, e.line) for e in hypothesis.evidence if e.rule and e.line is not None}
    added: list[Evidence] = []
    for traceback in log.tracebacks:
        place = (traceback.stream, traceback.exception_line)
        inside = any(s == place[0] and traceback.first_line <= (n or 0) <= traceback.last_line for s, n in shown)
        if traceback.type and inside and place not in shown and len(added) < 2:
            line = next((x for x in log.lines if x.number == place[1] and x.stream == place[0]), None)
            if line is not None:
                text = clean_text(line.raw)
                added.append(Evidence(True, "log", text, rule=EXCEPTION, line=place[1], stream=place[0]))
    lines = [e for e in hypothesis.evidence if e.rule]
    others = [e for e in hypothesis.evidence if not e.rule]
    return replace(hypothesis, evidence=(*lines, *added, *others)) if added else hypothesis


def _hypothesis(candidate: Candidate, knowledge: Knowledge, context: Context, language: str) -> Hypothesis:
    page = knowledge.page(candidate.cause.id)
    renderer = Renderer(knowledge, knowledge.templates(page.id), context, _captures(candidate), language)
    path = next((s.path for s in candidate.supports if s.path), ())
    return Hypothesis(
        id=page.id,
        title=say(page.title, language),
        confidence=round(candidate.confidence, 3),
        explanation=renderer.text(page.explanation) or "",
        evidence=(*_lines(candidate), *_facts(candidate.facts, knowledge, language)),
        path=tuple(PathStep(a.tree, say(a.question, language), say(a.answer, language)) for a in path),
        fix=render_fixes(page, renderer, context),
        leads_to=tuple(page.leads_to),
        explained_by=candidate.explained_by,
        status=page.status,
        origin=knowledge.origin("cause", page.id),
    )


def _captures(candidate: Candidate) -> dict[str, str]:
    """Return the captures of all supporting observations; the strongest and earliest word counts."""
    out: dict[str, str] = {}
    for support in sorted(candidate.supports, key=lambda s: -FOR[s.weight]):
        if support.observation is not None:
            for name, value in support.observation.captures.items():
                out.setdefault(name, value)
    return out


def _lines(candidate: Candidate) -> list[Evidence]:
    out: dict[tuple[int, str], Evidence] = {}
    ordered = sorted(
        (s for s in candidate.supports if s.observation is not None),
        key=lambda s: (-FOR[s.weight], s.observation.index if s.observation else 0),
    )
    for support in ordered:
        observation = support.observation
        if observation is None:
            continue
        for number, text in ((observation.line, observation.text), *observation.more):
            if (number, text) not in out and len(out) < MOST_LINES:  # a JSON record may hold several lines
                out[number, text] = _line(observation, number, text)
    return list(out.values())


def _line(observation: Observation, number: int, text: str) -> Evidence:
    start, end = (observation.start, observation.start + observation.span) if number == observation.line else (0, 0)
    shown, at = cut_around(text, start, end)
    return Evidence(
        for_=True,
        source="log",
        text=clean_text(shown),
        at=at,
        rule=observation.rule.id,
        line=number,
        stream=observation.stream,
        count=observation.count,
    )


def _facts(facts: Sequence[FactEvidence], knowledge: Knowledge, language: str) -> list[Evidence]:
    out: dict[tuple[bool, str], Evidence] = {}
    for evidence in facts:
        because = say(evidence.because, language) if evidence.because else ""
        said = False  # several facts of one argument: its words stand with the first
        for known in evidence.known:
            if known.source == "log" and known.line is None and not because:
                continue
            shown = f"{say(knowledge.facts.label(known.name), language)}: {_value(known, knowledge)}"
            item = Evidence(
                for_=evidence.for_,
                source=known.source,
                text=f"{because} ({shown})" if because and not said else shown,
                line=known.line,
                probe=known.detail if known.source == "probe" else "",
                fact=known.name,
                value=known.value,
            )
            key = (evidence.for_, known.name)
            if key not in out or (because and "(" not in out[key].text):
                out[key], said = item, True
    return list(out.values())


def _value(known: Known, knowledge: Knowledge) -> str:
    if known.value is None:
        return "none"
    if isinstance(known.value, list):
        return clean_text(", ".join(map(str, known.value)), 300)
    record = knowledge.facts.find(known.name)
    if record is not None and record.type == "bytes":
        return human_bytes(known.value)
    return clean_text(str(known.value), 300)


def outcome_of(
    hypotheses: Sequence[Hypothesis], log: ReadLog, observations: Sequence[Observation], incident: Incident
) -> Outcome:
    """Return whether a cause was found, a fault without its cause, or nothing wrong."""
    if hypotheses and hypotheses[0].confidence >= SURE:
        return "cause"
    if incident.ends_well and not any(t.frames for t in log.tracebacks):
        return "healthy"
    broken = bool(log.tracebacks or log.endings or log.natives) or any(
        o.rule.role in ("fault", "consequence") for o in observations
    )
    broken = broken or any(line.level in ("ERROR", "FATAL") for line in log.lines)
    return "unknown" if broken else "healthy"


_NUMBERS = lazy_pattern(r"0x[0-9a-fA-F]+|\b\d[\d.,]*\b|'[^']{0,60}/[^']*'|\"[^\"]{0,60}/[^\"]*\"|/[\w./-]+")


def anchor_of(log: ReadLog, incident: Incident) -> Anchor | None:
    """Return the line to read first in a log whose cause is unknown."""
    root = incident.root
    if root is not None:
        line = next((x for x in log.lines if x.number == root.exception_line and x.stream == root.stream), None)
        shown = line.raw if line is not None else f"{root.type}: {root.message}"
        raised = root.frames[-1] if root.frames else None
        message = root.message.split("\n", 1)[0]
        return Anchor(
            line=root.exception_line,
            text=clean_text(shown),
            stream=root.stream,
            error_type=root.type,
            raised_in=raised.owner if raised else "",
            call=f"{raised.file}:{raised.line} in {raised.function}" if raised else "",
            search=_search_string(root.type.rsplit(".", 1)[-1], message, raised.owner if raised else ""),
        )
    if incident.ending is not None:
        line = next((x for x in log.lines if x.number == incident.ending.line), None)
        return Anchor(incident.ending.line, clean_text(line.raw if line else incident.ending.value))
    wrong = next((x for x in log.lines if x.level in ("FATAL", "ERROR")), None)
    return Anchor(wrong.number, clean_text(wrong.raw), wrong.stream) if wrong else None


def _search_string(kind: str, message: str, owner: str) -> str:
    # masked first: what is cut out below would hide a secret's form from the report's own masking
    fixed = " ".join(_NUMBERS.sub(" ", redact(message)).split())
    package = owner.partition(":")[2]
    return clean_text(f"{package} {kind} {fixed}".strip(), 160)
