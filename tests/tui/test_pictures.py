"""A picture of every screen at two sizes; `pytest --snapshot-update` takes them anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import textual
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Input, TextArea
from triage.tui.app import TriageApp
from triage.tui.screens.choice import ChoiceScreen

from tests.tui.base import HEALTHY_LOG, OOM_LOG, SYMBOL_LOG, UNKNOWN_LOG
from tests.tui.conftest import press
from triage.probing.probe_run import ProbeRun

TAKEN_WITH = "8.2"
"""Version of Textual that the pictures were taken with: others draw some parts otherwise."""
pytestmark = pytest.mark.skipif(
    not textual.__version__.startswith(TAKEN_WITH + "."), reason=f"the pictures are of Textual {TAKEN_WITH}"
)
SMALL, LARGE = (80, 24), (120, 36)
Make = Callable[..., TriageApp]

SCREENS: dict[str, tuple[str | None, tuple[str, ...]]] = {
    "start": (None, ()),
    "diagnosis": (OOM_LOG, ()),
    "unknown": (UNKNOWN_LOG, ()),
    "healthy": (HEALTHY_LOG, ()),
    "log": (OOM_LOG, ("l", "z")),
    "line": (OOM_LOG, ("l", "enter")),
    "walk": (SYMBOL_LOG, ("w",)),
    "walk-answered": (SYMBOL_LOG, ("w", "y")),
    "symptom": (None, ("3",)),
    "symptom-walk": (None, ("3", *"nan", "enter", "3")),
    "fix": (OOM_LOG, ("f",)),
    "confirm": (OOM_LOG, ("f", "enter")),
    "machine": (None, ("4", "a")),
    "knowledge-cause": (HEALTHY_LOG, ("k",)),
    "knowledge-tree": (HEALTHY_LOG, ("k", "2", "down")),
    "export": (OOM_LOG, ("x",)),
    "help": (OOM_LOG, ("?",)),
    "machine-fix": (None, ("4", "a", "f")),
    "choice": (OOM_LOG, ()),
    "draft": (UNKNOWN_LOG, ()),
}
CHINESE = ("start", "diagnosis", "unknown", "walk", "fix", "confirm", "machine")
"""Screens that are also shown in Chinese, at the small size."""
CASES = [(name, size, "en") for name in SCREENS for size in (SMALL, LARGE)] + [(name, SMALL, "zh") for name in CHINESE]


def _label(case: tuple[str, tuple[int, int], str]) -> str:
    name, size, language = case
    return "-".join((name, *(("zh",) if language == "zh" else ()), f"{size[0]}x{size[1]}"))


@pytest.mark.parametrize("case", CASES, ids=_label)
def test_picture(
    case: tuple[str, tuple[int, int], str],
    app_for: Make,
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name, size, language = case

    def run_probes(names: object, target: object, **more: object) -> list[ProbeRun]:
        facts = {"nvidia.driver_version": "470.1", "torch.cuda_version": "12.4", "gpu.0.name": "Card One",
                 "gpu.0.memory_total": 8 << 30}  # fmt: skip
        return [ProbeRun("nvidia", "ok", 0.1, dict(facts)), ProbeRun("torch", "timeout", 2.0, {})]

    monkeypatch.setattr("triage.probing.run.run_probes", run_probes)
    for kind in (Input, TextArea):  # a cursor that blinks is not in every picture
        monkeypatch.setattr(kind.cursor_blink, "_default", False)
    monkeypatch.setattr("triage.tui.screens.machine.find_probes", lambda: ("nvidia", "python", "torch"))
    place = Path("work")
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setattr("triage.knowledge.base.Knowledge.origin", lambda self, kind, name: "t.yaml:1:1")
    log, keys = SCREENS[name]
    app = app_for(log, language=language)
    monkeypatch.setattr("triage.draft.place.draft_folder", lambda given: Path(".triage"))
    before = {"choice": _choosing, "draft": _drafting}.get(name) or _pressing(*keys)
    assert snap_compare(app, terminal_size=size, run_before=before)


async def _choosing(pilot: Pilot[int]) -> None:
    await press(pilot)
    pilot.app.push_screen(ChoiceScreen("Which fault?", [Content("The driver is too old"), Content("No device file")]))
    await press(pilot)


async def _drafting(pilot: Pilot[int]) -> None:
    await press(pilot)
    await pilot.press("a")  # the drafting waits for answers, so its worker never comes to rest
    while not pilot.app.screen.query("#answer") or not pilot.app.screen.query_one("#answer", Input).value:
        await pilot.pause(0.05)
    await pilot.pause()


def _pressing(*keys: str) -> Callable[[Pilot[int]], Awaitable[None]]:
    async def run(pilot: Pilot[int]) -> None:
        await press(pilot, *[{"?": "question_mark"}.get(key, key) for key in keys])

    return run
