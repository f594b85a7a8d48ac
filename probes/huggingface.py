#!/usr/bin/env python3
"""Hugging Face: caches, offline switches, whether a token is there (never what it is), what the stack lacks."""

# ruff: noqa: E402
import os
import sys

sys.dont_write_bytecode = True
# Files beside this script, in the working folder or on PYTHONPATH must not stand in for the standard library.
HERE = os.path.dirname(os.path.abspath(sys.argv[0]))
SEARCH = [p for i, p in enumerate(sys.path) if i or (p and os.path.realpath(p) != os.path.realpath(HERE))]
LIBRARY = os.path.dirname(os.__file__)
sys.path[:] = [p for p in SEARCH if p.endswith((".zip", "DLLs")) or (p.startswith(LIBRARY) and "-packages" not in p)]

PROBE = "huggingface"

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

YES = ("1", "ON", "YES", "TRUE")
STACK = (
    "transformers", "tokenizers", "huggingface-hub", "accelerate", "peft", "diffusers", "datasets", "safetensors",
    "trl",
    "sentence-transformers", "optimum", "bitsandbytes", "sentencepiece", "tiktoken", "protobuf", "fsspec", "hf-xet",
)  # fmt: skip


def look_at_cache():
    """Home, cache, space, what is in it and what is broken in it."""
    home = os.environ.get("HF_HOME") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "huggingface"
    )
    cache = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE") or os.path.join(home, "hub")
    FACTS["hf.home"], FACTS["hf.cache_dir"] = home, cache
    place = cache
    while not os.path.isdir(place) and place != os.path.dirname(place):
        place = os.path.dirname(place)
    FACTS["hf.cache_writable"] = os.access(place, os.W_OK | os.X_OK)
    size = os.statvfs(place)
    FACTS["hf.cache_free"] = size.f_bavail * size.f_frsize
    best, real = ("", None), os.path.realpath(place)
    for line in (read("/proc/self/mounts") or "").splitlines():
        parts = line.split()
        if len(parts) > 2 and (real + "/").startswith(parts[1].rstrip("/") + "/") and len(parts[1]) >= len(best[0]):
            best = (parts[1], parts[2])
    FACTS["hf.cache_fs"] = best[1]
    repositories = [name for name in names_in(cache) if re.match(r"(models|datasets|spaces)--", name)]
    FACTS["hf.cached"] = [name.split("--", 1)[1].replace("--", "/") for name in repositories][:200]
    incomplete, pointers = [], []
    for name in repositories:
        blobs = os.path.join(cache, name, "blobs")
        for blob in names_in(blobs):
            path = os.path.join(blobs, blob)
            if blob.endswith(".incomplete"):
                incomplete.append(os.path.join(name, blob))
            elif 100 < os.stat(path).st_size < 200:
                with open(path, "rb") as file:
                    if file.read(24) == b"version https://git-lfs.":
                        pointers.append(os.path.join(name, blob))
        if time.monotonic() > END - LIMIT / 2:
            NOTES.append("the cache is large; only a part of it was looked at")
            break
    FACTS["hf.incomplete"], FACTS["hf.lfs_pointers"] = incomplete[:20], pointers[:20]


def names_in(folder):
    """Sorted names in a folder, none if it cannot be listed."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def look_at_switches():
    """Offline mode, hub address, token."""
    variables = (
        "HF_HUB_OFFLINE",
        "TRANSFORMERS_OFFLINE",
        "HF_DATASETS_OFFLINE",
        "HF_ENDPOINT",
        "HF_HUB_ENABLE_HF_TRANSFER",
    )
    for name in variables:
        FACTS["env." + name] = re.sub(r"://[^/@]*@", "://***@", os.environ[name]) if name in os.environ else None
    FACTS["hf.offline"] = any(os.environ.get(name, "").upper() in YES for name in variables[:2])
    FACTS["hf.endpoint"] = FACTS["env.HF_ENDPOINT"]
    source = next((name for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN") if os.environ.get(name, "").strip()), None)
    path = os.environ.get("HF_TOKEN_PATH") or os.path.join(FACTS.get("hf.home", ""), "token")
    if source is None and os.path.isfile(path) and os.path.getsize(path):
        source = "file"
    FACTS["hf.token_present"], FACTS["hf.token_source"] = source is not None, source


def look_at_stack():
    """Versions of the stack, and what its metadata asks for and does not find (lower and upper bounds, exact pins)."""
    found, metadata = {}, {}
    for place in SEARCH:
        for path in glob.glob(os.path.join(glob.escape(place), "*.dist-info")):
            name, _, version = os.path.basename(path)[:-10].partition("-")
            name = re.sub(r"[-_.]+", "-", name).lower()
            if name not in found:
                found[name], metadata[name] = version, path
    for name in STACK:
        FACTS["pkg." + name] = found.get(name)
    unmet = []
    for name in STACK:
        if name in found:
            with open(metadata[name] + "/METADATA", encoding="utf-8", errors="replace") as file:
                text = file.read(1 << 20)
            for wanted, bound in re.findall(
                r"^Requires-Dist:[ \t]*([\w.-]+)(?:\[[^\]]*\])?[ \t]*\(?([^;)\n]*)\)?[ \t]*$", text, re.M
            ):
                other = re.sub(r"[-_.]+", "-", wanted).lower()
                if other not in found:
                    unmet.append(f"{name} {found[name]} needs {other}{bound.strip()}, which is not installed")
                elif not all(
                    fits(found[other], *pair) for pair in re.findall(r"(<=|>=|==|!=|<|>)\s*([\w.]+)(?!\.\*)", bound)
                ):
                    unmet.append(f"{name} {found[name]} needs {other}{bound.strip()}, found {found[other]}")
    FACTS["hf.unmet"] = unmet
    fast = os.environ.get("HF_HUB_ENABLE_HF_TRANSFER", "").upper() in YES
    FACTS["hf.transfer_missing"] = fast and "hf-transfer" not in found
    if "transformers" not in found and "huggingface-hub" not in found:
        STATUS[0] = "absent"


def fits(version, operator, wanted):
    """Whether a version is within one bound; only the numbers of both count, and what has none fits."""
    pair = [[int(n) for n in re.findall(r"\d+", re.split(r"[a-z+]|\.dev", text)[0])][:4] for text in (version, wanted)]
    if not pair[0] or not pair[1]:
        return True
    have, want = (numbers + [0] * (4 - len(numbers)) for numbers in pair)
    return {
        "<=": have <= want,
        ">=": have >= want,
        "==": have == want,
        "!=": have != want,
        "<": have < want,
        ">": have > want,
    }[operator]


for work in (look_at_cache, look_at_switches, look_at_stack):
    step(work)
report()
