#!/usr/bin/env python3
"""The CUDA driver library: which libcuda is loaded, whether it starts, and what devices it shows to a program here.

All calls run in a forked child. Without --deep no context is made; with it each device gets its primary context for
a moment, and one allocation of 1 MiB. Numbers and names are those of cuda.h (CUresult).
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

PROBE = "cuda_driver"

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
from ctypes import byref, c_int, c_size_t
from functools import partial

CUDA_CODES = {
    0: "SUCCESS", 1: "INVALID_VALUE", 2: "OUT_OF_MEMORY", 3: "NOT_INITIALIZED", 4: "DEINITIALIZED",
    34: "STUB_LIBRARY", 36: "CALL_REQUIRES_NEWER_DRIVER", 46: "DEVICE_UNAVAILABLE", 100: "NO_DEVICE",
    101: "INVALID_DEVICE", 102: "DEVICE_NOT_LICENSED", 200: "INVALID_IMAGE", 201: "INVALID_CONTEXT",
    209: "NO_BINARY_FOR_GPU",
    214: "ECC_UNCORRECTABLE", 216: "CONTEXT_ALREADY_IN_USE", 218: "INVALID_PTX", 221: "JIT_COMPILER_NOT_FOUND",
    222: "UNSUPPORTED_PTX_VERSION", 226: "CONTAINED", 304: "OPERATING_SYSTEM", 400: "INVALID_HANDLE",
    500: "NOT_FOUND", 600: "NOT_READY", 700: "ILLEGAL_ADDRESS", 702: "LAUNCH_TIMEOUT",
    708: "PRIMARY_CONTEXT_ACTIVE", 709: "CONTEXT_IS_DESTROYED", 719: "LAUNCH_FAILED", 800: "NOT_PERMITTED",
    801: "NOT_SUPPORTED", 802: "SYSTEM_NOT_READY", 803: "SYSTEM_DRIVER_MISMATCH", 804: "COMPAT_NOT_SUPPORTED_ON_DEVICE",
    805: "MPS_CONNECTION_FAILED", 806: "MPS_RPC_FAILURE", 807: "MPS_SERVER_NOT_READY", 808: "MPS_MAX_CLIENTS_REACHED",
    809: "MPS_MAX_CONNECTIONS_REACHED", 810: "MPS_CLIENT_TERMINATED", 999: "UNKNOWN",
}  # fmt: skip


def load():
    """(path of the libcuda that is loaded, its handle); OSError if there is none."""
    cuda = ctypes.CDLL("libcuda.so.1" if sys.platform != "win32" else "nvcuda.dll")
    path = None
    if os.path.exists("/proc/self/maps"):
        with open("/proc/self/maps") as maps:
            for line in maps:
                if os.path.basename(line.strip()).startswith("libcuda.so"):
                    path = line[line.find("/"):].strip()  # fmt: skip
                    break
    return path, cuda


def code_name(cuda, code):
    """Name of a CUresult: from the table, else from the library."""
    if code in CUDA_CODES:
        return "CUDA_ERROR_" + CUDA_CODES[code] if code else "CUDA_SUCCESS"
    text = ctypes.c_char_p()
    if hasattr(cuda, "cuGetErrorName") and cuda.cuGetErrorName(code, byref(text)) == 0 and text.value:
        return text.value.decode("ascii", "replace")
    return f"CUDA_ERROR_{code}"


def which():
    """Which library is loaded; runs in a child of its own, since loading alone may crash."""
    return load()[0]


def start():
    """cuInit and the driver's level; runs in a child."""
    cuda = load()[1]
    code = cuda.cuInit(0)
    facts = {"cuda.init": code_name(cuda, code), "cuda.init_code": code}
    level = c_int()
    if hasattr(cuda, "cuDriverGetVersion") and cuda.cuDriverGetVersion(byref(level)) == 0 and level.value:
        facts["cuda.driver_version"] = f"{level.value // 1000}.{level.value % 1000 // 10}"
    if code:
        return facts
    count = c_int()
    code = cuda.cuDeviceGetCount(byref(count))
    facts["cuda.device_count_error"] = code_name(cuda, code) if code else None
    if not code:
        facts["cuda.device_count"] = count.value
    for index in range(min(count.value, 64)):
        facts.update(describe(cuda, index))
    return facts


