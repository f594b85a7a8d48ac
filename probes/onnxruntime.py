#!/usr/bin/env python3
"""ONNX Runtime: distributions, providers in the build, libraries that each provider lacks, and what CUDA it wants.

Without --deep nothing is imported: provider libraries are files whose needs are read from their dynamic section.
With --deep a model of one product of matrices runs on each provider, in a child.
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

PROBE = "onnxruntime"

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
import struct

PROVIDERS = {
    "cuda": "CUDAExecutionProvider", "tensorrt": "TensorrtExecutionProvider", "rocm": "ROCMExecutionProvider",
    "migraphx": "MIGraphXExecutionProvider", "openvino": "OpenVINOExecutionProvider", "dnnl": "DnnlExecutionProvider",
    "cann": "CANNExecutionProvider", "nv_tensorrt_rtx": "NvTensorRTRTXExecutionProvider",
    "qnn": "QNNExecutionProvider", "vitisai": "VitisAIExecutionProvider",
}  # fmt: skip

DEEP_CODE = r"""
import json, os, sys
if sys.path and sys.path[0] == "": del sys.path[0]
OUT = os.dup(1); os.dup2(2, 1)
facts = {}
def tell(): os.write(OUT, (json.dumps(facts) + "\n").encode())
def varint(n):
    out = b""
    while n > 127: out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])
def part(field, data):
    if isinstance(data, int): return bytes([field << 3]) + varint(data)
    return bytes([field << 3 | 2]) + varint(len(data)) + data
def value(name):
    shape = part(1, part(1, 2)) + part(1, part(1, 2))
    return part(1, name) + part(2, part(1, part(1, 1) + part(2, shape)))
node = part(1, b"a") + part(1, b"b") + part(2, b"c") + part(4, b"MatMul")
graph = part(1, node) + part(2, b"g") + part(11, value(b"a")) + part(11, value(b"b")) + part(12, value(b"c"))
model = part(1, 8) + part(7, graph) + part(8, part(1, b"") + part(2, 13))
try:
    import numpy, onnxruntime
except BaseException as error:
    facts["ort.import_error"] = "%s: %s" % (type(error).__name__, str(error)[:1500]); tell(); os._exit(0)
facts.update({"ort.import_error": None, "ort.version": onnxruntime.__version__})
facts["ort.providers"] = onnxruntime.get_available_providers()
tell()
one = numpy.array([[1, 2], [3, 4]], dtype=numpy.float32)
for provider in facts["ort.providers"]:
    try:
        options = onnxruntime.SessionOptions(); options.log_severity_level = 4
        session = onnxruntime.InferenceSession(model, options, providers=[provider])
        got = session.get_providers()
        result = session.run(None, {"a": one, "b": one})[0]
        right = bool(numpy.allclose(result, one @ one, atol=1e-3))
        told = "ok" if right else "wrong result"
        facts["ort.run." + provider] = told if got[0] == provider else "fallback to " + got[0]
    except Exception as error:
        facts["ort.run." + provider] = "%s: %s" % (type(error).__name__, str(error)[:800])
    tell()
os._exit(0)
"""


def needed(path):
    """Libraries that an ELF file (64 bit, little endian) needs, by name."""
    with open(path, "rb") as file:
        head = file.read(64)
        if head[:6] != b"\x7fELF\x02\x01":
            return []
        offset, size, count = struct.unpack_from("<Q", head, 32)[0], *struct.unpack_from("<HH", head, 54)
        file.seek(offset)
        table = file.read(size * count)
        segments = [struct.unpack_from("<IIQQQQQQ", table, i * size) for i in range(count)]
        dynamic = next((s for s in segments if s[0] == 2), None)
        if dynamic is None:
            return []
        file.seek(dynamic[2])
        data = file.read(dynamic[5])
        entries = [struct.unpack_from("<qQ", data, i) for i in range(0, len(data) - 15, 16)]
        values = dict(entries)
        strings = next(
            (values[5] - s[3] + s[2] for s in segments if s[0] == 1 and s[3] <= values[5] < s[3] + s[5]), None
        )
        if strings is None:
            return []
        file.seek(strings)
        text = file.read(values.get(10, 1 << 16))
    return [text[v : text.index(b"\0", v)].decode("ascii", "replace") for tag, v in entries if tag == 1]


def find_packages():
    """Distributions, and the folder that `import onnxruntime` would take."""
    found = {}
    for place in SEARCH:
        for path in sorted(glob.glob(os.path.join(glob.escape(place), "*.dist-info"))):
            name, _, version = os.path.basename(path)[:-10].partition("-")
            name = re.sub(r"[-_.]+", "-", name).lower()
            if re.match(r"(ort-nightly|onnxruntime)(?!-extensions|-genai|-tools)", name):
                found.setdefault(name, version)
    FACTS["ort.packages"] = [f"{name} {version}" for name, version in sorted(found.items())]
    for name in ("onnxruntime", "onnxruntime-gpu"):
        FACTS["pkg." + name] = found.get(name)
    folder = next(
        (place + "/onnxruntime" for place in SEARCH if os.path.isfile(place + "/onnxruntime/__init__.py")), None
    )
    if folder is None:
        FACTS["ort.version"], STATUS[0] = None, "absent"
        return
    FOLDER.append(folder)
    with open(folder + "/__init__.py", encoding="utf-8", errors="replace") as file:
        version = re.search(r"""^__version__\s*=\s*['"]([^'"]+)""", file.read(), re.M)
    FACTS["ort.version"] = version.group(1) if version else next(iter(found.values()), None)


