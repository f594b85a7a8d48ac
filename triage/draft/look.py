"""Look at a log before a rule is written for it: its distinctive line, and what is known about it already."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from triage.diagnosis import Case
from triage.errors import TriageError
from triage.knowledge.base import Knowledge
from triage.language import say
from triage.log.streams import Line
from triage.verdict import anchor_of

_WORD = re.compile(r"[A-Za-z][a-z0-9]{2,}|[A-Z]{2,}")
_COMMON_TEXT = (
    "the and for with not was are has have from this that error runtimeerror valueerror exception file line failed "
    "cannot could can you your use using but its into when out too does did must should got get than then there"
)
_COMMON = frozenset(_COMMON_TEXT.split())


@dataclass(frozen=True, slots=True)
class Known:
    """What triage says to a log now."""

    answer: str
    rules: tuple[tuple[str, int, str, str], ...]
    """Rule id, line, role and text of each observation."""


def known_about(case: Case) -> Known:
    """Return the present answer and the rules that match."""
    report = case.report()
    best = report.hypotheses[0] if report.hypotheses else None
    answer = f"{best.id} ({best.confidence:.2f})" if report.outcome == "cause" and best else report.outcome
    return Known(answer, tuple((o.rule.id, o.line, o.rule.role, o.text.strip()) for o in case.observations))


def distinctive_line(case: Case, number: int | None = None) -> Line:
    """Return the line that a rule should know: the given one, or the message of the first fault.

    Raises TriageError if there is no such line.
    """
    lines = case.log.lines
    if number is None:
        anchor = anchor_of(case.log, case.incident)
        suspect = next((x.number for x in lines if re.search(r"(?i)error|fail", x.text)), None)
        number = anchor.line if anchor else suspect
    if number is None:
        raise TriageError("no line of this log names a fault; choose one with --line NUMBER")
    for line in lines:
        if line.number == number and line.text.strip():
            return line
    raise TriageError(f"the log has no line {number} with text in it")


def is_exception_line(case: Case, line: Line) -> bool:
    """Return whether a line is the message of an exception with a traceback above it."""
    return any(t.stream == line.stream and t.exception_line == line.number for t in case.log.tracebacks)


def search_causes(knowledge: Knowledge, words: str, most: int = 5) -> list[tuple[str, str]]:
    """Return (id, title) of the causes whose pages share most with `words`, best first; the id itself always wins."""
    wanted = _words(words)
    scored: list[tuple[float, str]] = []
    for name in knowledge.causes:
        page = knowledge.page(name)
        title, prose = _words(f"{name} {say(page.title)}"), _words(say(page.explanation))
        score = 3.0 * len(wanted & title) + len(wanted & prose) + (100.0 if words.strip() == name else 0.0)
        if score:
            scored.append((score / (1 + 0.002 * len(prose)), name))
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    return [(name, say(knowledge.causes[name].title)) for _, name in scored[:most]]


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text.replace("_", " ").replace(".", " "))} - _COMMON


def rule_words(text: str, most: int = 5) -> Sequence[str]:
    """Return telling words of a line for an id."""
    said = re.sub(r"^[\w.]*(?:Error|Exception|Warning): ", "", text.strip())
    found = [word.lower() for word in _WORD.findall(said.replace("_", " "))]
    return list(dict.fromkeys(word for word in found if word not in _COMMON))[:most]
