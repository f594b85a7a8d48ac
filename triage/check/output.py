"""Findings for people, programs, GitHub annotations and SARIF viewers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from triage.check.finding import Finding
from triage.sanitize import clean_text
from triage.version import VERSION

FORMATS = ("text", "json", "github", "sarif")

ABOUT = {
    "format": "YAML and its schema",
    "references": "names that refer to something that is there",
    "style": "ids, both languages, sources",
    "closure": "each cause has all its parts, each rule is of use",
    "tables": "rows, keys, columns and sources",
    "recipes": "templates that can be rendered, commands that can be run",
    "patterns": "expressions that are valid and safe",
    "samples": "samples match, near misses do not",
    "overlap": "rules that get in each other's way",
    "healthy": "silence on healthy logs",
    "status": "a status that is earned",
    "record": "nothing that is recorded is lost by accident",
}
"""Each check, in a few words."""


def show_findings(findings: Sequence[Finding], form: str) -> str:
    """Return findings in one of `FORMATS`; empty for text and github if there are none."""
    if form == "json":
        return json.dumps([_plain(finding) for finding in findings], ensure_ascii=False, indent=1)
    if form == "sarif":
        return json.dumps(_sarif(findings), ensure_ascii=False, indent=1)
    if form == "github":
        return "\n".join(_annotation(finding) for finding in findings)
    return "\n".join(clean_text(str(finding)) for finding in findings)


def _plain(finding: Finding) -> dict[str, Any]:
    return {
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "level": finding.level,
        "check": finding.check,
        "what": finding.what,
        "fix": finding.fix,
    }


def _annotation(finding: Finding) -> str:
    place = f"file={_property(finding.file)},line={finding.line},col={finding.column}"
    text = f"{finding.what}: {finding.fix}" if finding.fix else finding.what
    return f"::{finding.level} {place},title={_property('triage rules check: ' + finding.check)}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return clean_text(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _sarif(findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "triage rules check",
                        "version": VERSION,
                        "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in ABOUT.items()],
                    }
                },
                "results": [_result(finding) for finding in findings],
            }
        ],
    }


def _result(finding: Finding) -> dict[str, Any]:
    region = {"startLine": finding.line, "startColumn": finding.column}
    return {
        "ruleId": finding.check or "format",
        "level": finding.level,
        "message": {"text": f"{finding.what}: {finding.fix}" if finding.fix else finding.what},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": finding.file}, "region": region}}],
    }
