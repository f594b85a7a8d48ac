"""The probes nvidia, cuda_driver and visibility on machines in all states that NVIDIA's documents describe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.probes.machine import Machine

VERSION = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  {}  Thu Feb 22 01:44:30 UTC 2024\nGCC version:  gcc 11\n"
NODES = {"/dev/nvidia0": "", "/dev/nvidiactl": "", "/dev/nvidia-uvm": ""}
HEALTHY = {
    "/proc/driver/nvidia/version": VERSION.format("550.54.14"),
    "/proc/modules": "nvidia 1 0\nnvidia_uvm 1 0\n",
    **NODES,
}
SWITCH = {
    f"/sys/bus/pci/devices/0000:0{i}:00.0/{key}": value
    for i, kind in enumerate(("0x030200", "0x068000"))
    for key, value in (("vendor", "0x10de"), ("class", kind))
}

# id, files, variables, facts that must come out
NVML: list[tuple[str, dict[str, str], dict[str, str], dict[str, Any]]] = [
    ("healthy", HEALTHY, {}, {"nvidia.driver_version": "550.54.14", "nvidia.cuda_version": "12.4", "gpu.count": 1,
        "gpu.0.name": "NVIDIA A100-SXM4-40GB", "gpu.0.compute_capability": "8.0", "gpu.0.arch": "sm_80",
        "gpu.0.memory_total": 40 << 30, "gpu.0.compute_mode": "default", "gpu.0.mig_mode": False, "gpu.0.lost": False,
        "nvidia.versions_agree": True, "nvidia.uvm_loaded": True, "nvidia.nouveau": False,
        "nvidia.nvml_init": "NVML_SUCCESS",
        "gpu.0.power_watts": 60.5, "gpu.0.throttle_reasons": [], "gpu.0.ecc_uncorrected": 0}),
    ("driver-old", {**HEALTHY, "/proc/driver/nvidia/version": VERSION.format("470.57.02")},
        {"NVML_DRIVER": "470.57.02", "NVML_LEVEL": "11040"},
        {"nvidia.driver_version": "470.57.02", "nvidia.cuda_version": "11.4", "nvidia.cuda_version_number": 11040}),
    ("mismatch", HEALTHY, {"NVML_INIT": "18"},
        {"nvidia.nvml_init": "NVML_ERROR_LIB_RM_VERSION_MISMATCH", "nvidia.versions_agree": False,
        "nvidia.nvml_init_code": 18}),
    ("not-loaded", {}, {"NVML_INIT": "9"}, {"nvidia.nvml_init": "NVML_ERROR_DRIVER_NOT_LOADED",
        "nvidia.module_loaded": False}),
    ("nouveau", {"/proc/modules": "nouveau 1 0\n"}, {"NVML_INIT": "9"}, {"nvidia.nouveau": True,
        "nvidia.module_loaded": False}),
    ("no-permission", HEALTHY, {"NVML_INIT": "4"}, {"nvidia.nvml_init": "NVML_ERROR_NO_PERMISSION"}),
    ("lost-at-init", HEALTHY, {"NVML_INIT": "15"}, {"nvidia.nvml_init": "NVML_ERROR_GPU_IS_LOST"}),
    ("lost", HEALTHY, {"NVML_HANDLE": "15"}, {"gpu.0.lost": True, "gpu.count": 1}),
    ("no-gpu", HEALTHY, {"NVML_GPUS": "0"}, {"gpu.count": 0}),
    ("unknown-error", HEALTHY, {"NVML_INIT": "999"}, {"nvidia.nvml_init": "NVML_ERROR_UNKNOWN"}),
    ("new-code", HEALTHY, {"NVML_INIT": "77"}, {"nvidia.nvml_init": "NVML_ERROR_77"}),
    ("no-uvm", {"/proc/driver/nvidia/version": VERSION.format("550.54.14"), "/proc/modules": "nvidia 1 0\n",
        "/dev/nvidia0": ""},
        {}, {"nvidia.uvm_loaded": False, "nvidia.uvm_node": False}),
    ("mig", HEALTHY, {"NVML_MIG": "1", "NVML_MIG_PARTS": "2"}, {"gpu.0.mig_mode": True, "gpu.0.mig_devices": [
        "MIG-00000001-0000-0000-0000-000000000000", "MIG-00000002-0000-0000-0000-000000000000"]}),
    ("mig-empty", HEALTHY, {"NVML_MIG": "1"}, {"gpu.0.mig_mode": True, "gpu.0.mig_devices": []}),
    ("mig-pending", HEALTHY, {"NVML_MIG_LATER": "1"}, {"gpu.0.mig_mode": False, "gpu.0.mig_pending": True}),
    ("exclusive", HEALTHY, {"NVML_MODE": "3", "NVML_PROCESSES": "1"}, {"gpu.0.compute_mode": "exclusive_process",
        "gpu.0.process_count": 1, "gpu.0.process_memory": 1 << 30}),
    ("prohibited", HEALTHY, {"NVML_MODE": "2"}, {"gpu.0.compute_mode": "prohibited"}),
    ("other-process", HEALTHY, {"NVML_PROCESSES": "2", "NVML_USED": str(39 << 30)}, {"gpu.0.memory_used": 39 << 30,
        "gpu.0.memory_free": 1 << 30, "gpu.0.process_count": 2}),
    ("ecc", HEALTHY, {"NVML_UNCORRECTED": "3", "NVML_UNCORRECTED_TOTAL": "9"},
        {"gpu.0.ecc_uncorrected": 3, "gpu.0.ecc_uncorrected_total": 9, "gpu.0.ecc_mode": True}),
    ("remap-pending", HEALTHY, {"NVML_REMAPPED": "1", "NVML_REMAP_PENDING": "1"},
        {"gpu.0.remap_pending": True, "gpu.0.remap_failure": False, "gpu.0.remapped_uncorrected": 1}),
    ("remap-failure", HEALTHY, {"NVML_REMAPPED": "8", "NVML_REMAP_FAILURE": "1"}, {"gpu.0.remap_failure": True}),
    ("retired", HEALTHY, {"NVML_RETIRED": "5", "NVML_RETIRED_PENDING": "1"}, {"gpu.0.retired_pages": 5,
        "gpu.0.retired_pending": True}),
    ("thermal", HEALTHY, {"NVML_THROTTLE": "72", "NVML_TEMPERATURE": "96"},
        {"gpu.0.throttle_reasons": ["hw_slowdown", "hw_thermal_slowdown"], "gpu.0.temperature": 96}),
    ("power-brake", HEALTHY, {"NVML_THROTTLE": "132"}, {"gpu.0.throttle_reasons": ["sw_power_cap", "hw_power_brake"]}),
    ("pcie-narrow", HEALTHY, {"NVML_PCIE": "1", "NVML_WIDTH": "4"}, {"gpu.0.pcie_generation": 1, "gpu.0.pcie_width": 4,
        "gpu.0.pcie_width_max": 16}),
    ("nvlink-down", HEALTHY, {"NVML_LINKS": "12", "NVML_LINKS_UP": "11", "NVML_LINK_ERRORS": "2"},
        {"gpu.0.nvlink_active": 11, "gpu.0.nvlink_inactive": 1, "gpu.0.nvlink_errors": 48}),
    ("fabric-waiting", {**HEALTHY, **SWITCH}, {"NVML_FABRIC": "2"}, {"gpu.0.fabric_state": "in_progress",
        "nvidia.nvswitch_count": 1}),
    ("fabric-done", {**HEALTHY, **SWITCH}, {"NVML_FABRIC": "3"}, {"gpu.0.fabric_state": "completed",
        "gpu.0.fabric_status": "NVML_SUCCESS"}),
    ("fabric-manager", {**HEALTHY, **SWITCH, "/proc/77/comm": "nv-fabricmanage\n"}, {},
        {"nvidia.fabric_manager": "running"}),
    ("fabric-manager-stopped", {**HEALTHY, **SWITCH, "/proc/1/comm": "init", "/usr/bin/nv-fabricmanager": ""}, {},
        {"nvidia.fabric_manager": "stopped"}),
    ("fabric-manager-absent", {**HEALTHY, **SWITCH, "/proc/1/comm": "init"}, {}, {"nvidia.fabric_manager": "absent"}),
    ("vgpu", HEALTHY, {"NVML_VIRTUAL": "2"}, {"nvidia.vgpu": True}),
    ("open-module", {**HEALTHY, "/proc/driver/nvidia/version":
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.14  Release Build\n"}, {},
        {"nvidia.module_open": True, "nvidia.module_version": "550.54.14"}),
    ("no-memory-query", HEALTHY, {"NVML_MEMORY": "3"}, {"gpu.0.name": "NVIDIA A100-SXM4-40GB"}),
    ("xid", {**HEALTHY, "/dev/kmsg": "4,1,1,-;NVRM: Xid (PCI:0000:17:00): 79, pid=12, GPU has fallen off the bus.\n"},
        {},
        {"nvidia.xid_codes": [79]}),
    ("load-crash", HEALTHY, {"NVML_LOAD": "segv"}, {"nvidia.nvml_init": "SIGSEGV",
        "nvidia.module_version": "550.54.14"}),
    ("init-crash", HEALTHY, {"NVML_INIT": "segv"}, {"nvidia.nvml_init": "SIGSEGV", "nvidia.module_loaded": True}),
    ("init-abort", HEALTHY, {"NVML_INIT": "abort"}, {"nvidia.nvml_init": "SIGABRT"}),
    ("init-exit", HEALTHY, {"NVML_INIT": "exit"}, {"nvidia.nvml_init": "exit status 3"}),
    ("init-binary", HEALTHY, {"NVML_INIT": "binary"}, {"nvidia.nvml_init": "NVML_SUCCESS", "gpu.count": 1}),
    ("init-flood", HEALTHY, {"NVML_INIT": "flood"}, {"nvidia.nvml_init": "NVML_SUCCESS", "gpu.count": 1}),
    ("init-orphan", HEALTHY, {"NVML_INIT": "orphan"}, {"nvidia.nvml_init": "NVML_SUCCESS"}),
    ("query-crash", HEALTHY, {"NVML_MEMORY": "segv"}, {"nvidia.nvml_init": "SIGSEGV"}),
]  # fmt: skip


def prepare(
    machine: Machine, stubs: dict[str, Path], library: str, files: dict[str, str], variables: dict[str, str]
) -> None:
    """Put files and a stub library onto a machine."""
    for path, text in files.items():
        machine.file(path, text)
    machine.libraries.append(stubs[library])
    machine.variables.update(variables)


def assert_facts(facts: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Each wanted fact is there with its value."""
    assert {name: facts.get(name, "<missing>") for name in wanted} == wanted


