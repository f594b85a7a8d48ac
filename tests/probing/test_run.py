"""Running probes: every way in which a probe can end, deadlines, and that nothing stays behind."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

import pytest

from tests.probes.machine import left_behind
from triage.errors import TriageError
from triage.probing.run import ProbeRun, find_probes, run_probes
from triage.probing.target import Target, make_target

ENDS = [
    ("good", "ok", "", {"a.b": 1}),
    ("absent", "absent", "", {"a.b": None}),
    ("denied", "denied", "", {"a.b": 1}),
    ("chatty", "ok", "", {"a.b": 1}),
    ("twice", "ok", "", {"a.b": 1}),
    ("late-crash", "ok", "", {"a.b": 1}),
    ("loud", "ok", "", {"a.b": 1}),
    ("nan", "ok", "", {"a.b": None}),
    ("reads-input", "ok", "", {"a.b": 1}),
    ("orphan", "ok", "", {"a.b": 1}),
    ("fails", "crashed", "exit status 1: the disk is on fire", {}),
    ("segv", "crashed", "SIGSEGV", {}),
    ("abort", "crashed", "SIGABRT", {}),
    ("killed", "crashed", "SIGKILL", {}),
    ("silent", "garbled", "no report, no output", {}),
    ("binary", "garbled", None, {}),
    ("flood", "garbled", "printed more than 1 MiB", {}),
    ("endless", "garbled", "printed more than 1 MiB", {}),
    ("other-name", "garbled", None, {}),
    ("nested", "garbled", None, {}),
    ("list-of-lists", "garbled", None, {}),
    ("bad-status", "garbled", None, {}),
    ("no-facts", "garbled", None, {}),
    ("deep-json", "garbled", None, {}),
]


@pytest.mark.parametrize(("name", "status", "detail", "facts"), ENDS, ids=[end[0] for end in ENDS])
def test_each_end_has_its_status(
    fakes: dict[str, Path], mark: str, name: str, status: str, detail: str | None, facts: dict[str, object]
) -> None:
    (run,) = run_probes([name], Target(), each=10)
    assert (run.name, run.status, run.facts) == (name, status, facts)
    assert detail is None or run.detail == detail
    assert run.detail.isprintable()
    assert left_behind(mark) == []


HANGS = ["hang", "stubborn", "spin", "stopped", "hanging-family", "own-group"]


def test_what_hangs_is_killed_with_its_family_at_its_deadline(fakes: dict[str, Path], mark: str) -> None:
    start = time.monotonic()
    runs = run_probes(HANGS, Target(), each=0.6)
    assert time.monotonic() - start < 2.5
    assert [run.status for run in runs] == ["timeout"] * len(HANGS)
    assert all(0.5 < run.seconds < 2 for run in runs)
    assert left_behind(mark) == []


def test_a_report_before_a_hang_counts(fakes: dict[str, Path], mark: str) -> None:
    (run,) = run_probes(["late-hang"], Target(), each=0.5)
    assert (run.status, run.facts, run.notes) == ("ok", {"a.b": 1}, ("did not end after its report",))
    assert left_behind(mark) == []


def test_the_global_deadline_bounds_any_number_of_probes(fakes: dict[str, Path], mark: str) -> None:
    start = time.monotonic()
    runs = run_probes([*HANGS, *[n for n in fakes if n not in HANGS]], Target(), deadline=0.8, each=0.7)
    assert time.monotonic() - start < 2.5
    assert len(runs) == len(fakes)
    assert runs[-1].status in ("timeout", "ok", "crashed", "garbled")
    assert any(run.detail.startswith("not started") for run in runs)
    assert left_behind(mark) == []


def test_several_probes_run_at_once(fakes: dict[str, Path]) -> None:
    start = time.monotonic()
    run_probes(["hang", "late-hang", "stubborn"], Target(), each=0.6)
    assert time.monotonic() - start < 1.6


def test_results_come_in_the_order_asked_for_and_once(fakes: dict[str, Path]) -> None:
    names = ["good", "segv", "absent", "good"]
    assert [run.name for run in run_probes(names, Target())] == ["good", "segv", "absent"]
    assert run_probes([], Target()) == []


def test_progress_tells_start_and_end_in_the_callers_thread(fakes: dict[str, Path]) -> None:
    seen: list[tuple[str, str | None]] = []

    def progress(name: str, run: ProbeRun | None) -> None:
        """Note what is told."""
        seen.append((name, run and run.status))

    run_probes(["good", "segv"], Target(), progress=progress)
    assert sorted(seen, key=str) == sorted(
        [("good", None), ("good", "ok"), ("segv", None), ("segv", "crashed")], key=str
    )


def test_an_error_in_the_callback_ends_all_probes(fakes: dict[str, Path], mark: str) -> None:
    def stop(name: str, run: ProbeRun | None) -> None:
        """What ctrl+c does."""
        raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_probes(["hang", "stubborn", "spin"], Target(), progress=stop)
    assert time.monotonic() - start < 3
    assert left_behind(mark) == []


def test_a_flood_costs_little_memory(fakes: dict[str, Path]) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run_probes(["flood", "endless", "loud"], Target(), each=10)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 32 << 10


def test_deep_and_limit_are_passed_on(fakes: dict[str, Path]) -> None:
    assert run_probes(["options"], Target(), deep=True, each=10)[0].facts["a.b"] == ["--limit", "8.90", "--deep"]
    assert run_probes(["options"], Target(), each=2)[0].facts["a.b"] == ["--limit", "1.70"]


def test_the_environment_is_the_users(fakes: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", " 1")
    code = (
        fakes["good"]
        .read_text()
        .replace("import json", "import json, os")
        .replace("1}", "os.environ['CUDA_VISIBLE_DEVICES']}")
    )
    fakes["good"].write_text(code)
    assert run_probes(["good"], Target())[0].facts["a.b"] == " 1"


def test_the_real_probes_are_found() -> None:
    assert {"host", "python", "nvidia", "cann", "torch", "abi", "mps"} <= set(find_probes())


@pytest.mark.parametrize(
    ("python", "words"),
    [
        ("no-such-python", "no interpreter no-such-python"),
        ("/tmp", "is a folder"),
        ("/bin/ls", "not a working Python interpreter"),
        ("/bin/true", "not a working Python interpreter"),
    ],
)
def test_a_wrong_interpreter_is_a_plain_sentence_at_once(fakes: dict[str, Path], python: str, words: str) -> None:
    with pytest.raises(TriageError, match=words):
        run_probes(["hang"], make_target(python))


def test_an_old_python_is_refused(fakes: dict[str, Path], tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text(
        """#!/bin/sh\necho '{"probe": "hello", "status": "ok", "facts": {"version": "3.7.16 (default)"}}'\n"""
    )
    old.chmod(0o755)
    with pytest.raises(TriageError, match=r"runs Python 3\.7\.16; the probes need Python 3\.8"):
        run_probes(["good"], make_target(str(old)))


def test_an_unknown_probe_is_a_plain_sentence(fakes: dict[str, Path]) -> None:
    with pytest.raises(TriageError, match="no probe 'nvidai'; there are: good, absent"):
        run_probes(["good", "nvidai"], Target())


def test_no_descriptor_leaks(fakes: dict[str, Path]) -> None:
    run_probes(["good", "segv"], Target())
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        run_probes(["good", "segv", "flood", "orphan"], Target())
    assert len(os.listdir("/proc/self/fd")) <= before + 2
