#!/usr/bin/env python3
"""jax: jax, jaxlib and the accelerator plugin, whether they go together; with --deep its devices, in a child."""

# ruff: noqa: E402
import os
import sys

sys.dont_write_bytecode = True
# Files beside this script, in the working folder or on PYTHONPATH must not stand in for the standard library.
HERE = os.path.dirname(os.path.abspath(sys.argv[0]))
SEARCH = [p for i, p in enumerate(sys.path) if i or (p and os.path.realpath(p) != os.path.realpath(HERE))]
LIBRARY = os.path.dirname(os.__file__)
sys.path[:] = [p for p in SEARCH if p.endswith((".zip", "DLLs")) or (p.startswith(LIBRARY) and "-packages" not in p)]

PROBE = "jax"

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
import json, os, sys
if sys.path and sys.path[0] == "": del sys.path[0]
OUT = os.dup(1); os.dup2(2, 1)
facts = {}
try:
    import jax
    facts["jax.devices"] = [str(device) for device in jax.devices()]
    facts.update({"jax.import_error": None, "jax.backend": jax.default_backend()})
except BaseException as error:
    facts["jax.import_error"] = "%s: %s" % (type(error).__name__, str(error)[:1500])
os.write(OUT, (json.dumps(facts) + "\n").encode())
os._exit(0)
"""
# Libraries that each plugin opens, by their names for each CUDA major.
LIBRARIES = {
    "12": ("libcudart.so.12", "libcublas.so.12", "libcufft.so.11", "libcusolver.so.11", "libcusparse.so.12",
           "libcudnn.so.9"),
    "13": ("libcudart.so.13", "libcublas.so.13", "libcufft.so.12", "libcusolver.so.12", "libcusparse.so.12",
           "libcudnn.so.9"),
}  # fmt: skip


def numbers(version):
    """The numbers of a version, without its suffixes."""
    return tuple(map(int, re.match(r"\d+(?:\.\d+)*", version).group(0).split(".")))


def find_packages():
    """Versions, and whether they agree: the plugin must be of jaxlib's version, jaxlib in the range that jax states."""
    found, requires = {}, ""
    for place in SEARCH:
        for path in glob.glob(os.path.join(glob.escape(place), "*.dist-info")):
            name, _, version = os.path.basename(path)[:-10].partition("-")
            name = re.sub(r"[-_.]+", "-", name).lower()
            if name.startswith(("jax", "libtpu")) and name not in found:
                found[name] = version
                if name == "jax":
                    with open(path + "/METADATA", encoding="utf-8", errors="replace") as file:
                        requires = file.read(1 << 18)
    for name in ("jax", "jaxlib"):
        FACTS["pkg." + name] = found.get(name)
    FACTS.update({"pkg." + name: version for name, version in found.items()})
    FACTS["jax.version"], FACTS["jax.jaxlib_version"] = found.get("jax"), found.get("jaxlib")
    plugins = [name for name in sorted(found) if re.match(r"jax-(cuda\d+|rocm\d+|metal)(-plugin|-pjrt)?$|libtpu", name)]
    plugin = next((name for name in plugins if name.endswith("-plugin")), plugins[0] if plugins else None)
    FACTS["jax.plugin"], FACTS["jax.plugin_version"] = plugin, found.get(plugin)
    if "jax" not in found:
        STATUS[0] = "absent"
        return
    if "jaxlib" not in found:
        FACTS["jax.versions_agree"] = False
        NOTES.append("jax is installed without jaxlib")
        return
    have, wrong = numbers(found["jaxlib"]), []
    for bound in re.findall(r"^Requires-Dist: jaxlib[ \t]*\(?([^;)\n]*)\)?[ \t]*$", requires, re.M)[:1]:
        for operator, version in re.findall(r"(<=|>=|==|<|>)\s*([\d.]+)", bound):
            want = numbers(version)
            fits = {"<=": have <= want, ">=": have >= want, "==": have == want, "<": have < want, ">": have > want}
            if not fits[operator]:
                wrong.append(f"jax {found['jax']} needs jaxlib{bound.strip()}, found {found['jaxlib']}")
    for name in plugins:
        if name.endswith(("-plugin", "-pjrt")) and numbers(found[name])[:3] != have[:3]:
            wrong.append(f"{name} {found[name]} with jaxlib {found['jaxlib']}")
    FACTS["jax.versions_agree"] = not wrong
    NOTES.extend(dict.fromkeys(wrong))


def find_libraries():
    """CUDA libraries that the plugin opens by name and that are neither in wheels nor on the loader's path."""
    major = re.match(r"jax-cuda(\d+)", FACTS.get("jax.plugin") or "")
    if not major:
        return
    program = shutil.which("ldconfig") or shutil.which("/sbin/ldconfig")
    known = set(re.findall(r"^\s+(\S+) \(", command([program, "-p"], 3)[1] if program else "", re.M))
    folders = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    for place in SEARCH:
        folders += glob.glob(os.path.join(glob.escape(place), "nvidia", "*", "lib"))
    for folder in folders:
        if folder and os.path.isdir(folder):
            known |= set(os.listdir(folder))
    FACTS["jax.missing_libraries"] = [name for name in LIBRARIES.get(major.group(1), ()) if name not in known]


def import_package():
    """Import jax and list its devices, in a child that takes no GPU memory ahead."""
    environment = dict(os.environ, XLA_PYTHON_CLIENT_PREALLOCATE="false")
    status, out, errors = command([sys.executable, "-B", "-c", DEEP_CODE], 120, environment)
    for line in out.splitlines():
        if line.startswith("{"):
            FACTS.update(json.loads(line))
    if status != 0:
        FACTS["jax.import_error"] = str(status)
    lines = [line for line in errors.splitlines() if "Unable to initialize backend" in line or "plugin" in line.lower()]
    NOTES.extend(line[-300:] for line in lines[:10])


step(find_packages)
step(find_libraries)
if DEEP and STATUS[0] == "ok":
    step(import_package)
report()
