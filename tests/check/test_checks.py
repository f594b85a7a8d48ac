"""What a check sees beyond a single spoilt file: healthy logs, overlap, forms of its findings, choice of files."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.check.conftest import RULES, SmallLayer
from triage.check.finding import Finding
from triage.check.ladder import earned_status
from triage.check.languages import check_languages
from triage.check.output import show_findings
from triage.check.pumping import nested_repeats, slowness
from triage.check.selection import select
from triage.errors import TriageError
from triage.knowledge.load import load_base
from triage.knowledge.model import Rule, Sample
from triage.knowledge.roots import overlay_root
from triage.match.observe import compile_pattern

FINDING = Finding("rules/own.yaml", 3, 5, "50% off: a,b\n::error::x", "mend it", "error", "samples")


def rule(**changes: object) -> Rule:
    given = {
        "id": "own-x", "says": "x", "pattern": "x y z", "source": "s", "near_misses": ["x y"],
        "samples": [Sample(text="x y z in a"), Sample(text="b: x y z")],
    } | changes  # fmt: skip
    return Rule(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "pattern", [r"(?:x+x+)+y found", r"\w*\w*\w* found", r"start (?:[ab]|[bc])*\s*\w+\w+\w+ found"]
)
def test_an_expression_that_explodes_is_slow(pattern: str) -> None:
    assert slowness(pattern)[0]


@pytest.mark.parametrize(
    "pattern", [r"CUDA error: \w{1,80} at line \d+", r"needs '[^']{1,200}' and '[^']{1,200}'", "x y"]
)
def test_an_ordinary_expression_is_not_slow(pattern: str) -> None:
    assert slowness(pattern) == ["", ""]
    assert not nested_repeats(pattern)


def test_every_shipped_expression_stays_quick_on_a_line_of_a_megabyte_as_the_engine_shows_it() -> None:
    from triage.diagnosis import read_text
    from triage.knowledge.base import Knowledge
    from triage.match.database import open_scanner
    from triage.match.observe import Observer

    knowledge = Knowledge.load()
    text = "a" * 400_000 + " RuntimeError: CUDA error: out of memory " + "0 " * 300_000
    log = read_text(text)
    observer = Observer(log, knowledge.rules)
    start = time.process_time()
    candidates = observer.candidates(open_scanner(knowledge))
    for number, index, column in candidates:
        observer.confirm(knowledge.rules[number], index, column)
    assert candidates
    assert time.process_time() - start < 10
    assert compile_pattern("x").search("x")


def test_an_alarm_on_a_healthy_log_is_a_fault(layer: SmallLayer, tmp_path: Path) -> None:
    log = tmp_path / "fine.log"
    log.write_text("starting\nfrobnix: scratch volume /scr1 has no room left, took /scr2\ndone\n")
    findings = layer.check([log])
    assert [f.check for f in findings] == ["healthy"]
    assert "fine.log, line 2" in findings[0].what


def test_a_shipped_cause_is_explained_in_both_languages(layer: SmallLayer) -> None:
    base = load_base([overlay_root(layer.folder)])
    assert list(check_languages(base)) == []  # your own causes may be explained in one
    base.causes["own.disk_full"] = replace(base.causes["own.disk_full"], layer="shipped")
    assert [str(f).split(": ", 1)[1] for f in check_languages(base)] == [
        "own.disk_full: the explanation is in one language: explanation: {en: ..., zh: ...}",
        "warning: own.disk_full: this step is in one language: text: {en: ..., zh: ...}",
    ]


def test_a_benign_rule_calms_a_healthy_log(layer: SmallLayer, tmp_path: Path) -> None:
    log = tmp_path / "fine.log"
    log.write_text("frobnix: scratch volume /scr1 has no room left, took /scr2\n")
    calm = """  - id: own-took-another
    says: {en: another volume was taken, zh: 已改用其他盘}
    pattern: 'has no room left, took /'
    role: benign
    source: frobnix 1.2
    samples: [{text: 'scratch volume /scr1 has no room left, took /scr2'}]
    near_misses: ['scratch volume /scr1 has no room left']
"""
    layer.write("rules/own.yaml", RULES + calm)
    assert layer.check([log]) == []


def test_a_rule_that_a_benign_one_always_silences_is_dead(layer: SmallLayer) -> None:
    calm = """  - id: own-calm
    says: {en: nothing happened, zh: 没有问题}
    pattern: 'has no room left'
    role: benign
    source: frobnix 1.2
    samples: [{text: 'it has no room left'}]
    near_misses: ['it has room']
