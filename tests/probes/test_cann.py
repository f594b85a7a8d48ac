"""The probe cann on machines in the states that Ascend's documents and users describe."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

import pytest

from tests.probes.machine import Machine

ARCH = platform.machine()
DRIVER = """Version=24.1.rc3
ascendhal_version=7.35.23
Innerversion=V100R001C19SPC001B124
compatible_version=[V100R001C13],[V100R001C19]
compatible_version_fw=[7.0.0,7.5.99]
package_version=24.1.rc3
"""
FIRMWARE = """Version=7.5.0.1.129
firmware_version=1.0
package_version=24.1.rc3
compatible_version_drv=[23.0.0,23.0.0.],[24.0,24.0.],[24.1,24.1.]
"""
TOOLKIT = "package_name=Ascend-cann-toolkit\nversion=8.0.RC3\ninnerversion=V100R001C19SPC001B228\n"
BASE = "/usr/local/Ascend"
INSTALLED = {
    f"{BASE}/driver/version.info": DRIVER,
    f"{BASE}/firmware/version.info": FIRMWARE,
    f"{BASE}/ascend-toolkit/latest/{ARCH}-linux/ascend_toolkit_install.info": TOOLKIT,
    f"{BASE}/driver/lib64/driver/libascend_hal.so": "",
    "/dev/davinci0": "", "/dev/davinci1": "", "/dev/davinci_manager": "", "/dev/devmm_svm": "", "/dev/hisi_hdc": "",
}  # fmt: skip
SMI = """+------------------------------------------------------------------------------------------------+
| npu-smi 24.1.rc3                 Version: 24.1.rc3                                             |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 0     910B3               | OK            | 98.5        42                0    / 0             |
| 0                         | 0000:C1:00.0  | 0           0    / 0          3439 / 65536         |
+===========================+===============+====================================================+
| 1     910B3               | {health}            | 95.4        37                0    / 0             |
| 0                         | 0000:42:00.0  | 12          0    / 0          26838/ 65536         |
+===========================+===============+====================================================+
+---------------------------+---------------+----------------------------------------------------+
| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
+===========================+===============+====================================================+
{processes}
+===========================+===============+====================================================+
"""
IDLE = "| No running processes found in NPU 0                                                            |"
BUSY = "| 1       0                 | 124528        | python3.8                | 17400                   |"
A3 = """| npu-smi 25.2.1                   Version: 25.2.1                                               |
| 0     Ascend910           | OK            | 166.5       38                0    / 0             |
| 0     0                   | 0000:9D:00.0  | 0           0    / 0          3131 / 65536         |
+------------------------------------------------------------------------------------------------+
| 0     Ascend910           | OK            | -           37                0    / 0             |
| 1     1                   | 0000:9F:00.0  | 0           0    / 0          2886 / 65536         |
"""


def say(text: str, status: int = 0) -> str:
    """Shell script that prints a text."""
    return f"cat <<'END'\n{text}\nEND\nexit {status}\n"


FILES: list[tuple[str, dict[str, str], dict[str, str], dict[str, Any]]] = [
    ("complete", INSTALLED, {"ASCEND_HOME_PATH": "/", "ASCEND_OPP_PATH": "/"}, {
        "cann.driver_version": "24.1.rc3", "cann.firmware_version": "7.5.0.1.129", "cann.driver_firmware_agree": True,
        "npu.count": 2, "npu.device_nodes": ["/dev/davinci0", "/dev/davinci1"], "npu.device_nodes_missing": [],
        "cann.env_sourced": True, "cann.env_stale": []}),
    ("not-sourced", INSTALLED, {}, {"cann.env_sourced": False, "cann.version": "8.0.RC3"}),
    ("stale-environment", INSTALLED, {"ASCEND_HOME_PATH": "/gone/8.0"},
        {"cann.env_stale": ["ASCEND_HOME_PATH=/gone/8.0"]}),
    ("firmware-too-old", {**INSTALLED, f"{BASE}/firmware/version.info":
        "Version=6.4.12.1.241\npackage_version=23.0.rc2\ncompatible_version_drv=[23.0.rc2,23.0.rc2.]\n"}, {},
        {"cann.driver_firmware_agree": False, "cann.firmware_version": "6.4.12.1.241"}),
    ("firmware-refuses-driver", {**INSTALLED, f"{BASE}/firmware/version.info":
        "Version=7.1.0.11.220\npackage_version=23.0.7\ncompatible_version_drv=[23.0.rc3,23.0.rc3.],[23.0,23.0.]\n"}, {},
        {"cann.driver_firmware_agree": False}),
    ("other-but-compatible", {**INSTALLED, f"{BASE}/firmware/version.info":
        "Version=7.3.0.1.231\npackage_version=24.1.rc2\ncompatible_version_drv=[24.1,24.1.]\n"}, {},
        {"cann.driver_firmware_agree": True}),
    ("elsewhere", {"/etc/ascend_install.info": "Driver_Install_Path_Param=/opt/ascend\n",
        "/opt/ascend/driver/version.info": DRIVER},
        {}, {"cann.driver_version": "24.1.rc3", "cann.firmware_version": None}),
    ("no-driver", {f"{BASE}/cann/{ARCH}-linux/ascend_toolkit_install.info": "version=8.5.0\n"}, {},
        {"cann.driver_version": None, "cann.version": "8.5.0", "cann.hal_library": None, "npu.count": 0}),
    ("old-layout",
        {f"{BASE}/ascend-toolkit/latest/toolkit/version.info": "Version=8.2.0.0.201\nversion_dir=8.2.RC1\n"}, {},
        {"cann.version": "8.2.RC1"}),
    ("kernels-differ", {**INSTALLED,
        f"{BASE}/ascend-toolkit/latest/{ARCH}-linux/ascend_ops_install.info": "version=8.0.RC2\n"}, {},
        {"cann.kernels_version": "8.0.RC2", "cann.kernels_agree": False}),
    ("kernels-fit", {**INSTALLED,
        f"{BASE}/ascend-toolkit/latest/{ARCH}-linux/ascend_ops_install.info": "version=8.0.RC3\n"}, {},
        {"cann.kernels_agree": True}),
    ("no-manager-node", {"/dev/davinci0": ""}, {}, {"npu.device_nodes_missing": [
        "/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc"]}),
    ("module-loaded", {**INSTALLED, "/proc/modules": "drv_davinci_intf 1 0\n"}, {}, {"npu.driver_loaded": True}),
    ("module-missing", INSTALLED, {}, {"npu.driver_loaded": False}),
    ("on-the-bus", {"/sys/bus/pci/devices/0000:c1:00.0/vendor": "0x19e5\n",
        "/sys/bus/pci/devices/0000:c1:00.0/class": "0x120000\n"},
        {}, {"npu.pci_count": 1, "npu.count": 0}),
]  # fmt: skip


def assert_facts(facts: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Each wanted fact is there with its value."""
    assert {name: facts.get(name, "<missing>") for name in wanted} == wanted


