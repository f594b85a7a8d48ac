"""The program in a real terminal (tmux): a piped log, a walk to a recipe, leaving, signals, colours."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.base import SYMBOL_LOG

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
    pytest.mark.skipif(sys.platform == "win32", reason="no tmux here"),
]
PATIENCE = 60.0


class Terminal:
    """A tmux session with a shell."""

    def __init__(self, folder: Path, term: str = "tmux-256color") -> None:
        self.socket = Path(tempfile.mkdtemp(prefix="triage-")) / "tmux"
        self.folder = folder
        env = [f"TRIAGE_STATE_DIR={folder / 'state'}", f"TERM={term}", "PS1=READY>", "HISTFILE=/dev/null"]
        shell = shlex.join(["env", "-u", "COLORTERM", *env, "bash", "--norc", "--noprofile"])
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "36", "-c", str(folder), shell)
        self.wait("READY>")

    def tmux(self, *words: str) -> str:
        command = ["tmux", "-S", str(self.socket), *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=30).stdout

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p")

    def keys(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def wait(self, text: str, without: str = "") -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            shown = self.screen()
            if text in shown and (not without or without not in shown):
                return shown
            time.sleep(0.1)
        raise AssertionError(f"{text!r} did not appear in:\n{self.screen()}")

    def end(self) -> None:
        self.tmux("kill-server")
        shutil.rmtree(self.socket.parent)

    def flag(self, name: str) -> str:
        return self.tmux("display-message", "-p", f"#{{{name}}}").strip()


@pytest.fixture
def terminal(place: Path) -> Iterator[Terminal]:
    made = Terminal(place)
    yield made
    made.end()


def start(terminal: Terminal, *options: str) -> str:
    words = [sys.executable, "-m", "triage", "tui", "--no-probes", *options]
    return shlex.join(words)


def test_a_piped_log_is_walked_to_a_recipe_and_the_terminal_is_restored(terminal: Terminal, place: Path) -> None:
    log = place / "error.log"
    log.write_text(SYMBOL_LOG.replace("_ZN3c105Error", "_ZN3c105ErrorC2ENS_14SourceLocationESs"), encoding="utf-8")
    terminal.keys(f"cat error.log | {start(terminal)}; echo STATUS=$?", "Enter")
    terminal.wait("cause found")
    terminal.keys("w")
    terminal.wait("QUESTION")
    terminal.keys("y")
    terminal.wait("taken:")
    terminal.keys("f")
    terminal.wait("Risk:")
    terminal.keys("C-l")
    assert "Check:" in terminal.wait("(Enter goes back to triage)")
    terminal.keys("Enter")
    terminal.wait("Risk:")
    terminal.keys("q")
    terminal.wait("STATUS=0")
    assert terminal.flag("alternate_on") == "0"
    assert terminal.flag("mouse_any_flag") == "0"
    terminal.keys("echo typed-$((40+2))", "Enter")
    terminal.wait("typed-42")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(terminal: Terminal, place: Path, number: signal.Signals) -> None:
    (place / "error.log").write_text(SYMBOL_LOG, encoding="utf-8")
    run = f"{start(terminal, 'error.log')} & echo $! > pid; fg >/dev/null; echo STATUS=$?"
    terminal.keys(f"set -m; {run}", "Enter")
    terminal.wait("Diagnosis")
    os.kill(int((place / "pid").read_text()), number)
    terminal.wait(f"STATUS={128 + number}")
    assert terminal.flag("alternate_on") == "0"
    assert terminal.flag("mouse_any_flag") == "0"
    assert terminal.flag("cursor_flag") == "1"


def test_an_open_pipe_does_not_hold_the_program(terminal: Terminal) -> None:
    terminal.keys(f"(echo one; sleep 300) | {start(terminal)}; echo STATUS=$?", "Enter")
    terminal.wait("reading")
    terminal.keys("q")
    end = time.monotonic() + PATIENCE
    while terminal.flag("alternate_on") == "1" and time.monotonic() < end:
        time.sleep(0.1)
    assert terminal.flag("alternate_on") == "0"


def test_without_a_terminal_one_sentence_is_said(place: Path) -> None:
    command = [sys.executable, "-m", "triage", "tui", "--no-probes"]
    done = subprocess.run(command, input=b"x\n", capture_output=True, start_new_session=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1
    assert "needs a terminal" in done.stderr.decode()


def test_an_unreadable_log_is_said_after_the_screen_was_left(terminal: Terminal) -> None:
    terminal.keys(f"{start(terminal, 'no-such.log')}; echo STATUS=$?", "Enter")
    shown = terminal.wait("STATUS=2")
    assert "there is no file no-such.log" in shown


def test_sixteen_colours_are_told_apart_from_the_ground(place: Path) -> None:
    """At TERM=xterm no colour of 256 or more is sent: each cell is drawn with the terminal's own 16."""
    (place / "error.log").write_text(SYMBOL_LOG, encoding="utf-8")
    made = Terminal(place, "xterm")
    try:
        made.keys(f"{start(made, 'error.log')}", "Enter")
        made.wait("Diagnosis")
        made.wait("LOG")
        drawn = made.tmux("capture-pane", "-p", "-e")
    finally:
        made.end()
    codes = re.findall(r"\x1b\[([\d;]*)m", drawn)
    assert codes
    assert not [code for code in codes if "38;5" in code or "48;5" in code or "38;2" in code or "48;2" in code]