"""
    layer.write("rules/own.yaml", RULES + calm)
    assert any("own-disk-full can never give an alarm: own-calm" in f.what for f in layer.check())


def test_two_rules_with_one_pattern_are_a_fault(layer: SmallLayer) -> None:
    twin = RULES.split("rules:\n")[1].replace("own-disk-full", "own-disk-full-again")
    layer.write("rules/own.yaml", RULES + twin)
    assert any("has the pattern of own-disk-full" in f.what for f in layer.check())


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("import torch", "looks like Python"),
        ("x = torch.load(path)", "looks like Python"),
        ("parser.add_argument(1)", "looks like Python"),
        ("def run(x):", "looks like Python"),
        ("Please reinstall the driver", "reads like a sentence"),
        ("echo ''it", "a shell cannot read"),
        ("echo $(du -sh", ""),
    ],
)
def test_a_command_that_no_shell_takes_is_pointed_out(layer: SmallLayer, command: str, message: str) -> None:
    layer.spoil("causes/own.yaml", "'find {{ volume }} -mtime +30'", "'" + command + "'")
    found = [f.what for f in layer.check() if f.check == "recipes"]
    assert any(message in what for what in found) if message else True


@pytest.mark.parametrize(
    "command",
    ["FOO=1 python train.py", "sudo apt-get install x", "python -c 'import torch'", "{{ volume }}/bin/run", "./a.sh"],
)
def test_ordinary_commands_pass(layer: SmallLayer, command: str) -> None:
    layer.spoil("causes/own.yaml", "'find {{ volume }} -mtime +30'", '"' + command + '"')
    assert [str(f) for f in layer.check()] == []


def test_a_status_is_earned() -> None:
    assert earned_status(rule()) == "stable"
    assert earned_status(rule(samples=[Sample(text="x y z 1"), Sample(text="x y z 2")])) == "test"
    assert earned_status(rule(near_misses=[])) == "experimental"
    assert earned_status(rule(), alarming=True) == "experimental"


def test_findings_as_text_name_file_line_column_what_and_how_to_fix() -> None:
    assert show_findings([FINDING], "text") == "rules/own.yaml:3:5: 50% off: a,b ::error::x: mend it"


def test_findings_as_github_annotations_cannot_start_another_command() -> None:
    shown = show_findings([FINDING], "github")
    assert shown.startswith("::error file=rules/own.yaml,line=3,col=5,title=triage rules check%3A samples::50%25 off")
    assert "\n" not in shown


def test_findings_as_json_and_sarif_are_whole() -> None:
    assert json.loads(show_findings([FINDING], "json"))[0]["line"] == 3
    result = json.loads(show_findings([FINDING], "sarif"))["runs"][0]["results"][0]
    assert result["ruleId"] == "samples"
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 5}


def test_a_file_of_a_layer_brings_its_layer_and_only_its_findings(layer: SmallLayer) -> None:
    roots, wanted = select([str(layer.folder / "rules" / "own.yaml")])
    assert [root.name for root in roots[1:]] == [str(layer.folder)]
    assert wanted(Finding(str(layer.folder / "rules" / "own.yaml"), 1, 1, "x"))
    assert not wanted(Finding(str(layer.folder / "causes" / "own.yaml"), 1, 1, "x"))


def test_a_path_that_is_not_there_is_refused() -> None:
    with pytest.raises(TriageError, match="there is no file or folder"):
        select(["/no/such/place"])


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("{seen: own-other}", "own-disk-full is seen"),
        ("{none: [{seen: own-disk-full}]}", "own-disk-full is seen"),
        ("{fact: own.kind, is: fast}", 'not own.kind is "fast"'),
        ("{any: [{fact: own.kind, is: fast}, {fact: own.kind, not: fast}]}", ""),
        ("{any: [{seen: own-disk-full}, {none: [{seen: own-disk-full}]}]}", ""),
    ],
)
def test_a_situation_without_a_recipe_is_named(layer: SmallLayer, when: str, words: str) -> None:
    layer.write("rules/own.yaml", RULES + RULES.split("rules:\n")[1].replace("disk-full", "other").replace("scr", "s"))
    layer.spoil("causes/own.yaml", "        risk: environment", f"        when: {when}\n        risk: environment")
    found = [f.what for f in layer.check() if "no recipe applies" in f.what]
    assert len(found) == bool(words)
    assert not words or words in found[0]
