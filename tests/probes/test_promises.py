"""What holds for every probe: stand-alone, old interpreters, read-only, silent on the network, one frame."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.probes.environments import install_torch
from tests.probes.machine import PROBES, Machine

NAMES = sorted(path.stem for path in PROBES.glob("*.py"))
# Writes down what a process does that it must not do: connections, sockets bound, names asked for, files written.
SPY = r"""
import os, sys
LOG = os.environ.get("SPY_LOG")
FORBIDDEN = (
    "socket.connect socket.bind socket.sendto socket.getaddrinfo socket.gethostbyname os.mkdir os.remove os.rename "
    "os.rmdir os.chmod os.truncate os.link os.symlink"
).split()
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
def hook(event, arguments):
    if event in FORBIDDEN:
        note(event, arguments)
    if event == "open":
        path, mode, flags = arguments
        named = isinstance(path, (str, bytes)) and path not in (os.devnull, LOG)
        if named and isinstance(flags, int) and flags & WRITING:
            note(event, arguments)
def note(event, arguments):
    file = os.open(LOG, os.O_WRONLY | os.O_APPEND)
    os.write(file, (event + repr(arguments) + "\n").encode())
    os.close(file)
if LOG:
    sys.addaudithook(hook)
"""


def test_all_probes_are_there() -> None:
    wanted = """abi cann cuda_driver cuda_libs host huggingface jax mps network nvidia onnxruntime python rocm
    tensorflow tensorrt torch triton_cache visibility xpu"""
    assert set(NAMES) == set(wanted.split())


@pytest.mark.parametrize("name", NAMES)
def test_each_probe_is_python_3_8_and_needs_the_standard_library_only(name: str) -> None:
    tree = ast.parse((PROBES / f"{name}.py").read_text(), feature_version=(3, 8))
    imported = {
        alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    imported |= {str(node.module).split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= set(sys.stdlib_module_names) | {"__future__"}
    assert ast.get_docstring(tree)


def test_all_probes_share_one_frame() -> None:
    frames = set()
    for name in NAMES:
        text = (PROBES / f"{name}.py").read_text()
        start, end = text.index("# ruff: noqa"), text.index("# ---- end of the frame ----")
        frames.add(text[start:end].replace(f'PROBE = "{name}"', ""))
    assert len(frames) == 1


@pytest.mark.parametrize("name", NAMES)
def test_each_probe_runs_from_standard_input_too(machine: Machine, name: str) -> None:
    words = [sys.executable, "-", "--limit", "10"]
    done = subprocess.run(
        words, input=(PROBES / f"{name}.py").read_bytes(), env=machine.environment(), capture_output=True, check=True
    )
    report = json.loads(done.stdout)
    direct = machine.run(name)
    assert (report["probe"], report["status"]) == (name, direct.status)
    assert set(report["facts"]) == set(direct.facts)


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of change of each file below a folder."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            status = os.lstat(os.path.join(place, name))
            found[os.path.join(place, name)] = (status.st_size, status.st_mtime_ns)
    return found


@pytest.mark.parametrize("deep", [False, True], ids=["quick", "deep"])
@pytest.mark.parametrize("name", NAMES)
def test_no_probe_writes_or_connects(machine: Machine, tmp_path: Path, name: str, deep: bool) -> None:
    spy = machine.folder / "spy"
    spy.mkdir()
    (spy / "sitecustomize.py").write_text(SPY)
    log = machine.folder / "log"
    log.touch()
    install_torch(machine)
    machine.variables["PYTHONPATH"] = f"{spy}:{machine.variables['PYTHONPATH']}"
    # A hub that nobody answers for: the deep network probe may try it, and only that.
    machine.variables.update({"SPY_LOG": str(log), "HF_ENDPOINT": "http://127.0.0.1:9", "MASTER_ADDR": "node.invalid"})
    environment = machine.environment()
    before = snapshot(tmp_path)
    words = [sys.executable, "-B", str(PROBES / f"{name}.py"), *(["--deep"] if deep else [])]
    subprocess.run(words, env=environment, cwd=machine.folder / "work", capture_output=True, check=True, timeout=60)
    told = log.read_text().splitlines()
    if deep and name == "network":
        told = [line for line in told if not line.startswith(("socket.connect", "socket.getaddrinfo"))]
    assert told == []
    after = snapshot(tmp_path)
    assert {path: value for path, value in after.items() if before.get(path) != value and path != str(log)} == {}
    assert set(before) == set(after)


def test_a_probe_that_runs_out_of_time_tells_what_it_has(machine: Machine) -> None:
    machine.tool("npu-smi", "sleep 60")
    report = machine.run("cann", limit=0.5)
    assert report.facts["cann.version"] is None
    assert report.facts["npu.smi_error"] == "timeout"