def describe(cuda, index):
    """Name, UUID, capability and memory of one device."""
    facts, device, prefix = {}, c_int(), f"cuda.device.{index}."
    if cuda.cuDeviceGet(byref(device), index):
        return facts
    name, uuid, total = ctypes.create_string_buffer(128), (ctypes.c_ubyte * 16)(), c_size_t()
    if cuda.cuDeviceGetName(name, 128, device) == 0:
        facts[prefix + "name"] = name.value.decode("utf-8", "replace")
    for function in ("cuDeviceGetUuid_v2", "cuDeviceGetUuid"):  # the second form gives MIG instances their own
        if hasattr(cuda, function) and getattr(cuda, function)(byref(uuid), device) == 0:
            digits = bytes(uuid).hex()
            parts = [digits[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32))]
            facts[prefix + "uuid"] = "GPU-" + "-".join(parts)
            break
    if hasattr(cuda, "cuDeviceTotalMem_v2") and cuda.cuDeviceTotalMem_v2(byref(total), device) == 0:
        facts[prefix + "memory_total"] = total.value
    major, minor = c_int(), c_int()
    attribute = getattr(cuda, "cuDeviceGetAttribute", None)
    if attribute and not attribute(byref(major), 75, device) and not attribute(byref(minor), 76, device):
        facts[prefix + "compute_capability"] = f"{major.value}.{minor.value}"
    return facts


def work_on(index):
    """Make the primary context of one device, allocate 1 MiB, let both go; runs in a child."""
    cuda = load()[1]
    facts, device, context, prefix = {}, c_int(), ctypes.c_void_p(), f"cuda.device.{index}."
    code = cuda.cuInit(0) or cuda.cuDeviceGet(byref(device), index)
    code = code or cuda.cuDevicePrimaryCtxRetain(byref(context), device) or cuda.cuCtxPushCurrent_v2(context)
    facts[prefix + "context"] = code_name(cuda, code)
    if code:
        return facts
    free, total, memory = c_size_t(), c_size_t(), ctypes.c_uint64()
    if cuda.cuMemGetInfo_v2(byref(free), byref(total)) == 0:
        facts[prefix + "memory_free"] = free.value
    code = cuda.cuMemAlloc_v2(byref(memory), c_size_t(1 << 20))
    facts[prefix + "alloc"] = code_name(cuda, code)
    if not code:
        cuda.cuMemFree_v2(memory)
    for release in ("cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease"):
        if hasattr(cuda, release):
            getattr(cuda, release)(device)
            break
    return facts


def look_at_library():
    """Which libcuda this interpreter loads, and of what kind it is."""
    path, fault = in_child(which, 5)
    if fault:
        absent = "cannot open shared object" in fault or "image not found" in fault or "Could not find" in fault
        FACTS["cuda.libcuda_path"] = None
        FACTS["cuda.load_error"] = fault.replace("OSError: ", "")
        if absent:
            FACTS["cuda.init"], STATUS[0] = None, "absent"
        return
    FACTS.update({"cuda.libcuda_path": path, "cuda.load_error": None})
    if not path:
        return
    found = re.search(r"\.so\.(\d+\.\d+(?:\.\d+)?)$", os.path.realpath(path))
    if found:
        FACTS["cuda.libcuda_version"] = found.group(1)
    kinds = (("stub", "/stubs/"), ("compat", "/compat"), ("wsl", "/wsl/"))
    FACTS["cuda.libcuda_kind"] = next((kind for kind, part in kinds if part in path), "driver")


def look_at_paths():
    """Folders of stubs and of compat libraries that the loader searches."""
    folders = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    for path in glob.glob(rooted("/etc/ld.so.conf.d/*.conf")):
        with open(path, errors="replace") as file:
            folders += [rooted(line.strip()) for line in file if line.startswith("/")]
    folders = [folder for folder in folders if re.search(r"/(stubs|compat)\b", folder)]
    FACTS["cuda.stub_paths"] = [folder for folder in folders if glob.glob(os.path.join(folder, "libcuda.so*"))]


def look_at_devices():
    """cuInit and what follows, and with --deep a context on each device."""
    if FACTS.get("cuda.load_error"):
        return
    facts, fault = in_child(start, 10)
    FACTS.update(facts or {"cuda.init": fault})
    if fault:
        NOTES.append("cuInit: " + fault)
    if not DEEP or not FACTS.get("cuda.device_count"):
        return
    for index in range(FACTS["cuda.device_count"]):
        facts, fault = in_child(partial(work_on, index), 20)
        FACTS.update(facts or {f"cuda.device.{index}.context": fault})
    results = [FACTS[name] for name in sorted(FACTS) if name.endswith((".context", ".alloc"))]
    FACTS["cuda.context"] = next((result for result in results if result != "CUDA_SUCCESS"), "CUDA_SUCCESS")


for work in (look_at_library, look_at_paths, look_at_devices):
    step(work)
report()
