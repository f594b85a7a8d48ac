"""Private layers: where they come from, what they may switch off, which ones are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from triage.errors import TriageError
from triage.knowledge.base import Knowledge
from triage.knowledge.load import load_base
from triage.knowledge.roots import all_roots
from triage.settings import overlay_folders, project_folder

RULE = """family: own
rules:
  - id: own-odd-message
    says: {en: an odd message, zh: 奇怪的信息}
    pattern: 'frobnix is out of frobs'
    source: frobnix 1.0
    samples: [{text: 'frobnix is out of frobs'}]
    near_misses: ['frobnix has frobs']
"""
PACK = "name: ours\nversion: '1.2'\nrequires: '%s'\ndisable: {rules: [%s]}\n"


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without any private layer around it."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.delenv("TRIAGE_RULES", raising=False)
    monkeypatch.setenv("TRIAGE_CONFIG_DIR", str(tmp_path / "config"))
    return work


def layer(folder: Path, requires: str = ">=0.1", disable: str = "", pack: bool = True) -> Path:
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "own.yaml").write_text(RULE, encoding="utf-8")
    if pack:
        (folder / "pack.yaml").write_text(PACK % (requires, disable), encoding="utf-8")
    return folder


def test_a_project_folder_is_found_from_below(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = layer(alone / ".triage")
    (alone / "src" / "deep").mkdir(parents=True)
    monkeypatch.chdir(alone / "src" / "deep")
    assert project_folder() == found
    assert overlay_folders() == (found,)


def test_user_project_variable_and_flag_count_in_this_order(
    alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, project = layer(tmp_path / "config"), layer(alone / ".triage")
    monkeypatch.setenv("TRIAGE_RULES", "one")
    assert overlay_folders(["two"]) == (user, project, Path("one"), Path("two"))


def test_a_folder_that_anybody_may_write_to_does_not_count(alone: Path) -> None:
    layer(alone / ".triage").chmod(0o777)
    assert overlay_folders() == ()


def test_an_empty_project_folder_is_no_layer(alone: Path) -> None:
    (alone / ".triage").mkdir()
    assert overlay_folders() == ()


def test_a_private_rule_counts_and_says_where_it_comes_from(alone: Path) -> None:
    folder = layer(alone / ".triage")
    knowledge = Knowledge.load(overlay_folders())
    assert "own-odd-message" in knowledge.rules_by_id
    assert knowledge.origin("rule", "own-odd-message") == f"{folder}/rules/own.yaml:3:5"


def test_a_pack_switches_shipped_rules_off(tmp_path: Path) -> None:
    shipped = next(iter(load_base(all_roots()).rules))
    base = load_base(all_roots([layer(tmp_path / "pack", disable=shipped)]))
    assert shipped not in base.rules
    assert ("rules", shipped) in base.disabled
    assert base.packs[str(tmp_path / "pack")].record.version == "1.2"
    assert len(base.layers[str(tmp_path / "pack")]) == 16


@pytest.mark.parametrize(
    ("requires", "disable", "message"),
    [
        (">=99", "", "wants triage >=99, and this is"),
        ("soon", "", "names no versions"),
        (">=0.1", "no-such-rule", "there is no such record"),
    ],
)
def test_a_pack_that_does_not_fit_is_refused_with_its_place(
    tmp_path: Path, requires: str, disable: str, message: str
) -> None:
    with pytest.raises(TriageError, match=message) as caught:
        load_base(all_roots([layer(tmp_path / "pack", requires, disable)]))
    assert "pack.yaml:" in caught.value.place


def test_a_warm_start_notices_a_changed_pack(tmp_path: Path) -> None:
    folder = layer(tmp_path / "pack", pack=False)
    assert "own-odd-message" in Knowledge.load([folder]).rules_by_id
    (folder / "pack.yaml").write_text(PACK % (">=99", ""), encoding="utf-8")
    with pytest.raises(TriageError, match="wants triage"):
        Knowledge.load([folder])
