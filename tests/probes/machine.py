"""A machine made of files and stub libraries, and the probes run on it.

Stub libraries are compiled once for a test session; what they answer, and how they go wrong, comes from environment
variables (see `stubs/`). Files such as /proc/driver/nvidia/version lie in a folder that TRIAGE_PROBE_ROOT names.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[2]
PROBES = PROJECT / "probes"
STUBS = Path(__file__).parent / "stubs"
MARK = "TRIAGE_TEST_MARK"
LIBRARIES = {"libcuda": "libcuda.so.1", "libnvidia-ml": "libnvidia-ml.so.1", "libascendcl": "libascendcl.so"}


def compile_stub(name: str, folder: Path) -> Path:
    """Compile `stubs/NAME.c` into `folder` under the name that the loader looks for; skips where gcc is missing."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is missing")
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / LIBRARIES[name]
    if not target.exists():
        words = ["gcc", "-shared", "-fPIC", "-O1", "-w", f"-Wl,-soname,{target.name}", "-o", str(target)]
        subprocess.run([*words, str(STUBS / f"{name}.c")], check=True)
    return target


@dataclass
class Report:
    """What a probe printed, and how its process ended."""

    status: str
    facts: dict[str, Any]
    notes: list[str]
    seconds: float
    returncode: int


@dataclass
class Machine:
    """A faked machine below `folder`."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)
    libraries: list[Path] = field(default_factory=list)

    @property
    def root(self) -> Path:
        """Folder that stands for /."""
        return self.folder / "root"

    def file(self, path: str, text: str = "", mode: int = 0o644) -> Path:
        """Write a file of the machine."""
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        target.chmod(mode)
        return target

    def tool(self, name: str, script: str) -> None:
        """Put a shell script on PATH."""
        target = self.folder / "bin" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("#!/bin/sh\n" + script)
        target.chmod(0o755)

    def environment(self) -> dict[str, str]:
        """Variables that the probe sees: nothing of the developer's own machine but PATH."""
        empty = self.folder / "home"
        for folder in (empty, self.folder / "bin", self.folder / "work", self.root / "dev", self.root / "proc"):
            folder.mkdir(parents=True, exist_ok=True)
        (self.root / "proc/modules").touch()
        return {
            "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin",
            "HOME": str(empty),
            "TMPDIR": str(empty),
            "LANG": "C.UTF-8",
            "TRIAGE_PROBE_ROOT": str(self.root),
            "LD_LIBRARY_PATH": ":".join(map(str, self.libraries)),
            **self.variables,
        }

    def run(self, probe: str, *options: str, python: str = sys.executable, limit: float | None = None) -> Report:
        """Run a probe as a process and check what holds for every run: one JSON object, known facts, nothing left."""
        mark = uuid.uuid4().hex
        words = [python, str(PROBES / f"{probe}.py"), *options, *(["--limit", str(limit)] if limit else [])]
        start = time.monotonic()
        environment = {**self.environment(), MARK: mark}
        process = subprocess.run(
            words,
            env=environment,
            cwd=self.folder / "work",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        seconds = time.monotonic() - start
        lines = process.stdout.decode().splitlines()
        assert len(lines) == 1, (lines[:3], process.stderr.decode()[-2000:])
        found = json.loads(lines[0])
        assert set(found) == {"probe", "status", "facts", "notes"} and found["probe"] == probe
        assert found["status"] in ("ok", "absent", "denied")
        check_facts(found["facts"])
        assert left_behind(mark) == []
        return Report(found["status"], found["facts"], found["notes"], seconds, process.returncode)


def left_behind(mark: str) -> list[int]:
    """Processes whose environment carries a mark, after a moment to die."""
    for _ in range(20):
        found = []
        for entry in Path("/proc").glob("[0-9]*/environ"):
            try:
                alive = (
                    mark.encode() in entry.read_bytes()
                    and (entry.parent / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
                )
            except OSError:
                continue
            if alive:
                found.append(int(entry.parent.name))
        if not found:
            return []
        time.sleep(0.05)
    return found


@lru_cache
def registry() -> list[tuple[re.Pattern[str], str]]:
    """(pattern of a name, type) of each registered fact."""
    records = yaml.safe_load((PROJECT / "knowledge_base/facts/probes.yaml").read_text(encoding="utf-8"))["facts"]
    return [(re.compile(re.escape(r["name"]).replace(r"\*", "[^.]+") + "$"), r["type"]) for r in records]


TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "version": (str,), "path": (str,), "int": (int,), "bytes": (int,), "bool": (bool,),
    "float": (int, float), "seconds": (int, float), "list": (list,),
}  # fmt: skip


def check_facts(facts: dict[str, Any]) -> None:
    """Each fact is registered, and its value is null or of the registered type."""
    for name, value in facts.items():
        kinds = [kind for pattern, kind in registry() if pattern.match(name)]
        assert kinds, f"{name} is not in the registry"
        if value is not None:
            assert isinstance(value, TYPES[kinds[0]]), (name, kinds[0], value)
            assert isinstance(value, bool) == (kinds[0] == "bool"), (name, kinds[0], value)


def is_executable(path: Path) -> bool:
    """Whether a file may be run."""
    return bool(path.stat().st_mode & stat.S_IXUSR) and os.access(path, os.X_OK)
