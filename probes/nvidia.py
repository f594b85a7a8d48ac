#!/usr/bin/env python3
"""NVIDIA: kernel module, user-space libraries, NVML, device nodes, fabric manager, Xid lines of the kernel log.

NVML is asked through ctypes in a forked child, so that a driver that hangs or crashes costs no other fact.
Numbers and names are those of nvml.h; nvidia-smi stands in where NVML does not answer.
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

PROBE = "nvidia"

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
import re
import shutil
from ctypes import byref, c_int, c_uint, c_ulonglong

NVML_CODES = {
    0: "SUCCESS", 1: "UNINITIALIZED", 2: "INVALID_ARGUMENT", 3: "NOT_SUPPORTED", 4: "NO_PERMISSION",
    5: "ALREADY_INITIALIZED", 6: "NOT_FOUND", 7: "INSUFFICIENT_SIZE", 8: "INSUFFICIENT_POWER", 9: "DRIVER_NOT_LOADED",
    10: "TIMEOUT", 11: "IRQ_ISSUE", 12: "LIBRARY_NOT_FOUND", 13: "FUNCTION_NOT_FOUND", 14: "CORRUPTED_INFOROM",
    15: "GPU_IS_LOST", 16: "RESET_REQUIRED", 17: "OPERATING_SYSTEM", 18: "LIB_RM_VERSION_MISMATCH", 19: "IN_USE",
    20: "MEMORY", 21: "NO_DATA", 22: "VGPU_ECC_NOT_SUPPORTED", 23: "INSUFFICIENT_RESOURCES", 24: "FREQ_NOT_SUPPORTED",
    25: "ARGUMENT_VERSION_MISMATCH", 26: "DEPRECATED", 27: "NOT_READY", 28: "GPU_NOT_FOUND", 29: "INVALID_STATE",
    30: "RESET_TYPE_NOT_SUPPORTED", 999: "UNKNOWN",
}  # fmt: skip
COMPUTE_MODES = {0: "default", 1: "exclusive_thread", 2: "prohibited", 3: "exclusive_process"}
FABRIC_STATES = {0: "not_supported", 1: "not_started", 2: "in_progress", 3: "completed"}
# Bits of nvmlClocksThrottleReasons; idle and settings of the user are no throttling.
THROTTLE = {
    2: "sw_power_cap", 3: "hw_slowdown", 4: "sync_boost", 5: "sw_thermal_slowdown", 6: "hw_thermal_slowdown",
    7: "hw_power_brake",
}  # fmt: skip
FOLDERS = [
    "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/nvidia/lib64",
    "/usr/lib/wsl/lib", "/usr/lib64/nvidia", "/usr/lib/nvidia",
]  # fmt: skip


class Pci(ctypes.Structure):
    """nvmlPciInfo_t."""

    _fields_ = [
        ("legacy", ctypes.c_char * 16), ("domain", c_uint), ("bus", c_uint), ("device", c_uint), ("id", c_uint),
        ("subsystem", c_uint), ("bus_id", ctypes.c_char * 32),
    ]  # fmt: skip


class Process(ctypes.Structure):
    """nvmlProcessInfo_v2_t, which the third version of the call fills as well."""

    _fields_ = [("pid", c_uint), ("memory", c_ulonglong), ("instance", c_uint), ("compute", c_uint)]


class Fabric(ctypes.Structure):
    """nvmlGpuFabricInfo_t."""

    _fields_ = [("uuid", ctypes.c_ubyte * 16), ("status", c_uint), ("clique", c_uint), ("state", ctypes.c_ubyte)]


def code_name(code):
    """Name of an NVML return code."""
    return f"NVML_ERROR_{NVML_CODES.get(code, code)}" if code else "NVML_SUCCESS"


def ask_nvml():
    """Facts that NVML gives; runs in a child."""
    facts = {}
    nvml = ctypes.CDLL("libnvidia-ml.so.1")
    maps = read_maps("libnvidia-ml")
    if maps:
        facts["nvidia.nvml_path"] = maps

    def call(function, *arguments):
        """Whether an NVML function succeeds; false too where this library lacks it."""
        return hasattr(nvml, function) and getattr(nvml, function)(*arguments) == 0

    def number(function, device, *before, kind=c_uint):
        """The one number that a function returns through its last argument, or None."""
        value = kind()
        return value.value if call(function, device, *before, byref(value)) else None

    def text(function, *before):
        """The string that a function writes, or None."""
        buffer = ctypes.create_string_buffer(96)
        return buffer.value.decode("utf-8", "replace") if call(function, *before, buffer, 96) else None

    code = (nvml.nvmlInit_v2 if hasattr(nvml, "nvmlInit_v2") else nvml.nvmlInit)()
    facts.update({"nvidia.nvml_init": code_name(code), "nvidia.nvml_init_code": code})
    if code:
        return facts
    facts["nvidia.driver_version"] = text("nvmlSystemGetDriverVersion")
    level = c_int()
    if call("nvmlSystemGetCudaDriverVersion_v2", byref(level)) or call("nvmlSystemGetCudaDriverVersion", byref(level)):
        facts["nvidia.cuda_version_number"] = level.value
        facts["nvidia.cuda_version"] = f"{level.value // 1000}.{level.value % 1000 // 10}"
    count = c_uint()
    if not (call("nvmlDeviceGetCount_v2", byref(count)) or call("nvmlDeviceGetCount", byref(count))):
        return facts
    facts["gpu.count"] = count.value
    for index in range(min(count.value, 64)):
        gpu = f"gpu.{index}."
        device = ctypes.c_void_p()
        code = nvml.nvmlDeviceGetHandleByIndex_v2(c_uint(index), byref(device))
        facts[gpu + "lost"] = code == 15
        if code:
            facts[gpu + "name"] = None if code == 15 else code_name(code)
            continue
        facts.update({gpu + key: value for key, value in ask_gpu(device, call, number, text).items()})
    call("nvmlShutdown")
    return {key: value for key, value in facts.items() if value is not None or key.endswith("name")}


def ask_gpu(device, call, number, text):
    """Facts about one GPU, without the `gpu.N.` before their names."""
    facts = {"name": text("nvmlDeviceGetName", device), "uuid": text("nvmlDeviceGetUUID", device)}
    pci, memory, capability = Pci(), (c_ulonglong * 3)(), (c_int(), c_int())
    if call("nvmlDeviceGetPciInfo_v3", device, byref(pci)):
        facts["pci_bus_id"] = pci.bus_id.decode("ascii", "replace")
    if call("nvmlDeviceGetMemoryInfo", device, byref(memory)):
        facts["memory_total"], facts["memory_free"], facts["memory_used"] = memory
    if call("nvmlDeviceGetCudaComputeCapability", device, byref(capability[0]), byref(capability[1])):
        facts["compute_capability"] = f"{capability[0].value}.{capability[1].value}"
        facts["arch"] = f"sm_{capability[0].value}{capability[1].value}"
    mode = number("nvmlDeviceGetComputeMode", device)
    facts["compute_mode"] = COMPUTE_MODES.get(mode) if mode is not None else None
    now, later = c_uint(), c_uint()
    if call("nvmlDeviceGetEccMode", device, byref(now), byref(later)):
        facts["ecc_mode"] = bool(now.value)
    for fact, kind, counter in (("corrected", 0, 0), ("uncorrected", 1, 0), ("uncorrected_total", 1, 1)):
        arguments = (c_uint(kind), c_uint(counter))
        facts["ecc_" + fact] = number("nvmlDeviceGetTotalEccErrors", device, *arguments, kind=c_ulonglong)
    retired = c_uint()
    if call("nvmlDeviceGetRetiredPages", device, c_uint(1), byref(retired), None):
        facts["retired_pages"] = retired.value
    pending = number("nvmlDeviceGetRetiredPagesPendingStatus", device)
    facts["retired_pending"] = bool(pending) if pending is not None else None
    rows = [c_uint() for _ in range(4)]
    if call("nvmlDeviceGetRemappedRows", device, *map(byref, rows)):
        facts["remapped_uncorrected"] = rows[1].value
        facts["remap_pending"], facts["remap_failure"] = bool(rows[2].value), bool(rows[3].value)
    if call("nvmlDeviceGetMigMode", device, byref(now), byref(later)):
        facts["mig_mode"], facts["mig_pending"] = bool(now.value), now.value != later.value
        facts["mig_devices"] = []
        for index in range(number("nvmlDeviceGetMaxMigDeviceCount", device) or 0):
            part = ctypes.c_void_p()
            if now.value and call("nvmlDeviceGetMigDeviceHandleByIndex", device, c_uint(index), byref(part)):
                facts["mig_devices"].append(text("nvmlDeviceGetUUID", part) or "?")
    reasons = number("nvmlDeviceGetCurrentClocksThrottleReasons", device, kind=c_ulonglong)
    if reasons is not None:
        facts["throttle_reasons"] = [name for bit, name in sorted(THROTTLE.items()) if reasons >> bit & 1]
    facts["temperature"] = number("nvmlDeviceGetTemperature", device, c_uint(0))
    for fact, function in (("power", "nvmlDeviceGetPowerUsage"), ("power_limit", "nvmlDeviceGetEnforcedPowerLimit")):
        milliwatts = number(function, device)
        facts[fact + "_watts"] = milliwatts / 1000 if milliwatts is not None else None
    use = (c_uint * 2)()
    if call("nvmlDeviceGetUtilizationRates", device, byref(use)):
        facts["utilization"] = use[0]
    for fact, function in (("persistence", "PersistenceMode"), ("display_active", "DisplayActive")):
        value = number("nvmlDeviceGet" + function, device)
        facts[fact] = bool(value) if value is not None else None
    facts["pcie_generation"] = number("nvmlDeviceGetCurrPcieLinkGeneration", device)
    facts["pcie_generation_max"] = number("nvmlDeviceGetMaxPcieLinkGeneration", device)
    facts["pcie_width"] = number("nvmlDeviceGetCurrPcieLinkWidth", device)
    facts["pcie_width_max"] = number("nvmlDeviceGetMaxPcieLinkWidth", device)
    states = [number("nvmlDeviceGetNvLinkState", device, c_uint(link)) for link in range(36)]
    if any(state is not None for state in states):
        facts["nvlink_active"], facts["nvlink_inactive"] = states.count(1), states.count(0)
        facts["nvlink_errors"] = sum(
            number("nvmlDeviceGetNvLinkErrorCounter", device, c_uint(link), c_uint(kind), kind=c_ulonglong) or 0
            for link, state in enumerate(states) if state is not None for kind in (0, 1)
        )  # fmt: skip
    fabric = Fabric()
    if call("nvmlDeviceGetGpuFabricInfo", device, byref(fabric)):
        facts["fabric_state"] = FABRIC_STATES.get(fabric.state, str(fabric.state))
        facts["fabric_status"] = code_name(fabric.status) if fabric.state == 3 else None
    mode = number("nvmlDeviceGetVirtualizationMode", device)
    facts["vgpu"] = mode == 2 if mode is not None else None
    many, processes = c_uint(128), (Process * 128)()
    for version in ("_v3", "_v2"):
        if call("nvmlDeviceGetComputeRunningProcesses" + version, device, byref(many), processes):
            held = [(one.pid, one.memory if one.memory < 1 << 63 else 0) for one in processes[: many.value]]
            facts["process_count"], facts["process_memory"] = len(held), sum(memory for _, memory in held)
            commands = {pid: (read(f"/proc/{pid}/comm") or "?").strip() for pid, _ in held}
            facts["processes"] = [f"{pid} {commands[pid]} {memory >> 20} MiB" for pid, memory in held]
            break
    return facts


def read_maps(fragment):
    """Path of the mapped library whose name starts with `fragment`."""
    try:
        with open("/proc/self/maps") as maps:
            for line in maps:
                path = line[line.find("/"):].strip()  # fmt: skip
                if "/" in line and os.path.basename(path).startswith(fragment):
                    return path
    except OSError:
        pass
    return None


def read_kernel():
    """Kernel module: loaded, which version, and its companions."""
    modules = read("/proc/modules")
    text = read("/proc/driver/nvidia/version") or ""
    found = re.search(r"Kernel Module.*?\s(\d+\.\d+(?:\.\d+)?)\s", text)
    version = found.group(1) if found else (read("/sys/module/nvidia/version") or "").strip() or None
    if modules is not None or version:
        FACTS["nvidia.module_loaded"] = bool(version) or bool(re.search(r"^nvidia\s", modules or "", re.M))
        FACTS["nvidia.module_version"] = version
    if text:
        FACTS["nvidia.module_open"] = "Open Kernel Module" in text
    if modules is not None:
        FACTS["nvidia.uvm_loaded"] = bool(re.search(r"^nvidia_uvm\s", modules, re.M))
        FACTS["nvidia.nouveau"] = bool(re.search(r"^nouveau\s", modules, re.M))
    if shutil.which("modinfo") and not ROOT and not version:
        status, out, _ = command(["modinfo", "-F", "version", "nvidia"], 2)
        if status == 0 and out.strip():
            FACTS["nvidia.installed_module_version"] = out.strip()


def read_pci():
    """What is on the bus, whatever the driver says."""
    devices = names("/sys/bus/pci/devices")
    if not devices:
        return
    kinds = []
    for device in devices:
        folder = f"/sys/bus/pci/devices/{device}/"
        if (read(folder + "vendor") or "").strip() == "0x10de":
            kinds.append((read(folder + "class") or "").strip()[:6])
    FACTS["nvidia.pci_count"] = sum(kind in ("0x0300", "0x0302") for kind in kinds)
    FACTS["nvidia.nvswitch_count"] = max(kinds.count("0x0680"), len(names("/proc/driver/nvidia-nvswitch/devices")))


def read_nodes():
    """Device nodes and which of them this user may open."""
    nodes = [name for name in names("/dev") if re.match(r"nvidia(\d+|ctl|-uvm|-modeset)$|dxg$", name)]
    FACTS["nvidia.device_nodes"] = ["/dev/" + name for name in nodes]
    denied = [name for name in nodes if not os.access(rooted("/dev/" + name), os.R_OK | os.W_OK)]
    FACTS["nvidia.device_nodes_denied"] = ["/dev/" + name for name in denied]
    if nodes and nodes != ["dxg"]:
        FACTS["nvidia.uvm_node"] = "nvidia-uvm" in nodes


def read_libraries():
    """Version of the user-space libraries by their file names."""
    folders = [rooted(folder) for folder in FOLDERS]
    if not ROOT:
        folders = [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder] + folders
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), "libnvidia-ml.so.*"))):
            found = re.search(r"\.so\.(\d+\.\d+(?:\.\d+)?)$", os.path.realpath(path))
            if found:
                FACTS["nvidia.library_version"] = found.group(1)
                return


def read_daemons():
    """Fabric manager, persistence daemon, MPS; a container sees only its own processes."""
    running = {(read(f"/proc/{pid}/comm") or "").strip() for pid in names("/proc") if pid.isdigit()}
    contained = any(os.path.exists(rooted(path)) for path in ("/.dockerenv", "/run/.containerenv"))
    programs = ["/usr/bin/nv-fabricmanager", "/usr/sbin/nv-fabricmanager"]
    program = next((path for path in programs if os.path.exists(rooted(path))), None)
    if "nv-fabricmanage" in running or "nv-fabricmanager" in running:
        FACTS["nvidia.fabric_manager"] = "running"
    elif not contained and running:
        FACTS["nvidia.fabric_manager"] = "stopped" if program else "absent"
    if program and not ROOT:
        found = re.search(r"\d+\.\d+(\.\d+)?", command([program, "--version"], 2)[1])
        if found:
            FACTS["nvidia.fabric_manager_version"] = found.group(0)
    if not contained and running:
        FACTS["nvidia.persistenced"] = any(name.startswith("nvidia-persist") for name in running)
        FACTS["nvidia.mps_server"] = any(name.startswith("nvidia-cuda-mps") for name in running)


def read_xids():
    """Recent Xid lines, from the kernel ring buffer or the log files, whichever this user may read."""
    lines = None
    try:
        device = os.open(rooted("/dev/kmsg"), os.O_RDONLY | os.O_NONBLOCK)
        lines = []
        try:
            while len(lines) < 100000 and time.monotonic() < END - 1:
                record = os.read(device, 8192).decode("utf-8", "replace")
                if not record:
                    break
                lines += [line.split(";", 1)[-1] for line in record.splitlines()]
        except BlockingIOError:
            pass
        finally:
            os.close(device)
    except OSError:
        for path in ("/var/log/kern.log", "/var/log/messages", "/var/log/syslog"):
            text = read(path, 4 << 20)
            if text is not None:
                lines = text.splitlines()
                break
    if lines is None:
        NOTES.append("the kernel log is not readable for this user")
        return
    xids = [line.strip()[-300:] for line in lines if "NVRM: Xid" in line]
    FACTS["nvidia.xids"] = xids[-20:]
    codes = [re.search(r"Xid \([^)]*\): (\d+)", line) for line in xids]
    FACTS["nvidia.xid_codes"] = sorted({int(code.group(1)) for code in codes if code})


def read_nvml():
    """NVML in a child; `nvidia.nvml_init` says how it ended."""
    facts, fault = in_child(ask_nvml, 10)
    for key, value in (facts or {}).items():
        if key.endswith(".vgpu"):
            FACTS["nvidia.vgpu"] = FACTS.get("nvidia.vgpu", False) or value
        else:
            FACTS[key] = value
    if fault.startswith("OSError") and ("No such file" in fault or "not found" in fault):
        FACTS["nvidia.nvml_path"] = FACTS["nvidia.nvml_init"] = None
    elif fault:
        FACTS["nvidia.nvml_init"] = fault
        NOTES.append("NVML: " + fault)


def read_smi():
    """nvidia-smi, asked only where NVML did not give the devices."""
    path = shutil.which("nvidia-smi") or shutil.which("/usr/lib/wsl/lib/nvidia-smi")
    FACTS["nvidia.smi_path"] = path
    if not path or (FACTS.get("gpu.count") and not DEEP):
        return
    columns = "index,name,uuid,driver_version,memory.total,memory.used,compute_mode"
    status, out, errors = command([path, "--query-gpu=" + columns, "--format=csv,noheader,nounits"], 10)
    FACTS["nvidia.smi_exit"] = status if isinstance(status, int) else None
    if status != 0:
        line = next((line.strip() for line in (out + "\n" + errors).splitlines() if line.strip()), "")
        FACTS["nvidia.smi_error"] = line[:300] if isinstance(status, int) and line.isprintable() else str(status)
        return
    FACTS["nvidia.smi_error"] = None
    rows = [[cell.strip() for cell in line.split(",")] for line in out.splitlines() if line.count(",") == 6]
    if not rows or "gpu.count" in FACTS:
        return
    FACTS["gpu.count"] = len(rows)
    for index, name, uuid, driver, total, used, mode in rows:
        FACTS["nvidia.driver_version"] = driver
        FACTS.update({f"gpu.{index}.name": name, f"gpu.{index}.uuid": uuid})
        FACTS[f"gpu.{index}.compute_mode"] = mode.lower().replace(" ", "_")
        for key, mebibytes in (("total", total), ("used", used)):
            if mebibytes.isdigit():
                FACTS[f"gpu.{index}.memory_{key}"] = int(mebibytes) << 20


def conclude():
    """Facts that follow from others."""
    module, library = FACTS.get("nvidia.module_version"), FACTS.get("nvidia.library_version")
    if not library and FACTS.get("nvidia.nvml_path"):
        found = re.search(r"\.so\.(\d+\.\d+(?:\.\d+)?)$", os.path.realpath(FACTS["nvidia.nvml_path"]))
        library = FACTS["nvidia.library_version"] = found.group(1) if found else FACTS.get("nvidia.driver_version")
    if module:
        FACTS.setdefault("nvidia.driver_version", module)
    if FACTS.get("nvidia.nvml_init_code") == 18:
        FACTS["nvidia.versions_agree"] = False
    elif module and library:
        FACTS["nvidia.versions_agree"] = module == library
    present = [k for k in ("nvidia.module_version", "nvidia.nvml_path", "nvidia.smi_path", "gpu.count") if FACTS.get(k)]
    if not present and not FACTS.get("nvidia.device_nodes"):
        FACTS.setdefault("nvidia.driver_version", None)
        FACTS.setdefault("gpu.count", 0)
        STATUS[0] = "absent"
    elif FACTS.get("nvidia.nvml_init_code") == 4 or FACTS.get("nvidia.device_nodes_denied"):
        STATUS[0] = "denied"


for work in (read_kernel, read_pci, read_nodes, read_libraries, read_daemons, read_xids, read_nvml, read_smi, conclude):
    step(work)
report()
