"""Keys and words: each binding has an id and words in both languages, and each text names keys that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import triage.tui
from textual.dom import DOMNode
from triage.tui.app import TriageApp
from triage.tui.keys import KEYS, check_keymap, first_key, key_name
from triage.tui.screens import (
    choice,
    confirm,
    diagnosis,
    draft,
    export,
    fix,
    help,
    knowledge,
    line,
    machine,
    start,
    symptom,
    walk,
)  # fmt: skip
from triage.tui.widgets.log_pane import LogPane
from triage.tui.widgets.log_view import LogView
from triage.tui.words import WORDS, Words

from triage.errors import TriageError
from triage.knowledge.model import Bilingual

CODE = Path(triage.tui.__file__).parent
NODES: tuple[type[DOMNode], ...] = (
    TriageApp, LogPane, LogView, choice.ChoiceScreen, confirm.ConfirmScreen, diagnosis.DiagnosisScreen,
    draft.DraftScreen, export.ExportScreen, fix.FixScreen, help.HelpScreen, knowledge.KnowledgeScreen, line.LineScreen,
    machine.MachineScreen, start.StartScreen, symptom.SymptomScreen, walk.WalkScreen,
)  # fmt: skip


def test_each_binding_has_an_id_of_the_table_except_numbers() -> None:
    used = set()
    for node in NODES:
        for binding in node.BINDINGS:
            assert not isinstance(binding, tuple)
            if not binding.key.isdigit() or binding.id:
                assert binding.id in KEYS, binding
                used.add(binding.id)
    assert used == set(KEYS)


def test_the_documentation_lists_every_binding() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "tui.md").read_text(encoding="utf-8")
    for name, key in KEYS.items():
        keys = " ".join(f"`{key_name(each)}`" for each in key.keys.split(",") if each.isascii())
        assert f"| {name} | {keys} | {key.says.en} |" in text, name


def test_texts_name_keys_that_there_are_and_say_the_same_in_both_languages() -> None:
    for name, text in WORDS.items():
        assert isinstance(text, Bilingual)
        for pattern in (r"<<([a-z0-9-]+)>>", r"\{(\w+)"):
            english, chinese = sorted(re.findall(pattern, text.en)), sorted(re.findall(pattern, text.zh))
            assert english == chinese, name
        assert set(re.findall("<<([a-z0-9-]+)>>", text.en)) <= set(KEYS), name


def test_every_word_is_said_somewhere() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in CODE.glob("**/*.py"))
    built = ("outcome-", "state-", "form-", "way-", "do-", "next-")
    unused = [name for name in WORDS if f'"{name}"' not in code.replace("'", '"').replace(f'"{name}": _text', "")]
    assert [name for name in unused if not name.startswith(built)] == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"wlak": "j"}, "there is no key binding wlak; near to it: walk"),
        ({"walk": "banana"}, "banana is no key for walk"),
        ({"walk": ""}, "nothing is no key for walk"),
        ({"walk": "hyper+x"}, "hyper+x is no key"),
    ],
)
def test_a_wrong_key_is_said_in_one_sentence(given: dict[str, str], said: str) -> None:
    with pytest.raises(TriageError, match=re.escape(said)) as caught:
        check_keymap(given, "/home/u/.config/triage/config.toml")
    assert str(caught.value).startswith("/home/u/.config/triage/config.toml: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", ["j", "J", "5", "?", "f5", "ctrl+k", "enter", "space", "up", "question_mark", "comma"])
def test_keys_that_there_are(key: str) -> None:
    assert check_keymap({"walk": key}, "x") == {"walk": key}


def test_a_key_is_named_as_it_is_pressed() -> None:
    assert [key_name(k) for k in ("question_mark", "escape", "ctrl+d", "f1", "slash", "N")] == [
        "?", "Esc", "ctrl+d", "F1", "/", "N",
    ]  # fmt: skip
    assert first_key("fix", {}) == "f"
    assert Words("en", {"walk": "j,w"})("no-cause").count(" j ") == 1


def test_both_languages_show_the_screen_in_english() -> None:
    assert Words("both")("begin") == "Why did it fail? Begin with:"
    assert Words("zh")("begin") == "为什么失败？从这里开始："
