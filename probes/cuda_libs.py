#!/usr/bin/env python3
"""CUDA libraries and compilers: which copy of each library this interpreter would load, and whether nvcc can work.

The order is that of the loader for a library that torch or another wheel asks for: the NVIDIA wheels (their folders
are in the RUNPATH of torch and are preloaded by it) unless LD_LIBRARY_PATH comes before them, then conda, then the
system's cache. Versions are read from file names and wheel metadata; nothing is loaded.
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

PROBE = "cuda_libs"

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

import glob
import re
import shutil

LIBRARIES = {
    "cudart": "libcudart", "cublas": "libcublas", "cublaslt": "libcublasLt", "cudnn": "libcudnn", "cufft": "libcufft",
    "curand": "libcurand", "cusolver": "libcusolver", "cusparse": "libcusparse", "cusparselt": "libcusparseLt",
    "nvjitlink": "libnvJitLink", "nccl": "libnccl", "nvrtc": "libnvrtc", "cupti": "libcupti",
}  # fmt: skip
# Newest gcc that each nvcc accepts (host_config.h of each toolkit; CUDA installation guides).
GCC_MAX = {
    "10.2": 8, "11.0": 9, "11.1": 10, "11.2": 10, "11.3": 10, "11.4": 11, "11.5": 11, "11.6": 11, "11.7": 11,
    "11.8": 11, "12.0": 12, "12.1": 12, "12.2": 12, "12.3": 12, "12.4": 13, "12.5": 13, "12.6": 13, "12.8": 14,
    "12.9": 14, "13.0": 15, "13.1": 15,
}  # fmt: skip


def folders():
    """(source, folder) pairs in the order in which they are searched."""
    found = [("LD_LIBRARY_PATH", f) for f in os.environ.get("LD_LIBRARY_PATH", "").split(":") if f]
    for place in SEARCH:
        found += [("wheel", f) for f in sorted(glob.glob(os.path.join(glob.escape(place), "nvidia", "*", "lib")))]
        found += [("wheel", os.path.join(place, "torch", "lib"))]
    if os.path.isdir(os.path.join(sys.prefix, "conda-meta")):
        found.append(("conda", os.path.join(sys.prefix, "lib")))
    for path in sorted(glob.glob(rooted("/etc/ld.so.conf.d/*.conf"))):
        with open(path, errors="replace") as file:
            found += [("ldconfig", rooted(line.strip())) for line in file if line.startswith("/")]
    found += [("ldconfig", rooted(folder)) for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                                                          "/usr/lib64", "/usr/lib")]  # fmt: skip
    home = FACTS.get("cuda.home")
    if home:
        found += [("cuda_home", os.path.join(home, "lib64"))]
    return [pair for pair in dict.fromkeys(found) if os.path.isdir(pair[1])]


def wheel_versions():
    """{library: version} by the metadata of NVIDIA's wheels, which is more exact than file names."""
    versions = {}
    for place in SEARCH:
        for path in glob.glob(os.path.join(glob.escape(place), "nvidia_*.dist-info")):
            found = re.match(r"nvidia_(\w+?)(?:_cu(\d+))?-(\d+(?:\.\d+)*)", os.path.basename(path))
            if found:
                names = {"cuda_runtime": "cudart", "cuda_nvrtc": "nvrtc", "cuda_cupti": "cupti"}
                versions.setdefault(names.get(found.group(1), found.group(1)), found.group(3))
    if "cublas" in versions:
        versions.setdefault("cublaslt", versions["cublas"])
    return versions


def file_version(path):
    """Version in the name of the file behind a link: libcudnn.so.9 -> libcudnn.so.9.1.0."""
    names = [os.path.realpath(path), *sorted(glob.glob(glob.escape(path) + ".*"), key=len, reverse=True)]
    found = [re.search(r"\.so\.(\d+(?:\.\d+)*)$", name) for name in names]
    versions = [match.group(1) for match in found if match]
    return max(versions, key=len, default=None)


def find_toolkits():
    """CUDA_HOME, installed toolkits and nvcc."""
    toolkits = [f for f in sorted(glob.glob(rooted("/usr/local/cuda*"))) if os.path.isdir(f) and not os.path.islink(f)]
    FACTS["cuda.toolkits"] = toolkits
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    nvcc = shutil.which("nvcc")
    if not home and nvcc:
        home = os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
    if not home and os.path.isdir(rooted("/usr/local/cuda")):
        home = rooted("/usr/local/cuda")
    if home and not os.path.isdir(home):
        NOTES.append(f"CUDA_HOME is {home}, which is not there")
        home = None
    FACTS["cuda.home"] = home
    for path in (os.path.join(home or "/nowhere", "bin", "nvcc"), nvcc or ""):
        if os.access(path, os.X_OK):
            nvcc = path
            break
    FACTS["nvcc.path"] = nvcc
    found = re.search(r"release (\d+\.\d+)", command([nvcc, "--version"], 5)[1]) if nvcc else None
    FACTS["nvcc.version"] = found.group(1) if found else None
    text = ""
    for name in ("version.json", "version.txt"):
        path = os.path.join(home or "/nowhere", name)
        if os.path.isfile(path):
            with open(path, errors="replace") as file:
                text = file.read(1 << 16)
            break
    told = re.search(r'"cuda"\s*:\s*{[^}]*"version"\s*:\s*"(\d+\.\d+)|CUDA Version (\d+\.\d+)', text)
    if told or found or not home:
        FACTS["cuda.toolkit_version"] = (told.group(1) or told.group(2)) if told else found and found.group(1)


