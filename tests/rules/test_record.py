"""Nothing that is recorded of the knowledge is lost by accident."""

from __future__ import annotations

import pytest

from triage.check.forms import forms_of, still_holds
from triage.check.record import check_record, record_of, recorded_lines
from triage.knowledge.load import load_base
from triage.knowledge.model import Rule
from triage.knowledge.roots import all_roots

AGAIN = "triage rules list --record > tests/rules/links.txt"


def test_everything_recorded_is_still_there() -> None:
    assert [str(finding) for finding in check_record(load_base(all_roots()))] == []


def test_the_record_covers_nearly_everything() -> None:
    now = record_of(load_base(all_roots()))
    recorded = set(recorded_lines().read_text(encoding="utf-8").split("\n"))
    missing = [line for line in now if line not in recorded]
    assert len(missing) < 0.02 * len(now), f"record what is new: {AGAIN}"


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
