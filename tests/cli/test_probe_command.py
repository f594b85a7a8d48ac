"""`triage probe`: facts for people, for programs, and for another day."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triage.cli.main import main
from triage.probing.facts_file import load_facts
from triage.probing.run import find_probes

SECRET = "hf_abcdefghijklmnopqrstuvwxyz0123"


def test_the_probes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "--list"]) == 0
    assert capsys.readouterr().out.split() == list(find_probes())


def test_facts_are_printed_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "mps", "visibility"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("mps: ") and any(line.startswith("visibility: ") for line in lines)
    assert any(line.startswith("  env.CUDA_VISIBLE_DEVICES = ") for line in lines)


def test_facts_and_probes_are_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "host", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["facts"]["host.kernel"] and found["probes"][0]["status"] == "ok"


def test_saved_facts_can_be_read_again_and_hold_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_TOKEN", SECRET)
    monkeypatch.setenv("https_proxy", "http://me:secret-word@proxy:3128")
    file = tmp_path / "facts.json"
    assert main(["probe", "host", "network", "huggingface", "--save", str(file)]) == 0
    told = capsys.readouterr()
    assert told.out == "" and f"facts written to {file}" in told.err
    assert SECRET not in file.read_text() and "secret-word" not in file.read_text()
    facts = load_facts(file)
    assert facts["hf.token_present"] is True and facts["host.kernel"]
    assert main(["doctor", "--facts", str(file), "--for", "huggingface"]) in (0, 1, 2)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nonsense"], "There is no probe 'nonsense'; there are: abi, "),
        (["mps", "--python", "/nowhere/python"], "There is no interpreter /nowhere/python on this machine"),
        (["mps", "--via", "no-such-program x"], "--via starts with 'no-such-program', which is no program"),
        (["mps", "--via", "false"], "did not run"),
        (["mps", "--save", "/nowhere/facts.json"], "cannot be written"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert main(["probe", *arguments]) == 2
    told = capsys.readouterr()
    assert sentence in told.err and "Traceback" not in told.err