@pytest.mark.parametrize(("files", "variables", "wanted"), [s[1:] for s in NVML], ids=[s[0] for s in NVML])
def test_nvml_states_become_facts(
    machine: Machine, stubs: dict[str, Path], files: dict[str, str], variables: dict[str, str], wanted: dict[str, Any]
) -> None:
    prepare(machine, stubs, "libnvidia-ml", files, variables)
    assert_facts(machine.run("nvidia").facts, wanted)


@pytest.mark.parametrize("how", ["hang", "stubborn", "spin"])
def test_an_nvml_that_hangs_costs_only_its_own_facts(machine: Machine, stubs: dict[str, Path], how: str) -> None:
    prepare(machine, stubs, "libnvidia-ml", HEALTHY, {"NVML_INIT": how})
    report = machine.run("nvidia", limit=0.8)
    assert_facts(
        report.facts, {"nvidia.nvml_init": "timeout", "nvidia.module_version": "550.54.14", "nvidia.uvm_loaded": True}
    )
    assert report.seconds < 2.5


def test_without_driver_the_probe_says_absent(machine: Machine) -> None:
    report = machine.run("nvidia")
    assert report.status == "absent"
    assert_facts(
        report.facts, {"nvidia.driver_version": None, "gpu.count": 0, "nvidia.nvml_init": None, "nvidia.smi_path": None}
    )


