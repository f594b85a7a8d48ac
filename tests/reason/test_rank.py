"""The first fault wins, consequences are explained away, and confidence is honest."""

from __future__ import annotations

from tests.conftest import Kit, cause

TRACE = 'Traceback (most recent call last):\n  File "/home/u/a.py", line 1, in <module>\n    f()\n'


def test_a_cause_explains_its_consequences_even_if_they_are_louder(kit: Kit) -> None:
    kit.rules("t-root | disk went away", "t-loud | collective timed out")
    kit.causes(
        cause("t.root", "{rule: t-root, weight: strong}", "leads_to: [t.loud]")
        + cause("t.loud", "{rule: t-loud, weight: decisive}")
    )
    report = kit.case("RuntimeError: collective timed out\nkernel: disk went away\n").report()
    assert [h.id for h in report.hypotheses] == ["t.root", "t.loud"]
    assert report.hypotheses[1].explained_by == "t.root"
    assert report.hypotheses[1].confidence < 0.5


def test_of_unrelated_faults_the_earlier_one_comes_first(kit: Kit) -> None:
    kit.rules("t-a | first thing broke", "t-b | second thing broke")
    kit.causes(
        cause("t.b", "{rule: t-b, weight: decisive}") + cause("t.a", "{rule: t-a, weight: decisive}"),
    )
    assert kit.ids("x first thing broke\ny second thing broke\n") == ["t.a", "t.b"]
    assert kit.ids("y second thing broke\nx first thing broke\n") == ["t.b", "t.a"]


def test_what_settles_a_cause_outweighs_an_earlier_fault_that_does_not(kit: Kit) -> None:
    kit.rules("t-a | first thing broke", "t-b | second thing broke")
    kit.causes(cause("t.b", "{rule: t-b, weight: decisive}") + cause("t.a", "{rule: t-a, weight: strong}"))
    assert kit.ids("x first thing broke\ny second thing broke\n") == ["t.b", "t.a"]


def test_a_mere_hint_of_a_root_does_not_explain_a_settled_cause_away(kit: Kit) -> None:
    kit.rules("t-root | perhaps a cause", "t-real | surely this one")
    kit.causes(
        cause("t.root", "{rule: t-root, weight: weak}", "leads_to: [t.real]")
        + cause("t.real", "{rule: t-real, weight: decisive}")
    )
    assert kit.ids("perhaps a cause\nsurely this one\n")[0] == "t.real"


def test_a_weak_hint_before_a_decisive_fault_does_not_win(kit: Kit) -> None:
    kit.rules("t-a | mere hint here", "t-b | real fault here")
    kit.causes(cause("t.a", "{rule: t-a, weight: weak}") + cause("t.b", "{rule: t-b, weight: decisive}"))
    assert kit.ids("mere hint here\nreal fault here\n")[0] == "t.b"


def test_facts_re_rank_the_same_log(kit: Kit) -> None:
    kit.rules("t-no | no devices are available")
    kit.causes(
        cause("t.driver", "{rule: t-no, weight: weak}", "arguments_for: [{when: {fact: drv.version, missing: true}, weight: decisive, because: no driver}]")
        + cause("t.hidden", "{rule: t-no, weight: weak}", "arguments_for: [{when: {fact: box, is: hidden}, weight: decisive, because: hidden}]")
    )  # fmt: skip
    log = TRACE + "RuntimeError: no devices are available\n"
    assert kit.ids(log, {"drv.version": None})[0] == "t.driver"
    assert kit.ids(log, {"drv.version": "5", "box": "hidden"})[0] == "t.hidden"


def test_a_fact_against_is_shown_and_lowers(kit: Kit) -> None:
    kit.rules("t-x | something odd")
    kit.causes(cause("t.x", "{rule: t-x, weight: strong}", "arguments_against: [{when: {fact: drv.version, ge: '500'}, weight: strong, because: driver is new}]"))  # fmt: skip
    high = kit.case("something odd\n").report().hypotheses[0].confidence
    low = kit.case("something odd\n", {"drv.version": "550"}).report().hypotheses[0]
    assert low.confidence < high / 2
    assert [e.for_ for e in low.evidence if e.fact] == [False]


