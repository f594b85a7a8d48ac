"""What a contributor says, as records of a rule and a cause."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import regex

from triage.check.closure import SHORTEST
from triage.errors import TriageError


@dataclass(slots=True)
class Wish:
    """What a new rule and its cause should say; empty texts are not given yet."""

    rule: str = ""
    says: str = ""
    says_zh: str = ""
    pattern: str = ""
    where: str = "any"
    role: str = "fault"
    captures: dict[str, str] = field(default_factory=dict)
    """Group name to capture type."""
    source: str = ""
    sample: str = ""
    more_samples: list[str] = field(default_factory=list)
    near_misses: list[str] = field(default_factory=list)
    cause: str = ""
    weight: str = "strong"
    title: str = ""
    title_zh: str = ""
    explanation: str = ""
    explanation_zh: str = ""
    fix: str = ""
    fix_zh: str = ""
    fix_command: str = ""
    check: str = ""
    check_zh: str = ""
    risk: str = "environment"


def rule_record(wish: Wish) -> dict[str, Any]:
    """Return the record of the rule."""
    record: dict[str, Any] = {
        "id": wish.rule,
        "says": _text(wish.says, wish.says_zh),
        "pattern": wish.pattern,
    }
    if wish.where != "any":
        record["where"] = wish.where
    record["role"] = wish.role
    groups = [name for name in wish.captures if f"(?P<{name}>" in wish.pattern]
    if groups:
        record["captures"] = {name: {"type": wish.captures[name]} for name in groups}
    record["status"] = "test"
    record["source"] = wish.source
    record["samples"] = [{"text": text} for text in (wish.sample, *wish.more_samples)]
    record["near_misses"] = list(wish.near_misses)
    return record


def cause_record(wish: Wish) -> dict[str, Any]:
    """Return the record of a new cause that the rule speaks for."""
    step: dict[str, Any] = {"text": _text(wish.fix, wish.fix_zh)}
    if wish.fix_command:
        step["command"] = wish.fix_command
    return {
        "id": wish.cause,
        "title": _text(wish.title, wish.title_zh),
        "explanation": _text(wish.explanation, wish.explanation_zh),
        "seen_as": [{"rule": wish.rule, "weight": wish.weight}],
        "recipes": [
            {
                "title": _text(_heading(wish.fix), _heading(wish.fix_zh)),
                "risk": wish.risk,
                "steps": [step],
                "check": {"text": _text(wish.check, wish.check_zh)},
            }
        ],
    }


def _text(en: str, zh: str) -> str | dict[str, str]:
    return {"en": en, "zh": zh} if zh else en


def _heading(text: str) -> str:
    """Return the first clause of a text."""
    return re.split(r"(?<=\w)(?:[:;.] |[：；。])", text, maxsplit=1)[0].rstrip(".。")


def capture_types(pattern: str, proposed: dict[str, str]) -> dict[str, str]:
    """Return the type of each group of a pattern; groups that a person named are text."""
    try:
        groups = regex.compile(pattern).groupindex
    except regex.error as error:
        raise TriageError(f"the pattern is not a valid expression: {error}") from error
    return {name: proposed.get(name, "text") for name in groups}


def near_miss_of(line: str) -> str:
    """Propose a line that looks like `line` and is none: its beginning, with a good end."""
    words = re.sub(r"^[\w.]*(?:Error|Exception): ", "", line.strip()).split()
    return " ".join(words[: max(2, len(words) // 2)]) + " ... ok"


def missing_of(wish: Wish, new_cause: bool, shipped: bool) -> list[str]:
    """Return the options whose values are still to be given; `shipped` knowledge explains itself in both languages."""
    other = "" if shipped else "not needed"
    wanted = {"--says": wish.says, "--says-zh": wish.says_zh or other, "--source": wish.source}
    if new_cause:
        wanted |= {
            "--title": wish.title,
            "--title-zh": wish.title_zh or other,
            "--explanation": wish.explanation if len(wish.explanation) >= SHORTEST else "",
            "--explanation-zh": wish.explanation_zh or other,
            "--fix": wish.fix,
            "--check": wish.check,
        }
    return [option for option, value in wanted.items() if not value.strip()]
