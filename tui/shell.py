"""Running one command that a person has confirmed, its output line by line."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from triage.log.clean import clean_line

from .words import Words

MOST_KEPT = 200_000
"""Characters of output kept for the report."""
_PLACEHOLDER = re.compile(r"<[A-Za-z][^<>|&;]{0,60}>|\b(?:PID|MODEL_FILE|YOUR_[A-Z_]+)\b")
_ADMIN = re.compile(r"(?:^|[\s;&|(])(?:sudo|doas|pkexec|su|reboot|shutdown|halt|poweroff)(?:\s|$)")
_RUNNABLE = ("none", "environment")


def why_not(words: Words, command: str, risk: str, may_run: bool, remote: bool) -> str:
    """Return why a command must not be run from the screen, in one sentence; empty if it may."""
    if not may_run:
        return words("may-not-run")
    if remote:
        return words("remote")
    if risk not in _RUNNABLE:
        return words("too-risky", risk=words.risk(risk))
    if _ADMIN.search(command):
        return words("for-admin")
    return ""


def placeholder(command: str) -> str:
    """Return a part of the command that a person must fill in first; empty if there is none."""
    found = _PLACEHOLDER.search(command)
    return found.group() if found else ""


def environment_for(interpreter: str) -> dict[str, str]:
    """Return the environment for commands: `python` and `pip` are those of the interpreter under examination."""
    out = dict(os.environ)
    folder = Path(interpreter).parent
    if folder.is_absolute():
        out["PATH"] = os.pathsep.join((str(folder), out.get("PATH", os.defpath)))
    out["PYTHONUNBUFFERED"] = "1"
    return out


class Running:
    """One command under way; nothing is typed into it, and it gets a session of its own so that it can be stopped."""

    def __init__(self, command: str, environment: dict[str, str]) -> None:
        self.command = command
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self._kept: list[str] = []
        self._size = 0

    @property
    def output(self) -> str:
        """What it printed, cut after `MOST_KEPT` characters."""
        return "\n".join(self._kept)

    async def run(self, tell: Callable[[str], None]) -> int | None:
        """Run to the end, giving each line to `tell`; return the exit status, None if it was stopped."""
        self._process = await asyncio.create_subprocess_shell(
            self.command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT, env=self._environment, start_new_session=sys.platform != "win32",
            limit=1 << 20,
        )  # fmt: skip
        reader = self._process.stdout
        assert reader is not None
        rest = b""
        try:
            while data := await reader.read(1 << 16):
                *done, rest = (rest + data).split(b"\n")
                for line in done:
                    self._take(line, tell)
                rest = rest[-(1 << 16) :]
            if rest:
                self._take(rest, tell)
            return await self._process.wait()
        except asyncio.CancelledError:
            self.stop()
            return None

    def _take(self, data: bytes, tell: Callable[[str], None]) -> None:
        text = clean_line(data.decode("utf-8", "replace").rstrip("\r").split("\r")[-1])[:2000]
        if self._size < MOST_KEPT:
            self._size += len(text) + 1
            self._kept.append(text)
        tell(text)

    def stop(self) -> None:
        """Stop it and what it started."""
        if self._process is None or self._process.returncode is not None:
            return
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGTERM)
