"""Trees that facts alone can enter speak in `triage doctor`; what hangs on a log does not."""

from __future__ import annotations

from tests.conftest import Kit, cause
from triage.doctor import examine_machine

TREE = """
id: t-tree
title: what the box is
about: about
enter: {ENTER}
doctor: true
start: first
nodes:
  first:
    ask: Is there a driver?
    why: because
    fact: drv.version
    branches:
      - {{answer: none, when: {{fact: drv.version, missing: true}}, cause: t.driver, weight: strong}}
      - {{answer: there, cause: t.box, weight: weak}}
"""
CHECK = """
family: t
checks:
  - id: t-driver
    says: {en: a driver is there, zh: 有驱动}
    probes: [nvidia]
    good: {fact: drv.version, missing: false}
    cause: t.driver
"""


def with_tree(kit: Kit, enter: str) -> None:
    """Write the tree and its causes."""
    kit.rules("t-no | no devices are available")
    kit.causes(cause("t.driver", "") + cause("t.box", ""))
    kit.write("trees/t-tree.yaml", TREE.format(ENTER=enter))


def found(kit: Kit, facts: dict[str, str | None]) -> list[tuple[str, str, str | None, str]]:
    """What the doctor says of facts."""
    checks = examine_machine(kit.knowledge, None, dict(facts)).checks
    return [(check.id, check.state, check.cause, check.shows) for check in checks]


def test_a_tree_entered_by_facts_ends_in_a_doubt_with_its_path(kit: Kit) -> None:
    with_tree(kit, "{fact: box, is: docker}")
    wanted = [("t-tree", "doubtful", "t.driver", "Is there a driver? none")]
    assert found(kit, {"box": "docker", "drv.version": None}) == wanted
    assert found(kit, {"box": "none", "drv.version": None}) == []


def test_a_weak_leaf_or_an_open_question_is_no_finding(kit: Kit) -> None:
    with_tree(kit, "{fact: box, is: docker}")
    assert found(kit, {"box": "docker", "drv.version": "550"}) == []
    assert found(kit, {"box": "docker"}) == []


def test_a_tree_that_a_log_enters_is_not_entered_without_one(kit: Kit) -> None:
    with_tree(kit, "{any: [{seen: t-no}, {none: [{seen: t-no}]}]}")
    assert found(kit, {"drv.version": None}) == []


def test_a_cause_that_a_check_names_is_not_named_again_by_a_tree(kit: Kit) -> None:
    with_tree(kit, "{fact: box, is: docker}")
    kit.write("checks/t.yaml", CHECK)
    assert [row[:3] for row in found(kit, {"box": "docker", "drv.version": None})] == [("t-driver", "bad", "t.driver")]
