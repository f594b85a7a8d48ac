"""Facts files: what is saved comes back, without its secrets; what is no facts file is refused in a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triage.errors import TriageError
from triage.probing.facts_file import load_facts, save_facts


def test_facts_come_back_as_they_were(tmp_path: Path) -> None:
    facts = {
        "b.int": 1,
        "a.text": "ä中",
        "c.list": ["x", "y"],
        "d.none": None,
        "e.bool": True,
        "f.float": 0.5,
        "g.numbers": [1, 2],
    }
    save_facts(facts, tmp_path / "facts.json")
    assert load_facts(tmp_path / "facts.json") == facts
    assert list(json.loads((tmp_path / "facts.json").read_text(encoding="utf-8"))) == sorted(facts)


def test_secrets_and_names_in_home_paths_are_masked_on_save(tmp_path: Path) -> None:
    facts = {
        "env.X": "hf_abcdefghijklmnopqrstuvwxyz012345", "env.https_proxy": "http://me:pass@proxy:1",
        "torch.path": "/home/alice/env/torch", "list": ["http://u:secret1@h/"],
        "torch.git_version": "0123456789abcdef" * 2,
    }  # fmt: skip
    save_facts(facts, tmp_path / "facts.json")
    text = (tmp_path / "facts.json").read_text()
    assert not any(secret in text for secret in ("hf_abc", "pass@", "alice", "secret1"))
    assert "0123456789abcdef" * 2 in text


def test_a_byte_order_mark_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert load_facts(tmp_path / "f.json") == {"a": 1}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b"{'a': 1}", "not JSON"),
        (b'{"a": 1', "not JSON"),
        (b"[1]", "not a JSON object"),
        (b"3", "not a JSON object"),
        (b'{"a": {"b": 1}}', "'a' a value"),
        (b'{"a": [[1]]}', "'a' a value"),
        (b'{"": 1}', "'' a value"),
        (b'{"a": NaN}', "'a' a value"),
        (b'{"a": 1e999}', "'a' a value"),
        (bytes(range(128, 256)), "not UTF-8"),
        (b'{"a":' * 100000, "nested too deep|not JSON"),
        (b" " * (17 << 20), "larger than"),
    ],
)
def test_what_is_no_facts_file_is_refused_in_a_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "f.json").write_bytes(content)
    with pytest.raises(TriageError, match=words):
        load_facts(tmp_path / "f.json")


def test_files_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    with pytest.raises(TriageError, match=r"nowhere\.json cannot be read: no such file"):
        load_facts(tmp_path / "nowhere.json")
    with pytest.raises(TriageError, match="cannot be read: is a directory"):
        load_facts(tmp_path)
    with pytest.raises(TriageError, match="cannot be written"):
        save_facts({}, tmp_path / "no" / "folder.json")


def test_a_json_fault_names_its_place(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text('{"a": 1,\n "b" 2}')
    with pytest.raises(TriageError) as caught:
        load_facts(tmp_path / "f.json")
    assert caught.value.place == f"{tmp_path / 'f.json'}:2:6"
