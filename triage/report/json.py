"""A report as JSON, schema 1."""

from __future__ import annotations

from typing import Any

import msgspec

from triage.redact import redact_value
from triage.result import Anchor, Evidence, Fix, FixStep, Hypothesis, ProbeResult, Report

SCHEMA = 1


def report_to_json(report: Report, indent: int | None = 2) -> str:
    """Return the report as JSON text, secrets redacted."""
    data = redact_value(report_to_dict(report))
    try:
        return msgspec.json.format(msgspec.json.encode(data), indent=indent or 0).decode()
    except UnicodeEncodeError:  # half a character, in the name of a file
        import json

        return json.dumps(data, ensure_ascii=False, indent=indent, allow_nan=False)


def report_to_dict(report: Report) -> dict[str, Any]:
    """Return the report as plain data in the shape of schema 1; keys without a value are left out where optional."""
    info = report.input
    out: dict[str, Any] = {
        "schema": SCHEMA,
        "triage": report.version,
        "knowledge": report.knowledge,
        "input": {
            "name": info.name,
            "bytes": info.bytes,
            "lines": info.lines,
            "encoding": info.encoding,
            "streams": list(info.streams),
        },
        "outcome": report.outcome,
        "hypotheses": [_hypothesis(h) for h in report.hypotheses],
        "tells_apart": [
            {
                "question": q.question,
                "fact": q.fact,
                "probe": q.probe,
                "between": list(q.between),
                **({"why": q.why} if q.why else {}),
                **({"command": q.how} if q.how else {}),
            }
            for q in report.tells_apart
        ],
        "anchor": _anchor(report.anchor) if report.anchor else None,
        "facts": dict(report.facts),
        "probes": [probe_to_dict(probe) for probe in report.probes],
    }
    if info.replaced:
        out["input"]["replaced"] = info.replaced
    if info.partial:
        out["input"]["partial"] = True
    if report.notes:
        out["notes"] = list(report.notes)
    return out


def probe_to_dict(probe: ProbeResult) -> dict[str, Any]:
    """Return how a probe went as plain data."""
    out: dict[str, Any] = {"name": probe.name, "status": probe.status, "seconds": round(probe.seconds, 3)}
    return out | ({"detail": probe.detail} if probe.detail else {})


def _hypothesis(hypothesis: Hypothesis) -> dict[str, Any]:
    out: dict[str, Any] = {
        "id": hypothesis.id,
        "title": hypothesis.title,
        "confidence": hypothesis.confidence,
        "explanation": hypothesis.explanation,
        "evidence": [_evidence(e) for e in hypothesis.evidence],
        "path": [{"tree": p.tree, "question": p.question, "answer": p.answer} for p in hypothesis.path],
        "fix": [fix_to_dict(f) for f in hypothesis.fix],
        "leads_to": list(hypothesis.leads_to),
        "status": hypothesis.status,
        "origin": hypothesis.origin,
    }
    if hypothesis.explained_by:
        out["explained_by"] = hypothesis.explained_by
    return out


def _evidence(evidence: Evidence) -> dict[str, Any]:
    out: dict[str, Any] = {"for": evidence.for_, "source": evidence.source, "text": evidence.text}
    if evidence.source == "log" and evidence.rule:
        out |= {"rule": evidence.rule, "line": evidence.line, "stream": evidence.stream}
        if evidence.count > 1:
            out["count"] = evidence.count
    else:
        out |= {"fact": evidence.fact, "value": evidence.value}
        if evidence.probe:
            out["probe"] = evidence.probe
        if evidence.line is not None:
            out["line"] = evidence.line
    return out


def fix_to_dict(fix: Fix) -> dict[str, Any]:
    """Return a rendered recipe as plain data."""
    check = {k: v for k, v in (("text", fix.check.text), ("command", fix.check.command), ("probe", fix.check.probe),
                               ("fact", fix.check.fact), ("expect", fix.check.expect)) if v is not None}  # fmt: skip
    return {
        "title": fix.title,
        "risk": fix.risk,
        "applies": fix.applies,
        "steps": [_step(step) for step in fix.steps],
        "check": check,
        "undo": fix.undo,
    }


def _step(step: FixStep) -> dict[str, Any]:
    out: dict[str, Any] = {"text": step.text, "command": step.command}
    return out | ({"language": step.language} if step.language != "shell" else {})


def _anchor(anchor: Anchor) -> dict[str, Any]:
    out: dict[str, Any] = {"line": anchor.line, "text": anchor.text}
    for key in ("stream", "error_type", "raised_in", "call", "search"):
        value = getattr(anchor, key)
        if value:
            out[key] = value
    return out