def test_a_module_newer_than_the_libraries_is_seen_without_nvml(machine: Machine) -> None:
    machine.file("/proc/driver/nvidia/version", VERSION.format("560.28.03"))
    library = machine.file("/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.550.54.14")
    library.with_name("libnvidia-ml.so.1").symlink_to(library.name)
    facts = machine.run("nvidia").facts
    assert_facts(
        facts,
        {"nvidia.module_version": "560.28.03", "nvidia.library_version": "550.54.14", "nvidia.versions_agree": False},
    )


SMI: list[tuple[str, str, dict[str, Any]]] = [
    ("answers", "echo '0, Tesla T4, GPU-1, 535.54.03, 15360, 3, Exclusive_Process'",
        {"gpu.count": 1, "gpu.0.name": "Tesla T4", "gpu.0.memory_total": 15360 << 20,
        "nvidia.driver_version": "535.54.03",
         "gpu.0.compute_mode": "exclusive_process", "nvidia.smi_error": None, "nvidia.smi_exit": 0}),
    ("mismatch", "echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18",
        {"nvidia.smi_exit": 18, "nvidia.smi_error": "Failed to initialize NVML: Driver/library version mismatch"}),
    ("cannot-talk", "echo \"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\"; exit 9",
        {"nvidia.smi_exit": 9}),
    ("no-devices", "echo 'No devices were found'; exit 6", {"nvidia.smi_exit": 6,
        "nvidia.smi_error": "No devices were found"}),
    ("lost", "echo 'Unable to determine the device handle for GPU0000:17:00.0: Unknown Error'; exit 255",
        {"nvidia.smi_exit": 255}),
    ("binary", "head -c 70000 /dev/urandom; exit 1", {"nvidia.smi_exit": 1}),
    ("flood", "head -c 100000000 /dev/zero", {"nvidia.smi_error": "flooded"}),
    ("crash", "kill -SEGV $$", {"nvidia.smi_error": "SIGSEGV"}),
    ("abort", "kill -ABRT $$", {"nvidia.smi_error": "SIGABRT"}),
    ("hang", "sleep 60 & wait", {"nvidia.smi_error": "timeout"}),
    ("stubborn", "trap '' TERM INT HUP; while :; do sleep 5; done", {"nvidia.smi_error": "timeout"}),
    ("garbage", "echo '[Not Supported]'; echo 'a, b'", {"nvidia.smi_exit": 0, "nvidia.smi_error": None}),
]  # fmt: skip


