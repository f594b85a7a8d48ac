#!/usr/bin/env python3
"""Compiled extensions that link torch: a list of files, and what their names and metadata say.

The files are read by whoever runs this probe (triage does it with pyelftools); this script only finds them, and tells
what the installed torch and the machine offer, so that the two can be compared.
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

PROBE = "abi"

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

import ctypes.util
import glob
import mmap
import re
import sysconfig

# Folders of site-packages that hold no extensions of torch, and are large.
SKIP = (
    "torch",
    "nvidia",
    "triton",
    "numpy",
    "scipy",
    "pandas",
    "sklearn",
    "pyarrow",
    "cupy",
    "tensorflow",
    "jaxlib",
    "pip",
)
MARKS = (b"libtorch", b"libc10")


def find_torch():
    """Folder of torch on the search path, or None."""
    return next(
        (os.path.join(p, "torch") for p in SEARCH if os.path.isfile(os.path.join(p, "torch", "version.py"))), None
    )


def describe_torch():
    """What extensions are compared with."""
    with open(os.path.join(TORCH, "version.py"), encoding="utf-8") as file:
        text = file.read()
    for fact, name in (("torch.version", "__version__"), ("torch.cuda_version", "cuda")):
        found = re.search(rf"^{name}\b[^=]*=\s*['\"]([^'\"]+)", text, re.M)
        FACTS[fact] = found.group(1) if found else None
    libraries = sorted(glob.glob(os.path.join(glob.escape(TORCH), "lib", "*.so*")))
    FACTS["abi.torch_libraries"] = [path for path in libraries if re.search(r"/lib(torch|c10|caffe2|shm)\w*\.so", path)]
    c10 = os.path.join(TORCH, "lib", "libc10.so")
    if os.path.isfile(c10) and os.path.getsize(c10):
        with open(c10, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if re.search(rb"_ZN3c105ErrorC[12]ENS_14SourceLocationENSt7__cxx11", data):
                FACTS["torch.cxx11_abi"] = True
            elif re.search(rb"_ZN3c105ErrorC[12]ENS_14SourceLocationESs", data):
                FACTS["torch.cxx11_abi"] = False


def describe_machine():
    """glibc, libstdc++, and folders of libraries that packages bring."""
    try:
        FACTS["host.glibc"] = os.confstr("CS_GNU_LIBC_VERSION").split()[1]
    except (ValueError, OSError, AttributeError, IndexError):
        pass

    def newest():
        """Newest GLIBCXX of the libstdc++ that this interpreter loads; runs in a child."""
        ctypes.CDLL("libstdc++.so.6")
        with open("/proc/self/maps") as maps:
            path = next(line[line.find("/"):].strip() for line in maps if "libstdc++.so" in line)  # fmt: skip
        with open(path, "rb") as file:
            found = re.findall(rb"GLIBCXX_(\d+(?:\.\d+)+)\0", file.read(1 << 26))
        return ".".join(map(str, max(tuple(map(int, version.split(b"."))) for version in found)))

    version, _ = in_child(newest, 3)
    if version:
        FACTS["host.glibcxx"] = version
    FACTS["python.soabi"] = sysconfig.get_config_var("SOABI")
    folders = [f for p in SEARCH for f in sorted(glob.glob(os.path.join(glob.escape(p), "nvidia", "*", "lib")))]
    for extra in ("lib", "lib64"):
        folders.append(os.path.join(sys.prefix, extra))
        folders.append(os.path.join(sys.base_prefix, extra))
    FACTS["abi.library_folders"] = [folder for folder in dict.fromkeys(folders) if os.path.isdir(folder)]


def find_extensions():
    """Extension files outside torch that name one of torch's libraries."""
    found, places = [], [place for place in SEARCH if "-packages" in place or place in os.environ.get("PYTHONPATH", "")]
    for place in dict.fromkeys(places):
        for top in sorted(os.listdir(place)) if os.path.isdir(place) else ():
            path = os.path.join(place, top)
            if top.endswith(".so"):
                found.append(path)
            elif os.path.isdir(path) and top not in SKIP and not top.endswith((".dist-info", ".egg-info")):
                for folder, folders, files in os.walk(path):
                    folders[:] = sorted(name for name in folders if name not in ("__pycache__", "tests", "include"))
                    found += [os.path.join(folder, name) for name in sorted(files) if re.search(r"\.so(\.\d+)*$", name)]
        if time.monotonic() > END - LIMIT / 2:
            NOTES.append("the search for extensions was cut short")
            break
    root = os.environ.get("TORCH_EXTENSIONS_DIR") or os.path.expanduser("~/.cache/torch_extensions")
    found += sorted(glob.glob(os.path.join(glob.escape(root), "**", "*.so"), recursive=True))
    FACTS["abi.extensions"] = [path for path in found if os.path.isfile(path) and names_torch(path)][:200]


def names_torch(path):
    """Whether a file holds the name of one of torch's libraries."""
    if not os.path.getsize(path):
        NOTES.append(f"{path} is empty")
        return False
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data[:4] == b"\x7fELF" and any(data.find(mark) >= 0 for mark in MARKS)


def read_names():
    """Python, torch and CUDA versions that names and wheel tags carry."""
    python, torch = [], []
    tag = re.match(r"cpython-(\d+)", FACTS.get("python.soabi") or "")
    for path in FACTS.get("abi.extensions", []):
        found = re.search(r"\.cpython-(\d+)", os.path.basename(path))
        if found and tag and found.group(1) != tag.group(1):
            python.append(path)
    mine = re.match(r"\d+\.\d+", FACTS.get("torch.version") or "")
    for place in SEARCH:
        for folder in glob.glob(os.path.join(glob.escape(place), "*.dist-info")):
            # flash_attn-2.7.4.post1+cu12torch2.4cxx11abiFALSE, xformers-0.0.23+pt212cu118
            found = re.search(
                r"\+.*?(?:torch|pt)(\d)\.?(\d{1,2}?)(?=\D|\d?cu|$|\d(?:\D|$))", os.path.basename(folder)[:-10]
            )
            if found and mine and f"{found.group(1)}.{found.group(2)}" != mine.group(0):
                torch.append(f"{os.path.basename(folder)[:-10]} (torch here is {FACTS['torch.version']})")
    FACTS["abi.python_mismatch"], FACTS["abi.torch_mismatch"] = python, torch


TORCH = find_torch()
if TORCH is None:
    FACTS["torch.version"], STATUS[0] = None, "absent"
    report()
for work in (describe_torch, describe_machine, find_extensions, read_names):
    step(work)
report()
