"""The quick look by pynvml in triage's own process, with a stub NVML: in a process of its own for each state."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.probes.machine import PROJECT, compile_stub

ASK = """
import json, sys, time
from triage.probing import local
local._SIGNS = ("/",)
start = time.monotonic()
facts = local.quick_nvidia_facts(0.5)
again = local.quick_nvidia_facts(0.5)
print(json.dumps([facts, again, time.monotonic() - start, sorted(m for m in sys.modules if m in ("torch", "numpy"))]))
sys.stdout.flush()
import os; os._exit(0)
"""


def ask(folder: Path, **variables: str) -> tuple[dict[str, object], dict[str, object], float]:
    """Facts of two calls one after the other, and the seconds they took."""
    stub = compile_stub("libnvidia-ml", folder).parent
    environment = {**os.environ, **variables, "LD_LIBRARY_PATH": str(stub), "PYTHONPATH": str(PROJECT)}
    done = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, check=True, timeout=20)
    first, second, seconds, modules = json.loads(done.stdout)
    assert modules == []
    return first, second, seconds


def test_a_healthy_driver_answers(tmp_path: Path) -> None:
    pytest.importorskip("pynvml")
    first, second, _ = ask(tmp_path, NVML_GPUS="2")
    assert first == second
    wanted = {
        "nvidia.driver_version": "550.54.14",
        "nvidia.cuda_version": "12.4",
        "gpu.count": 2,
        "gpu.1.compute_capability": "8.0",
    }
    assert {name: first.get(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("code", "name"), [("18", "NVML_ERROR_LIB_RM_VERSION_MISMATCH"), ("9", "NVML_ERROR_DRIVER_NOT_LOADED")]
)
def test_an_nvml_that_does_not_start_is_told(tmp_path: Path, code: str, name: str) -> None:
    first, _, _ = ask(tmp_path, NVML_INIT=code)
    assert first == {"nvidia.nvml_init": name, "nvidia.nvml_init_code": int(code)}


def test_an_nvml_that_hangs_is_left_alone(tmp_path: Path) -> None:
    first, second, seconds = ask(tmp_path, NVML_INIT="hang")
    assert (first, second) == ({}, {})
    assert seconds < 1.5


def test_without_signs_of_a_driver_nothing_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    from triage.probing import local

    monkeypatch.setattr(local, "_SIGNS", ("/nowhere/at/all",))
    assert local.quick_nvidia_facts() == {"nvidia.driver_version": None, "gpu.count": 0}
