#!/usr/bin/env python3
"""Huawei Ascend: driver, firmware, toolkit and operator packages by their info files, environment, nodes, npu-smi, ACL.

The info files are plain `key=value` lines. Driver and firmware carry different numbers; each names the range of the
other that it goes with (`compatible_version_fw`, `compatible_version_drv`). aclInit runs only with --deep, in a child.
"""

# ruff: noqa: E402
import os
import sys

sys.dont_write_bytecode = True
# Files beside this script, in the working folder or on PYTHONPATH must not stand in for the standard library.
HERE = os.path.dirname(os.path.abspath(sys.argv[0]))
SEARCH = [p for i, p in enumerate(sys.path) if i or (p and os.path.realpath(p) != os.path.realpath(HERE))]
LIBRARY = os.path.dirname(os.__file__)
sys.path[:] = [p for p in SEARCH if p.endswith((".zip", "DLLs")) or (p.startswith(LIBRARY) and "-packages" not in p)]

PROBE = "cann"

# ---- frame: these lines are the same in every probe, so that each file can travel alone ----
import json
import select
import signal
import subprocess
import time

DEEP = "--deep" in sys.argv[1:]
ROOT = os.environ.get("TRIAGE_PROBE_ROOT", "").rstrip("/")
LIMIT = float(sys.argv[sys.argv.index("--limit") + 1]) if "--limit" in sys.argv[1:-1] else 240.0 if DEEP else 20.0
END = time.monotonic() + LIMIT
FACTS, NOTES, CHILDREN, STATUS = {}, [], set(), ["ok"]


def rooted(path):
    """Where an absolute path lies when TRIAGE_PROBE_ROOT names the mounted root of another machine."""
    return ROOT + path if path.startswith("/") else path


def read(path, limit=1 << 20):
    """Text of a file under the examined root, at most `limit` bytes of it; None if it cannot be read."""
    try:
        with open(rooted(path), "rb") as file:
            return file.read(limit).decode("utf-8", "replace")
    except OSError:
        return None


def names(path):
    """Sorted names in a folder under the examined root; none if it cannot be listed."""
    try:
        return sorted(os.listdir(rooted(path)))
    except OSError:
        return []


def step(work):
    """Run one step; what goes wrong in it becomes a note and costs no other step its facts."""
    try:
        work()
    except Exception as error:
        NOTES.append(f"{work.__name__}: {type(error).__name__}: {str(error)[:300]}")


class Child:
    """A process started here, leader of its own group; `status` is its exit status or the name of its signal."""

    def __init__(self, pid):
        self.pid, self.status = pid, None
        CHILDREN.add(self)

    def ended(self):
        """Whether it has ended, without waiting."""
        if self.status is None:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                signalled = os.WIFSIGNALED(status)
                self.status = signal.Signals(os.WTERMSIG(status)).name if signalled else os.WEXITSTATUS(status)
        return self.status is not None

    def kill(self):
        """Kill it with all that it started."""
        for kill in (os.killpg, os.kill):
            try:
                kill(self.pid, signal.SIGKILL)
            except OSError:
                pass

    def outcome(self, pipes, seconds):
        """(bytes of each pipe, status or "timeout" or "flooded"): read until it ends, then end its whole group."""
        data, waiting, end = [bytearray() for _ in pipes], list(pipes), time.monotonic() + seconds
        word = ""
        while not word and (waiting or not self.ended()):
            ready = select.select(waiting, [], [], 0.02 if waiting else 0.002)[0]
            for pipe in ready:
                chunk = os.read(pipe, 65536)
                data[pipes.index(pipe)] += chunk
                if not chunk:
                    waiting.remove(pipe)
            if not ready and self.ended():
                break
            if sum(map(len, data)) > 1 << 20:
                word = "flooded"
            elif time.monotonic() > end:
                word = "timeout"
        self.kill()
        time.sleep(0.02 if word else 0)  # one look more, then a process in state D is left behind
        self.ended()
        CHILDREN.discard(self)
        return data, word or self.status


def within(seconds):
    """`seconds`, or less where the probe's own time ends before."""
    return max(0.05, min(seconds, END - time.monotonic() - 0.15))


