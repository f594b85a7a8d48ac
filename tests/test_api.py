"""The package as a library: `triage.diagnose` and `triage.explain`."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

import triage

EXAMPLE = Path(__file__).parents[1] / "examples" / "torchrun-flash-attn.log"


def test_a_file_a_path_and_its_text_give_the_same_answer_again_and_again() -> None:
    reports = [triage.diagnose(str(EXAMPLE)), triage.diagnose(EXAMPLE), triage.diagnose(EXAMPLE.read_text())]
    assert {report.hypotheses[0].id for report in reports} == {"abi.cxx11_abi"}
    assert reports[0] == reports[1]
    assert reports[2].input.name == "<text>"


def test_the_name_of_a_file_that_is_not_there_is_an_error_and_no_healthy_log() -> None:
    with pytest.raises(triage.TriageError, match=r"no file runs/eror\.log"):
        triage.diagnose("runs/eror.log")
    assert triage.diagnose("all is well").outcome == "healthy"


def test_results_are_frozen_dataclasses() -> None:
    report = triage.diagnose(EXAMPLE)
    assert dataclasses.is_dataclass(report)
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.outcome = "healthy"  # type: ignore[misc]


def test_facts_given_by_a_person_count() -> None:
    report = triage.diagnose(EXAMPLE, {"torch.version": "2.7.0+cu128"})
    assert report.facts["torch.version"] == "2.7.0+cu128"


def test_explain_gives_the_record_of_a_cause() -> None:
    page = triage.explain("memory.gpu_oom")
    assert page.recipes
    with pytest.raises(triage.TriageError, match=r"no cause"):
        triage.explain("memory.no_such_thing")


def test_importing_triage_imports_nothing_heavy() -> None:
    code = "import sys, triage; print([m for m in ('torch', 'rich', 'textual', 'jinja2', 'yaml') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=EXAMPLE.parents[1])
    assert done.stdout.strip() == "[]"
