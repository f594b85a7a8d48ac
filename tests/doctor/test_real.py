"""What the doctor says of real environments is the truth: this one, and those that TRIAGE_TEST_PYTHONS names."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from triage.doctor import CheckResult, examine_machine
from triage.knowledge.base import Knowledge
from triage.probing.target import make_target

pytestmark = pytest.mark.real
PYTHONS = [sys.executable, *filter(None, os.environ.get("TRIAGE_TEST_PYTHONS", "").split(os.pathsep))]
"""Interpreters to examine, separated like PATH."""
IMPORTS = {
    "torch": "torch-imports",
    "onnxruntime": "onnxruntime-imports",
    "tensorflow": "tensorflow-imports",
    "jax": "jax-starts",
}
LOAD = """
import ctypes, importlib.util, os
folder = os.path.join(os.path.dirname(importlib.util.find_spec("onnxruntime").origin), "capi")
import onnxruntime
ctypes.CDLL(os.path.join(folder, "libonnxruntime_providers_shared.so"), ctypes.RTLD_GLOBAL)
ctypes.CDLL(os.path.join(folder, "libonnxruntime_providers_cuda.so"), ctypes.RTLD_GLOBAL)
"""


def runs(python: str, *words: str) -> bool:
    """Whether a command of an interpreter succeeds."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([python, *words], capture_output=True, timeout=120, env=environment).returncode == 0


@pytest.fixture(scope="module", params=PYTHONS)
def examined(request: pytest.FixtureRequest, shipped: Knowledge) -> tuple[str, dict[str, CheckResult]]:
    """An interpreter and its checks, deep ones too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONPATH", raising=False)
        found = examine_machine(shipped, make_target(request.param), deep=True)
    assert {probe.status for probe in found.probes} <= {"ok", "absent"}, found.probes
    return request.param, {check.id: check for check in found.checks}


@pytest.mark.parametrize("module", IMPORTS)
def test_a_framework_is_told_to_import_exactly_if_it_does(
    examined: tuple[str, dict[str, CheckResult]], module: str
) -> None:
    python, checks = examined
    there = f"import importlib.util as u, sys; sys.exit(u.find_spec({module!r}) is None)"
    if not runs(python, "-c", there):
        assert checks[IMPORTS[module]].state == "not applicable"
    else:
        works = runs(python, "-c", f"import {module}")
        assert checks[IMPORTS[module]].state == ("ok" if works else "bad"), checks[IMPORTS[module]].shows


def test_requirements_are_told_to_be_met_exactly_if_pip_says_so(
    examined: tuple[str, dict[str, CheckResult]],
) -> None:
    python, checks = examined
    states = {checks["python-requirements-met"].state, checks["huggingface-versions"].state}
    assert bool(states & {"bad", "doubtful"}) is not runs(python, "-m", "pip", "check")


def test_the_cuda_provider_is_told_to_load_exactly_if_it_does(examined: tuple[str, dict[str, CheckResult]]) -> None:
    python, checks = examined
    if checks["onnxruntime-cuda-loads"].state == "not applicable":
        pytest.skip("there is no onnxruntime-gpu")
    assert (checks["onnxruntime-cuda-loads"].state == "ok") is runs(python, "-c", LOAD)


def test_a_machine_without_a_gpu_is_not_broken_by_that(examined: tuple[str, dict[str, CheckResult]]) -> None:
    if any(os.path.exists(node) for node in ("/dev/nvidiactl", "/dev/dxg", "/dev/davinci_manager")):
        pytest.skip("this machine has an accelerator")
    _, checks = examined
    for name, check in checks.items():
        if name.startswith(("nvidia-", "cuda-", "ascend-", "rocm-", "xpu-", "mps-")):
            assert check.state in ("ok", "not applicable"), (name, check.shows)