def find_compilers():
    """C and C++ compiler, and whether nvcc accepts it."""
    for fact, variable, usual in (("cc", "CC", "cc gcc clang"), ("cxx", "CXX", "c++ g++ clang++")):
        tried = (os.environ.get(variable) or "").split()[:1] + usual.split()
        FACTS["compiler." + fact] = next(filter(None, map(shutil.which, tried)), None)
    path = FACTS["compiler.cxx"]
    for name in ("ninja", "cmake"):
        tool = shutil.which(name)
        found = re.search(r"\d+\.\d+(?:\.\d+)?", command([tool, "--version"], 3)[1]) if tool else None
        FACTS["compiler." + name] = found.group(0) if found else None
    if not path:
        FACTS["compiler.version"] = None
        return
    text = command([path, "--version"], 3)[1]
    FACTS["compiler.kind"] = "clang" if "clang" in text.lower() else "gcc"
    found = re.search(r"(?:clang version|\)) ?(\d+\.\d+\.\d+)", text)
    if not found:
        return
    FACTS["compiler.version"] = found.group(1)
    newest = GCC_MAX.get(FACTS.get("nvcc.version") or "")
    if newest and FACTS["compiler.kind"] == "gcc":
        FACTS["nvcc.gcc_max"] = newest
        FACTS["nvcc.host_compiler_fits"] = int(found.group(1).split(".")[0]) <= newest


def wants_cuda():
    """Whether the environment holds a framework built for CUDA; without one no library is missed."""
    signs = ("torch/lib/libtorch_cuda.so", "onnxruntime/capi/libonnxruntime_providers_cuda.so", "nvidia/*/lib")
    signs += ("jax_cuda*_plugin", "vllm/_C*.so", "cupy_backends")
    return any(glob.glob(os.path.join(glob.escape(place), sign)) for place in SEARCH for sign in signs)


def find_libraries():
    """Each library: the copy that comes first, all copies, and what hides what."""
    places, wheels = folders(), wheel_versions()
    missing, conflicts, shadowing = [], [], []
    for name, stem in LIBRARIES.items():
        copies, seen = [], set()
        for source, folder in places:
            files = glob.glob(os.path.join(glob.escape(folder), stem + ".so*"))
            for path in sorted(files, key=len):
                real = os.path.realpath(path)
                if real not in seen and re.search(r"\.so(\.\d+)*$", path):
                    seen.add(real)
                    version = wheels.get(name) if source == "wheel" else None
                    copies.append((path, version or file_version(path), source))
        if not copies:
            missing.append(name)
            continue
        path, version, source = copies[0]
        FACTS[f"cuda_lib.{name}.path"], FACTS[f"cuda_lib.{name}.source"] = path, source
        FACTS[f"cuda_lib.{name}.version"] = version
        FACTS[f"cuda_lib.{name}.copies"] = [f"{p} ({v or 'version unknown'}, {s})" for p, v, s in copies][:12]
        majors = {(v or "").split(".")[0] for _, v, s in copies if s != "cuda_home"} - {""}
        if len(majors) > 1 or len({v for _, v, s in copies if s in ("wheel", "LD_LIBRARY_PATH") and v}) > 1:
            conflicts.append(name + ": " + ", ".join(f"{v} ({s})" for _, v, s in copies))
        if source == "LD_LIBRARY_PATH" and any(other == "wheel" for _, _, other in copies):
            shadowing.append(path)
    FACTS.update({"cuda_lib.conflicts": conflicts, "cuda_lib.shadowing": shadowing})
    if wants_cuda():
        FACTS["cuda_lib.missing"] = missing
    FACTS["cudnn.version"] = FACTS.get("cuda_lib.cudnn.version")
    FACTS["nccl.version"] = FACTS.get("cuda_lib.nccl.version")
    if len(missing) == len(LIBRARIES) and not FACTS.get("nvcc.path") and not FACTS.get("cuda.home"):
        STATUS[0] = "absent"


for work in (find_toolkits, find_compilers, find_libraries):
    step(work)
report()
