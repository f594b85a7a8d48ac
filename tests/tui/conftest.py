"""The application over a small knowledge base, in a state folder of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from triage.tui.app import TriageApp

from tests.tui.base import make_app, make_knowledge
from triage.knowledge.base import Knowledge


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    return make_knowledge(tmp_path_factory.mktemp("knowledge"))


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for state and exports, and a terminal whose kind does not matter."""
    monkeypatch.setenv("TRIAGE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("TMUX", "DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR", "TRIAGE_READONLY", "COLORTERM", "TEXTUAL_THEME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def app_for(small: Knowledge) -> Callable[..., TriageApp]:
    def make(log: str | None, **options: Any) -> TriageApp:
        return make_app(small, log, **options)

    return make


async def settle(pilot: Pilot[int]) -> None:
    """Wait until nothing is under way."""
    for _ in range(3):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys one after the other, each when the screen is at rest."""
    await settle(pilot)
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


Flow = Callable[[Pilot[int]], Awaitable[None]]
