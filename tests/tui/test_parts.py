"""Copying, running, saving, the terminal: the parts that know nothing of screens."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from pathlib import Path

import pytest
from triage.tui import terminal
from triage.tui.clipboard import copy
from triage.tui.session import choices_of, load_session, make_session, path_of, save_session
from triage.tui.settings import Settings
from triage.tui.shell import Running, environment_for, placeholder, why_not
from triage.tui.words import Words

from tests.tui.base import SYMBOL_LOG
from triage.log.source import source_from_text
from triage.reason.walkthrough import Choice

WORDS = Words()


def test_in_tmux_the_buffer_is_loaded_and_no_escape_is_sent(place: Path) -> None:
    tool = place / "bin" / "tmux"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\necho \"$@\" > {place}/words\ncat > {place}/got\n", encoding="utf-8")
    tool.chmod(0o755)
    sent: list[str] = []
    old = os.environ["PATH"]
    os.environ["PATH"] = f"{tool.parent}:{old}"
    try:
        said = copy("pip install x", sent.append, WORDS, {"TMUX": "1"})
    finally:
        os.environ["PATH"] = old
    assert sent == []
    assert (place / "got").read_text() == "pip install x"
    assert (place / "words").read_text().strip() == "load-buffer -w -"
    assert said.startswith("copied by tmux")


def test_over_ssh_the_terminal_is_told_and_a_file_is_kept(place: Path) -> None:
    sent: list[str] = []
    said = copy("text", sent.append, WORDS, {"SSH_CONNECTION": "a b", "DISPLAY": ":0"})
    kept = place / "state" / "copied.txt"
    assert sent == ["text"]
    assert "OSC 52" in said
    assert str(kept) in said
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("command", "risk", "may_run", "remote", "word"),
    [
        ("ls", "none", True, False, ""), ("ls", "environment", True, False, ""),
        ("ls", "data", True, False, "never run"),
        ("ls", "admin", True, False, "never run"), ("ls", "reboot", True, False, "never run"),
        ("cd x && sudo ls", "environment", True, False, "administrator"), ("ls", "none", False, False, "readonly"),
        ("ls", "none", True, True, "--via"),
    ],
)  # fmt: skip
def test_what_may_run(command: str, risk: str, may_run: bool, remote: bool, word: str) -> None:
    refusal = why_not(WORDS, command, risk, may_run, remote)
    assert bool(refusal) is bool(word)
    assert word in refusal


def test_gaps_are_found() -> None:
    assert placeholder("docker restart <container>") == "<container>"
    assert placeholder("kill PID") == "PID"
    assert placeholder("sort < in > out") == ""


def test_a_site_can_forbid_running(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings().may_run
    monkeypatch.setenv("TRIAGE_READONLY", "1")
    assert not Settings().may_run


def test_output_comes_line_by_line_and_nothing_can_be_typed() -> None:
    lines: list[str] = []
    command = "echo one; printf '\\033[31mtwo\\033[0m\\n'; read x || echo end; exit 3"
    running = Running(command, environment_for("python3"))
    assert asyncio.run(running.run(lines.append)) == 3
    assert lines == ["one", "two", "end"]


def test_a_command_is_stopped_with_its_children() -> None:
    async def run() -> int | None:
        running = Running("sleep 60 & sleep 60; echo late", environment_for("python3"))
        task = asyncio.create_task(running.run(lambda line: None))
        await asyncio.sleep(0.3)
        running.stop()
        return await asyncio.wait_for(task, 10)

    assert asyncio.run(run()) == -15


def test_a_session_is_private_and_survives() -> None:
    source = source_from_text(SYMBOL_LOG)
    choice = Choice("fact:a", "a?", "x", None, "a", ["p", "q"])
    path = save_session(make_session(source, [choice], "nan-loss", "digest"))
    assert path is not None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    loaded = load_session(source)
    assert loaded is not None
    assert choices_of(loaded) == (choice,)
    assert loaded.chosen == "nan-loss"
    assert load_session(source_from_text("another")) is None
    assert save_session(make_session(source, [], None, "digest")) is None
    assert not path.exists()


@pytest.mark.parametrize("text", ["", "{", '{"key": 1}', '{"log": "", "key": "no-log", "choices": 3}'])
def test_a_broken_session_is_none(text: str) -> None:
    path = path_of("no-log")
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    assert load_session(None) is None


def test_a_pipe_is_read_and_can_be_left_open() -> None:
    reading, writing = os.pipe()
    told: list[int] = []
    tap = terminal.Tap(os.fdopen(reading, "rb", buffering=0), told.append)
    os.write(writing, b"abc")
    assert tap.read(10) == b"abc"
    threading.Timer(0.2, tap.ended.set).start()
    assert tap.read(10) == b""
    assert told[0] == 3
    os.close(writing)


@pytest.mark.parametrize(
    ("term", "colours", "theme"),
    [("xterm", "", "ansi-dark"), ("linux", "", "ansi-dark"), ("xterm-256color", "", None), ("xterm", "truecolor", None),
     ("", "", "ansi-dark")],
)  # fmt: skip
def test_terminals_of_16_colours_get_their_theme(
    monkeypatch: pytest.MonkeyPatch, term: str, colours: str, theme: str | None
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLORTERM", colours)
    monkeypatch.delenv("COLORFGBG", raising=False)
    assert terminal.theme_for_terminal() == theme


def test_an_empty_no_color_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    terminal.set_colour_choice()
    assert "NO_COLOR" not in os.environ
    monkeypatch.setenv("TRIAGE_COLOR", "never")
    terminal.set_colour_choice()
    assert os.environ["NO_COLOR"] == "1"
    monkeypatch.delenv("NO_COLOR")
