"""What one run of a probe gave, read from whatever its process printed."""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass, replace
from typing import Literal

from triage.probing.process import OUTPUT_LIMIT, Outcome
from triage.reason.book import FactValue

ProbeStatus = Literal["ok", "absent", "denied", "timeout", "crashed", "garbled"]


@dataclass(frozen=True)
class ProbeRun:
    """What one run of one probe gave."""

    name: str
    """Name of the probe."""

    status: ProbeStatus
    """How it ended: reported (ok, absent, denied), or timeout, crashed, garbled."""

    seconds: float
    """Time it took, in seconds."""

    facts: dict[str, FactValue]
    """Dotted name to value; empty unless it reported."""

    notes: tuple[str, ...] = ()
    """What the probe could not find out, in its own words."""

    detail: str = ""
    """For a probe that did not report: signal name, first line of error output, or what was wrong."""


def read_outcome(name: str, outcome: Outcome, far: bool = False) -> ProbeRun:
    """Turn the end of a process into the result of the probe `name`; `far` if another program relayed it."""
    complaint = first_line(outcome.errors)
    if outcome.flooded:
        detail = f"printed more than {OUTPUT_LIMIT >> 20} MiB"
        return ProbeRun(name, "garbled", outcome.seconds, {}, detail=detail)
    found = find_report(outcome.output, name)
    if found is not None:
        run = replace(found, seconds=outcome.seconds)
        if outcome.timed_out or outcome.status:
            how = "did not end" if outcome.timed_out else f"ended with {status_name(outcome.status or 0, far)}"
            run = replace(run, notes=(*run.notes, f"{how} after its report"))
        return run
    if outcome.timed_out:
        return ProbeRun(name, "timeout", outcome.seconds, {}, detail=complaint)
    if outcome.status:
        detail = status_name(outcome.status, far)
        return ProbeRun(name, "crashed", outcome.seconds, {}, detail=f"{detail}: {complaint}" if complaint else detail)
    first = first_line(outcome.output)
    detail = f"no report; its output starts with {first[:80]!r}" if first else "no report, no output"
    return ProbeRun(name, "garbled", outcome.seconds, {}, detail=detail)


def find_report(output: bytes, name: str) -> ProbeRun | None:
    """The last line of `output` that holds a report of the probe `name`, whatever banners and prompts surround it.

    A report is a JSON object with "probe", a known status, and facts that are flat; anything else is none.
    """
    decoder = json.JSONDecoder(parse_constant=lambda word: None)
    for line in reversed(output.decode("utf-8", "replace").splitlines()):
        # Few starts a line, so that garbage full of brackets costs no time.
        for start in sorted({line.find(opening) for opening in ('{"', '{"facts"', '{"probe"')} - {-1}):
            try:
                run = _make_run(decoder.raw_decode(line, start)[0], name)
            except (ValueError, RecursionError):
                continue
            if run is not None:
                return run
    return None


def _make_run(report: object, name: str) -> ProbeRun | None:
    """A result from the JSON value of a report, or None if it is not one."""
    if not isinstance(report, dict) or report.get("probe") != name:
        return None
    status, facts, notes = report.get("status"), report.get("facts"), report.get("notes", [])
    if status not in ("ok", "absent", "denied") or not isinstance(facts, dict) or not isinstance(notes, list):
        return None
    if not all(is_fact_value(value) for value in facts.values()):
        return None
    return ProbeRun(name, status, 0.0, facts, tuple(str(note) for note in notes))


def is_fact_value(value: object) -> bool:
    """Whether a JSON value may be the value of a fact: a scalar, null, or a list of scalars."""
    if isinstance(value, list):
        return all(isinstance(item, (str, int, float)) for item in value)
    return value is None or isinstance(value, (str, int, float))


def status_name(status: int, far: bool) -> str:
    """Signal name or "exit status n"; relays such as docker and ssh report a signal as 128 + its number."""
    number = -status if status < 0 else status - 128 if far and 128 < status < 160 else 0
    try:
        return signal.Signals(number).name if number else f"exit status {status}"
    except ValueError:
        return f"exit status {status}"


def _lines(data: bytes) -> list[str]:
    """Printable, non-empty lines, each cut at 300 characters."""
    text = "".join(c if c.isprintable() or c == "\n" else " " for c in data.decode("utf-8", "replace"))
    return [line.strip()[:300] for line in text.split("\n") if line.strip()]


def first_line(data: bytes) -> str:
    """First line that says something, or nothing."""
    lines = _lines(data)
    return lines[0] if lines else ""


def last_line(data: bytes) -> str:
    """Last line that says something, without its full stop, or nothing."""
    lines = _lines(data)
    return lines[-1].rstrip(".") if lines else ""
