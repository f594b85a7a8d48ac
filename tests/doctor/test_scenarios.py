"""`triage doctor --json` on machines of stub libraries and files: each fault comes out under its right name."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.probes.conftest import machine, stubs
from tests.probes.environments import install, install_torch, site
from tests.probes.machine import MARK, Machine, left_behind
from tests.probes.test_cann import BASE, BUSY, DRIVER, IDLE, INSTALLED, SMI, say
from tests.probes.test_nvidia import HEALTHY, SWITCH
from triage.cli.main import main
from triage.knowledge.base import Knowledge

__all__ = ["machine", "stubs"]
BUS = {
    "/sys/bus/pci/devices/0000:01:00.0/vendor": "0x10de\n",
    "/sys/bus/pci/devices/0000:01:00.0/class": "0x030200\n",
}
OLD = {
    **HEALTHY,
    "/proc/driver/nvidia/version": HEALTHY["/proc/driver/nvidia/version"].replace("550.54.14", "470.57.02"),
}


class Doctor:
    """Runs the command in this process, in the environment of a machine."""

    def __init__(self, there: Machine, patch: pytest.MonkeyPatch, output: pytest.CaptureFixture[str]) -> None:
        self.machine, self.patch, self.output = there, patch, output

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit status, output, and error output."""
        environment = {**self.machine.environment(), MARK: self.machine.folder.name}
        with self.patch.context() as patch:
            for name in os.environ:
                patch.delenv(name)
            for name, value in environment.items():
                patch.setenv(name, value)
            patch.chdir(self.machine.folder / "work")
            status = main(["doctor", "--lang", "en", "--python", sys.executable, *arguments])
        assert left_behind(self.machine.folder.name) == []
        return status, *self.output.readouterr()

    def report(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        """Exit status and the JSON report, after what holds for every report."""
        status, text, errors = self.run("--json", *arguments)
        assert errors == ""
        report = json.loads(text)
        states = {check["state"] for check in report["checks"]}
        assert states <= {"ok", "bad", "doubtful", "denied", "timeout", "not applicable"}
        assert status == (2 if "bad" in states else 1 if "doubtful" in states else 0)
        assert report["state"] == ["ok", "doubtful", "bad"][status]
        names = [check["id"] for check in report["checks"]]
        assert len(names) == len(set(names))
        return status, report


@pytest.fixture
def doctor(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shipped: Knowledge
) -> Doctor:
    """The command on the machine of the test."""
    monkeypatch.setattr(Knowledge, "load", lambda *_, **__: shipped)
    return Doctor(machine, monkeypatch, capsys)


def wrong(report: dict[str, Any]) -> set[str]:
    """Causes named."""
    return {check["cause"] for check in report["checks"] if check["cause"]}


# name, files, variables, libraries, areas, causes that come out
NVIDIA: list[tuple[str, dict[str, str], dict[str, str], str, str, set[str]]] = [
    ("healthy", HEALTHY, {}, "nvidia-ml cuda", "nvidia", set()),
    ("no-gpu-at-all", {}, {}, "", "nvidia", set()),
    ("driver-too-old", OLD, {"NVML_DRIVER": "470.57.02", "NVML_LEVEL": "11040"}, "nvidia-ml cuda torch", "torch",
        {"cuda.driver_too_old"}),
    ("cpu-build-on-a-gpu-machine", HEALTHY, {}, "nvidia-ml cuda torch-cpu", "torch", {"cuda.cpu_only_build"}),
    ("mismatch", HEALTHY, {"NVML_INIT": "18"}, "nvidia-ml", "nvidia", {"cuda.driver_library_mismatch"}),
    ("no-driver", BUS, {}, "", "nvidia", {"cuda.no_driver"}),
    ("driver-not-loaded", BUS, {"NVML_INIT": "9"}, "nvidia-ml cuda", "nvidia", {"cuda.no_driver"}),
    ("nouveau", {**BUS, "/proc/modules": "nouveau 1 0\n"}, {}, "", "nvidia", {"cuda.no_driver"}),
    ("container-without-gpu", {**BUS, "/.dockerenv": ""}, {}, "", "nvidia", {"cuda.container_no_gpu"}),
    ("hidden", HEALTHY, {"CUDA_VISIBLE_DEVICES": ""}, "nvidia-ml cuda", "nvidia", {"cuda.no_device_visible"}),
    ("out-of-range", HEALTHY, {"CUDA_VISIBLE_DEVICES": "7"}, "nvidia-ml cuda", "nvidia", {"cuda.no_device_visible"}),
    ("mig-without-instances", HEALTHY, {"NVML_MIG": "1"}, "nvidia-ml cuda", "nvidia", {"cuda.mig_misconfigured"}),
    ("prohibited", HEALTHY, {"NVML_MODE": "2"}, "nvidia-ml cuda", "nvidia", {"cuda.compute_mode_busy"}),
    ("exclusive-and-held", HEALTHY, {"NVML_MODE": "3", "NVML_PROCESSES": "1"}, "nvidia-ml cuda", "nvidia",
        {"cuda.compute_mode_busy"}),
    ("fabric-manager-stopped", {**HEALTHY, **SWITCH, "/proc/1/comm": "init", "/usr/bin/nv-fabricmanager": ""},
        {"NVML_FABRIC": "2"}, "nvidia-ml cuda", "nvidia", {"cuda.system_not_ready"}),
    ("ecc", HEALTHY, {"NVML_UNCORRECTED": "3"}, "nvidia-ml cuda", "nvidia", {"cuda.ecc_error"}),
    ("row-waits", HEALTHY, {"NVML_REMAPPED": "1", "NVML_REMAP_PENDING": "1"}, "nvidia-ml cuda", "nvidia",
        {"cuda.ecc_error"}),
    ("lost", HEALTHY, {"NVML_HANDLE": "15"}, "nvidia-ml cuda", "nvidia", {"cuda.gpu_fell_off_bus"}),
    ("hot", HEALTHY, {"NVML_THROTTLE": "72"}, "nvidia-ml cuda", "nvidia", {"cuda.thermal_or_power"}),
    ("management-crash", HEALTHY, {"NVML_INIT": "segv"}, "nvidia-ml cuda", "nvidia", {"cuda.unknown_error"}),
    ("management-abort", HEALTHY, {"NVML_INIT": "abort"}, "nvidia-ml cuda", "nvidia", {"cuda.unknown_error"}),
    ("cuda-unknown", HEALTHY, {"CUDA_INIT": "999"}, "nvidia-ml cuda", "nvidia", {"cuda.unknown_error"}),
    ("cuda-crash", HEALTHY, {"CUDA_INIT": "segv"}, "nvidia-ml cuda", "nvidia", {"cuda.unknown_error"}),
    ("cuda-not-ready", HEALTHY, {"CUDA_INIT": "802"}, "nvidia-ml cuda", "nvidia", {"cuda.system_not_ready"}),
    ("cuda-mismatch", HEALTHY, {"CUDA_INIT": "803"}, "nvidia-ml cuda", "nvidia", {"cuda.driver_library_mismatch"}),
    ("xid", {**HEALTHY, "/dev/kmsg": "4,1,1,-;NVRM: Xid (PCI:0000:17:00): 79, pid=1, GPU has fallen off the bus.\n"},
        {},
        "nvidia-ml cuda", "nvidia", {"cuda.gpu_fell_off_bus"}),
    ("no-libcuda", HEALTHY, {}, "nvidia-ml", "nvidia", {"cuda.no_driver"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("files", "variables", "libraries", "areas", "causes"), [s[1:] for s in NVIDIA], ids=[s[0] for s in NVIDIA]
)
def test_a_machine_with_nvidia_s_parts_is_judged_rightly(
    doctor: Doctor,
    stubs: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
    files: dict[str, str],
    variables: dict[str, str],
    libraries: str,
    areas: str,
    causes: set[str],
) -> None:
    for path, text in files.items():
        doctor.machine.file(path, text)
    for name in libraries.split():
        if name == "torch":
            install_torch(doctor.machine)
            install(doctor.machine, "triton", "3.1.0")
        elif name == "torch-cpu":
            install_torch(doctor.machine, "2.5.1+cpu", None)
            install(doctor.machine, "triton", "3.1.0")
        else:
            # A folder that is called stubs would rightly be taken for the toolkit's stub library.
            folder = doctor.machine.folder / "drivers"
            folder.mkdir(exist_ok=True)
            for file in stubs[f"lib{name}"].iterdir():
                (folder / file.name).write_bytes(file.read_bytes())
            doctor.machine.libraries = [folder]
    doctor.machine.variables.update(variables)
    _, report = doctor.report("--for", areas)
    assert wrong(report) == causes


@pytest.mark.parametrize("how", ["hang", "stubborn"])
def test_a_driver_that_hangs_is_told_in_time_and_the_rest_is_judged(
    doctor: Doctor, stubs: dict[str, Path], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triage.doctor.QUICK", 3.0)
    for path, text in HEALTHY.items():
        doctor.machine.file(path, text)
    doctor.machine.libraries.append(stubs["libnvidia-ml"])
    doctor.machine.variables["NVML_INIT"] = how
    start = time.monotonic()
    status, report = doctor.report("--for", "nvidia")
    assert time.monotonic() - start < 8
    assert status == 2 and wrong(report) == {"cuda.unknown_error"}
    states = {check["id"]: check["state"] for check in report["checks"]}
    assert states["host-tmp-writable"] == "ok"


# name, files, variables, npu-smi, causes
ASCEND: list[tuple[str, dict[str, str], dict[str, str], str, set[str]]] = [
    ("complete", INSTALLED, {"ASCEND_HOME_PATH": "/", "ASCEND_OPP_PATH": "/"},
        say(SMI.format(health="OK", processes=IDLE)), set()),
    ("not-sourced", INSTALLED, {}, say(SMI.format(health="OK", processes=BUSY)),
        {"cann.env_not_sourced", "cann.opp_missing"}),
    ("firmware", {**INSTALLED, f"{BASE}/firmware/version.info":
        "Version=6.4.12.1.241\npackage_version=23.0.rc2\ncompatible_version_drv=[23.0.rc2,23.0.rc2.]\n"}, {}, "",
        {"cann.driver_firmware", "cann.env_not_sourced", "cann.opp_missing"}),
    ("no-cann", {f"{BASE}/driver/version.info": DRIVER, **{n: "" for n in INSTALLED if n.startswith("/dev/")}}, {},
        say(SMI.format(health="OK", processes=IDLE)), set()),
    ("alarm", {n: "" for n in INSTALLED if n.startswith("/dev/")}, {}, say(SMI.format(health="Alarm", processes=IDLE)),
        {"cann.device_unavailable"}),
    ("smi-refused", {n: "" for n in INSTALLED if n.startswith("/dev/")}, {},
        say("dcmi module initialize failed. ret is -8002", 1), {"cann.permission"}),
    ("smi-crash", {n: "" for n in INSTALLED if n.startswith("/dev/")}, {}, "kill -SEGV $$",
        {"cann.driver_firmware"}),
    ("no-manager-node", {"/dev/davinci0": ""}, {}, "", {"cann.device_unavailable"}),
    ("stale", {}, {"ASCEND_HOME_PATH": "/gone/8.0"}, "", {"cann.env_not_sourced"}),
    ("no-npu", {}, {}, "", set()),
]  # fmt: skip


@pytest.mark.parametrize(("files", "variables", "smi", "causes"), [s[1:] for s in ASCEND], ids=[s[0] for s in ASCEND])
def test_a_machine_with_ascend_s_parts_is_judged_rightly(
    doctor: Doctor,
    stubs: dict[str, Path],
    files: dict[str, str],
    variables: dict[str, str],
    smi: str,
    causes: set[str],
) -> None:
    for path, text in files.items():
        doctor.machine.file(path, text)
    if "ASCEND_OPP_PATH" in variables:
        doctor.machine.libraries.append(stubs["libascendcl"])
    if smi:
        doctor.machine.tool("npu-smi", smi)
    doctor.machine.variables.update(variables)
    _, report = doctor.report("--for", "ascend")
    assert wrong(report) == causes


def test_two_packages_that_own_one_module_are_told(doctor: Doctor) -> None:
    for name in ("onnxruntime", "onnxruntime-gpu"):
        install(doctor.machine, name, "1.20.0", modules=("onnxruntime",) if name == "onnxruntime" else ())
    (site(doctor.machine) / "onnxruntime_gpu-1.20.0.dist-info" / "RECORD").write_text("onnxruntime/__init__.py,,\n")
    status, report = doctor.report("--for", "onnxruntime,python")
    assert (status, wrong(report)) == (1, {"ort.provider_fallback"})


def test_packages_that_do_not_go_together_are_told_once(doctor: Doctor) -> None:
    install(doctor.machine, "transformers", "4.46.0", ("tokenizers>=0.20,<0.21", "huggingface-hub>=0.23"))
    install(doctor.machine, "tokenizers", "0.15.0")
    install(doctor.machine, "huggingface-hub", "0.26.0")
    status, report = doctor.report("--for", "huggingface")
    assert (status, wrong(report)) == (2, {"hf.version_conflict"})


def test_settings_of_a_job_are_judged(doctor: Doctor) -> None:
    doctor.machine.file("/sys/class/net/eth0/operstate", "up\n")
    doctor.machine.variables["NCCL_SOCKET_IFNAME"] = "ib7"
    status, report = doctor.report("--for", "distributed")
    assert (status, wrong(report)) == (2, {"distributed.wrong_interface"})


def test_only_the_probes_of_the_areas_run(doctor: Doctor) -> None:
    _, report = doctor.report("--for", "huggingface")
    names = {probe["name"] for probe in report["probes"]}
    assert {"huggingface", "host", "python"} <= names and not {"nvidia", "cann", "torch"} & names


def test_the_text_says_each_thing_once_and_ends_in_a_sentence(doctor: Doctor) -> None:
    for path, text in {**HEALTHY, **BUS}.items():
        doctor.machine.file(path, text)
    doctor.machine.variables["NCCL_SOCKET_IFNAME"] = "ib7"
    doctor.machine.file("/sys/class/net/eth0/operstate", "up\n")
    status, text, _ = doctor.run("--for", "nvidia,distributed")
    lines = text.splitlines()
    assert status == 2
    bad = [line for line in lines if line.startswith("BAD")]
    assert bad and len(bad) == len(set(bad)) and all("not so: " in line for line in bad)
    assert text.count("[distributed.wrong_interface]") == 1
    assert text.count("Then look again: triage doctor --check distributed.wrong_interface") == 1
    assert "broken" in lines[-1] and lines[-1].endswith(".")
    assert all(line == line.rstrip() for line in lines)
    assert max(map(len, (line for line in lines if "$" not in line))) <= 100
    assert "n/a" not in text and "n/a" in doctor.run("-v", "--for", "nvidia")[1]


def test_the_text_is_chinese_where_it_is_asked_for(doctor: Doctor) -> None:
    doctor.machine.variables["NCCL_SOCKET_IFNAME"] = "ib7"
    doctor.machine.file("/sys/class/net/eth0/operstate", "up\n")
    _, text, _ = doctor.run("--for", "distributed", "--lang", "zh")
    assert "不成立：" in text and "之后复查" in text and text.splitlines()[-1].endswith("项。")
    assert "[distributed.wrong_interface]" in text, "ids are never translated"


def test_saved_facts_are_judged_without_a_probe(doctor: Doctor, tmp_path: Path) -> None:
    file = tmp_path / "facts.json"
    file.write_text(json.dumps({"gpu.count": 1, "gpu.0.lost": True}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("triage.doctor.run_probes", None)
        assert main(["doctor", "--facts", str(file), "--json"]) == 2
    report = json.loads(doctor.output.readouterr().out)
    assert wrong(report) == {"cuda.gpu_fell_off_bus"} and report["probes"] == []
