"""`triage rules new` writes files that pass the check, into new and into existing files."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from triage.cli.rules_new import command
from triage.draft.write import Layer
from triage.draft.yaml_text import with_observation
from triage.knowledge.document import parse_document
from triage.knowledge.load import load_base
from triage.knowledge.roots import all_roots

LOG = "loading\nfrobnix.GridError: grid 12x7 does not divide among 5 workers of node 'n017'\n"
SAID = [
    "--id", "own-grid-does-not-divide", "--says", "the grid does not divide", "--says-zh", "网格无法整除",
    "--source", "frobnix 12.4", "--near-miss", "grid 12x7 divides among 4 workers",
]  # fmt: skip


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TRIAGE_RULES", raising=False)
    monkeypatch.setenv("TRIAGE_CONFIG_DIR", str(tmp_path / "none"))
    (tmp_path / "error.log").write_text(LOG)
    return tmp_path


def new(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, ["--from", "error.log", *args], standalone_mode=False)
    return (result.return_value if result.exception is None else -1), result.output + str(result.exception or "")


def test_a_rule_for_an_existing_cause_passes_and_changes_the_answer(alone: Path) -> None:
    status, output = new(*SAID, "--cause", "shape.broadcast", "--weight", "decisive")
    if "no cause" in output or "--title" in output:
        pytest.skip("the cause has another name now")
    assert status == 0, output
    assert "check: passed" in output
    assert "-> shape.broadcast" in output
    cause = yaml.safe_load((alone / ".triage/causes/shape.yaml").read_text(encoding="utf-8"))["causes"][0]
    assert cause["seen_as"][0] == {"rule": "own-grid-does-not-divide", "weight": "decisive"}
    assert len(cause["recipes"]) > 0


def test_what_is_missing_is_named_and_nothing_is_written(alone: Path) -> None:
    status, output = new("--cause", "own.grid", "--says", "x")
    assert status == -1
    assert "--source, --title, --explanation, --fix" in output
    assert not (alone / ".triage").exists()


def test_knowledge_of_your_own_may_be_in_one_language(alone: Path) -> None:
    said = [text for text in SAID if text not in ("--says-zh", "网格无法整除")]
    why = "The grid is cut into equal parts, one for each worker, and its rows do not go into that many parts evenly."
    status, output = new(
        *said, "--cause", "own.grid", "--title", "The grid does not divide", "--explanation", why,
        "--fix", "Take a number of workers that divides the grid", "--check", "the program starts",
    )  # fmt: skip
    assert (status, "check: passed" in output) == (0, True), output
    rule = yaml.safe_load((alone / ".triage/rules/own.yaml").read_text(encoding="utf-8"))["rules"][0]
    assert rule["says"] == "the grid does not divide"


def test_without_a_cause_those_that_fit_are_listed() -> None:
    status, output = new(*SAID)
    assert status == -1
    assert "still to be given: --cause" in output


def test_a_dry_run_shows_the_draft_and_writes_nothing(alone: Path) -> None:
    status, output = new(*SAID, "--cause", "shape.broadcast", "--dry-run")
    if "--title" in output:
        pytest.skip("the cause has another name now")
    assert status == 0, output
    assert "grid (?P<" in output or "grid 12x7" in output
    assert not (alone / ".triage").exists()


def test_a_second_rule_goes_to_the_end_of_the_file(tmp_path: Path) -> None:
    layer = Layer(tmp_path / "layer")
    layer.add("rules", "own", {"id": "own-one", "pattern": "it's 'quoted': yes"})
    layer.add("rules", "own", {"id": "own-two", "pattern": "1.20", "text": "two\nlines"})
    text = layer.texts[tmp_path / "layer/rules/own.yaml"]
    assert parse_document(text, "own.yaml").data["rules"] == [
        {"id": "own-one", "pattern": "it's 'quoted': yes"},
        {"id": "own-two", "pattern": "1.20", "text": "two\nlines"},
    ]


@pytest.mark.parametrize(
    "seen", ["    seen_as:\n      - {rule: a-b, weight: weak}\n", "    seen_as: [{rule: a-b, weight: weak}]\n", ""]
)
def test_an_observation_is_added_to_a_cause_in_its_file(seen: str) -> None:
    text = f"family: own\ncauses:\n  - id: own.x\n    title: t\n    explanation: e\n{seen}    recipes: []\n"
    changed = with_observation(text, parse_document(text, "f"), 0, "own-new", "strong")
    entries = parse_document(changed, "f").data["causes"][0]["seen_as"]
    assert entries[0] == {"rule": "own-new", "weight": "strong"}
    assert len(entries) == (2 if seen else 1)


def test_every_shipped_cause_can_take_another_observation() -> None:
    base = load_base(all_roots())
    files = {loaded.document.file: loaded for loaded in base.causes.values()}
    for loaded in files.values():
        from triage.knowledge.roots import data_folder

        path = data_folder("knowledge_base") / loaded.document.file.removeprefix("knowledge_base/")
        text = path.read_text(encoding="utf-8")
        index = loaded.path[1]
        assert isinstance(index, int)
        changed = with_observation(text, parse_document(text, "f"), index, "own-new", "strong")
        assert parse_document(changed, "f").data["causes"][index]["seen_as"][0]["rule"] == "own-new"
