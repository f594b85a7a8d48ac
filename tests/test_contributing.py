"""The worked example of CONTRIBUTING.md works as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
BLOCKS = re.findall(r"<!-- worked example -->\n```sh\n(.*?)```", (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.S)


@pytest.mark.skipif(os.name == "nt", reason="the example is for a POSIX shell")
def test_the_worked_example_goes_from_a_log_to_a_passing_check(tmp_path: Path) -> None:
    assert len(BLOCKS) == 3
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "triage").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m triage "$@"\n')
    (programs / "triage").chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(TOP), "LANG": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "set +o pipefail\n" + "\n".join(BLOCKS)],
        cwd=work, env=environment, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "unknown -> frobnix.plan_too_new" in done.stdout
    assert "check: passed" in done.stdout
    assert (work / ".triage/rules/frobnix.yaml").read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=")