def loader_names():
    """Names of libraries that the loader finds without help."""
    program = shutil.which("ldconfig") or shutil.which("/sbin/ldconfig")
    text = command([program, "-p"], 3)[1] if program else ""
    known = set(re.findall(r"^\s+(\S+) \(", text, re.M))
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if os.path.isdir(folder):
            known |= set(os.listdir(folder))
    if os.path.isdir(os.path.join(sys.prefix, "conda-meta")):
        known |= set(os.listdir(os.path.join(sys.prefix, "lib")))
    return known


def look_at_providers():
    """Which provider libraries the package holds, what they need, what of it is not there."""
    if not FOLDER:
        return
    known = loader_names()
    wheels = {}
    for place in SEARCH:
        for path in glob.glob(os.path.join(glob.escape(place), "nvidia", "*", "lib", "*.so*")) + glob.glob(
            os.path.join(glob.escape(place), "tensorrt_libs", "*.so*")
        ):
            wheels.setdefault(os.path.basename(path), path)
    files = {}
    for path in glob.glob(os.path.join(glob.escape(FOLDER[0]), "capi", "libonnxruntime_providers_*.so")):
        files[os.path.basename(path)[len("libonnxruntime_providers_") : -3]] = path
    providers, loadable, missing, rescued = [], ["CPUExecutionProvider"], [], []
    for kind, path in sorted(files.items()):
        if kind == "shared":
            continue
        provider = PROVIDERS.get(kind, kind)
        providers.append(provider)
        lost = [
            name
            for name in needed(path)
            if name not in known and not os.path.exists(os.path.join(os.path.dirname(path), name))
        ]
        missing += [f"{provider}: {name}" for name in lost]
        rescued += [name for name in lost if name in wheels]
        if not lost:
            loadable.append(provider)
        for name in needed(path):
            for fact, library in (
                ("cuda", "libcudart"),
                ("cuda", "libcublas"),
                ("cudnn", "libcudnn"),
                ("tensorrt", "libnvinfer"),
            ):
                found = re.match(library + r"\.so\.(\d+)", name)
                if found:
                    FACTS.setdefault(f"ort.{fact}_wanted", found.group(1))
    FACTS["ort.providers"], FACTS["ort.providers_loadable"] = [*providers, "CPUExecutionProvider"], loadable
    FACTS["ort.missing_libraries"], FACTS["ort.found_in_wheels"] = missing, sorted(set(rescued))


def run_models():
    """Import and run in a child; it tells each result as soon as it has it."""
    status, out, errors = command([sys.executable, "-B", "-c", DEEP_CODE], 120)
    for line in out.splitlines():
        if line.startswith("{"):
            FACTS.update(json.loads(line))
    if status != 0:
        lines = [line for line in errors.splitlines() if line.strip()]
        FACTS.setdefault("ort.import_error", f"{status}: {lines[-1][:300]}" if lines else str(status))
        NOTES.append(f"the child that runs the model ended with {status}")


FOLDER = []
step(find_packages)
step(look_at_providers)
if DEEP and FOLDER:
    step(run_models)
report()
