"""Recorded cases: logs with the cause that was confirmed, and what triage answers to each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from triage.errors import TriageError
from triage.knowledge.base import Knowledge
from triage.knowledge.document import read_document
from triage.knowledge.roots import data_folder
from triage.result import Fix


class RecordedCase(msgspec.Struct, frozen=True):
    """A reduced real log and what is known about it; keys beside these are for people."""

    id: str
    log: str
    cause: str
    also: list[str] = []
    line: str | None = None
    fix_terms: list[str] | None = None
    facts: dict[str, str | int | float | bool | list[str] | None] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What triage says to a log."""

    cause: str
    """The best cause, be it only suspected, or `healthy` or `unknown`."""
    confidence: float
    shows_line: bool
    """Whether the decisive line is among the evidence."""
    names_fix: bool
    """Whether the recipes say the words that they must."""
    first_names_fix: bool = True
    """Whether the recipe shown first alone says them."""

    def __str__(self) -> str:
        return f"{self.cause} ({self.confidence:.2f})" if self.confidence else self.cause


def shipped_cases() -> list[Path]:
    """Return the case files of a checkout."""
    return sorted((data_folder("rules").parent / "tests" / "cases").glob("*.yaml"))


def read_cases(paths: Sequence[Path]) -> list[RecordedCase]:
    """Read case files, or all in a folder; raises TriageError for a file that is no list of cases."""
    out: list[RecordedCase] = []
    for given in paths:
        if not given.exists():
            raise TriageError(f"there is no file or folder {given}")
        for path in sorted(given.glob("*.yaml")) if given.is_dir() else [given]:
            try:
                document = read_document(path)
                if not isinstance(document.data, dict) or not isinstance(document.data.get("cases"), list):
                    raise TriageError("a file of recorded cases is a mapping: cases: [{id: ..., log: ...}]", str(path))
                out += msgspec.convert(document.data["cases"], list[RecordedCase], strict=False)
            except msgspec.ValidationError as error:
                raise TriageError(f"a recorded case is not as it should be: {error}", str(path)) from error
    return out


def answer_case(case: RecordedCase, knowledge: Knowledge) -> Answer:
    """Return what triage says to a case."""
    from triage.diagnosis import open_case
    from triage.log.source import source_from_text

    report = open_case(source_from_text(case.log), knowledge, case.facts or {}).report()
    if not report.hypotheses:
        return Answer(report.outcome, 0.0, False, False, False)
    best = report.hypotheses[0]
    shown = _squeeze(" ".join(evidence.text for evidence in best.evidence))
    said = [_words(fix) for fix in best.fix]
    terms = case.fix_terms or []
    return Answer(
        best.id,
        best.confidence,
        not case.line or _squeeze(case.line) in shown,
        _holds(" ".join(said), terms),
        _holds(said[0] if said else "", terms),
    )


def fault_of(case: RecordedCase, answer: Answer) -> str:
    """Return what is wrong with an answer; empty if nothing is."""
    if case.cause == "none":
        return "" if answer.cause in ("healthy", "unknown") or answer.confidence < 0.5 else f"false alarm: {answer}"
    if answer.cause not in (case.cause, *case.also):
        return f"{answer} instead of {case.cause}"
    if not answer.shows_line:
        return "the decisive line is not among the evidence"
    return "" if answer.names_fix else "the recipes do not say what helps"


def answer_all(cases: Iterable[RecordedCase], knowledge: Knowledge) -> Iterator[tuple[RecordedCase, Answer]]:
    """Yield each case with its answer."""
    for case in cases:
        yield case, answer_case(case, knowledge)


def _words(fix: Fix) -> str:
    return " ".join([fix.title, fix.undo or "", *(f"{step.text} {step.command or ''}" for step in fix.steps)]).lower()


def _holds(text: str, terms: Sequence[str]) -> bool:
    return all(any(word.strip().lower() in text for word in str(term).split("|")) for term in terms)


def _squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text)
