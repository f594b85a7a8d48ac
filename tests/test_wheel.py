"""The wheel holds one top-level package, and works from another folder without the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    argv = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)]
    subprocess.run(argv, check=True, capture_output=True, timeout=300)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_one_top_level_package_and_all_knowledge(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"triage"}
    for folder, here in (("rules", "rules"), ("knowledge_base/causes", "knowledge_base/causes"), ("probes", "probes")):
        wanted = {path.name for path in (ROOT / here).iterdir() if path.suffix in (".yaml", ".py")}
        assert wanted <= {Path(name).name for name in names if name.startswith(f"triage/{folder}/")}
    assert "triage/py.typed" in names
    for package in [*ROOT.glob("triage/**/__init__.py"), *ROOT.glob("tui/**/__init__.py")]:
        inside = package.relative_to(ROOT).as_posix()
        assert (inside if inside.startswith("triage/") else f"triage/{inside}") in names


def test_an_installed_wheel_diagnoses_an_example_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    argv = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(site), str(wheel)]
    subprocess.run(argv, check=True, capture_output=True, timeout=300)
    log = ROOT / "examples" / "torchrun-flash-attn.log"
    code = "import triage, sys; from triage.cli.main import main; assert 'site' in triage.__file__; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "--json", "--no-probes", str(log)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site), "TRIAGE_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["hypotheses"][0]["id"] == "abi.cxx11_abi"
