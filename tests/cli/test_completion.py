"""What the Tab key offers, asked as a shell asks: in a terminal of its own."""

from __future__ import annotations

import os
import pty
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def offered(typed: str) -> list[str]:
    """Return what is offered for the last word of a command line."""
    child, terminal = pty.fork()
    if child == 0:
        asked = {"_TRIAGE_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
        os.execve(sys.executable, [sys.executable, "-m", "triage"], {**os.environ, "PYTHONPATH": str(ROOT), **asked})
    out = b""
    try:
        while block := os.read(terminal, 4096):
            out += block
    except OSError:  # the other end is closed
        pass
    os.close(terminal)
    os.waitpid(child, 0)
    return out.decode().split()


@pytest.mark.parametrize(
    ("typed", "one"),
    [
        ("triage ex", "plain,explain"),
        ("triage runs/tr", "file,runs/tr"),
        ("triage --no", "plain,--no-probes"),
        ("triage x.log --fa", "plain,--facts"),
        ("triage explain cuda.driver_too", "plain,cuda.driver_too_old"),
        ("triage explain autog", "plain,autograd"),
        ("triage doctor --check cuda.driver_too", "plain,cuda.driver_too_old"),
        ("triage doctor --for vllm,tor", "plain,vllm,torch"),
        ("triage probe tri", "plain,triton_cache"),
        ("triage rules stats autog", "plain,autograd"),
    ],
)
def test_a_word_begun_is_completed(typed: str, one: str) -> None:
    assert one in offered(typed)
