"""Settings from the environment."""

from __future__ import annotations

import locale
import os
from collections.abc import Sequence
from pathlib import Path

from triage.errors import TriageError
from triage.language import LANGUAGES


def text_language(flag: str | None = None) -> str:
    """Return the language of texts: the flag, then TRIAGE_LANG, then the locale."""
    if flag:
        return flag
    chosen = os.environ.get("TRIAGE_LANG")
    if chosen:
        if chosen not in LANGUAGES:
            raise TriageError(f"TRIAGE_LANG is {chosen!r}; it may be en, zh or both")
        return chosen
    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    if not name and os.name == "nt":
        name = locale.getlocale()[0] or ""
    return "zh" if name.lower().startswith(("zh", "chinese")) else "en"


def overlay_folders(flags: Sequence[str] = ()) -> tuple[Path, ...]:
    """Return the folders with private rules: TRIAGE_RULES (separated like PATH), then the flags."""
    given = [part for part in os.environ.get("TRIAGE_RULES", "").split(os.pathsep) if part]
    return tuple(Path(part) for part in (*given, *flags))
