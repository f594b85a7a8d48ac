"""What happened first: facts that the log as a whole shows, before any rule is asked what it means."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from triage.match.observe import Observation, ReadLog
from triage.parse.process import Ending
from triage.parse.traceback import Traceback, root_of
from triage.parse.versions import find_versions, python_of
from triage.reason.book import FactBook, Known

SUCCESS_FACT = "log.success"
"""Fact that context rules set where a program says that it ended well."""


class Incident(msgspec.Struct, frozen=True):
    """The first fault of a log, as far as its structure shows."""

    root: Traceback | None
    """The innermost exception of the first chain that is not only a relay."""
    ending: Ending | None
    last_fault: int
    """Line of the last fault seen; 0 where there is none."""
    ends_well: bool
    """A success is reported after the last fault, or no fault is there."""


def find_incident(log: ReadLog, observations: Sequence[Observation]) -> Incident:
    """Order exceptions, endings and observations, and take the first fault."""
    root = _first_root(log.tracebacks)
    ending = log.endings[0] if log.endings else None
    faults = [t.exception_line for t in log.tracebacks]
    faults += [e.line for e in log.endings]
    faults += [o.line for o in observations if o.rule.role in ("fault", "consequence")]
    last_fault = max(faults, default=0)
    successes = [o.line for o in observations if SUCCESS_FACT in o.rule.sets]
    ends_well = max(successes, default=0) > last_fault or not faults
    return Incident(root, ending, last_fault, ends_well)


def _first_root(tracebacks: Sequence[Traceback]) -> Traceback | None:
    whole = [i for i, t in enumerate(tracebacks) if t.frames]
    candidates = whole or range(len(tracebacks))
    for index in candidates:
        return tracebacks[root_of(tracebacks, index)]
    return None


def add_log_facts(book: FactBook, log: ReadLog, incident: Incident, observations: Sequence[Observation]) -> None:
    """Put what the log says into the fact book: captures, constants of rules, and the engine's own facts."""
    for observation in observations:
        rule = observation.rule
        for group, capture in rule.captures.items():
            if capture.fact is not None and group in observation.captures:
                value = _typed(capture.type, observation.captures[group])
                book.add(Known(capture.fact, value, "log", rule.id, observation.line))
        for name, constant in rule.sets.items():
            book.add(Known(name, constant, "log", rule.id, observation.line))
    root = incident.root
    if root is not None:
        book.add(Known("error.type", root.type.rsplit(".", 1)[-1], "log", "", root.exception_line))
        book.add(Known("error.message", root.message[:2000], "log", "", root.exception_line))
        if root.frames:
            raised = root.frames[-1]
            kind, _, package = raised.owner.partition(":")
            book.add(Known("error.raised_in", kind, "log", "", root.exception_line))
            book.add(Known("error.module", package or None, "log", "", root.exception_line))
            book.add(Known("error.file", raised.file, "log", "", root.exception_line))
    for stated in find_versions(log.lines):
        name = "python.version" if stated.distribution == "python" else f"pkg.{stated.distribution}"
        book.add(Known(name, stated.version, "log", "", stated.line))
    python = python_of(log.tracebacks)
    if python is not None:
        book.add(Known("python.version", python, "log"))
    for ending in log.endings:
        if ending.kind == "signal":
            book.add(Known("process.signal", ending.value, "log", "", ending.line))
        elif ending.kind == "exit":
            book.add(Known("process.exit_code", ending.value, "log", "", ending.line))
    streams = {line.stream for line in log.lines if line.stream}
    book.add(Known("log.ranks", len(streams), "log"))
    book.add(Known("log.ends_well", incident.ends_well, "log"))


def _typed(kind: str, value: str) -> str | int | float:
    if kind in ("int", "port"):
        return int(value)
    if kind == "float":
        return float(value)
    if kind == "bytes":
        return bytes_of(value)
    return value


UNITS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}


def bytes_of(text: str) -> int:
    """Return a size such as `15.90 GiB`, `512MB` or `1048576` in bytes; every prefix counts as a power of 1024."""
    number = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    unit = text[len(number) :].strip().lower().rstrip("s")
    scale = unit.removesuffix("byte").removesuffix("b").removesuffix("i")
    return int(float(number) * 1024 ** UNITS.get(scale, 0))
