"""Text from logs, rules and machines can neither break a screen nor forge one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from textual.widgets import Static
from triage.tui.app import TriageApp
from triage.tui.widgets.log_view import LogView

from tests.tui.conftest import press, settle

Make = Callable[..., TriageApp]
HOSTILE = (
    "[/]", "[/bold] [bold", "[red]not red", "[@click=app.quit()]quit[/]", "\x1b[2J\x1b[H\x1b]52;c;aGk=\x07gone",
    "\x1b]0;title\x07", "\x9b31m", "\u202eevil\u202c", "a\u200bb", "\\[", "x" * 1_000_000, "\x00\x07\x08",
    "显存不足：中文",
    "tab\there", "{{ 7*7 }}", "%s %n", "\ud800".encode("utf-8", "replace").decode(), "\r\rover", "[link=http://x]y",
)  # fmt: skip


def hostile_log() -> str:
    body = "\n".join(HOSTILE)
    return f"{body}\nTraceback (most recent call last):\n  File \"[/].py\", line 1, in [bold]\n    f()\n" + (
        "RuntimeError: [/x] CUDA out of memory. Tried to allocate 2.00 GiB [bold \x1b[31m\u202e\n"
    )


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
def test_no_line_reaches_the_screen_as_markup_or_control(app_for: Make, size: tuple[int, int]) -> None:
    app = app_for(hostile_log())

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await press(pilot, "l", "home")
            for _ in range(4):
                await press(pilot, "pagedown")
            view = app.screen.query_one(LogView)
            drawn = "\n".join(view.render_line(y).text for y in range(view.size.height))
            assert not any(char in drawn for char in "\x1b\x07\x00\u202e\u200b\x9b")
            await press(pilot, "home")
            first = [view.text_of(number) for number in range(1, len(HOSTILE) + 1)]
            assert first[0] == "[/]"
            assert first[3] == "[@click=app.quit()]quit[/]"
            assert first[10].endswith("bytes more)")
            assert len(first[10]) < 5000
            await press(pilot, "enter", "escape", "escape")
            for key in ("w", "escape", "f", "escape", "k", "escape", "m", "escape", "question_mark", "escape"):
                await press(pilot, key)
            for static in app.screen.query(Static):
                assert "\x1b" not in str(static.render())

    asyncio.run(run())


def test_evidence_is_shown_as_it_was_printed(app_for: Make) -> None:
    app = app_for(hostile_log())

    async def run() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(pilot)
            page = str(app.screen.query_one("#page", Static).render())
            assert "[/x] CUDA out of memory. Tried to allocate 2.00 GiB [bold" in page

    asyncio.run(run())