@pytest.mark.parametrize(("script", "wanted"), [s[1:] for s in SMI], ids=[s[0] for s in SMI])
def test_nvidia_smi_stands_in_for_nvml(machine: Machine, script: str, wanted: dict[str, Any]) -> None:
    machine.tool("nvidia-smi", script)
    report = machine.run("nvidia", limit=1.0 if "timeout" in wanted.values() else None)
    assert_facts(report.facts, wanted)
    assert report.facts["nvidia.smi_path"]


CUDA: list[tuple[str, dict[str, str], dict[str, Any]]] = [
    ("healthy", {"CUDA_GPUS": "2"}, {"cuda.init": "CUDA_SUCCESS", "cuda.device_count": 2, "cuda.driver_version": "12.4",
        "cuda.device.1.uuid": "GPU-22222222-2222-2222-2222-222222222222", "cuda.device.0.compute_capability": "8.6",
        "cuda.context": "CUDA_SUCCESS", "cuda.device.0.alloc": "CUDA_SUCCESS", "cuda.load_error": None}),
    ("no-device", {"CUDA_INIT": "100"}, {"cuda.init": "CUDA_ERROR_NO_DEVICE", "cuda.init_code": 100}),
    ("invalid-device", {"CUDA_INIT": "101"}, {"cuda.init": "CUDA_ERROR_INVALID_DEVICE"}),
    ("system-not-ready", {"CUDA_INIT": "802"}, {"cuda.init": "CUDA_ERROR_SYSTEM_NOT_READY"}),
    ("driver-mismatch", {"CUDA_INIT": "803"}, {"cuda.init": "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"}),
    ("compat", {"CUDA_INIT": "804"}, {"cuda.init": "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"}),
    ("mps-not-ready", {"CUDA_INIT": "807"}, {"cuda.init": "CUDA_ERROR_MPS_SERVER_NOT_READY"}),
    ("unknown", {"CUDA_INIT": "999"}, {"cuda.init": "CUDA_ERROR_UNKNOWN"}),
    ("stub-library", {"CUDA_INIT": "34"}, {"cuda.init": "CUDA_ERROR_STUB_LIBRARY"}),
    ("operating-system", {"CUDA_INIT": "304"}, {"cuda.init": "CUDA_ERROR_OPERATING_SYSTEM"}),
    ("name-from-library", {"CUDA_INIT": "7777"}, {"cuda.init": "CUDA_ERROR_FROM_LIBRARY"}),
    ("unheard-of", {"CUDA_INIT": "7778"}, {"cuda.init": "CUDA_ERROR_7778"}),
    ("old-level", {"CUDA_LEVEL": "11040"}, {"cuda.driver_version": "11.4"}),
    ("count-fails", {"CUDA_COUNT": "3"}, {"cuda.device_count_error": "CUDA_ERROR_NOT_INITIALIZED"}),
    ("empty", {"CUDA_GPUS": "0"}, {"cuda.device_count": 0}),
    ("busy", {"CUDA_CONTEXT": "46"}, {"cuda.context": "CUDA_ERROR_DEVICE_UNAVAILABLE"}),
    ("ecc", {"CUDA_CONTEXT": "214"}, {"cuda.context": "CUDA_ERROR_ECC_UNCORRECTABLE"}),
    ("full", {"CUDA_ALLOC": "2"}, {"cuda.device.0.alloc": "CUDA_ERROR_OUT_OF_MEMORY",
        "cuda.context": "CUDA_ERROR_OUT_OF_MEMORY"}),
    ("load-crash", {"CUDA_LOAD": "segv"}, {"cuda.load_error": "SIGSEGV"}),
    ("init-crash", {"CUDA_INIT": "segv"}, {"cuda.init": "SIGSEGV", "cuda.load_error": None}),
    ("init-abort", {"CUDA_INIT": "abort"}, {"cuda.init": "SIGABRT"}),
    ("context-crash", {"CUDA_CONTEXT": "segv"}, {"cuda.init": "CUDA_SUCCESS", "cuda.device.0.context": "SIGSEGV"}),
    ("init-binary", {"CUDA_INIT": "binary"}, {"cuda.init": "CUDA_SUCCESS"}),
    ("init-flood", {"CUDA_INIT": "flood"}, {"cuda.init": "CUDA_SUCCESS"}),
    ("init-orphan", {"CUDA_INIT": "orphan"}, {"cuda.init": "CUDA_SUCCESS"}),
]  # fmt: skip


