#!/usr/bin/env python3
"""AMD ROCm: kernel driver, device nodes and rights, GPUs and their architectures, the HIP library.

With --deep hipInit and the device count, in a child.
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

PROBE = "rocm"

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
import re

HIP_CODES = {0: "hipSuccess", 1: "hipErrorInvalidValue", 2: "hipErrorOutOfMemory", 3: "hipErrorNotInitialized",
             35: "hipErrorInsufficientDriver", 98: "hipErrorInvalidDeviceFunction", 100: "hipErrorNoDevice",
             101: "hipErrorInvalidDevice", 209: "hipErrorNoBinaryForGpu", 999: "hipErrorUnknown"}  # fmt: skip


def read_versions():
    """ROCm's and the kernel driver's versions."""
    homes = [os.environ.get("ROCM_PATH"), os.environ.get("ROCM_HOME"), rooted("/opt/rocm")]
    homes += sorted(glob.glob(rooted("/opt/rocm-*")), reverse=True)
    home = FACTS["rocm.home"] = next((path for path in homes if path and os.path.isdir(path)), None)
    version = None
    for name in (".info/version", ".info/version-dev"):
        path = os.path.join(home or "/nowhere", name)
        if version is None and os.path.isfile(path):
            with open(path, errors="replace") as file:
                version = file.read(100).strip().split("-")[0] or None
    FACTS["rocm.version"] = version
    driver = (read("/sys/module/amdgpu/version") or "").strip()
    FACTS["rocm.driver_version"] = driver or None
    FACTS["rocm.driver_loaded"] = os.path.isdir(rooted("/sys/module/amdgpu"))


def read_nodes():
    """/dev/kfd and the render nodes: there, and open to this user."""
    FACTS["rocm.kfd"] = os.path.exists(rooted("/dev/kfd"))
    nodes = ["/dev/kfd"] if FACTS["rocm.kfd"] else []
    for name in names("/sys/class/drm"):
        if re.match(r"renderD\d+$", name) and (read(f"/sys/class/drm/{name}/device/vendor") or "").strip() == "0x1002":
            nodes.append("/dev/dri/" + name)
    denied = [node for node in nodes if not os.access(rooted(node), os.R_OK | os.W_OK)]
    FACTS["rocm.device_nodes_denied"] = denied
    if nodes:
        wanted = {os.stat(rooted(node)).st_gid for node in nodes if os.path.exists(rooted(node))}
        FACTS["rocm.user_in_groups"] = os.getuid() == 0 or wanted <= {os.getegid(), *os.getgroups()}
        if denied:
            known = []
            for number in sorted(wanted):
                try:
                    known.append(grp.getgrgid(number).gr_name)
                except KeyError:
                    known.append(f"group {number}")
            NOTES.append("the device nodes belong to " + ", ".join(known))
    devices = names("/sys/bus/pci/devices")
    if devices:
        ids = [[(read(f"/sys/bus/pci/devices/{d}/{k}") or "").strip() for k in ("vendor", "class")] for d in devices]
        FACTS["rocm.pci_count"] = sum(v == "0x1002" and c.startswith(("0x03", "0x12")) for v, c in ids)


def read_topology():
    """GPUs as the kernel driver lists them: gfx_target_version 90402 is gfx942."""
    base, archs = "/sys/class/kfd/kfd/topology/nodes", []
    for name in sorted(names(base), key=lambda text: int(text) if text.isdigit() else 0):
        values = dict(re.findall(r"^(\w+) (\d+)", read(f"{base}/{name}/properties") or "", re.M))
        if int(values.get("simd_count", 0)):
            number = int(values.get("gfx_target_version", 0))
            arch = f"gfx{number // 10000}{number // 100 % 100:x}{number % 100:x}" if number else "gfx unknown"
            index = len(archs)
            archs.append(arch)
            FACTS[f"gpu.{index}.arch"] = arch
            memory = 0
            for bank in names(f"{base}/{name}/mem_banks"):
                found = re.search(
                    r"^size_in_bytes (\d+)", read(f"{base}/{name}/mem_banks/{bank}/properties") or "", re.M
                )
                memory += int(found.group(1)) if found else 0
            if memory:
                FACTS[f"gpu.{index}.memory_total"] = memory
            title = (read(f"{base}/{name}/name") or "").strip()
            if title:
                FACTS[f"gpu.{index}.name"] = title
    if FACTS["rocm.kfd"] or archs:
        FACTS["rocm.gpu_count"], FACTS["rocm.archs"] = len(archs), archs
    if archs:
        FACTS["gpu.count"] = len(archs)
    FACTS["env.HSA_OVERRIDE_GFX_VERSION"] = os.environ.get("HSA_OVERRIDE_GFX_VERSION")


def load_hip():
    """Load the HIP library, return its path; runs in a child."""
    hip_library()
    with open("/proc/self/maps") as maps:
        return next((line[line.find("/") :].strip() for line in maps if "libamdhip64" in line), None)


def hip_library():
    """The HIP library by its usual names."""
    for name in ("libamdhip64.so", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so.7"):
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            fault = error
    raise fault


def start_hip():
    """hipInit and the device count; runs in a child."""
    hip = hip_library()
    code = hip.hipInit(0)
    facts = {"rocm.hip_init": HIP_CODES.get(code, f"hipError {code}")}
    count = ctypes.c_int()
    if code == 0 and hip.hipGetDeviceCount(ctypes.byref(count)) == 0:
        facts["rocm.hip_device_count"] = count.value
    return facts


def try_hip():
    """Whether the HIP library loads, and with --deep whether it starts."""
    path, fault = in_child(load_hip, 5)
    FACTS["rocm.hip_library"] = path
    if fault and "No such file" not in fault:
        NOTES.append("libamdhip64: " + fault)
    if path and DEEP:
        facts, fault = in_child(start_hip, 30)
        FACTS.update(facts or {"rocm.hip_init": fault})


for work in (read_versions, read_nodes, read_topology, try_hip):
    step(work)
if not any(FACTS.get(name) for name in ("rocm.kfd", "rocm.pci_count", "rocm.home", "rocm.driver_loaded")):
    STATUS[0] = "absent"
elif FACTS.get("rocm.device_nodes_denied"):
    STATUS[0] = "denied"
report()
