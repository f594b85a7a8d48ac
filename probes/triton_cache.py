#!/usr/bin/env python3
"""Caches of compiled kernels (Triton, Inductor, torch extensions) and what their compilers need.

Nothing is written: whether a folder can be written is asked of the system, not tried.
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

PROBE = "triton_cache"

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
import pwd
import re
import shutil
import sysconfig

NETWORK = re.compile(r"nfs|lustre|gpfs|cifs|smb|beegfs|ceph|gluster|9p|afs|weka|fuse\.(?!overlay)|juicefs|cpfs")
HOME = os.path.expanduser("~")


def mount_of(path):
    """(file system type, mount options) of a path."""
    best, real = ("", "", ""), os.path.realpath(path)
    for line in (read("/proc/self/mounts") or "").splitlines():
        parts = line.split()
        if len(parts) > 3:
            point = parts[1].replace("\\040", " ")
            if (real == point or real.startswith(point.rstrip("/") + "/")) and len(point) >= len(best[0]):
                best = (point, parts[2], parts[3])
    return best[1] or None, best[2].split(",")


def nearest(path):
    """The folder itself, or the nearest parent that is there."""
    while not os.path.isdir(path) and path != os.path.dirname(path):
        path = os.path.dirname(path)
    return path


def owner_of(path):
    """Name of a file's owner."""
    number = os.stat(path).st_uid
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def writable(path):
    """Whether this user could write into a folder, or make it."""
    folder = nearest(path)
    return os.access(folder, os.W_OK | os.X_OK) and "ro" not in mount_of(folder)[1]


def walk(folder):
    """(path, size) of the files below a folder; at most 200,000, and not longer than half of the probe's time."""
    count = 0
    for place, _, files in os.walk(folder):
        for name in files:
            path, count = os.path.join(place, name), count + 1
            try:
                yield path, os.lstat(path).st_size
            except OSError:
                yield path, -1
        if count > 200000 or time.monotonic() > END - LIMIT / 2:
            NOTES.append(f"{folder} is large; only a part of it was looked at")
            return


def shortened(folder, found):
    """Paths below a folder without its name, at most 20."""
    return [os.path.relpath(path, folder) for path in found[:20]]


def look_at_triton():
    """Triton's cache."""
    folder = os.environ.get("TRITON_CACHE_DIR") or os.path.join(
        os.environ.get("TRITON_HOME") or HOME, ".triton", "cache"
    )
    kind, options = mount_of(nearest(folder))
    size = os.statvfs(nearest(folder))
    FACTS.update({"triton.cache_dir": folder, "triton.cache_exists": os.path.isdir(folder), "triton.cache_fs": kind})
    FACTS.update({"triton.cache_writable": writable(folder), "triton.cache_noexec": "noexec" in options})
    FACTS["triton.cache_network_fs"] = bool(NETWORK.search(kind or ""))
    FACTS["triton.cache_free"] = size.f_bavail * size.f_frsize
    if not os.path.isdir(folder):
        return
    FACTS["triton.cache_owner"] = owner_of(folder)
    total, bad, foreign, targets = 0, [], [], set()
    for path, size in walk(folder):
        total += max(size, 0)
        name = os.path.basename(path)
        if (size == 0 and not name.endswith((".lock", ".py"))) or size < 0 or re.search(r"\.tmp\.?(pid_)?", name):
            if not re.search(r"\.tmp", name) or time.time() - os.lstat(path).st_mtime > 600:
                bad.append(path)
            continue
        if not os.access(path, os.R_OK) or os.lstat(path).st_uid != os.getuid():
            foreign.append(path)
        elif name.endswith(".json") and not name.startswith("__grp__") and size < 1 << 16:
            check_metadata(path, bad, targets)
        elif name.endswith((".so", ".cubin")):
            with open(path, "rb") as file:
                if file.read(4) != b"\x7fELF":
                    bad.append(path)
    entries = [name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name))]
    FACTS.update({"triton.cache_bytes": total, "triton.cache_entries": len(entries)})
    FACTS.update({"triton.cache_bad": shortened(folder, bad), "triton.cache_foreign": shortened(folder, foreign)})
    FACTS["triton.cache_archs"] = sorted(targets)


def check_metadata(path, bad, targets):
    """A kernel's metadata must be whole JSON; it names the target it was compiled for."""
    try:
        with open(path, encoding="utf-8") as file:
            target = json.load(file).get("target")
    except (ValueError, AttributeError):
        bad.append(path)
        return
    except OSError:
        return
    if isinstance(target, dict) and target.get("arch") is not None:
        targets.add(f"{target.get('backend', 'cuda')}:{target['arch']}")


