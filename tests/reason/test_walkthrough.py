"""Answers of a person reshape trees and facts; the next question is the one that tells most."""

from __future__ import annotations

import msgspec
import pytest

from tests.conftest import Kit, cause
from triage.knowledge.model import Fact, Test
from triage.reason.rank import Ranking
from triage.reason.walkthrough import (
    Ask,
    Choice,
    ask_about,
    depths_of,
    facts_in,
    facts_with,
    implied,
    next_questions,
    read_value,
    reshape,
    separation,
)

TREE = """
id: t
title: t
about: t
enter: {seen: t-a}
start: one
nodes:
  one:
    ask: one?
    why: because
    fact: box
    branches:
      - {answer: printed, when: {seen: t-b}, cause: t.a, weight: strong}
      - {answer: docker, when: {fact: box, is: docker}, cause: t.b, weight: decisive}
      - {answer: another, when: {fact: box, in: [lxc, podman]}, go: two}
  two:
    ask: two?
    why: because
    fact: drv.version
    branches:
      - {answer: old, when: {fact: drv.version, lt: '5'}, cause: t.c, weight: decisive}
      - {answer: new, cause: t.d, weight: strong}
"""


@pytest.fixture
def walked(kit: Kit) -> Kit:
    kit.rules("t-a | first thing broke", "t-b | second thing broke")
    kit.causes("".join(cause(f"t.{name}", "{rule: t-none, weight: weak}") for name in "abcd"))
    kit.write("trees/t.yaml", TREE)
    return kit


def ask_with(kit: Kit, log: str, choices: list[Choice], chosen: str | None = None) -> tuple[list[Ask], Ranking]:
    case = kit.case(log)
    base = [known for known in case.facts if known.source != "derived"]
    knowledge = case.knowledge
    case.knowledge = reshape(knowledge, choices, chosen)
    case.facts = facts_with(case.knowledge, base, choices)
    ranking = case.rank()
    return next_questions(knowledge, ranking, case.facts, choices, chosen), ranking


def best(ranking: Ranking) -> str:
    return ranking.candidates[0].cause.id


def test_the_open_node_is_asked_with_the_values_that_its_answers_stand_for(walked: Kit) -> None:
    asks, _ = ask_with(walked, "first thing broke\n", [])
    one = next(ask for ask in asks if ask.key == "t/one")
    assert [(o.answer, o.fact, o.value) for o in one.options] == [
        ("printed", None, None), ("docker", "box", "docker"), ("another", "box", "lxc"),
    ]  # fmt: skip
    assert set(one.between) == {"t.b", "t.c", "t.d"}


def test_an_answer_leaves_one_branch_and_sets_its_fact(walked: Kit) -> None:
    choice = Choice("t/one", "one?", "docker", 1, "box", "docker")
    asks, ranking = ask_with(walked, "first thing broke\n", [choice])
    assert asks == []
    assert best(ranking) == "t.b"


def test_a_branch_that_no_fact_describes_can_be_chosen(walked: Kit) -> None:
    choices = [Choice("t/one", "one?", "another", 2), Choice("t/two", "two?", "old", 0)]
    _, ranking = ask_with(walked, "first thing broke\n", choices)
    assert best(ranking) == "t.c"


def test_i_do_not_know_is_not_asked_again(walked: Kit) -> None:
    asks, ranking = ask_with(walked, "first thing broke\n", [Choice("t/one", "one?", "I do not know")])
    assert "t/one" not in {ask.key for ask in asks}
    assert {c.cause.id for c in ranking.candidates} >= {"t.b", "t.c", "t.d"}


def test_a_chosen_tree_is_asked_from_its_start_and_texts_count_as_unknown(walked: Kit) -> None:
    asks, ranking = ask_with(walked, "nothing of note\n", [], "t")
    assert [ask.key for ask in asks] == ["t/one", "t/two"]
    assert "t.a" in {c.cause.id for c in ranking.candidates}
    assert "t.a" not in {c.cause.id for c in ask_with(walked, "first thing broke\n", [])[1].candidates}


def test_the_person_is_believed_before_a_probe(walked: Kit) -> None:
    case = walked.case("first thing broke\n", {"box": "lxc"})
    facts = facts_with(case.knowledge, list(case.facts), [Choice("fact:box", "box?", "docker", None, "box", "docker")])
    known = facts.get("box")
    assert known is not None
    assert (known.value, known.source) == ("docker", "person")


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("bool", "Yes", True), ("bool", "n", False), ("int", "12", 12), ("float", "1.5", 1.5),
        ("bytes", "16 GiB", 16 << 30), ("bytes", "512m", 512 << 20), ("bytes", "4096", 4096),
        ("version", "12.4", "12.4"), ("list", "a, b", ["a", "b"]), ("string", "none", None),
    ],
)  # fmt: skip
def test_typed_values_are_read_by_the_type_of_the_fact(kind: str, text: str, value: object) -> None:
    assert read_value(text, msgspec.convert({"name": "x", "type": kind, "label": "x"}, Fact)) == value


@pytest.mark.parametrize(("kind", "text"), [("bool", "perhaps"), ("int", "many"), ("bytes", "lots"), ("string", " ")])
def test_a_wrong_value_is_refused_in_a_sentence(kind: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        read_value(text, msgspec.convert({"name": "x", "type": kind, "label": "x"}, Fact))


def test_values_implied_by_tests() -> None:
    assert implied(Test(any=[Test(fact="a", lt=3), Test(fact="b", is_=True)]), "b") == ("b", True)
    assert implied(Test(fact="b", missing=True), "b") == ("b", None)
    assert implied(Test(fact="b", lt=3), "b") is None
    assert list(facts_in(Test(all=[Test(fact="a", lt=3), Test(none=[Test(fact="c", is_=1)])]))) == ["a", "c"]


def test_depths(walked: Kit) -> None:
    assert depths_of(walked.knowledge.trees[0]) == {"one": 0, "two": 1}


def test_a_fact_that_cannot_change_the_ranking_is_not_asked(kit: Kit) -> None:
    """Here the driver counts only beside a text that the log does not hold, and a slight doubt is no question."""
    kit.rules("t-a | first thing broke", "t-b | second thing broke")
    elsewhere = "{when: {all: [{seen: t-b}, {fact: drv.version, lt: '5'}]}, weight: strong, because: old}"
    slight = "{when: {fact: drv.version, lt: '5'}, weight: weak, because: old}"
    kit.causes(
        cause("t.a", "{rule: t-a, weight: strong}", f"arguments_against: [{elsewhere}]")
        + cause("t.b", "{rule: t-a, weight: strong}", f"arguments_for: [{slight}]")
    )
    assert [ask.key for ask in ask_with(kit, "first thing broke\n", [])[0]] == []
    asks, _ = ask_with(kit, "first thing broke\nsecond thing broke\n", [])
    assert [ask.key for ask in asks] == ["fact:drv.version"]


def test_a_question_parts_the_likely_causes() -> None:
    standing = {"t.a": 0.9, "t.b": 0.6, "t.c": 0.1, "t.d": 0.1, "t.e": 0.1}
    assert separation(("t.a", "t.b"), standing) > separation(("t.a", "t.c", "t.d", "t.e"), standing)
    assert separation(("t.a",), standing) < 0.1


def test_a_question_for_many_names_says_which_is_meant() -> None:
    record = Fact(name="env.*", type="string", label="variable", ask="What is it set to?")
    assert ask_about(record, "env.LANG") == "LANG: What is it set to?"
    assert ask_about(record, "env.*") == "What is it set to?"
