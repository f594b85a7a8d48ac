#!/usr/bin/env python3
"""Which devices a program started here will see, in which order: the visibility variables against what there is.

CUDA reads CUDA_VISIBLE_DEVICES like this (and torch does the same in torch/cuda/__init__.py): numbers or UUID
prefixes, never mixed; reading stops at the first entry that is wrong; one that comes twice hides all devices.
Ascend reads ASCEND_RT_VISIBLE_DEVICES up to the first bad entry too.
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

PROBE = "visibility"

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

import re
import shutil

VARIABLES = (
    "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "ASCEND_RT_VISIBLE_DEVICES",
    "ASCEND_VISIBLE_DEVICES", "ASCEND_DEVICE_ID", "DEVICE_ID", "NPU_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ZE_AFFINITY_MASK", "ONEAPI_DEVICE_SELECTOR", "TPU_VISIBLE_CHIPS",
    "JAX_PLATFORMS", "SLURM_JOB_GPUS", "SLURM_GPUS_ON_NODE", "LOCAL_RANK",
)  # fmt: skip


def nvidia_devices():
    """([UUID of each GPU in PCI order], {GPU UUID: [MIG UUIDs]}), or (None, {}) where that cannot be known."""
    smi = None if ROOT else shutil.which("nvidia-smi")
    if smi:
        status, out, _ = command([smi, "-L"], 8)
        if status == 0:
            gpus, parts = [], {}
            for line in out.splitlines():
                found = re.search(r"UUID: ((?:GPU|MIG)-[^)\s]+)", line)
                if found and line.startswith("GPU"):
                    gpus.append(found.group(1))
                elif found and gpus:
                    parts.setdefault(gpus[-1], []).append(found.group(1))
            return gpus, parts
    gpus = []
    for name in names("/proc/driver/nvidia/gpus"):
        found = re.search(r"GPU UUID:\s*(\S+)", read(f"/proc/driver/nvidia/gpus/{name}/information") or "")
        gpus.append(found.group(1) if found else name)
    if gpus:
        return gpus, {}
    nodes = [name for name in names("/dev") if re.match(r"nvidia\d+$", name)]
    if nodes:
        return [f"GPU-{index}" for index in range(len(nodes))], {}
    return (None, {}) if "dxg" in names("/dev") else ([], {})


def resolve_cuda(value, gpus, parts):
    """(devices in the program's order, problem or None); `gpus` may be None when they are not known."""
    if value is None:
        shown = [part for gpu in gpus or [] for part in parts.get(gpu, [gpu])[:1]]
        return (shown if gpus is not None else None), None
    entries = [entry.strip() for entry in value.split(",")]
    if not value.strip():
        return [], "empty"
    if entries[0].startswith(("GPU-", "MIG-")):
        return resolve_uuids(entries, gpus, parts)
    seen, shown, problem = set(), [], None
    for entry in entries:
        number = re.match(r"[+-]?\d+", entry)
        if number is None:
            problem = "mixed" if entry.startswith(("GPU-", "MIG-")) else "not_a_number"
            break
        index = int(number.group(0))
        if index < 0:
            problem = "negative"
            break
        if index in seen:
            return [], "duplicate"
        seen.add(index)
        if gpus is not None and index >= len(gpus):
            problem = "out_of_range"
            break
        shown.append(parts.get(gpus[index], [gpus[index]])[0] if gpus is not None else str(index))
    return shown, problem


def resolve_uuids(entries, gpus, parts):
    """The same for entries that are UUIDs or beginnings of UUIDs."""
    known = None if gpus is None else gpus + [part for several in parts.values() for part in several]
    shown, kind = [], entries[0][:4]
    if len(entries) != len(set(entries)):
        return [], "duplicate"
    for entry in entries:
        if not entry.startswith(kind):
            return shown, "mixed"
        fits = [entry] if known is None else [uuid for uuid in known if uuid.startswith(entry)]
        if len(fits) != 1:
            return shown, "unknown_uuid"
        if kind == "GPU-" and parts.get(fits[0]):
            return shown + parts[fits[0]][:1], "mig_parent"
        shown.append(fits[0])
    return shown, "mig_several" if kind == "MIG-" and len(entries) > 1 else None


def resolve_plain(value, count, ascending=False):
    """(indices in order, problem) for variables that hold plain numbers; `count` may be None."""
    if value is None:
        return (list(range(count)) if count is not None else None), None
    if not value.strip():
        return [], "empty"
    shown, problem = [], None
    for entry in value.split(","):
        if not re.match(r"\d+$", entry.strip()) or (ascending and entry != entry.strip()):
            problem = "not_a_number"
            break
        index = int(entry)
        if index in shown:
            return [], "duplicate"
        if count is not None and index >= count:
            problem = "out_of_range"
            break
        if ascending and shown and index < shown[-1]:
            problem = "not_ascending"
        shown.append(index)
    return shown, problem


def read_variables():
    """The variables as they are; one that is not set is known to be absent."""
    for name in VARIABLES:
        FACTS["env." + name] = os.environ.get(name)


def see_nvidia():
    """NVIDIA GPUs."""
    gpus, parts = nvidia_devices()
    if gpus == [] and "CUDA_VISIBLE_DEVICES" not in os.environ:
        FACTS.update({"visible.cuda": [], "visible.cuda_count": 0, "visible.cuda_problem": None})
        return
    if gpus == []:  # without a GPU each number is out of range, which tells nothing
        shown, problem = resolve_cuda(os.environ["CUDA_VISIBLE_DEVICES"], None, {})
        FACTS.update({"visible.cuda": [], "visible.cuda_count": 0, "visible.cuda_problem": problem})
        return
    shown, problem = resolve_cuda(os.environ.get("CUDA_VISIBLE_DEVICES"), gpus, parts)
    FACTS["visible.cuda_problem"] = problem
    if shown is not None:
        FACTS["visible.cuda"], FACTS["visible.cuda_count"] = shown, len(shown)
    wanted = os.environ.get("NVIDIA_VISIBLE_DEVICES")
    if wanted in ("void", "none", ""):
        FACTS["visible.nvidia_problem"] = wanted or "empty"
    elif wanted:
        FACTS["visible.nvidia_problem"] = None
    if gpus is None:
        NOTES.append("the GPUs of this machine could not be listed")


def see_ascend():
    """Ascend NPUs."""
    count = sum(bool(re.match(r"davinci\d+$", name)) for name in names("/dev"))
    shown, problem = resolve_plain(os.environ.get("ASCEND_RT_VISIBLE_DEVICES"), count or None, ascending=True)
    FACTS["visible.ascend_problem"] = problem
    if count:
        FACTS["visible.ascend"], FACTS["visible.ascend_count"] = shown, len(shown)
    elif names("/dev"):
        FACTS["visible.ascend"], FACTS["visible.ascend_count"] = [], 0


def see_rocm():
    """AMD GPUs: ROCR_VISIBLE_DEVICES first narrows, HIP_VISIBLE_DEVICES then chooses from what is left."""
    nodes = "/sys/class/kfd/kfd/topology/nodes"
    count = 0
    for name in names(nodes):
        found = re.search(r"^simd_count (\d+)", read(f"{nodes}/{name}/properties") or "", re.M)
        count += bool(found and int(found.group(1)))
    narrowed = os.environ.get("ROCR_VISIBLE_DEVICES")
    chosen = os.environ.get("HIP_VISIBLE_DEVICES", os.environ.get("CUDA_VISIBLE_DEVICES") if count else None)
    if narrowed and "GPU-" in narrowed:
        left, problem = list(range(len(narrowed.split(",")))), None
    else:
        left, problem = resolve_plain(narrowed, count or None)
    shown, second = resolve_plain(chosen, len(left) if left is not None and count else None)
    FACTS["visible.rocm_problem"] = problem or second
    if count:
        FACTS["visible.rocm"] = [left[index] for index in shown if index < len(left)]
        FACTS["visible.rocm_count"] = len(FACTS["visible.rocm"])


def see_xpu():
    """Intel GPUs: entries are numbers, with or without a part (0.1)."""
    value = os.environ.get("ZE_AFFINITY_MASK")
    bad = [entry for entry in (value or "0").split(",") if not re.match(r"\d+(\.\d+)?$", entry.strip())]
    FACTS["visible.xpu_problem"] = None if value is None else "empty" if not value else "not_a_number" if bad else None


for work in (read_variables, see_nvidia, see_ascend, see_rocm, see_xpu):
    step(work)
report()
