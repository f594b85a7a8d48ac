"""The probes torch and abi on installations made of files."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.probes.environments import install, install_torch, site
from tests.probes.machine import Machine


def test_quick_mode_reads_without_importing(machine: Machine) -> None:
    install_torch(machine)
    facts = machine.run("torch").facts
    wanted = {
        "torch.version": "2.5.1+cu121", "torch.build": "cuda", "torch.tag": "cu121", "torch.cuda_version": "12.1",
        "torch.arch_list": ["sm_80", "sm_90", "compute_90"], "torch.cxx11_abi": False, "torch.triton_wanted": "3.1.0",
        "torch.missing_files": [], "torch.metadata_version": "2.5.1+cu121",
    }  # fmt: skip
    assert {name: facts.get(name) for name in wanted} == wanted
    assert "torch.import_ok" not in facts


def test_a_cpu_build_has_no_architectures(machine: Machine) -> None:
    install_torch(machine, "2.5.1+cpu", None, abi="NSt7__cxx1112basic_stringIcE")
    facts = machine.run("torch").facts
    wanted = {"torch.build": "cpu", "torch.cuda_version": None, "torch.arch_list": None, "torch.cxx11_abi": True}
    assert {name: facts.get(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("capability", "archs", "missing"),
    [
        ("12.0", "sm_80 sm_90 sm_75", ["sm_120"]),
        ("12.0", "sm_80 sm_90 compute_90", []),
        ("8.6", "sm_80 sm_90 sm_75", []),
        ("6.1", "sm_70 sm_80 compute_80", ["sm_61"]),
        ("7.5", "sm_80 sm_86 sm_90", ["sm_75"]),
        ("10.0", "sm_90 sm_100 sm_120", []),
    ],
)
def test_architectures_that_the_build_lacks_are_named(
    machine: Machine, capability: str, archs: str, missing: list[str]
) -> None:
    install_torch(machine, archs=archs)
    machine.tool("nvidia-smi", f"echo {capability}")
    assert machine.run("torch").facts["torch.arch_missing"] == missing


def test_files_that_are_missing_or_empty_are_named(machine: Machine) -> None:
    folder = install_torch(machine)
    (folder / "lib" / "libtorch_cuda.so").unlink()
    (folder / "lib" / "libc10.so").write_bytes(b"")
    (folder / "_C.abi3.so").rename(folder / "_C.cpython-33-x86_64-linux-gnu.so")
    assert machine.run("torch").facts["torch.missing_files"] == [
        "lib/libtorch_cuda.so",
        "lib/libc10.so",
        "_C for this Python",
    ]


def test_companions_that_do_not_fit_are_named(machine: Machine) -> None:
    install_torch(machine)
    install(machine, "torchvision", "0.19.0+cu118", ("torch==2.4.0",))
    install(machine, "triton", "3.3.0")
    assert machine.run("torch").facts["torch.companions_mismatch"] == [
        "torchvision 0.19.0+cu118 needs torch 2.4.0, found 2.5.1+cu121",
        "torchvision is built for cu118, torch for cu121",
        "torch needs triton 3.1.0, found 3.3.0",
    ]


IMPORTS = [
    ("missing-library", "raise ImportError('libcusparse.so.12: cannot open shared object file: No such file')",
     {"torch.import_ok": False, "torch.missing_libraries": ["libcusparse.so.12"]}),
    ("undefined-symbol", "raise ImportError('/x/libcusparse.so.12: undefined symbol: __nvJitLinkComplete_12_4')",
     {"torch.import_ok": False, "torch.import_signal": None}),
    ("crash", "import os; os.kill(os.getpid(), 11)", {"torch.import_ok": False, "torch.import_signal": "SIGSEGV"}),
    ("abort", "import os; os.abort()", {"torch.import_ok": False, "torch.import_signal": "SIGABRT"}),
    ("illegal", "import os; os.kill(os.getpid(), 4)", {"torch.import_ok": False, "torch.import_signal": "SIGILL"}),
    ("hang", "import time; time.sleep(99)", {"torch.import_ok": False, "torch.import_error": "timeout"}),
    ("exit", "raise SystemExit(4)", {"torch.import_ok": False}),
    ("prints", "print('x' * 3000000); raise ImportError('after much text')",
     {"torch.import_ok": False}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "wanted"), [case[1:] for case in IMPORTS], ids=[case[0] for case in IMPORTS])
def test_deep_mode_tells_how_the_import_ends(machine: Machine, code: str, wanted: dict[str, object]) -> None:
    (install_torch(machine) / "__init__.py").write_text(code + "\n")
    facts = machine.run("torch", "--deep", limit=1.2 if "timeout" in wanted.values() else None).facts
    assert {name: facts.get(name) for name in wanted} == wanted
    assert facts["torch.version"] == "2.5.1+cu121"


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed beside the tests")
@pytest.mark.parametrize("probe", ["torch", "abi"])
def test_without_torch_the_probes_say_absent(machine: Machine, probe: str) -> None:
    report = machine.run(probe)
    assert (report.status, report.facts) == ("absent", {"torch.version": None})


def test_abi_lists_extensions_that_name_torch(machine: Machine) -> None:
    install_torch(machine)
    place = site(machine)
    (place / "fast_op").mkdir()
    (place / "fast_op" / "_C.cpython-33-x86_64-linux-gnu.so").write_bytes(b"\x7fELF\0libtorch_cpu.so\0")
    (place / "plain").mkdir()
    (place / "plain" / "x.so").write_bytes(b"\x7fELF\0libm.so\0")
    install(machine, "flash-attn", "2.7.4.post1+cu12torch2.4cxx11abiFALSE")
    install(machine, "xformers", "0.0.29+pt251cu121")
    facts = machine.run("abi").facts
    assert facts["abi.extensions"] == [str(place / "fast_op" / "_C.cpython-33-x86_64-linux-gnu.so")]
    assert facts["abi.python_mismatch"] == facts["abi.extensions"]
    assert facts["abi.torch_mismatch"] == [
        "flash_attn-2.7.4.post1+cu12torch2.4cxx11abiFALSE (torch here is 2.5.1+cu121)"
    ]
    assert facts["torch.cxx11_abi"] is False
