#!/usr/bin/env python3
"""TensorRT: the Python package, the libraries that would be loaded, whether their versions agree.

With --deep tensorrt is imported in a child and the library asked for its version.
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

PROBE = "tensorrt"

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

DEEP_CODE = r"""
import ctypes, json, os, sys
if sys.path and sys.path[0] == "": del sys.path[0]
OUT = os.dup(1); os.dup2(2, 1)
facts = {}
try:
    import tensorrt
    facts.update({"trt.import_error": None, "trt.version": tensorrt.__version__})
except BaseException as error:
    facts["trt.import_error"] = "%s: %s" % (type(error).__name__, str(error)[:1000])
os.write(OUT, (json.dumps(facts) + "\n").encode())
os._exit(0)
"""


def find_package():
    """Version of the Python package: its metadata, whatever of the many distributions brought it."""
    found = {}
    for place in SEARCH:
        for path in glob.glob(os.path.join(glob.escape(place), "*tensorrt*.dist-info")):
            name, _, version = os.path.basename(path)[:-10].partition("-")
            found.setdefault(re.sub(r"[-_.]+", "-", name).lower(), version)
    FACTS["pkg.tensorrt"] = found.get("tensorrt")
    order = ("tensorrt", "tensorrt-cu13", "tensorrt-cu12", "tensorrt-cu11", "tensorrt-cu12-bindings", "nvidia-tensorrt")
    FACTS["trt.version"] = next((found[name] for name in order if name in found), None)


def find_libraries():
    """Copies of libnvinfer in search order, and the plugin library beside the first."""
    folders = [f for f in os.environ.get("LD_LIBRARY_PATH", "").split(":") if f]
    for place in SEARCH:
        folders += [os.path.join(place, name) for name in ("tensorrt_libs", "tensorrt")]
    if os.path.isdir(os.path.join(sys.prefix, "conda-meta")):
        folders.append(os.path.join(sys.prefix, "lib"))
    fixed = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/local/lib", "/opt/tensorrt/lib")
    folders += [rooted(folder) for folder in fixed] + sorted(glob.glob(rooted("/usr/local/TensorRT*/lib")))
    copies, seen = [], set()
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), "libnvinfer.so*")), key=len, reverse=True):
            if os.path.realpath(path) not in seen:
                seen.add(os.path.realpath(path))
                copies.append((path, library_version(path)))
    FACTS["trt.copies"] = [f"{path} ({version or 'version unknown'})" for path, version in copies]
    FACTS["trt.library"], FACTS["trt.library_version"] = copies[0] if copies else (None, None)
    if copies:
        plugins = glob.glob(os.path.join(glob.escape(os.path.dirname(copies[0][0])), "libnvinfer_plugin.so*"))
        versions = filter(None, map(library_version, plugins))
        FACTS["trt.plugin_version"] = max(versions, key=len, default=None)
        beside = os.listdir(os.path.dirname(copies[0][0]))
        wanted = ("libnvinfer_plugin", "libnvonnxparser")
        FACTS["trt.missing_libraries"] = [
            n + ".so" for n in wanted if not any(name.startswith(n + ".") for name in beside)
        ]
    python, library = FACTS.get("trt.version"), FACTS.get("trt.library_version")
    if python and library:
        parts = min(len(python.split(".")), len(library.split(".")), 3)
        FACTS["trt.versions_agree"] = python.split(".")[:parts] == library.split(".")[:parts]
    FACTS["trt.trtexec"] = shutil.which("trtexec") or shutil.which("/usr/src/tensorrt/bin/trtexec")


def library_version(path):
    """Version in the name of the file behind a link."""
    found = re.search(r"\.so\.(\d+(?:\.\d+)*)$", os.path.realpath(path))
    return found.group(1) if found else None


def import_package():
    """Import tensorrt in a child."""
    status, out, _ = command([sys.executable, "-B", "-c", DEEP_CODE], 60)
    for line in out.splitlines():
        if line.startswith("{"):
            FACTS.update(json.loads(line))
    if status != 0:
        FACTS["trt.import_error"] = str(status)


step(find_package)
step(find_libraries)
if DEEP and FACTS.get("trt.version"):
    step(import_package)
if not FACTS.get("trt.version") and not FACTS.get("trt.library"):
    STATUS[0] = "absent"
report()
