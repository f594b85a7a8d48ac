"""Nothing that is recorded of the knowledge is lost by accident."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from triage.check.forms import forms_of, still_holds
from triage.check.record import check_record, read_record, record_files, record_of
from triage.cli.rules import command
from triage.knowledge.load import load_base
from triage.knowledge.model import Rule
from triage.knowledge.roots import all_roots

AGAIN = "triage rules record"


def test_everything_recorded_is_still_there() -> None:
    assert [str(finding) for finding in check_record(load_base(all_roots()))] == []


def test_the_record_covers_nearly_everything() -> None:
    now = record_of(load_base(all_roots()))
    recorded = {line for lines in read_record().values() for line in lines}
    missing = [line for line in now if line not in recorded]
    assert len(missing) < 0.02 * len(now), f"record what is new: {AGAIN}"


def test_each_line_stands_in_the_file_of_its_family() -> None:
    files = record_files(load_base(all_roots()))
    assert all(line.startswith(("triton-", "triton.")) for line in files["triton.txt"])
    assert any(line.startswith("cuda-startup.driver: ") for line in files["trees.txt"])
    assert sum(map(len, files.values())) == len(record_of(load_base(all_roots())))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("triage.check.record.record_folder", lambda: tmp_path / "record")
    return tmp_path / "record"


def rule(pattern: str, **more: list[str]) -> Rule:
    return Rule(id="own-x", says="x", pattern=pattern, source="s", samples=[], near_misses=[], **more)


def test_each_alternative_and_each_optional_part_has_a_text() -> None:
    assert forms_of(rule(r"(?:cannot|could not) open (?:the )?volume \d+")) == [
        " = cannot open volume 1",
        " = could not open volume 1",
        " = cannot open the volume 1",
    ]


def test_a_word_that_may_vary_is_marked_and_ends_are_kept() -> None:
    assert forms_of(rule(r"^scratch \w+ is full$", unless=["(?i)warning"])) == [" = ^scratch a is full$"]
    assert forms_of(rule(r"volume (?:[a-z]{1,9} )?\w+name full")) == [" = volume aname full", " = volume a aname full"]


def test_what_a_guard_rules_out_is_kept() -> None:
    guarded = rule("volume is full", unless=["retrying"])
    assert forms_of(guarded) == [" = volume is full", " ! volume is full retrying"]
    assert not still_holds(rule("volume is full"), " ! volume is full retrying")
    assert forms_of(rule("volume(?! is fine) is"))[-1] == " ! volume is fine is"


@pytest.mark.parametrize("pattern", ["volume is full", r"(?:scratch|\w+) volume is full", "scratch volume is"])
def test_a_pattern_that_takes_more_does_not_hold(pattern: str) -> None:
    assert not still_holds(rule(pattern), " = scratch volume is full")


def test_the_record_is_written_anew_and_shows_what_goes(folder: Path) -> None:
    folder.mkdir()
    (folder / "gone.txt").write_text("gone-rule = a text that was taken\n")
    (folder / "triton.txt").write_text("<<<<<<< HEAD\ntriton-x -> triton.y (weak)\n")
    found = [str(finding) for finding in check_record(load_base(all_roots()))]
    assert found[0] == (
        "tests/rules/record/triton.txt:1:1: a merge left its marks in the record: "
        "mend the knowledge files, then write the record anew: triage rules record"
    )
    assert any(text.startswith("tests/rules/record/gone.txt:1:1: gone-rule has lost") for text in found)

    said = CliRunner().invoke(command, ["record"]).output
    assert "tests/rules/record/gone.txt: 0 new, 1 gone\n  gone: gone-rule = a text that was taken\n" in said
    assert not (folder / "gone.txt").exists()
    assert [str(finding) for finding in check_record(load_base(all_roots()))] == []
    assert CliRunner().invoke(command, ["record"]).output == "the record is as it should be\n"


def test_one_more_rule_that_opens_a_tree_or_a_branch_is_no_loss() -> None:
    lines = record_of(load_base(all_roots()))
    opened = [line for line in lines if line.startswith("extension-build enter, when seen ")]
    assert len(opened) > 5
    assert any(line.startswith("extension-build.headers: yes -> ") and "when seen abi-rust" in line for line in lines)
