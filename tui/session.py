"""Answers of a walk-through, saved while they are given and taken up again for the same log."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from triage.log.source import Source
from triage.probing.probe_run import is_fact_value
from triage.reason.walkthrough import Choice

from .clipboard import state_folder

SCHEMA = 1
HEAD = 1 << 16
"""Bytes at both ends of a log that tell it from others."""


class Answer(msgspec.Struct, frozen=True):
    """A choice as it is saved; its value is checked when it is taken up."""

    key: str
    question: str
    answer: str
    branch: int | None = None
    fact: str | None = None
    value: Any = None


class Session(msgspec.Struct, frozen=True):
    """A walk-through as it is saved."""

    log: str
    """Name of the log."""
    key: str
    choices: tuple[Answer, ...]
    chosen: str | None = None
    knowledge: str = ""
    """Digest of the knowledge the questions came from."""
    saved: float = 0.0
    """Seconds since 1970."""
    schema: int = SCHEMA


def key_of(source: Source | None) -> str:
    """Return what a log is known by again: its size and both its ends."""
    if source is None or not source.size:
        return "no-log"
    digest = hashlib.sha256(str(source.size).encode())
    digest.update(source.read(0, HEAD))
    digest.update(source.read(source.size - HEAD, source.size))
    return digest.hexdigest()[:24]


def path_of(key: str) -> Path:
    """Return the file of a session."""
    return state_folder() / "walks" / f"{key}.json"


def make_session(source: Source | None, choices: Sequence[Choice], chosen: str | None, knowledge: str) -> Session:
    """Return what is to be saved."""
    answers = tuple(Answer(c.key, c.question, c.answer, c.branch, c.fact, c.value) for c in choices)
    return Session(source.name if source else "", key_of(source), answers, chosen, knowledge, time.time())


def choices_of(session: Session) -> tuple[Choice, ...]:
    """Return the answers of a saved walk-through; one that is no fact's value is left out."""
    sound = [a for a in session.choices if is_fact_value(a.value)]
    return tuple(Choice(a.key, a.question, a.answer, a.branch, a.fact, a.value) for a in sound)


def save_session(session: Session, path: Path | None = None) -> Path | None:
    """Write a session where only the user can read it; None if that is not possible. Without answers it is removed."""
    path = path or path_of(session.key)
    try:
        if not session.choices and session.chosen is None:
            path.unlink(missing_ok=True)
            return None
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.touch(mode=0o600)
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(session), indent=1))
        fresh.replace(path)
    except OSError:
        return None
    return path


def load_session(source: Source | None) -> Session | None:
    """Return the walk-through saved for this log, if there is one that can be read."""
    key = key_of(source)
    try:
        session = msgspec.json.decode(path_of(key).read_bytes(), type=Session)
    except (OSError, msgspec.MsgspecError):
        return None
    return session if session.key == key and session.schema == SCHEMA else None