@pytest.mark.parametrize(("files", "variables", "wanted"), [s[1:] for s in FILES], ids=[s[0] for s in FILES])
def test_info_files_become_facts(
    machine: Machine, files: dict[str, str], variables: dict[str, str], wanted: dict[str, Any]
) -> None:
    for path, text in files.items():
        machine.file(path, text)
    machine.variables.update(variables)
    assert_facts(machine.run("cann").facts, wanted)


SMI_CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("idle", say(SMI.format(health="OK", processes=IDLE)), {"npu.count": 2, "npu.busy": False, "npu.0.name": "910B3",
        "npu.0.health": "OK", "npu.0.memory_total": 65536 << 20, "npu.1.memory_used": 26838 << 20,
        "npu.1.aicore_usage": 12,
        "npu.chip": "Ascend910B3", "npu.smi_version": "24.1.rc3", "npu.smi_error": None, "npu.processes": []}),
    ("busy", say(SMI.format(health="OK", processes=BUSY)), {"npu.busy": True,
        "npu.processes": ["npu 1 pid 124528 python3.8 17400 MiB"]}),
    ("alarm", say(SMI.format(health="Alarm", processes=IDLE)), {"npu.1.health": "Alarm", "npu.0.health": "OK"}),
    ("two-chips-a-card", say(A3), {"npu.count": 2, "npu.1.name": "Ascend910", "npu.1.memory_used": 2886 << 20,
        "npu.chip": "Ascend910"}),
    ("held", say("dcmi model initialized failed, because the device is used. ret is -8020"),
        {"npu.busy": True, "npu.smi_error_code": -8020}),
    ("init-failed", say("dcmi module initialize failed. ret is -8005", 1), {"npu.smi_exit": 1,
        "npu.smi_error_code": -8005,
        "npu.smi_error": "dcmi module initialize failed. ret is -8005"}),
    ("no-permission", say("dcmi module initialize failed. ret is -8002", 1), {"npu.smi_error_code": -8002}),
    ("no-library", say("npu-smi: error while loading shared libraries: libdcmi.so: cannot open shared object file",
        127),
        {"npu.smi_exit": 127}),
    ("binary", "head -c 90000 /dev/urandom; exit 1", {"npu.smi_exit": 1}),
    ("flood", "head -c 100000000 /dev/zero", {"npu.smi_error": "flooded"}),
    ("crash", "kill -SEGV $$", {"npu.smi_error": "SIGSEGV"}),
    ("abort", "kill -ABRT $$", {"npu.smi_error": "SIGABRT"}),
    ("hang", "sleep 60 & wait", {"npu.smi_error": "timeout"}),
    ("stubborn", "trap '' TERM INT HUP; while :; do sleep 5; done", {"npu.smi_error": "timeout"}),
]  # fmt: skip


@pytest.mark.parametrize(("script", "wanted"), [s[1:] for s in SMI_CASES], ids=[s[0] for s in SMI_CASES])
def test_npu_smi_becomes_facts(machine: Machine, script: str, wanted: dict[str, Any]) -> None:
    machine.tool("npu-smi", script)
    assert_facts(machine.run("cann", limit=1.0 if "timeout" in wanted.values() else None).facts, wanted)