def test_a_condition_that_is_unknown_counts_less_than_one_that_holds(kit: Kit) -> None:
    kit.rules("t-x | something odd")
    kit.causes(cause("t.x", "{rule: t-x, weight: decisive, when: {fact: box, is: docker}}"))
    known = kit.case("something odd\n", {"box": "docker"}).report().hypotheses[0].confidence
    unknown = kit.case("something odd\n").report().hypotheses[0].confidence
    assert known > unknown
    assert kit.ids("something odd\n", {"box": "none"}) == []


def test_a_benign_rule_silences_the_line(kit: Kit) -> None:
    kit.rules("t-lib | cannot open shared object", "t-ok | you can ignore this warning | role: benign")
    kit.causes(cause("t.lib", "{rule: t-lib, weight: decisive}"))
    assert kit.ids("libpng: cannot open shared object; you can ignore this warning\n") == []
    assert kit.ids("libcuda: cannot open shared object\n") == ["t.lib"]


def test_teardown_noise_alone_is_no_answer(kit: Kit) -> None:
    kit.rules("t-down | leaked semaphore objects | role: teardown")
    kit.causes(cause("t.x", "{rule: t-down, weight: strong}"))
    report = kit.case("resource_tracker: There appear to be 1 leaked semaphore objects\n").report()
    assert all(h.confidence < 0.5 for h in report.hypotheses)


TREE = """
id: t-tree
title: tree
about: about
enter: {seen: t-no}
start: first
nodes:
  first:
    ask: Is there a driver?
    why: because
    fact: drv.version
    branches:
      - {answer: none, when: {fact: drv.version, missing: true}, cause: t.driver, weight: decisive}
      - {answer: there, go: second}
  second:
    ask: In a container?
    why: because
    fact: box
    branches:
      - {answer: yes it is, when: {fact: box, is: docker}, cause: t.box, weight: strong}
      - {answer: bare metal, cause: t.bare, weight: strong}
"""


def with_tree(kit: Kit) -> None:
    kit.rules("t-no | no devices are available")
    kit.causes(cause("t.driver", "") + cause("t.box", "") + cause("t.bare", ""))
    kit.write("trees/t-tree.yaml", TREE)


def test_known_answers_lead_through_a_tree_and_the_path_is_told(kit: Kit) -> None:
    with_tree(kit)
    best = kit.case("no devices are available\n", {"drv.version": "5", "box": "docker"}).report().hypotheses[0]
    assert best.id == "t.box"
    assert [(p.question, p.answer) for p in best.path] == [("Is there a driver?", "there"), ("In a container?", "yes it is")]
    assert best.evidence[0].line == 1


def test_an_unknown_answer_keeps_all_branches_alive_and_is_asked(kit: Kit) -> None:
    with_tree(kit)
    report = kit.case("no devices are available\n").report()
    assert {h.id for h in report.hypotheses} >= {"t.driver", "t.box"}
    asked = report.tells_apart[0]
    assert asked.fact in ("drv.version", "box")
    assert set(asked.between) <= {"t.driver", "t.box", "t.bare"}
    assert any(q.fact == "drv.version" and q.probe == "nvidia" for q in report.tells_apart)


def test_nothing_known_is_an_honest_unknown_with_an_anchor(kit: Kit) -> None:
    kit.rules("t-x | something odd")
    kit.causes(cause("t.x", "{rule: t-x, weight: strong}"))
    report = kit.case(TRACE + "ValueError: never heard of 42\n").report()
    assert report.outcome == "unknown"
    assert report.anchor is not None
    assert report.anchor.line == 4
    assert "ValueError" in report.anchor.search
    assert "42" not in report.anchor.search


def test_a_quiet_log_is_healthy(kit: Kit) -> None:
    kit.rules("t-x | something odd")
    kit.causes(cause("t.x", "{rule: t-x, weight: strong}"))
    assert kit.case("step 1 | loss 2.0\nINFO: eval done, 0 errors\n").report().outcome == "healthy"
    assert kit.case("").report().outcome == "healthy"


def test_the_same_input_gives_the_same_report(kit: Kit) -> None:
    with_tree(kit)
    log = "no devices are available\n" * 3
    assert kit.case(log).report() == kit.case(log).report()
