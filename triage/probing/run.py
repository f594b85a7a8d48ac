"""Run probes: several at once, each with its own deadline, whatever they do."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from triage.errors import TriageError
from triage.knowledge.roots import data_folder
from triage.probing.extensions import examine_extensions
from triage.probing.probe_run import ProbeRun, find_report, last_line, read_outcome, status_name
from triage.probing.process import run_process
from triage.probing.target import Target

__all__ = ["ProbeRun", "Progress", "check_target", "find_probes", "run_probe", "run_probes"]

Progress = Callable[[str, "ProbeRun | None"], None]
"""Called with a probe's name and None when it starts, with its result when it ends."""

AT_ONCE = 6
"""Probes that run at the same time: they wait more than they compute."""

HELLO = b"import json, sys\nprint(json.dumps({'probe': 'hello', 'status': 'ok', 'facts': {'version': sys.version}}))\n"


def find_probes() -> dict[str, Path]:
    """Path of each probe by its name, in alphabetical order."""
    folder = data_folder("probes")
    found = {path.stem: path for path in sorted(folder.glob("*.py")) if not path.stem.startswith("_")}
    if found:
        return found
    raise TriageError("The folder of probes is missing from this installation; install ai-triage again.")


def run_probes(
    names: Iterable[str],
    target: Target,
    deep: bool = False,
    deadline: float = 60.0,
    each: float = 20.0,
    progress: Progress | None = None,
) -> list[ProbeRun]:
    """Run probes on a target and return within `deadline` (and half a second) whatever they do.

    Args:
        names: names of probes; one named twice runs once.
        target: interpreter, and the way to it.
        deep: also import frameworks, make GPU contexts and run small kernels.
        deadline: seconds for all probes together; one that has had no turn by then is reported as `timeout`.
        each: seconds for one probe.
        progress: called in the caller's thread at start and end of each probe.

    Returns:
        One result for each name, in the order of `names`.

    Raises:
        TriageError: for an unknown probe, a missing interpreter or one that is no Python 3.8, an unreachable host.
    """
    probes, wanted = find_probes(), list(dict.fromkeys(names))
    for name in wanted:
        if name not in probes:
            raise TriageError(f"There is no probe {name!r}; there are: {', '.join(probes)}.")
    if not wanted:
        return []
    start = time.monotonic()
    check_target(target, deadline)
    events: queue.SimpleQueue[tuple[str, ProbeRun | None]] = queue.SimpleQueue()
    cancel = threading.Event()

    def work(name: str) -> None:
        """Run one probe in a worker thread and put its start and end into the queue."""
        left = deadline - (time.monotonic() - start)
        if left <= 0.05 or cancel.is_set():
            events.put((name, ProbeRun(name, "timeout", 0.0, {}, detail="not started: the time for all probes was up")))
            return
        events.put((name, None))
        try:
            run = run_probe(name, probes[name], target, deep, min(each, left), cancel)
        except Exception as error:  # a fault of ours must not lose the other probes
            run = ProbeRun(name, "crashed", 0.0, {}, detail=f"{type(error).__name__}: {error}")
        events.put((name, run))

    runs: dict[str, ProbeRun] = {}
    with ThreadPoolExecutor(min(AT_ONCE, len(wanted)), thread_name_prefix="probe") as pool:
        try:
            for name in wanted:
                pool.submit(work, name)
            while len(runs) < len(wanted):
                name, run = events.get()
                if run is not None:
                    runs[name] = run
                if progress is not None:
                    progress(name, run)
        finally:
            cancel.set()
    return [runs[name] for name in wanted]


def run_probe(
    name: str, path: Path, target: Target, deep: bool, seconds: float, cancel: threading.Event | None = None
) -> ProbeRun:
    """Run one probe file on a target; see `run_probes` for the arguments.

    The probe is told to stop by itself (`--limit`) shortly before it would be killed, so that a step that hangs
    costs only the facts of that step.
    """
    options = ["--limit", f"{max(0.1, seconds * 0.9 - 0.1):.2f}"] + (["--deep"] if deep else [])
    cancel = cancel or threading.Event()
    try:
        if target.is_local:
            outcome = run_process(target.command(str(path), *options), None, seconds, cancel)
        else:
            outcome = run_process(target.command("-", *options), path.read_bytes(), seconds, cancel)
    except OSError as error:
        return ProbeRun(name, "crashed", 0.0, {}, detail=f"could not be started: {error.strerror}")
    run = read_outcome(name, outcome, far=not target.is_local)
    if name == "abi" and target.is_local:
        return examine_extensions(run, max(0.5, seconds - outcome.seconds))
    return run


def check_target(target: Target, seconds: float) -> None:
    """Make sure that the target's interpreter answers and is new enough for the probes.

    Raises:
        TriageError: in a plain sentence: not there, not a Python, older than 3.8, not reachable, too slow.
    """
    if target.is_local and target.interpreter == sys.executable:
        return
    where = f"--via {' '.join(target.via)}" if target.via else target.interpreter
    try:
        outcome = run_process(target.command("-"), HELLO, max(0.5, seconds), threading.Event())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise TriageError(f"{target.command()[0]} cannot be started: {reason}; check --python and --via.") from None
    hello, complaint = find_report(outcome.output, "hello"), last_line(outcome.errors)
    if hello is None and outcome.timed_out:
        raise TriageError(f"{where} did not answer within {seconds:.3g} seconds.")
    if hello is None and not target.is_local:
        status = status_name(outcome.status or 0, True)
        raise TriageError(f"{where} did not run {target.interpreter}: {complaint or status}.")
    if hello is None:
        raise TriageError(f"{where} is not a working Python interpreter{': ' + complaint if complaint else ''}.")
    version = str(hello.facts.get("version", "")).split()[0]
    if tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) < (3, 8):
        raise TriageError(f"{where} runs Python {version}; the probes need Python 3.8 or newer.")
