"""No step from a text to a cause is lost by accident."""

from __future__ import annotations

from triage.check.links import links_of, lost_links, recorded_links
from triage.knowledge.load import load_base
from triage.knowledge.roots import all_roots


def test_every_recorded_step_from_a_text_to_a_cause_is_still_there() -> None:
    lost = lost_links(load_base(all_roots()))
    assert not lost, "if they are meant to go: triage rules list --links > tests/rules/links.txt"


def test_the_record_covers_nearly_all_steps() -> None:
    now = links_of(load_base(all_roots()))
    recorded = set(recorded_links().read_text(encoding="utf-8").splitlines())
    missing = [link for link in now if link not in recorded]
    assert len(missing) < 0.2 * len(now), "record the new ones: triage rules list --links > tests/rules/links.txt"
