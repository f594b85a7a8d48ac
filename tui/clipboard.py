"""Copying, by the way that arrives: measured, plain OSC 52 does not get through a default tmux."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import platformdirs

from .words import Words

NATIVE = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("pbcopy",)),
    ("", ("clip.exe",)),
)
"""Variable that must be set (none for empty) and command of each native clipboard."""
SECONDS = 2.0


def state_folder() -> Path:
    """Return the folder for saved walks and copies; TRIAGE_STATE_DIR goes before the system's."""
    given = os.environ.get("TRIAGE_STATE_DIR")
    return Path(given) if given else Path(platformdirs.user_state_path("triage"))


def copy(text: str, osc52: Callable[[str], None], words: Words, environment: Mapping[str, str] = os.environ) -> str:
    """Copy `text` and return a sentence that says by which way, and where it also is.

    Args:
        text: what to copy.
        osc52: sends the terminal's own copy sequence (Textual's `copy_to_clipboard`).
        words: say by which way.
        environment: variables that tell tmux, ssh and a desktop.
    """
    ways = []
    if environment.get("TMUX") and _feed(("tmux", "load-buffer", "-w", "-"), text):
        ways.append(words("way-tmux"))
    else:
        osc52(text)
        ways.append(words("way-terminal"))
        if not environment.get("SSH_CONNECTION") and not environment.get("SSH_TTY"):
            native = next((c for v, c in NATIVE if (not v or environment.get(v)) and shutil.which(c[0])), None)
            if native is not None and _feed(native, text):
                ways.append(native[0])
    kept = _keep(text)
    return words("copied", ways=", ".join(ways)) + (words("copied-to", file=kept) if kept else "")


def _feed(command: tuple[str, ...], text: str) -> bool:
    try:
        done = subprocess.run(
            command, input=text.encode(), timeout=SECONDS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _keep(text: str) -> Path | None:
    """Write the text to a file that only the user can read, for terminals where nothing else arrives."""
    path = state_folder() / "copied.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8", errors="replace")
    except OSError:
        return None
    return path