@pytest.mark.parametrize(("variables", "wanted"), [s[1:] for s in CUDA], ids=[s[0] for s in CUDA])
def test_cuda_driver_states_become_facts(
    machine: Machine, stubs: dict[str, Path], variables: dict[str, str], wanted: dict[str, Any]
) -> None:
    prepare(machine, stubs, "libcuda", {}, variables)
    assert_facts(machine.run("cuda_driver", "--deep").facts, wanted)


@pytest.mark.parametrize("variable", ["CUDA_LOAD", "CUDA_INIT", "CUDA_CONTEXT"])
def test_a_cuda_driver_that_hangs_is_told(machine: Machine, stubs: dict[str, Path], variable: str) -> None:
    prepare(machine, stubs, "libcuda", {}, {variable: "stubborn"})
    report = machine.run("cuda_driver", "--deep", limit=0.8)
    fact = {"CUDA_LOAD": "cuda.load_error", "CUDA_INIT": "cuda.init", "CUDA_CONTEXT": "cuda.device.0.context"}[variable]
    assert report.facts[fact] == "timeout"
    assert report.seconds < 2.5


def test_quick_mode_makes_no_context(machine: Machine, stubs: dict[str, Path]) -> None:
    prepare(machine, stubs, "libcuda", {}, {"CUDA_CONTEXT": "segv"})
    facts = machine.run("cuda_driver").facts
    assert facts["cuda.device_count"] == 1
    assert "cuda.context" not in facts


def test_a_stub_libcuda_on_the_path_is_named(machine: Machine, stubs: dict[str, Path]) -> None:
    folder = machine.folder / "cuda" / "lib64" / "stubs"
    folder.mkdir(parents=True)
    (folder / "libcuda.so.1").write_bytes((stubs["libcuda"] / "libcuda.so.1").read_bytes())
    machine.libraries.append(folder)
    machine.variables["CUDA_INIT"] = "34"
    facts = machine.run("cuda_driver").facts
    assert_facts(
        facts, {"cuda.libcuda_kind": "stub", "cuda.stub_paths": [str(folder)], "cuda.init": "CUDA_ERROR_STUB_LIBRARY"}
    )


def test_without_libcuda_the_loader_s_complaint_is_told(machine: Machine) -> None:
    report = machine.run("cuda_driver")
    assert report.status == "absent"
    assert "libcuda.so.1" in report.facts["cuda.load_error"]
    assert report.facts["cuda.init"] is None
