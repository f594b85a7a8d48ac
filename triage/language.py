"""The language of texts for people."""

from __future__ import annotations

from triage.knowledge.model import Text

LANGUAGES = ("en", "zh", "both")


def say(text: Text, language: str = "en") -> str:
    """Return `text` in a language; `both` puts the Chinese one after the English one."""
    if isinstance(text, str):
        return text
    if language == "both":
        return f"{text.en} / {text.zh}"
    return text.zh if language == "zh" else text.en
