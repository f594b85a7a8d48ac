"""Fake probes in place of the real ones."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from tests.probes.machine import MARK, Machine
from tests.probing.fakes import write_fakes


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Fake probes, which `run_probes` finds instead of the real ones."""
    paths = write_fakes(tmp_path)
    monkeypatch.setattr("triage.probing.run.find_probes", lambda: paths)
    return paths


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    """A mark in the environment of all processes that this test starts."""
    value = uuid.uuid4().hex
    monkeypatch.setenv(MARK, value)
    return value


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """An empty machine."""
    return Machine(tmp_path / "machine")
