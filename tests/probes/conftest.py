"""A faked machine for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.probes.machine import Machine, compile_stub


@pytest.fixture(scope="session")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folder of each compiled stub library, by its name."""
    folder = tmp_path_factory.mktemp("stubs")
    return {name: compile_stub(name, folder / name).parent for name in ("libcuda", "libnvidia-ml", "libascendcl")}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """An empty machine."""
    return Machine(tmp_path)