def command(words, seconds=5.0, env=None):
    """(exit status, output, error output) of a program; the status is a word if it is absent, was killed or slow."""
    group = {} if os.name == "nt" else {"preexec_fn": os.setpgrp}
    try:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=-1, stderr=-1, env=env, **group)
    except OSError as error:
        return "absent", "", str(error)
    if os.name == "nt":
        try:
            data, status = process.communicate(timeout=within(seconds)), process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            return "timeout", "", ""
    else:
        pipes = [process.stdout.fileno(), process.stderr.fileno()]
        data, status = Child(process.pid).outcome(pipes, within(seconds))
        process.returncode = 0  # reaped already
        process.stdout.close()
        process.stderr.close()
    return status, data[0].decode("utf-8", "replace"), data[1].decode("utf-8", "replace")


def in_child(work, seconds=5.0):
    """(value, "") of work() run in a forked child that may hang or crash, or (None, what became of it)."""
    if os.name == "nt":
        return work(), ""
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgrp()
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, seconds + 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            text = json.dumps([work(), ""])
        except BaseException as error:
            text = json.dumps([None, f"{type(error).__name__}: {str(error)[:300]}"])
        try:
            with os.fdopen(into, "w") as pipe:
                pipe.write(text)
        finally:
            os._exit(0)
    os.close(into)
    data, status = Child(pid).outcome([out], within(seconds))
    os.close(out)
    try:
        return json.loads(data[0].decode())
    except ValueError:
        return None, status if isinstance(status, str) else f"exit status {status}"


def report(*signal_and_frame):
    """Print the one JSON object and leave at once, without the exit handlers of loaded libraries."""
    for child in list(CHILDREN):
        child.kill()
    if signal_and_frame:
        NOTES.append(f"stopped after {LIMIT:.3g} seconds, later steps are missing")
    found = {"probe": PROBE, "status": STATUS[0], "facts": FACTS, "notes": NOTES}
    sys.stdout.write(json.dumps(found, sort_keys=True) + "\n")
    sys.stdout.flush()
    os._exit(0)


if hasattr(signal, "SIGALRM"):
    signal.signal(signal.SIGALRM, report)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
# ---- end of the frame ----

import ctypes
import glob
import grp
import pwd
import re
import shutil
import stat