ACL: list[tuple[str, dict[str, str], dict[str, Any]]] = [
    ("healthy", {}, {"cann.acl_init": "ACL_SUCCESS", "cann.acl_device_count": 8, "cann.acl_device_error": None}),
    ("no-device", {"ACL_INIT": "207004"}, {"cann.acl_init": "ACL_ERROR_RT_NO_DEVICE", "cann.acl_init_code": 207004}),
    ("repeated", {"ACL_INIT": "100002"}, {"cann.acl_init": "ACL_ERROR_REPEAT_INITIALIZE"}),
    ("stub-mode", {"ACL_INIT": "100039"}, {"cann.acl_init": "ACL_ERROR_COMPILING_STUB_MODE"}),
    ("bad-config", {"ACL_INIT": "100003"}, {"cann.acl_init": "ACL_ERROR_INVALID_FILE"}),
    ("opp-path", {"ACL_INIT": "148049"}, {"cann.acl_init": "ACL_ERROR_INVALID_OPP_PATH"}),
    ("no-permission", {"ACL_INIT": "207006"}, {"cann.acl_init": "ACL_ERROR_RT_NO_PERMISSION"}),
    ("soc-version", {"ACL_INIT": "507008"}, {"cann.acl_init": "ACL_ERROR_RT_SOC_VERSION"}),
    ("setup", {"ACL_INIT": "507033"}, {"cann.acl_init": "ACL_ERROR_RT_DEV_SETUP_ERROR"}),
    ("driver", {"ACL_INIT": "507899"}, {"cann.acl_init": "ACL_ERROR_RT_DRV_INTERNAL_ERROR"}),
    ("internal", {"ACL_INIT": "500000"}, {"cann.acl_init": "ACL_ERROR_INTERNAL_ERROR"}),
    ("unheard-of", {"ACL_INIT": "599999"}, {"cann.acl_init": "ACL_ERROR_599999", "cann.acl_init_meaning": None}),
    ("count-fails", {"ACL_COUNT": "507899"}, {"cann.acl_init": "ACL_SUCCESS",
        "cann.acl_device_error": "ACL_ERROR_RT_DRV_INTERNAL_ERROR"}),
    ("device-busy", {"ACL_SET": "507033"}, {"cann.acl_device_error": "ACL_ERROR_RT_DEV_SETUP_ERROR"}),
    ("device-lost", {"ACL_SET": "507010"}, {"cann.acl_device_error": "ACL_ERROR_RT_LOST_HEARTBEAT"}),
    ("none-visible", {"ACL_NPUS": "0"}, {"cann.acl_device_count": 0}),
    ("load-crash", {"ACL_LOAD": "segv"}, {"cann.acl_load_error": "SIGSEGV"}),
    ("init-crash", {"ACL_INIT": "segv"}, {"cann.acl_init": "SIGSEGV", "cann.acl_load_error": None}),
    ("init-abort", {"ACL_INIT": "abort"}, {"cann.acl_init": "SIGABRT"}),
    ("init-exit", {"ACL_INIT": "exit"}, {"cann.acl_init": "exit status 3"}),
    ("init-flood", {"ACL_INIT": "flood"}, {"cann.acl_init": "ACL_SUCCESS"}),
    ("init-binary", {"ACL_INIT": "binary"}, {"cann.acl_init": "ACL_SUCCESS"}),
    ("init-hang", {"ACL_INIT": "hang"}, {"cann.acl_init": "timeout"}),
    ("init-stubborn", {"ACL_INIT": "stubborn"}, {"cann.acl_init": "timeout"}),
]  # fmt: skip


@pytest.mark.parametrize(("variables", "wanted"), [s[1:] for s in ACL], ids=[s[0] for s in ACL])
def test_acl_states_become_facts(
    machine: Machine, stubs: dict[str, Path], variables: dict[str, str], wanted: dict[str, Any]
) -> None:
    for path, text in INSTALLED.items():
        machine.file(path, text)
    machine.libraries.append(stubs["libascendcl"])
    machine.variables.update(variables)
    report = machine.run("cann", "--deep", limit=0.9 if "timeout" in wanted.values() else None)
    assert_facts(report.facts, {**wanted, "cann.driver_version": "24.1.rc3"})


def test_quick_mode_does_not_start_acl(machine: Machine, stubs: dict[str, Path]) -> None:
    machine.libraries.append(stubs["libascendcl"])
    machine.variables["ACL_INIT"] = "segv"
    facts = machine.run("cann").facts
    assert facts["cann.acl_load_error"] is None
    assert "cann.acl_init" not in facts


def test_without_ascend_the_probe_says_absent(machine: Machine) -> None:
    report = machine.run("cann")
    assert report.status == "absent"
    assert_facts(
        report.facts, {"cann.version": None, "cann.driver_version": None, "npu.count": 0, "npu.smi_path": None}
    )
