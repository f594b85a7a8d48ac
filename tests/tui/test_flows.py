"""Each flow from its first key to its end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, OptionList, RichLog, Static, TextArea
from textual.widgets._footer import FooterKey
from triage.tui.app import TriageApp
from triage.tui.screens.diagnosis import DiagnosisScreen
from triage.tui.screens.fix import FixScreen
from triage.tui.screens.knowledge import KnowledgeScreen
from triage.tui.screens.machine import MachineScreen
from triage.tui.screens.walk import WalkScreen
from triage.tui.widgets.log_pane import LogPane
from triage.tui.widgets.log_view import LogView

from tests.tui.base import HEALTHY_LOG, OOM_LOG, SYMBOL_LOG, UNKNOWN_LOG
from tests.tui.conftest import press, settle
from triage.probing.probe_run import ProbeRun

Make = Callable[..., TriageApp]
SIZE = (120, 40)


def drive(app: TriageApp, flow: Callable[[Pilot[int]], object], size: tuple[int, int] = SIZE) -> None:
    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await flow(pilot)  # type: ignore[misc]

    asyncio.run(run())


async def until(pilot: Pilot[int], holds: Callable[[], bool]) -> None:
    """Wait for something that a worker brings about, which itself waits for keys."""
    for _ in range(1600):
        if holds():
            return
        await pilot.pause(0.05)
    raise AssertionError(shown(pilot.app.screen))


def shown(screen: Screen[object]) -> str:
    """All text of the static parts of a screen."""
    return "\n".join(str(each.render()) for each in screen.query(Static))


def test_a_log_is_diagnosed_and_its_evidence_is_marked(app_for: Make) -> None:
    app = app_for(OOM_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        assert isinstance(app.screen, DiagnosisScreen)
        page = shown(app.screen)
        assert "The GPU has too little memory" in page
        assert "2.00 GiB more was asked for" in page
        assert app.screen.query_one(LogView).marks == {43: 1}
        assert app.screen.query_one(LogView).line == 43

    drive(app, flow)


def test_the_log_is_searched_filtered_and_folded(app_for: Make) -> None:
    app = app_for(OOM_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        view, pane = app.screen.query_one(LogView), app.screen.query_one(LogPane)
        await press(pilot, "slash", *"step", "space", *"2", "enter")
        assert view.line == 2
        await press(pilot, "n")
        assert view.line == 20
        await press(pilot, "N")
        assert view.line == 2
        await press(pilot, "e")
        assert view.line == 43
        await press(pilot, "s")
        assert pane.chosen == "rank0"
        assert view.rows.count(view.total) < view.total + 5
        await press(pilot, "escape")
        assert view.rows.all
        await press(pilot, "z")
        assert view.rows.at(0) == -34
        await press(pilot, "escape", "escape")
        assert view.rows.all

    drive(app, flow)


def test_one_column_shows_the_log_when_asked(app_for: Make) -> None:
    app = app_for(OOM_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        pane = app.screen.query_one(LogPane)
        assert not pane.display
        await press(pilot, "l")
        assert pane.display
        await press(pilot, "escape")
        assert not pane.display

    drive(app, flow, (80, 24))


def test_a_question_answered_moves_the_hypotheses_and_ends_at_a_recipe(app_for: Make) -> None:
    app = app_for(SYMBOL_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "w")
        assert isinstance(app.screen, WalkScreen)
        assert "Which string ABI has torch?" in shown(app.screen)
        await press(pilot, "n")
        assert app.desk.report().hypotheses[0].id == "abi.undefined_symbol"
        assert "f opens it step by step" in shown(app.screen)
        await press(pilot, "b", "1")
        assert app.desk.report().hypotheses[0].id == "abi.cxx11_abi"
        await press(pilot, "f")
        assert isinstance(app.screen, FixScreen)
        assert "Take the other wheel" in shown(app.screen)

    drive(app, flow)


def test_i_do_not_know_leaves_both_causes_standing(app_for: Make) -> None:
    app = app_for(SYMBOL_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        before = {h.id: h.confidence for h in app.desk.report().hypotheses}
        await press(pilot, "w", "？")
        assert [c.answer for c in app.desk.choices] == ["I do not know"]
        assert {h.id: h.confidence for h in app.desk.report().hypotheses} == before

    drive(app, flow)


def test_a_probe_answers_a_question(app_for: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_probes(names: object, target: object, **more: object) -> list[ProbeRun]:
        return [ProbeRun("torch", "ok", 0.1, {"torch.cxx11_abi": True})]

    monkeypatch.setattr("triage.probing.run.run_probes", run_probes)
    app = app_for(SYMBOL_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "w", "r")
        assert app.desk.report().hypotheses[0].id == "abi.cxx11_abi"
        assert app.desk.probes["torch"].status == "ok"

    drive(app, flow)


def test_hypotheses_rank_anew_after_each_probe(app_for: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_for(SYMBOL_LOG)
    ranked: list[tuple[str, float]] = []
    told: list[str] = []

    def run_probes(names: object, target: object, **more: Any) -> list[ProbeRun]:
        runs = [ProbeRun("nvidia", "ok", 0.1, {"gpu.count": 1}), ProbeRun("torch", "ok", 0.1, {"torch.cxx11_abi": False})]
        for run in runs:
            more["progress"](run.name, None)
            more["progress"](run.name, run)
            best = app.desk.report().hypotheses[0]
            ranked.append((best.id, best.confidence))
            told.append(shown(app.screen))
        return runs

    monkeypatch.setattr("triage.examine.run_probes", run_probes)

    async def flow(pilot: Pilot[int]) -> None:
        app.examine()
        await settle(pilot)
        assert ranked[0][1] < ranked[1][1]
        assert ranked[1][0] == "abi.undefined_symbol"
        assert [s for s in told if "1 of 1 probes done" in s]

    drive(app, flow)


def test_a_value_is_typed_and_a_wrong_one_is_refused(app_for: Make) -> None:
    app = app_for(OOM_LOG + "loss is nan\n")

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "w")
        screen = app.screen
        assert isinstance(screen, WalkScreen)
        while screen.ask is not None and screen.ask.fact != "train.batch":
            await press(pilot, "u")
        assert screen.ask is not None
        await press(pilot, "v", *"many", "enter")
        assert not any(c.fact == "train.batch" for c in app.desk.choices)
        screen.query_one("#value", Input).value = "128"
        await press(pilot, "enter")
        assert app.desk.fact("train.batch") == 128
        best = app.desk.report().hypotheses[0]
        assert any(e.fact == "train.batch" and e.source == "person" for e in best.evidence)

    drive(app, flow)


def test_without_a_log_a_symptom_leads_to_a_recipe(app_for: Make) -> None:
    app = app_for(None)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "3", *"nan", "enter")
        assert isinstance(app.screen, WalkScreen)
        assert "Do the data hold NaN?" in shown(app.screen)
        await press(pilot, "3", "y")
        assert app.desk.report().hypotheses[0].id == "numeric.fp16_overflow"
        await press(pilot, "f")
        assert "Take bfloat16" in shown(app.screen)
        await press(pilot, "escape", "b", "b")
        assert app.desk.choices == ()

    drive(app, flow)


def test_a_walk_is_taken_up_again_for_the_same_log(app_for: Make) -> None:
    first, second, other = app_for(SYMBOL_LOG), app_for(SYMBOL_LOG), app_for(SYMBOL_LOG + "one more line\n")

    async def answer(pilot: Pilot[int]) -> None:
        await press(pilot, "w", "y")

    async def resumed(pilot: Pilot[int]) -> None:
        assert [c.fact for c in second.desk.choices] == ["torch.cxx11_abi"]
        assert second.desk.report().hypotheses[0].id == "abi.cxx11_abi"

    async def fresh(pilot: Pilot[int]) -> None:
        assert other.desk.choices == ()

    drive(first, answer)
    drive(second, resumed)
    drive(other, fresh)


def test_a_command_runs_only_after_its_text_was_confirmed(app_for: Make) -> None:
    app = app_for(OOM_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "f", "enter")
        assert "printf 'used: %s" in shown(app.screen)
        await press(pilot, "escape")
        assert app.desk.ran == []
        await press(pilot, "r", "y")
        assert [(ran.status, ran.output) for ran in app.desk.ran] == [(0, "used: all")]
        assert any("used: all" in line.text for line in app.screen.query_one(RichLog).lines)
        assert any("printf" in note for note in app.desk.report().notes)

    drive(app, flow)


def test_a_command_with_a_gap_must_be_edited_first(app_for: Make) -> None:
    app = app_for(OOM_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "f", "down", "down", "enter", "y")
        assert app.desk.ran == []
        assert "<number> must be replaced" in shown(app.screen)
        await press(pilot, "e")
        app.screen.query_one(TextArea).text = "echo device 3"
        await press(pilot, "escape", "y")
        assert app.desk.ran[0].output == "device 3"

    drive(app, flow)


@pytest.mark.parametrize(("readonly", "keys"), [(True, ("f", "enter")), (False, ("f", "o", "enter"))])
def test_what_must_not_run_is_only_copied(app_for: Make, readonly: bool, keys: tuple[str, ...]) -> None:
    app = app_for(OOM_LOG, readonly=readonly)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        assert isinstance(app.screen, FixScreen)
        assert "copy it" in shown(app.screen)
        await press(pilot, "c")
        assert "copied by" in shown(app.screen)

    drive(app, flow)


def test_a_line_for_the_code_is_no_command(app_for: Make) -> None:
    app = app_for(OOM_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "f", "down", "enter")
        assert isinstance(app.screen, FixScreen)
        assert "this goes into the program's code" in shown(app.screen)
        assert "| batch_size = 8" in str(app.screen.query_one("#steps", OptionList).get_option_at_index(1).prompt)

    drive(app, flow)


def test_the_check_shows_before_and_after(app_for: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_probes(names: object, target: object, **more: object) -> list[ProbeRun]:
        return [ProbeRun("torch", "ok", 0.1, {"torch.cuda_version": "12.4"})]

    monkeypatch.setattr("triage.probing.run.run_probes", run_probes)
    app = app_for(OOM_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "f", "t")
        text = shown(app.screen)
        assert "before: none   after: 12.4   wanted: >= 12.0" in text
        assert "fixed" in text

    drive(app, flow)


def test_the_machine_marks_what_does_not_agree(app_for: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_probes(names: object, target: object, **more: object) -> list[ProbeRun]:
        facts = {"nvidia.driver_version": "470.1", "torch.cuda_version": "12.4", "gpu.0.name": "Card One"}
        return [ProbeRun("nvidia", "ok", 0.1, dict(facts))]

    monkeypatch.setattr("triage.probing.run.run_probes", run_probes)
    app = app_for(None)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "4", "a")
        assert isinstance(app.screen, MachineScreen)
        text = shown(app.screen)
        assert "BAD      the driver is new enough for this torch  driver 470.1, CUDA 12.4" in text
        assert "The driver is too old  cuda.driver_too_old" in text
        assert "gpu 0  Card One" in text
        await press(pilot, "f")
        assert isinstance(app.screen, FixScreen)
        assert "Update the driver" in shown(app.screen)
        await press(pilot, "enter")
        assert "copy it and run it yourself" in shown(app.screen)
        await press(pilot, "escape", "slash", *"driver")
        listed = str(app.screen.query_one("#list", Static).render())
        assert "nvidia.driver_version" in listed
        assert "torch.cuda_version" not in listed

    drive(app, flow)


def test_the_knowledge_is_searched_and_a_tree_is_walked(app_for: Make) -> None:
    app = app_for(HEALTHY_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "k", "slash", *"half", "enter")
        assert isinstance(app.screen, KnowledgeScreen)
        assert "Take bfloat16" in shown(app.screen)
        await press(pilot, "escape", "3")
        assert "Must match" in shown(app.screen)
        await press(pilot, "2", "down", "w")
        assert isinstance(app.screen, WalkScreen)
        assert app.desk.chosen == "nan-loss"

    drive(app, flow)


def test_an_unknown_log_becomes_a_rule_by_answers(app_for: Make, place: Path) -> None:
    app = app_for(UNKNOWN_LOG)

    async def answer(pilot: Pilot[int], text: str) -> None:
        asked = str(app.screen.query_one("#asked", Static).render())
        if text:
            app.screen.query_one("#answer", Input).value = text
        await pilot.press("enter")
        await until(pilot, lambda: str(app.screen.query_one("#asked", Static).render()) != asked)

    async def flow(pilot: Pilot[int]) -> None:
        assert "ValueError: odd thing" in shown(app.screen)
        await pilot.press("a")
        await until(pilot, lambda: "Pattern" in shown(app.screen))
        assert "odd" in app.screen.query_one("#answer", Input).value
        for text in ("", "mine.odd_thing", "", "nothing odd here", "an odd thing", "program 1.0", "An odd thing",
                     "The program met a thing that it does not know, and it stops instead of going on with it.",
                     "Remove the odd thing", "the program ends well", "", "", ""):  # fmt: skip
            await answer(pilot, text)
        await settle(pilot)
        said = "\n".join(line.text for line in app.screen.query_one(RichLog).lines)
        assert "check: passed" in said
        assert "done" in shown(app.screen)

    drive(app, flow)
    assert "odd" in (place / ".triage" / "rules" / "mine.yaml").read_text(encoding="utf-8")
    assert "mine.odd_thing" in (place / ".triage" / "causes" / "mine.yaml").read_text(encoding="utf-8")


def test_a_draft_is_left_without_a_trace(app_for: Make, place: Path) -> None:
    app = app_for(UNKNOWN_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        await pilot.press("k", "a")
        await until(pilot, lambda: "Pattern" in shown(app.screen))
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, KnowledgeScreen)

    drive(app, flow)
    assert not (place / ".triage").exists()


def test_the_report_is_saved_in_each_form(app_for: Make, place: Path) -> None:
    app = app_for(SYMBOL_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "w", "y", "escape")
        for steps in range(4):
            await press(pilot, "x", *["down"] * steps, "enter")

    drive(app, flow)
    saved = json.loads((place / "train-triage.json").read_text(encoding="utf-8"))
    assert saved["hypotheses"][0]["id"] == "abi.cxx11_abi"
    assert saved["walk"]["answers"][0]["fact"] == "torch.cxx11_abi"
    assert json.loads((place / "train-triage.walk.json").read_text(encoding="utf-8"))["choices"]
    assert (place / "train-triage.md").read_text(encoding="utf-8").startswith("## triage")
    assert "<h2>1. The extension has the other string ABI" in (place / "train-triage.html").read_text(encoding="utf-8")
    assert (place / "train-triage.svg").read_text(encoding="utf-8").startswith("<svg")


def test_help_filters_and_runs_an_entry(app_for: Make) -> None:
    app = app_for(OOM_LOG)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "？", *"machine")
        assert app.screen.query_one(OptionList).option_count == 2
        await press(pilot, "enter")
        assert isinstance(app.screen, MachineScreen)

    drive(app, flow)


def test_keys_from_the_configuration_are_pressed_and_named(app_for: Make) -> None:
    app = app_for(SYMBOL_LOG, keymap={"walk": "j", "walk-fix": "F", "back": "ctrl+b"})

    async def flow(pilot: Pilot[int]) -> None:
        keys = {key.key_display for key in app.screen.query(FooterKey)}
        assert "j" in keys and "w" not in keys
        await press(pilot, "w")
        assert isinstance(app.screen, DiagnosisScreen)
        assert "j: the walk-through asks these" in shown(app.screen)
        await press(pilot, "j", "y")
        assert isinstance(app.screen, WalkScreen)
        assert "F opens it step by step" in shown(app.screen)
        await press(pilot, "f")
        assert isinstance(app.screen, WalkScreen)
        await press(pilot, "F")
        assert isinstance(app.screen, FixScreen)
        await press(pilot, "ctrl+b")
        assert isinstance(app.screen, WalkScreen)

    drive(app, flow)


def test_a_key_given_twice_is_said(app_for: Make) -> None:
    app = app_for(SYMBOL_LOG, keymap={"walk": "l"})

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        assert isinstance(app.screen, WalkScreen)
        said = [note.message for note in app._notifications]
        assert any("l has two meanings here and does Walk (walk); Log (log)" in text for text in said)

    drive(app, flow)


def test_the_screen_speaks_chinese(app_for: Make) -> None:
    app = app_for(OOM_LOG, language="zh")

    async def flow(pilot: Pilot[int]) -> None:
        footer = {key.description for key in app.screen.query(FooterKey)}
        assert {"解决", "问答", "日志", "复制", "导出", "按键"} <= footer
        text = shown(app.screen)
        assert "诊断" in text and "已找到原因" in text and "显存不足" in text and "第 43 行" in text
        await press(pilot, "question_mark")
        assert "本屏幕的按键" in shown(app.screen)
        await press(pilot, "escape", "f", "enter")
        assert "运行此命令？" in shown(app.screen)
        assert {"就运行它", "编辑", "不运行"} <= {key.description for key in app.screen.query(FooterKey)}
        await press(pilot, "escape")
        assert "未运行" in shown(app.screen)

    drive(app, flow)


def test_a_log_is_pasted(app_for: Make) -> None:
    app = app_for(None)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "2")
        app.screen.query_one(TextArea).text = OOM_LOG
        await press(pilot, "ctrl+d")
        assert app.desk.report().hypotheses[0].id == "memory.gpu_oom"

    drive(app, flow)


def test_a_file_is_opened_by_name_and_a_wrong_name_is_said(app_for: Make, place: Path) -> None:
    (place / "my.log").write_text(OOM_LOG, encoding="utf-8")
    app = app_for(None)

    async def flow(pilot: Pilot[int]) -> None:
        await press(pilot, "1", *"no.log", "enter")
        assert "there is no file no.log" in shown(app.screen)
        app.screen.query_one(Input).value = "my.log"
        await press(pilot, "enter")
        assert app.desk.report().input.name.endswith("my.log")

    drive(app, flow)
