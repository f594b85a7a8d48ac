"""YAML is read strictly, and every fault has its place."""

import pytest

from triage.errors import TriageError
from triage.knowledge.convert import convert_document
from triage.knowledge.document import MAX_DEPTH, parse_document
from triage.knowledge.model import RuleFile


def test_values_and_places_are_kept() -> None:
    document = parse_document("a:\n  - x: 1\n    y: 'two'\n  - true\n", "f.yaml")
    assert document.data == {"a": [{"x": 1, "y": "two"}, True]}
    assert str(document.place(("a", 0, "y"))) == "f.yaml:3:5"
    assert str(document.place(("a", 0, "missing"))) == "f.yaml:2:5"


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("a: 1\na: 2\n", "f.yaml:2:1", "twice"),
        ("a: &x 1\n", "f.yaml:1:4", "anchor"),
        ("a: 1\nb: *x\n", "f.yaml:2:4", "alias"),
        ("a: !!python/object/apply:os.system [id]\n", "f.yaml:1:4", "tag"),
        ("a: !!str 1\n", "f.yaml:1:4", "tag"),
        ("a: !env HOME\n", "f.yaml:1:4", "tag"),
        ("a: yes\n", "f.yaml:1:4", "boolean"),
        ("a: off\n", "f.yaml:1:4", "boolean"),
        ("- No\n", "f.yaml:1:3", "boolean"),
        ("a: 2024-01-02\n", "f.yaml:1:4", "date"),
        ("a: 12:30:45\n", "f.yaml:1:4", "another base"),
        ("a: 0777\n", "f.yaml:1:4", "another base"),
        ("a: 0x1F\n", "f.yaml:1:4", "another base"),
        ("<<: {a: 1}\n", "f.yaml:1:1", "merge"),
        ("? [a, b]\n: 1\n", "f.yaml:1:3", "key"),
        ("a: 1\n---\nb: 2\n", "f.yaml:2:1", "more than one document"),
        ("a: [1, 2\n", "f.yaml:2:1", "not valid YAML"),
        ("a: b: c\n", "f.yaml:1:5", "not valid YAML"),
        ("\ta: 1\n", "f.yaml:1:1", "not valid YAML"),
        ("", "f.yaml", "empty"),
        ("[" * (MAX_DEPTH + 5) + "]" * (MAX_DEPTH + 5), "f.yaml:1", "nested deeper"),
        ("a: \x01\n", "f.yaml", "not valid YAML"),
    ],
)
def test_what_the_format_forbids_is_refused_with_its_place(text: str, place: str, what: str) -> None:
    with pytest.raises(TriageError) as caught:
        parse_document(text, "f.yaml")
    assert caught.value.place.startswith(place)
    assert what in caught.value.message


def test_a_billion_laughs_is_refused_at_the_first_anchor() -> None:
    text = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    with pytest.raises(TriageError, match="anchor"):
        parse_document(text, "f.yaml")


RULE = """family: x
rules:
  - id: x-one
    says: one
    pattern: 'some fixed text'
    source: 'observed: x 1.0'
    samples: [{text: some fixed text}]
    near_misses: [other]
"""


def test_a_rule_file_becomes_records() -> None:
    rules = convert_document(parse_document(RULE, "r.yaml"), RuleFile).rules
    assert rules[0].id == "x-one"
    assert rules[0].role == "fault"


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("    says: one\n", "    says: one\n    colour: red\n", 5, "colour"),
        ("    says: one\n", "    says: 12.4\n", 4, "quote"),
        ("    says: one\n", "    says: {en: one}\n", 4, "zh"),
        ("    says: one\n", "", 3, "says"),
        ("    says: one\n", "    says: one\n    role: villain\n", 5, "villain"),
        ("    says: one\n", "    says: one\n    status: shiny\n", 5, "shiny"),
        ("    pattern: 'some fixed text'", "    pattern: [a]", 5, "str"),
        ("    samples: [{text: some fixed text}]", "    samples: [{text: 1}]", 7, "str"),
        ("    samples: [{text: some fixed text}]", "    samples: [{txt: a}]", 7, "txt"),
        ("    near_misses: [other]", "    near_misses: other", 8, "array"),
        ("    near_misses: [other]", "    near_misses: [other]\n    captures: {v: {type: verzion}}", 9, "verzion"),
        ("family: x\n", "family: x\nfamilie: other\n", 2, "familie"),
    ],
)
def test_a_fault_against_the_model_names_line_and_reason(old: str, new: str, line: int, what: str) -> None:
    text = RULE.replace(old, new)
    assert text != RULE
    with pytest.raises(TriageError) as caught:
        convert_document(parse_document(text, "r.yaml"), RuleFile)
    assert caught.value.place.split(":")[1] == str(line), caught.value
    assert what in caught.value.message
