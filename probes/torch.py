#!/usr/bin/env python3
"""torch: found without import (version, build, files, architectures, ABI), and with --deep imported in a child.

Without --deep nothing of torch runs: its version comes from torch/version.py, its architectures and its string ABI
from texts inside its libraries, what it needs from the names of its wheels.
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

PROBE = "torch"

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

import ast
import glob
import mmap
import re
import sysconfig

DEEP_CODE = r"""
import json, os, sys, time
if sys.path and sys.path[0] == "": del sys.path[0]
facts, start = {}, time.time()
def tell():
    os.write(OUT, (json.dumps(facts) + "\n").encode())
OUT = os.dup(1); os.dup2(2, 1)
def attempt(name, work):
    try: facts[name] = work()
    except Exception as error: facts.setdefault("faults", []).append("%s: %s" % (name, str(error)[:300]))
try:
    import torch
except BaseException as error:
    facts["torch.import_ok"] = False
    facts["torch.import_error"] = "%s: %s" % (type(error).__name__, str(error)[:1500])
    tell(); os._exit(0)
facts.update({"torch.import_ok": True, "torch.import_error": None})
facts["torch.import_seconds"] = round(time.time() - start, 2)
tell()
attempt("torch.version", lambda: torch.__version__)
attempt("torch.cuda_version", lambda: torch.version.cuda)
attempt("torch.cxx11_abi", lambda: bool(torch._C._GLIBCXX_USE_CXX11_ABI))
def cudnn():
    number = torch.backends.cudnn.version()
    major = 10000 if number and number >= 90000 else 1000
    return number and "%d.%d.%d" % (number // major, number % major // 100, number % 100)
attempt("torch.cudnn_version", cudnn)
if torch.version.cuda:
    attempt("torch.arch_list", lambda: torch._C._cuda_getArchFlags().split() or None)
    attempt("torch.nccl_version", lambda: ".".join(map(str, torch.cuda.nccl.version())))
attempt("torch.mps_available", lambda: bool(torch.backends.mps.is_available()))
attempt("torch.xpu_available", lambda: bool(hasattr(torch, "xpu") and torch.xpu.is_available()))
tell()
device = None
attempt("torch.cuda_available", lambda: bool(torch.cuda.is_available()))
attempt("torch.device_count", lambda: torch.cuda.device_count() if hasattr(torch.cuda, "device_count") else 0)
if facts.get("torch.cuda_available"):
    device, facts["torch.cuda_unavailable_reason"] = "cuda", None
elif torch.version.cuda is None and getattr(torch.version, "hip", None) is None:
    facts["torch.cuda_unavailable_reason"] = "this build of torch has no CUDA"
else:
    try:
        torch.cuda.init()
        facts["torch.cuda_unavailable_reason"] = "no device is visible"
    except Exception as error:
        facts["torch.cuda_unavailable_reason"] = str(error)[:1500]
tell()
if facts.get("torch.mps_available"): device = device or "mps"
if facts.get("torch.xpu_available"): device = device or "xpu"
device = device or "cpu"
try:
    one = torch.ones(64, 64, device=device)
    assert float((one @ one).sum()) == 64.0 ** 3, "wrong result of a matrix product"
    facts["torch.kernel"] = "ok"
except Exception as error:
    facts["torch.kernel"] = "%s: %s" % (type(error).__name__, str(error)[:1000])
if device == "cuda" and facts["torch.kernel"] == "ok":
    def memory():
        free, total = torch.cuda.mem_get_info()
        facts["torch.memory_free"], facts["torch.memory_total"] = free, total
        facts["torch.memory_reserved"] = torch.cuda.memory_reserved()
        facts["torch.memory_unallocated"] = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
        return torch.cuda.memory_allocated()
    attempt("torch.memory_allocated", memory)
tell()
os._exit(0)
"""


def find_torch():
    """Folder of the torch that `import torch` would take, as Path of its parent, or None."""
    for place in SEARCH:
        if os.path.isfile(os.path.join(place, "torch", "version.py")):
            return os.path.join(place, "torch")
        if os.path.isfile(os.path.join(place, "torch", "__init__.py")):
            return os.path.join(place, "torch")
    return None


def read_version():
    """version.py, read as data."""
    try:
        with open(os.path.join(TORCH, "version.py"), encoding="utf-8") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError) as error:
        FACTS["torch.missing_files"] = ["version.py"]
        NOTES.append(f"version.py: {error}")
        return
    values = {}
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(targets[0], ast.Name) and isinstance(getattr(node, "value", None), ast.Constant):
            values[targets[0].id] = node.value.value
    version = values.get("__version__")
    FACTS["torch.version"] = version
    for key in ("cuda", "hip", "xpu", "git_version"):
        FACTS["torch." + (key if key == "git_version" else key + "_version")] = values.get(key) or None
    tag = version.partition("+")[2] if version else ""
    FACTS["torch.tag"] = tag or None
    kinds = (("rocm", values.get("hip")), ("xpu", values.get("xpu")), ("cuda", values.get("cuda")))
    FACTS["torch.build"] = next((kind for kind, value in kinds if value), "cpu")


def search(library, pattern):
    """First match of a bytes pattern in a file of torch/lib, or None."""
    path = os.path.join(TORCH, "lib", library)
    if not os.path.isfile(path) or not os.path.getsize(path):
        return None
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = re.search(pattern, data)
        return found.group(0) if found else None


def read_abi():
    """String ABI: which form of c10::Error's constructor libc10 defines."""
    if search("libc10.so", rb"_ZN3c105ErrorC[12]ENS_14SourceLocationENSt7__cxx11"):
        FACTS["torch.cxx11_abi"] = True
    elif search("libc10.so", rb"_ZN3c105ErrorC[12]ENS_14SourceLocationESs"):
        FACTS["torch.cxx11_abi"] = False


def read_architectures():
    """The list that torch.cuda.get_arch_list() returns is a text in libtorch_python.so."""
    if FACTS.get("torch.build") not in ("cuda", "rocm"):
        if FACTS.get("torch.build") == "cpu":
            FACTS["torch.arch_list"] = None
        return
    found = search("libtorch_python.so", rb"(?:(?:sm|compute)_\d+[af]? ?){3,}|(?:gfx[\da-f]+(?::\w+[+-])*[ ;]?){3,}")
    if found:
        FACTS["torch.arch_list"] = re.split(r"[ ;]+", found.decode("ascii").strip(" ;"))
        find_missing_architectures()


def find_missing_architectures():
    """Architectures of the GPUs here that this build can neither run nor compile for."""
    smi = command(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"], 5)
    listed = FACTS["torch.arch_list"]
    if smi[0] != 0 or not any(name.startswith("sm_") for name in listed):
        return
    kinds = [re.match(r"(sm|compute)_(\d+)(\d)", name) for name in listed]
    exact = {(int(kind[2]), int(kind[3])) for kind in kinds if kind and kind[1] == "sm"}
    ptx = {(int(kind[2]), int(kind[3])) for kind in kinds if kind and kind[1] == "compute"}
    missing = set()
    for line in smi[1].split():
        gpu = tuple(int(part) for part in line.split(".")) if re.match(r"\d+\.\d$", line) else None
        # Machine code runs on its own major with the same or a higher minor; PTX on anything newer.
        if gpu and not any(a[0] == gpu[0] and a[1] <= gpu[1] for a in exact) and not any(p <= gpu for p in ptx):
            missing.add(f"sm_{gpu[0]}{gpu[1]}")
    FACTS["torch.arch_missing"] = sorted(missing)


def read_files():
    """Files that must be there, and libraries that the wheel expects from other wheels."""
    wanted = ["__init__.py", "lib/libtorch.so", "lib/libtorch_cpu.so", "lib/libc10.so", "lib/libtorch_python.so"]
    if sys.platform != "linux" or not os.path.isdir(os.path.join(TORCH, "lib")):
        wanted = wanted[:1]
    if FACTS.get("torch.build") == "cuda" and len(wanted) > 1:
        wanted += ["lib/libtorch_cuda.so", "lib/libc10_cuda.so"]
    endings = ("." + (sysconfig.get_config_var("SOABI") or "?"), ".abi3")
    extensions = [name for name in os.listdir(TORCH) if name.startswith("_C.") and name.endswith((".so", ".pyd"))]
    missing = [name for name in wanted if not os.path.isfile(os.path.join(TORCH, name))]
    missing += [name for name in wanted if name not in missing and not os.path.getsize(os.path.join(TORCH, name))]
    if not extensions:
        missing.append("_C (the compiled extension)")
    elif not any(name.startswith("_C" + ending) for name in extensions for ending in endings if name.endswith(".so")):
        missing += ["_C for this Python"] if extensions[0].endswith(".so") else []
    FACTS["torch.missing_files"] = missing


def metadata():
    """{normalised name: (version, requirements)} of the distributions that belong with torch."""
    found = {}
    for place in SEARCH:
        for folder in glob.glob(os.path.join(glob.escape(place), "*.dist-info")):
            name, _, version = os.path.basename(folder)[:-10].partition("-")
            name = re.sub(r"[-_.]+", "-", name).lower()
            if name in ("torch", "torchvision", "torchaudio", "triton", "pytorch-triton") or name.startswith("nvidia-"):
                text = ""
                if name.startswith("t"):
                    try:
                        with open(os.path.join(folder, "METADATA"), encoding="utf-8", errors="replace") as file:
                            text = file.read(200000)
                    except OSError:
                        pass
                found.setdefault(name, (version, re.findall(r"^Requires-Dist: (.+)$", text, re.M)))
    return found


def read_companions():
    """Versions beside torch: what torchvision, torchaudio and torch itself pin."""
    found = metadata()
    version = FACTS.get("torch.version")
    if "torch" in found:
        FACTS["torch.metadata_version"] = found["torch"][0]
    wrong = []
    for name in ("torchvision", "torchaudio"):
        for requirement in found.get(name, ("", []))[1]:
            pin = re.match(r"torch\s*\(?==\s*([\d.]+)", requirement)
            if pin and version and version.split("+")[0] != pin.group(1):
                wrong.append(f"{name} {found[name][0]} needs torch {pin.group(1)}, found {version}")
    for name in ("torchvision", "torchaudio"):
        tag = found.get(name, ("", []))[0].partition("+")[2]
        if tag and FACTS.get("torch.tag") and tag != FACTS["torch.tag"]:
            wrong.append(f"{name} is built for {tag}, torch for {FACTS['torch.tag']}")
    for requirement in found.get("torch", ("", []))[1]:
        pin = re.match(r"(triton|pytorch-triton)\s*\(?==\s*([\w.+]+)", requirement)
        if pin:
            FACTS["torch.triton_wanted"] = pin.group(2)
            have = found.get(pin.group(1))
            if have and have[0].split("+")[0] != pin.group(2).split("+")[0]:
                wrong.append(f"torch needs {pin.group(1)} {pin.group(2)}, found {have[0]}")
    FACTS["torch.companions_mismatch"] = wrong
    for fact, start in (("cudnn", "nvidia-cudnn-cu"), ("nccl", "nvidia-nccl-cu")):
        versions = [have[0] for name, have in found.items() if name.startswith(start)]
        if FACTS.get("torch.build") == "cuda" and versions:
            FACTS[f"torch.{fact}_version"] = versions[0]


def import_torch():
    """Import torch in a process of its own, and try what it can do; it tells each result as soon as it has it."""
    status, out, errors = command([sys.executable, "-B", "-c", DEEP_CODE], 120)
    for line in out.splitlines():
        if line.startswith("{"):
            facts = json.loads(line)
            NOTES.extend(note for note in facts.pop("faults", []) if note not in NOTES)
            FACTS.update(facts)
    if isinstance(status, str):
        FACTS["torch.import_signal"] = status if status.startswith("SIG") else None
        FACTS.setdefault("torch.import_ok", False)
        lines = [line for line in errors.splitlines() if line.strip()]
        if not FACTS["torch.import_ok"]:
            FACTS["torch.import_error"] = f"{status}: {lines[-1][:300]}" if lines else status
        NOTES.append(f"the child that imports torch ended with {status}")
    else:
        FACTS["torch.import_signal"] = None
    fault = FACTS.get("torch.import_error") or ""
    # The loader's words, or those of torch's own search through NVIDIA's wheels.
    library = re.search(r"([\w.+-]+\.so[.\d]*)(?:: cannot open shared object file|\.\*\[0-9\] not found)", fault)
    if library:
        FACTS["torch.missing_libraries"] = [library.group(1).rstrip(".")]
    if FACTS.get("torch.arch_list"):
        find_missing_architectures()


TORCH = find_torch()
if TORCH is None:
    FACTS["torch.version"], STATUS[0] = None, "absent"
    report()
FACTS["torch.path"] = TORCH
for work in (read_version, read_abi, read_architectures, read_files, read_companions):
    step(work)
if DEEP:
    step(import_torch)
report()