ACL_CODES = {
    100001: ("ACL_ERROR_UNINITIALIZE", "not initialised"),
    100002: ("ACL_ERROR_REPEAT_INITIALIZE", "initialised twice in one process"),
    100003: ("ACL_ERROR_INVALID_FILE", "configuration file unusable"),
    100006: ("ACL_ERROR_PARSE_FILE", "configuration file could not be parsed"),
    100009: ("ACL_ERROR_INVALID_DUMP_CONFIG", "dump configuration bad"),
    100010: ("ACL_ERROR_INVALID_PROFILING_CONFIG", "profiling configuration bad"),
    100039: ("ACL_ERROR_COMPILING_STUB_MODE", "stub libraries are loaded in place of the driver's"),
    107000: ("ACL_ERROR_RT_PARAM_INVALID", "argument rejected by the runtime"),
    107001: ("ACL_ERROR_RT_INVALID_DEVICEID", "device id out of range"),
    107002: ("ACL_ERROR_RT_CONTEXT_NULL", "no current context"),
    107022: ("ACL_ERROR_RT_DEVICE_TASK_ABORT", "conflicts with an abort of device tasks"),
    148049: ("ACL_ERROR_INVALID_OPP_PATH", "path of the operator package bad (ASCEND_OPP_PATH)"),
    200000: ("ACL_ERROR_BAD_ALLOC", "memory could not be allocated"),
    200001: ("ACL_ERROR_API_NOT_SUPPORT", "interface not supported"),
    200002: ("ACL_ERROR_INVALID_DEVICE", "device id not present"),
    207000: ("ACL_ERROR_RT_FEATURE_NOT_SUPPORT", "feature not supported by this driver"),
    207001: ("ACL_ERROR_RT_MEMORY_ALLOCATION", "device memory used up"),
    207004: ("ACL_ERROR_RT_NO_DEVICE", "no usable device: driver not loaded or device not in the container"),
    207005: ("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "resource could not be allocated"),
    207006: ("ACL_ERROR_RT_NO_PERMISSION", "no permission for the device"),
    207018: ("ACL_ERROR_RT_DEVICE_OOM", "device memory exhausted"),
    207020: ("ACL_ERROR_RT_TIMEOUT", "driver timed out"),
    500000: ("ACL_ERROR_INTERNAL_ERROR", "unknown internal error"),
    500001: ("ACL_ERROR_FAILURE", "internal error"),
    500002: ("ACL_ERROR_GE_FAILURE", "graph engine error"),
    500003: ("ACL_ERROR_RT_FAILURE", "runtime error"),
    500004: ("ACL_ERROR_DRV_FAILURE", "driver error"),
    507000: ("ACL_ERROR_RT_INTERNAL_ERROR", "runtime internal error"),
    507008: ("ACL_ERROR_RT_SOC_VERSION", "chip could not be read: driver not visible, or chip unknown to this CANN"),
    507010: ("ACL_ERROR_RT_LOST_HEARTBEAT", "the device's task scheduler lost its heartbeat"),
    507033: ("ACL_ERROR_RT_DEV_SETUP_ERROR", "device could not be started: busy, stale process, or driver fault"),
    507053: ("ACL_ERROR_RT_DEVICE_MEM_ERROR", "uncorrectable memory error of the device"),
    507054: ("ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR", "multi-bit ECC error of the device's memory"),
    507899: ("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "driver error: versions do not fit, device busy, or no permission"),
    507901: ("ACL_ERROR_RT_SOCKET_CLOSE", "the channel to the device was closed"),
}  # fmt: skip
BASE = "/usr/local/Ascend"
# Two lines of `npu-smi info` are one chip: NPU and name | health | power, temperature, huge pages, and below
# chip and physical id | bus | AI Core use, memory, HBM.
SMI_ROW = re.compile(
    r"^\|\s*(\d+)\s+(\w[\w-]*)\s*\|\s*(\w+)\s*\|\s*(\S+)\s+(\d+)\s[^\n]*\|\s*$\n"
    r"^\|\s*(\d+)\s+(?:(\d+)\s+)?\|\s*(\S+)\s*\|\s*(\d+)\s+([^\n]*?)\|\s*$",
    re.M,
)
# Modules that the operator compiler of CANN imports.
MODULES = ("numpy", "decorator", "sympy", "cffi", "yaml", "psutil", "google.protobuf", "scipy", "attr")


def info(path):
    """The key=value lines of an info file; {} if it is not there."""
    return dict(re.findall(r'^\s*(\w+)\s*=\s*"?([^"\n\r]*?)"?\s*$', read(path) or "", re.M))


def key(version):
    """Sort key of 7.5.0.1.129 or 24.1.rc3."""
    return [int(part) if part.isdigit() else -1 for part in re.split(r"[._-]|(?<=\D)(?=\d)", version.lower()) if part]


def in_ranges(version, ranges):
    """Whether `[7.0.0,7.5.99],[24.1,24.1.]` holds a version; an upper end with a dot at its end is a prefix."""
    pairs = re.findall(r"\[([^,\]]*),([^\]]*)\]", ranges)
    for low, high in pairs:
        if high.endswith(".") and (version.lower() + ".").startswith(high.lower()):
            return True
        if not high.endswith(".") and key(low) <= key(version) <= key(high):
            return True
    return False if pairs else None


def driver_folder():
    """Where the driver is installed: /etc/ascend_install.info says so."""
    told = info("/etc/ascend_install.info").get("Driver_Install_Path_Param")
    return (told or BASE).rstrip("/")


def read_driver():
    """Driver and firmware."""
    base = driver_folder()
    driver, firmware = info(base + "/driver/version.info"), info(base + "/firmware/version.info")
    FACTS["cann.driver_version"] = driver.get("Version") or driver.get("package_version")
    FACTS["cann.firmware_version"] = firmware.get("Version")
    if driver and firmware:
        by_driver = in_ranges(firmware.get("Version", ""), driver.get("compatible_version_fw", ""))
        by_firmware = in_ranges(driver.get("Version", ""), firmware.get("compatible_version_drv", ""))
        same = driver.get("package_version") and driver.get("package_version") == firmware.get("package_version")
        FACTS["cann.driver_firmware_agree"] = bool(same) or False not in (by_driver, by_firmware)
    for path in (base + "/driver/lib64/driver/libascend_hal.so", base + "/driver/lib64/libascend_hal.so"):
        if os.path.exists(rooted(path)):
            FACTS["cann.hal_library"] = path
            break
    else:
        FACTS["cann.hal_library"] = None


def toolkit_folders():
    """Toolkits that are installed, the one of the environment first."""
    told = [os.environ.get(name) for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")]
    home = os.path.expanduser("~/Ascend")
    patterns = [b + tail for b in (BASE, home) for tail in ("/ascend-toolkit/latest", "/cann", "/ascend-toolkit/[0-9]*",
                                                            "/cann-[0-9]*", "/nnrt/latest")]  # fmt: skip
    found = [path for path in told if path]
    for pattern in patterns:
        found += [path[len(ROOT):] for path in sorted(glob.glob(rooted(pattern)))]  # fmt: skip
    seen, folders = set(), []
    for path in found:
        real = os.path.realpath(rooted(path) if os.path.isdir(rooted(path)) else path)
        if os.path.isdir(real) and real not in seen:
            seen.add(real)
            folders.append(path)
    return folders


def toolkit_version(folder):
    """Version of a toolkit, from the file its release line has."""
    arch = os.uname().machine
    for name in (f"{arch}-linux/ascend_toolkit_install.info", f"{arch}-linux/ascend_nnrt_install.info",
                 "ascend_toolkit_install.info", "toolkit/version.info", "runtime/version.info",
                 "opp/version.info"):  # fmt: skip
        found = info(f"{folder}/{name}")
        version = found.get("version") or found.get("version_dir") or found.get("Version")
        if version:
            return version
    found = re.search(r"\[([\w.]+):", read(folder + "/version.cfg") or "")
    return found.group(1) if found else None


def read_toolkit():
    """Toolkit, operator packages, NNAL."""
    folders = toolkit_folders()
    FACTS["cann.installs"] = [f"{folder} ({toolkit_version(folder) or 'version unknown'})" for folder in folders]
    FACTS["cann.home"] = folders[0] if folders else None
    FACTS["cann.version"] = toolkit_version(folders[0]) if folders else None
    if not folders:
        return
    home, arch = folders[0], os.uname().machine
    required = info(home + "/runtime/version.info").get("required_driver_ascendhal_version")
    if required:
        FACTS["cann.driver_required"] = required
    kernels = []
    for pattern in ("/opp/built-in/op_impl/ai_core/tbe/kernel/ascend*", "/opp_kernel*/version.info"):
        kernels += [os.path.basename(p) for p in glob.glob(rooted(home + pattern)) if "ascend" in os.path.basename(p)]
    FACTS["cann.kernels"] = sorted(set(kernels))
    for name in (f"/{arch}-linux/ascend_ops_install.info", "/opp_kernel/version.info", "/opp/version.info"):
        found = info(home + name)
        version = found.get("version") or found.get("version_dir") or found.get("Version")
        if version:
            FACTS["cann.kernels_version"] = version
            if re.match(r"\d+\.\d+\.(RC)?\d+$", version) and FACTS["cann.version"]:
                FACTS["cann.kernels_agree"] = FACTS["cann.version"].lower().startswith(version.lower())
            break
    versions = [re.search(r"version[ _:=]*v?(\d[\w.]*)", read(path[len(ROOT):]) or "", re.I)
                for path in glob.glob(rooted(BASE + "/nnal/*/latest/version.info"))]  # fmt: skip
    FACTS["cann.nnal_version"] = next((found.group(1) for found in versions if found), None)


def read_environment():
    """Whether set_env.sh was sourced, and whether what it set is still there."""
    variables = ("ASCEND_HOME_PATH", "ASCEND_OPP_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_AICPU_PATH", "TOOLCHAIN_HOME")
    for name in (*variables, "LD_LIBRARY_PATH", "ATB_HOME_PATH"):
        FACTS["env." + name] = os.environ.get(name)
    FACTS["cann.env_sourced"] = bool(os.environ.get("ASCEND_HOME_PATH") or os.environ.get("ASCEND_TOOLKIT_HOME"))
    FACTS["cann.nnal_sourced"] = bool(os.environ.get("ATB_HOME_PATH"))
    gone = [name for name in variables if os.environ.get(name) and not os.path.isdir(os.environ[name])]
    FACTS["cann.env_stale"] = [f"{name}={os.environ[name]}" for name in gone]
    FACTS["cann.te_importable"] = any(os.path.isdir(os.path.join(place, "te")) for place in SEARCH if place)
    if FACTS.get("cann.version"):
        FACTS["cann.python_modules_missing"] = [name for name in MODULES if not find_module(name)]


def find_module(name):
    """Whether a module is on the search path, without importing it."""
    path = name.replace(".", "/")
    return any(
        os.path.isdir(os.path.join(p, path)) or glob.glob(os.path.join(glob.escape(p), path + ".*")) for p in SEARCH
    )


def read_nodes():
    """Device nodes, their rights, and the groups of this user."""
    devices = sorted((n for n in names("/dev") if re.match(r"davinci\d+$", n)), key=lambda name: int(name[7:]))
    control = [name for name in ("davinci_manager", "devmm_svm", "hisi_hdc") if os.path.exists(rooted("/dev/" + name))]
    FACTS["npu.device_nodes"], FACTS["npu.count"] = ["/dev/" + name for name in devices], len(devices)
    if devices or control:
        absent = [name for name in ("davinci_manager", "devmm_svm", "hisi_hdc") if name not in control]
        FACTS["npu.device_nodes_missing"] = ["/dev/" + name for name in absent]
    denied = [name for name in devices + control if not os.access(rooted("/dev/" + name), os.R_OK | os.W_OK)]
    FACTS["npu.device_nodes_denied"] = ["/dev/" + name for name in denied]
    if devices:
        status = os.stat(rooted("/dev/" + devices[0]))
        try:
            owner = pwd.getpwuid(status.st_uid).pw_name
        except KeyError:
            owner = str(status.st_uid)
        try:
            group = grp.getgrgid(status.st_gid).gr_name
        except KeyError:
            group = str(status.st_gid)
        FACTS["npu.device_mode"], FACTS["npu.device_group"] = f"{stat.filemode(status.st_mode)} {owner} {group}", group
        FACTS["npu.user_in_group"] = os.getuid() == 0 or status.st_gid in (os.getegid(), *os.getgroups())
    devices = names("/sys/bus/pci/devices")
    if devices:
        ids = [[(read(f"/sys/bus/pci/devices/{d}/{k}") or "").strip() for k in ("vendor", "class")] for d in devices]
        FACTS["npu.pci_count"] = sum(vendor == "0x19e5" and kind.startswith("0x12") for vendor, kind in ids)
    modules = read("/proc/modules")
    if modules is not None:
        FACTS["npu.driver_loaded"] = bool(
            re.search(r"^(drv_davinci|drv_devmng|drv_devmm|ascend_|davinci)\S*\s", modules, re.M)
        )


def read_smi():
    """npu-smi info: version, devices, processes, or its complaint."""
    path = FACTS["npu.smi_path"] = shutil.which("npu-smi")
    if not path:
        return
    status, out, errors = command([path, "info"], 15)
    FACTS["npu.smi_exit"] = status if isinstance(status, int) else None
    text = out + "\n" + errors
    code = re.search(r"ret is (-?\d+)|error code[ =:]+(-?\d+)", text)
    if code:
        FACTS["npu.smi_error_code"] = int(code.group(1) or code.group(2))
    found = re.search(r"npu-smi\s+v?(\d[\w.]*)", out)
    if found:
        FACTS["npu.smi_version"] = found.group(1)
    rows = SMI_ROW.findall(out)
    if status != 0 or not rows:
        lines = [line.strip() for line in text.splitlines() if line.strip().strip("+-=|")]
        fault = next((line for line in lines if re.search(r"fail|error|ret is|denied|not found", line, re.I)), "")
        told = fault or (lines[0] if lines else "")
        FACTS["npu.smi_error"] = (
            status if isinstance(status, str) else told[:300] if told.isprintable() else "unreadable"
        )
        FACTS["npu.busy"] = True if FACTS.get("npu.smi_error_code") == -8020 or "device is used" in text else None
        if FACTS["npu.busy"] is None:
            del FACTS["npu.busy"]
        return
    FACTS["npu.smi_error"] = None
    for index, (_, name, health, _, temperature, _, physical, _, usage, memory) in enumerate(rows):
        prefix = f"npu.{physical or index}."
        FACTS.update({prefix + "name": name, prefix + "health": health, prefix + "temperature": int(temperature)})
        FACTS[prefix + "aicore_usage"] = int(usage)
        sizes = [(int(a), int(b)) for a, b in re.findall(r"(\d+)\s*/\s*(\d+)", memory) if int(b)]
        if sizes:  # HBM comes last; 310P has only the first pair
            FACTS[prefix + "memory_used"], FACTS[prefix + "memory_total"] = sizes[-1][0] << 20, sizes[-1][1] << 20
    FACTS["npu.count"] = len(rows)
    FACTS["npu.chip"] = rows[0][1] if rows[0][1].startswith("Ascend") else "Ascend" + rows[0][1]
    processes = re.findall(r"^\|\s*(\d+)\s+(\d+)\s*\|\s*(\d+)\s*\|\s*(\S*)\s*\|\s*(\d+)\s*\|\s*$", out, re.M)
    FACTS["npu.processes"] = [f"npu {n} pid {pid} {name} {size} MiB" for n, _, pid, name, size in processes]
    FACTS["npu.busy"] = bool(processes)


def read_packages():
    """torch_npu and MindSpore by their metadata: torch_npu 2.5.1.post1 goes with torch 2.5.1."""
    versions = {}
    for place in SEARCH:
        for path in glob.glob(os.path.join(glob.escape(place), "*.dist-info")):
            name, _, version = os.path.basename(path)[:-10].partition("-")
            versions.setdefault(re.sub(r"[-_.]+", "-", name).lower(), version)
    FACTS["pkg.torch-npu"] = versions.get("torch-npu")
    FACTS["mindspore.version"] = versions.get("mindspore")
    npu, torch = versions.get("torch-npu"), versions.get("torch")
    if npu and torch:
        release = [re.match(r"\d+(?:\.\d+)*", version).group(0) for version in (npu, torch)]
        FACTS["cann.torch_npu_torch_agree"] = release[0] == release[1]
    for place in SEARCH:
        text = read_here(os.path.join(place, "torch_npu", "version.py"))
        found = re.search(r"""^cann\w*\s*=\s*['"]([\d.]+\w*)""", text, re.M)
        if found:
            FACTS["cann.torch_npu_cann"] = found.group(1)
            break


def read_here(path):
    """Text of a file of the environment, or nothing."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 16)
    except OSError:
        return ""


def load_acl():
    """Load libascendcl.so, return its path; runs in a child."""
    ctypes.CDLL("libascendcl.so")
    with open("/proc/self/maps") as maps:
        return next((line[line.find("/"):].strip() for line in maps if "libascendcl.so" in line), None)  # fmt: skip


def start_acl():
    """aclInit and the device count; runs in a child."""
    acl = ctypes.CDLL("libascendcl.so")
    code = acl.aclInit(None)
    facts = {"cann.acl_init_code": code}
    if code:
        return facts
    count = ctypes.c_uint32()
    code = acl.aclrtGetDeviceCount(ctypes.byref(count))
    facts["cann.acl_device_error"] = acl_name(code) if code else None
    if not code:
        facts["cann.acl_device_count"] = count.value
    if not code and count.value and hasattr(acl, "aclrtSetDevice"):
        code = acl.aclrtSetDevice(0)
        facts["cann.acl_device_error"] = acl_name(code) if code else None
        if not code and hasattr(acl, "aclrtResetDevice"):
            acl.aclrtResetDevice(0)
    if hasattr(acl, "aclFinalize"):
        acl.aclFinalize()
    return facts


def acl_name(code):
    """Name of an ACL code."""
    return ACL_CODES.get(code, (f"ACL_ERROR_{code}", ""))[0]


def try_acl():
    """Whether the ACL library loads, and with --deep whether it starts."""
    path, fault = in_child(load_acl, 5)
    FACTS["cann.acl_library"], FACTS["cann.acl_load_error"] = path, fault.replace("OSError: ", "") or None
    if fault or not DEEP:
        return
    facts, fault = in_child(start_acl, 60)
    FACTS.update(facts or {"cann.acl_init": fault})
    code = FACTS.get("cann.acl_init_code")
    if code is not None:
        FACTS["cann.acl_init"] = "ACL_SUCCESS" if code == 0 else acl_name(code)
        FACTS["cann.acl_init_meaning"] = ACL_CODES.get(code, ("", None))[1]


def import_torch_npu():
    """Import torch_npu in a process of its own."""
    code = "import sys; sys.path[:1] = filter(None, sys.path[:1]); "
    code += "import torch, torch_npu; print('fine', torch.npu.is_available())"
    status, out, errors = command([sys.executable, "-B", "-c", code], 120)
    lines = [line for line in errors.splitlines() if line.strip()]
    if "fine" in out:
        FACTS["cann.torch_npu_import_error"], FACTS["torch.npu_available"] = None, "fine True" in out
    else:
        FACTS["cann.torch_npu_import_error"] = lines[-1][:1000] if lines and status == 1 else str(status)


for work in (read_driver, read_toolkit, read_environment, read_nodes, read_smi, read_packages, try_acl):
    step(work)
if DEEP and FACTS.get("pkg.torch-npu"):
    step(import_torch_npu)
if not any(
    FACTS.get(name) for name in ("cann.version", "cann.driver_version", "npu.count", "npu.smi_path", "npu.pci_count")
):
    STATUS[0] = "absent"
elif FACTS.get("npu.device_nodes_denied"):
    STATUS[0] = "denied"
report()
