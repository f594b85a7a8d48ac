"""A report as Markdown, to paste into a bug report."""

from __future__ import annotations

from triage.redact import redact
from triage.report.words import risk_word
from triage.result import Evidence, Fix, Hypothesis, Report

FENCES = {"shell": "sh", "python": "python", "config": "text"}


def report_to_markdown(report: Report) -> str:
    """Return the report as GitHub-flavoured Markdown; log text stands in code fences only."""
    info = report.input
    out = [f"## triage: {_code(redact(info.name))}", ""]
    versions = f"triage {report.version}, knowledge {report.knowledge}"
    out.append(f"{info.lines:,} lines, {info.bytes:,} bytes, {info.encoding}; {versions}")
    if report.outcome == "healthy":
        out += ["", "No fault found."]
    if report.outcome == "unknown":
        out += ["", "A fault was found, but not its cause."]
        if report.anchor is not None:
            out += ["", f"Read first, line {report.anchor.line}:", *_fence(report.anchor.text)]
            if report.anchor.search:
                out += ["", f"Search for: {_code(redact(report.anchor.search))}"]
    for rank, hypothesis in enumerate(report.hypotheses, 1):
        out += ["", *_hypothesis(rank, hypothesis)]
    if report.tells_apart:
        out += ["", "### What would tell them apart", ""]
        out += [f"- {_plain(q.question)} ({', '.join(q.between)})" for q in report.tells_apart]
    if report.facts:
        out += ["", "<details><summary>Facts</summary>", ""]
        out += _fence("\n".join(f"{name} = {value}" for name, value in sorted(report.facts.items())))
        out += ["", "</details>"]
    out += [f"\n> {_plain(note)}" for note in report.notes]
    return "\n".join(out) + "\n"


def _hypothesis(rank: int, hypothesis: Hypothesis) -> list[str]:
    out = [f"### {rank}. {_plain(hypothesis.title)} ({hypothesis.confidence:.0%})", "", f"`{hypothesis.id}`", ""]
    for title, wanted in (("Proof", True), ("Against", False)):
        chosen = [e for e in hypothesis.evidence if e.for_ is wanted]
        if chosen:
            out += [f"**{title}**", *_fence("\n".join(map(_evidence, chosen))), ""]
    out += [_plain(hypothesis.explanation)]
    for fix in hypothesis.fix if rank == 1 else hypothesis.fix[:1]:
        out += ["", *_fix(fix)]
    return out


def _fix(fix: Fix) -> list[str]:
    out = [f"**Fix: {_plain(fix.title)}** ({risk_word(fix.risk, 'en')})", ""]
    for number, step in enumerate(fix.steps, 1):
        out.append(f"{number}. {_plain(redact(step.text))}")
        if step.command:
            out += [f"   {line}" for line in _fence(step.command, FENCES[step.language])]
    out += ["", f"Check: {_plain(redact(fix.check.text))}"]
    if fix.check.command:
        out += _fence(fix.check.command, FENCES[fix.check.language])
    if fix.undo:
        out += ["", f"Undo: {_plain(fix.undo)}"]
    return out


def _evidence(evidence: Evidence) -> str:
    if evidence.source == "log" and evidence.rule:
        stream = f" [{evidence.stream}]" if evidence.stream else ""
        return f"line {evidence.line}{stream}: {evidence.text.strip()}"
    return f"{evidence.text} [{evidence.source} {evidence.probe}".rstrip() + "]"


def _fence(text: str, language: str = "text") -> list[str]:
    text = redact(text)
    longest = max((len(run) for run in _runs(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", *text.splitlines(), fence]


def _runs(text: str) -> list[str]:
    return ["`" * len(part) for part in "".join(c if c == "`" else " " for c in text).split()]


def _code(text: str) -> str:
    ticks = "`" * (max((len(run) for run in _runs(text)), default=0) + 1)
    return f"{ticks} {text} {ticks}" if "`" in text else f"{ticks}{text}{ticks}"


def _plain(text: str) -> str:
    """Escape what Markdown or HTML would take for markup."""
    return "".join("\\" + c if c in "\\`*_[]<>#|" else c for c in text)
