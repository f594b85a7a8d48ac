"""The report with what was answered and run, as files; and a recipe as plain text."""

from __future__ import annotations

import html
import json
from pathlib import Path

from triage.errors import TriageError
from triage.redact import redact, redact_value
from triage.report.json import report_to_dict
from triage.report.markdown import report_to_markdown
from triage.result import Report
from triage.sanitize import clean_text

from .desk import Desk

FORMS = ("json", "markdown", "html", "svg")
ENDINGS = {"json": ".json", "markdown": ".md", "html": ".html", "svg": ".svg"}


def report_as_json(desk: Desk) -> str:
    """Return schema 1 with the answers of the walk-through and the commands that were run added."""
    out = report_to_dict(desk.report())
    out["walk"] = {
        "tree": desk.chosen,
        "answers": [
            {"question": c.question, "answer": c.answer, "fact": c.fact, "value": c.value} for c in desk.choices
        ],
    }
    out["ran"] = [{"command": ran.command, "status": ran.status, "output": ran.output} for ran in desk.ran]
    return json.dumps(redact_value(out), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def report_as_markdown(desk: Desk) -> str:
    """Return the Markdown report, with the output of what was run in code fences."""
    parts = [report_to_markdown(desk.report())]
    for ran in desk.ran:
        said = redact(ran.output)
        fence = "`" * max([3, *(len(line) - len(line.lstrip("`")) + 1 for line in said.splitlines())])
        parts.append(f"\n### Run from the screen\n\n{fence}\n$ {redact(ran.command)}\n{said}\n{fence}\n")
    return "".join(parts)


def report_as_html(desk: Desk) -> str:
    """Return one page without scripts or links; every text is escaped."""
    report = desk.report()
    info = report.input
    size = f"{info.lines:,} lines, {info.bytes:,} bytes"
    body = [f"<h1>triage: {_escape(info.name)}</h1>", f"<p>{size}. Outcome: {report.outcome}.</p>"]
    if report.anchor is not None:
        body.append(f"<p>Read first, line {report.anchor.line}:</p><pre>{_escape(report.anchor.text)}</pre>")
    for rank, h in enumerate(report.hypotheses, 1):
        body.append(f"<h2>{rank}. {_escape(h.title)} ({h.confidence:.0%})</h2><p><code>{_escape(h.id)}</code></p>")
        for name, wanted in (("Proof", True), ("Against", False)):
            found = [f"line {e.line}  {e.text}" if e.line else e.text for e in h.evidence if e.for_ is wanted]
            if found:
                body.append(f"<h3>{name}</h3><pre>{_escape(chr(10).join(found))}</pre>")
        body.append(f"<p>{_escape(h.explanation)}</p>")
        for fix in h.fix[: None if rank == 1 else 1]:
            body.append(f"<h3>Fix: {_escape(fix.title)} (risk: {fix.risk})</h3><ol>")
            body += [f"<li>{_escape(s.text)}{_command(s.command)}</li>" for s in fix.steps]
            body.append(f"</ol><p>Check: {_escape(fix.check.text)}{_command(fix.check.command)}</p>")
    rows = "".join(f"<li>{_escape(note)}</li>" for note in report.notes)
    body.append(f"<h2>Notes</h2><ul>{rows}</ul>" if rows else "")
    body += [f"<h3>Run</h3><pre>$ {_escape(r.command)}\n{_escape(r.output)}</pre>" for r in desk.ran]
    style = "body{max-width:60em;margin:2em auto;font:16px sans-serif}pre{background:#eee;white-space:pre-wrap}"
    head = f'<meta charset="utf-8"><title>triage</title><style>{style}</style>'
    return f"<!doctype html><html><head>{head}</head><body>{''.join(body)}</body></html>\n"


def _escape(text: str) -> str:
    return html.escape("\n".join(clean_text(line) for line in redact(text).split("\n")))


def _command(command: str | None) -> str:
    return f"<pre>{_escape(command)}</pre>" if command else ""


def write_file(path: str, text: str) -> Path:
    """Write UTF-8 text to a new file; raises TriageError in a plain sentence."""
    target = Path(path).expanduser()
    try:
        with open(target, "x", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise TriageError(f"{target} is there already; give another name") from None
    except OSError as error:
        raise TriageError(f"{target} cannot be written: {(error.strerror or str(error)).lower()}") from None
    return target


def recipe_as_text(report: Report, index: int) -> str:
    """Return title, first recipe and check of a hypothesis as plain text; empty if there is none."""
    if index >= len(report.hypotheses) or not report.hypotheses[index].fix:
        return ""
    hypothesis = report.hypotheses[index]
    fix = hypothesis.fix[0]
    out = [f"{hypothesis.title} ({hypothesis.id}, {hypothesis.confidence:.0%})", "", f"{fix.title} (risk: {fix.risk})"]
    for number, step in enumerate(fix.steps, 1):
        out += [f"{number}. {step.text}", *(f"   {line}" for line in (step.command or "").splitlines())]
    out += ["", f"Check: {fix.check.text}", *(f"   {line}" for line in (fix.check.command or "").splitlines())]
    return "\n".join(clean_text(line) for line in redact("\n".join(out)).split("\n"))