def look_at_inductor():
    """Inductor's cache: TORCHINDUCTOR_CACHE_DIR, else a folder of the user in the temporary folder."""
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        user = str(os.getuid())
    temporary = os.environ.get("TMPDIR") or "/tmp"
    usual = os.path.join(temporary, "torchinductor_" + re.sub(r'[\\/:*?"<>|]', "_", user))
    folder = os.environ.get("TORCHINDUCTOR_CACHE_DIR") or usual
    FACTS.update({"inductor.cache_dir": folder, "inductor.cache_fs": mount_of(nearest(folder))[0]})
    FACTS["inductor.cache_writable"] = writable(folder)
    if not os.path.isdir(folder):
        return
    total, bad, locks = 0, [], []
    for path, size in walk(folder):
        total += max(size, 0)
        if path.endswith(".lock"):
            if time.time() - os.lstat(path).st_mtime > 3600:
                locks.append(path)
        elif size <= 0 and path.endswith((".so", ".cpp", ".o", ".json", ".cubin")):
            bad.append(path)
    FACTS["inductor.cache_bytes"] = total
    FACTS.update({"inductor.cache_bad": shortened(folder, bad), "inductor.locks": shortened(folder, locks)})


def look_at_extensions():
    """JIT-built extensions: a file called `lock` that is older than ten minutes stops each later build for ever."""
    folder = os.environ.get("TORCH_EXTENSIONS_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(HOME, ".cache"), "torch_extensions"
    )
    FACTS.update({"torch_extensions.dir": folder, "torch_extensions.fs": mount_of(nearest(folder))[0]})
    FACTS["torch_extensions.writable"] = writable(folder)
    built, locks, stale = [], [], []
    mine = f"py{sys.version_info[0]}{sys.version_info[1]}"
    for path, _ in walk(folder) if os.path.isdir(folder) else ():
        name = os.path.basename(path)
        if name == "lock" and time.time() - os.lstat(path).st_mtime > 600:
            locks.append(path)
        elif name.endswith(".so"):
            built.append(path)
            tag = re.match(r"py\d+", os.path.relpath(path, folder))
            if tag and tag.group(0) != mine:
                stale.append(path)
    FACTS.update(
        {"torch_extensions.built": shortened(folder, built), "torch_extensions.stale": shortened(folder, stale)}
    )
    FACTS["torch_extensions.locks"] = locks[:20]


def look_at_tools():
    """triton itself, ptxas, C compiler, Python.h, libcuda."""
    places = [place + "/triton" for place in SEARCH if os.path.isfile(place + "/triton/__init__.py")]
    versions = [p for place in SEARCH for p in glob.glob(os.path.join(glob.escape(place), "*triton*-*.dist-info"))]
    found = [re.match(r"(?:pytorch_)?triton(?:_\w+)?-([^-]+)\.dist-info$", os.path.basename(path)) for path in versions]
    FACTS["triton.version"] = next((match.group(1) for match in found if match), None)
    candidates = [os.environ.get("TRITON_PTXAS_PATH")]
    for place in places:
        candidates += [place + "/backends/nvidia/bin/ptxas", place + "/third_party/cuda/bin/ptxas"]
    candidates.append(shutil.which("ptxas"))
    ptxas = next((path for path in candidates if path and os.path.isfile(path)), None)
    FACTS["triton.ptxas_path"] = ptxas
    if ptxas:
        told = re.search(r"release (\d+\.\d+)", command([ptxas, "--version"], 3)[1])
        FACTS["triton.ptxas_version"] = told.group(1) if told else None
        if not told:
            NOTES.append(f"{ptxas} does not run")
    FACTS["compiler.cc"] = next(filter(None, map(shutil.which, [os.environ.get("CC") or "cc", "gcc", "clang"])), None)
    folders = (sysconfig.get_path("include"), sysconfig.get_path("platinclude"))
    FACTS["python.headers"] = next((f for f in folders if f and os.path.isfile(os.path.join(f, "Python.h"))), None)


def look_for_libcuda():
    """libcuda in Triton's order: TRITON_LIBCUDA_PATH, the loader's cache, LD_LIBRARY_PATH."""
    told = os.environ.get("TRITON_LIBCUDA_PATH")
    folders = [told] if told else []
    program = shutil.which("ldconfig") or shutil.which("/sbin/ldconfig")
    text = command([program, "-p"], 3)[1] if program and not ROOT else ""
    cached = re.findall(r"=> (\S*/libcuda\.so\S*)$", text, re.M)
    folders += [os.path.dirname(path) for path in cached if path.endswith("libcuda.so.1")]
    folders += [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
    files = [os.path.join(folder, "libcuda.so.1") for folder in folders]
    FACTS["triton.libcuda"] = next((path for path in files if os.path.exists(path)), None)
    links = [os.path.join(folder, "libcuda.so") for folder in folders] + [p for p in cached if p.endswith("libcuda.so")]
    FACTS["triton.libcuda_link"] = next((path for path in links if os.path.exists(path)), None)


for work in (look_at_triton, look_at_inductor, look_at_extensions, look_at_tools, look_for_libcuda):
    step(work)
report()
