"""The probe python on environments with each fault that it looks for."""

from __future__ import annotations

import pytest

from tests.probes.environments import install, site
from tests.probes.machine import Machine


def test_versions_are_told_and_absent_ones_too(machine: Machine) -> None:
    install(machine, "transformers", "4.56.2")
    install(machine, "Flash_Attn", "2.7.4.post1")
    install(machine, "left-pad", "1.0")
    facts = machine.run("python").facts
    assert facts["pkg.transformers"] == "4.56.2"
    assert facts["pkg.flash-attn"] == "2.7.4.post1"
    assert facts["pkg.vllm"] is None
    assert "pkg.left-pad" not in facts


@pytest.mark.parametrize(
    ("requirement", "installed", "met"),
    [
        ("dep>=1.2", "1.2.0", True),
        ("dep>=1.2", "1.1.9", False),
        ("dep (>=1.2)", "1.1.9", False),
        ("dep<2,>=1", "2.0", False),
        ("dep<2,>=1", "2.0rc1", True),
        ("dep==1.4.*", "1.4.7", True),
        ("dep==1.4.*", "1.5", False),
        ("dep!=1.4.*", "1.4.7", False),
        ("dep~=1.4", "1.9", True),
        ("dep~=1.4", "2.0", False),
        ("dep~=1.4.2", "1.5", False),
        ("dep==2.5.1", "2.5.1+cu121", True),
        ("dep==2.5.1+cpu", "2.5.1+cu121", False),
        ("dep>1.0", "1.0.post1", True),
        ("dep>=1.0", "1.0.dev3", False),
        ("dep[extra]>=3 ; python_version >= '3.8'", "2", False),
        ("dep>=3 ; python_version < '3'", "2", True),
        ("dep>=3 ; extra == 'test'", "2", True),
        ("dep>=3 ; (sys_platform == 'linux' and platform_machine != 'none') or os_name == 'x'", "2", False),
        ("dep>=3 ; platform_system == 'Windows' or platform_system == 'Darwin'", "2", True),
        ("dep @ https://example.org/dep.whl", "2", True),
        ("dep>=strange", "2", True),
    ],
)
def test_requirements_are_judged_as_pip_check_does(
    machine: Machine, requirement: str, installed: str, met: bool
) -> None:
    install(machine, "asker", "1.0", (requirement,))
    install(machine, "dep", installed)
    assert (machine.run("python").facts["python.unmet"] == []) == met


def test_a_missing_requirement_is_named(machine: Machine) -> None:
    install(machine, "asker", "1.0", ("Missing_Thing>=2",))
    assert machine.run("python").facts["python.unmet"] == ["asker 1.0 needs Missing_Thing>=2, which is not installed"]


def test_two_distributions_that_own_a_module_are_named(machine: Machine) -> None:
    install(machine, "onnxruntime", "1.20.0", modules=("onnxruntime",))
    install(machine, "onnxruntime-gpu", "1.20.0", modules=("onnxruntime", "tests"))
    install(machine, "other", "1.0", modules=("tests",))
    assert machine.run("python").facts["python.module_conflicts"] == ["onnxruntime: onnxruntime, onnxruntime-gpu"]


def test_broken_and_half_removed_packages_are_named(machine: Machine) -> None:
    (install(machine, "numpy", "2.0.0", modules=("numpy",)) / "METADATA").unlink()
    (site(machine) / "numpy" / "__init__.py").unlink()
    (site(machine) / "numpy").rmdir()
    (site(machine) / "~orch").mkdir()
    facts = machine.run("python").facts
    assert facts["python.broken_metadata"] == ["numpy"]
    assert facts["python.missing_files"] == ["numpy: numpy"]
    assert facts["python.leftovers"] == ["~orch"]
    assert facts["pkg.numpy"] == "2.0.0"


def test_a_file_of_the_working_folder_that_hides_a_module_is_named(machine: Machine) -> None:
    install(machine, "datasets", "3.0.0", modules=("datasets",))
    machine.environment()
    work = machine.folder / "work"
    (work / "random.py").touch()
    (work / "datasets").mkdir()
    (work / "datasets" / "__init__.py").touch()
    (work / "transformers").mkdir()
    (work / "train.py").touch()
    found = machine.run("python").facts["python.shadowed"]
    assert found == [f"datasets: {work / 'datasets'}", f"random: {work / 'random.py'}"]


@pytest.mark.parametrize("module", ["json", "select", "subprocess", "re", "ctypes", "signal", "glob"])
def test_files_that_hide_the_standard_library_do_not_break_the_probes(machine: Machine, module: str) -> None:
    site(machine)
    machine.environment()
    for folder in (machine.folder / "work", site(machine)):
        (folder / f"{module}.py").write_text("raise SystemExit('shadowed')\n")
    # Only files of the working folder: a module on PYTHONPATH breaks the interpreter's own start for some names.
    machine.variables.pop("PYTHONPATH")
    for probe in ("python", "torch", "host"):
        assert machine.run(probe).returncode == 0
