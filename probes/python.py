#!/usr/bin/env python3
"""The Python environment: interpreter, kind of environment, installed distributions and what is wrong with them.

Metadata is read as files; nothing is imported. Requirements are checked as PEP 508 and PEP 440 say, in the part of
them that real packages use; a requirement that is not understood is taken as met.
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

PROBE = "python"

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

import platform
import re
import shutil
import site
import struct
import sysconfig

# Distributions whose version is told, by name; of the second group also that they are absent.
RELEVANT = re.compile(
    r"accelerate|aiohttp|apex|auto-?gptq|autoawq|bitsandbytes|cann|causal-conv1d|cmake|compressed-tensors|ctranslate2|"
    r"cuda-|cupy|datasets|deepspeed|diffusers|einops|evaluate|faiss|fairscale|fastapi|filelock|flash|flax|fsspec|"
    r"gptqmodel|gradio|grpcio|hf-|huggingface|imageio|jax|keras|kornia|lightning|llama|lm-eval|mamba|megatron|"
    r"mindspore|mkl|ml-dtypes|mmcv|mmdet|mmengine|modelscope|mpi4py|msgpack|multiprocess|natten|ninja|numba|numexpr|"
    r"numpy|nvidia-|onnx|open-clip|openai|opencv|openvino|optimum|optree|packaging|paddle|pandas|peft|pillow|pip$|"
    r"protobuf|psutil|pyarrow|pybind11|pycuda|pydantic|pynvml|pytest$|python-dateutil|pytorch|pyyaml|ray$|regex|"
    r"requests|safetensors|scikit|scipy|sentence-?transformers|sentencepiece|setuptools|sglang|spacy|sympy|"
    r"tensorboard|tensorflow|tensorrt|tf-|tf2onnx|thinc|tiktoken|timm|tokenizers|torch|tqdm|transformer|triton|trl|"
    r"typing-extensions|unsloth|urllib3|uvloop|vllm|wandb|wheel$|xformers|xgboost|xgrammar|intel|ipex|oneccl|zstandard|hccl|"
    r"auto-tune|tbe|attrs$|decorator$|cloudpickle|dill|lmdb|h5py|soundfile|librosa|decord|av$|ujson|orjson|pyzmq|httpx"
)
CORE = (
    "accelerate", "bitsandbytes", "deepspeed", "flash-attn", "jax", "jaxlib", "mindspore", "numpy", "onnx",
    "onnxruntime", "onnxruntime-gpu", "peft", "protobuf", "safetensors", "sentencepiece", "tensorflow", "tensorrt",
    "tokenizers", "torch", "torch-npu", "torchaudio", "torchvision", "transformers", "triton", "vllm", "xformers",
    "ninja", "setuptools", "tiktoken",
)  # fmt: skip
JUNK = {
    "tests",
    "test",
    "docs",
    "doc",
    "examples",
    "example",
    "benchmarks",
    "benchmark",
    "scripts",
    "src",
    "tools",
    "utils",
}
PRE = {"a": -3, "alpha": -3, "b": -2, "beta": -2, "c": -1, "rc": -1, "pre": -1, "preview": -1}


def normal(name):
    """Distribution name as PEP 503 writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def key(version):
    """Sort key of a version (PEP 440, the local part left out), or None."""
    found = re.match(
        r"v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?"
        r"(?:[-_.]?(?:post|rev|r)[-_.]?(\d*)|-(\d+))?(?:[-_.]?dev[-_.]?(\d*))?(?:\+[\w.-]+)?$", version.strip().lower()
    )  # fmt: skip
    if not found:
        return None
    epoch, release, pre, number, post, bare, dev = found.groups()
    numbers = list(map(int, release.split(".")))
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    after = int(post or bare or 0) if post is not None or bare is not None else -1
    stage = (PRE[pre], int(number or 0)) if pre else (-4, 0) if dev is not None and after < 0 else (0, 0)
    return (int(epoch or 0), tuple(numbers), stage, after, int(dev or 0) if dev is not None else float("inf"))


def allows(specifier, version):
    """Whether `>=1.2,<2` allows a version; true for what is not understood."""
    have = key(version)
    for part in specifier.split(","):
        found = re.match(r"\s*(===|~=|==|!=|<=|>=|<|>)\s*([^\s;)]+)\s*$", part)
        if not found or have is None:
            continue
        operator, wanted = found.groups()
        if wanted.endswith(".*"):
            prefix = wanted[:-2].split(".")
            same = (version.split("+")[0].split(".") + ["0"] * len(prefix))[: len(prefix)] == prefix
            if same != (operator == "=="):
                return False
            continue
        want = key(wanted)
        if want is None:
            continue
        if operator in ("==", "==="):
            fits = have == want and ("+" not in wanted or wanted.split("+")[1] == version.partition("+")[2])
        elif operator == "~=":
            prefix = wanted.split("+")[0].split(".")[:-1]
            fits = have >= want and version.split("+")[0].split(".")[: len(prefix)] == prefix
        else:
            order = (have > want) - (have < want)
            fits = order in {"!=": (-1, 1), "<=": (-1, 0), ">=": (0, 1), "<": (-1,), ">": (1,)}[operator]
        if not fits:
            return False
    return True


def applies(marker):
    """Whether an environment marker (PEP 508) is true here, without extras; true for what is not understood."""
    values = {
        "python_version": "{}.{}".format(*sys.version_info), "python_full_version": platform.python_version(),
        "sys_platform": sys.platform, "platform_system": platform.system(), "platform_machine": platform.machine(),
        "os_name": os.name, "implementation_name": sys.implementation.name, "extra": "",
        "platform_python_implementation": platform.python_implementation(), "platform_release": platform.release(),
    }  # fmt: skip
    tokens = re.findall(r"'[^']*'|\"[^\"]*\"|\(|\)|[<>=!~]=?=?|[\w.]+", marker)

    def word():
        """A value: a text in quotes or a variable."""
        token = tokens.pop(0)
        return (token[1:-1], False) if token[0] in "'\"" else (values.get(token, ""), "version" in token)

    def comparison():
        """One comparison, or an expression in brackets."""
        if tokens[0] == "(":
            tokens.pop(0)
            value = expression()
            tokens.pop(0)
            return value
        left, versions = word()
        operator = tokens.pop(0)
        if operator == "not":
            operator += " " + tokens.pop(0)
        right, also = word()
        if operator in ("in", "not in"):
            return (left in right) == (operator == "in")
        if versions or also:
            return allows(operator + right, left) if versions else allows(operator + left, right)
        return {"==": left == right, "!=": left != right}.get(operator, True)

    def conjunction():
        """Comparisons joined by `and`."""
        value = comparison()
        while tokens and tokens[0] == "and":
            tokens.pop(0)
            value = comparison() and value
        return value

    def expression():
        """Conjunctions joined by `or`."""
        value = conjunction()
        while tokens and tokens[0] == "or":
            tokens.pop(0)
            value = conjunction() or value
        return value

    try:
        return expression()
    except (IndexError, KeyError):
        return True


class Distribution:
    """What the metadata folder of an installed distribution says."""

    def __init__(self, place, folder):
        self.place, self.folder = place, os.path.join(place, folder)
        name, _, version = folder.rsplit(".", 1)[0].partition("-")
        self.name, self.version = normal(name), version.split("-py")[0]
        text = self.text("METADATA") or self.text("PKG-INFO")
        if text is None and os.path.isfile(self.folder):
            with open(self.folder, encoding="utf-8", errors="replace") as file:
                text = file.read(1 << 18)
        self.broken = not text or not re.search(r"^Version:", text, re.M)
        head = (text or "").split("\n\n", 1)[0]
        declared = re.search(r"^Version:\s*(\S+)", head, re.M)
        if declared:
            self.version = declared.group(1)
        self.requires = re.findall(r"^Requires-Dist:\s*(.+)$", head, re.M)
        record = self.text("RECORD") or ""
        self.modules = set(re.findall(r"^(\w+)(?:/__init__)?\.py,", record, re.M))

    def text(self, name):
        """Text of a file of the metadata folder, or None."""
        try:
            with open(os.path.join(self.folder, name), encoding="utf-8", errors="replace") as file:
                return file.read(1 << 22)
        except OSError:
            return None


def find_distributions():
    """Distributions in search order; the first of a name is the one in use."""
    for place in dict.fromkeys(SEARCH):
        if os.path.isdir(place):
            for folder in sorted(os.listdir(place)):
                if folder.endswith((".dist-info", ".egg-info")):
                    ALL.append(Distribution(place, folder))
                elif folder.startswith("~") and os.path.isdir(os.path.join(place, folder)):
                    FACTS.setdefault("python.leftovers", []).append(folder)
    FACTS.setdefault("python.leftovers", [])
    for one in ALL:
        USED.setdefault(one.name, one)
    FACTS["python.packages"] = len(USED)
    FACTS.update({"pkg." + name: None for name in CORE})
    FACTS.update({"pkg." + one.name: one.version for one in USED.values() if RELEVANT.match(one.name)})


def check_distributions():
    """Broken metadata, missing files, duplicates, unmet requirements, modules that two distributions own."""
    FACTS["python.broken_metadata"] = sorted({one.name for one in ALL if one.broken})
    versions, owners = {}, {}
    for one in ALL:
        versions.setdefault(one.name, []).append(one.version)
    FACTS["python.duplicates"] = [f"{n} {', '.join(v)}" for n, v in sorted(versions.items()) if len(set(v)) > 1]
    missing = []
    for one in USED.values():
        for module in one.modules - JUNK:
            owners.setdefault(module, []).append(one.name)
            path = os.path.join(one.place, module)
            if RELEVANT.match(one.name) and not any(map(os.path.exists, (path + "/__init__.py", path + ".py"))):
                missing.append(f"{one.name}: {module}")
    FACTS["python.missing_files"] = sorted(missing)
    FACTS["python.module_conflicts"] = [f"{m}: {', '.join(sorted(n))}" for m, n in sorted(owners.items()) if len(n) > 1]


def check_requirements():
    """Requirements that are not met, as `python -m pip check` words them."""
    unmet = []
    for one in USED.values():
        for requirement in one.requires:
            wanted, _, marker = requirement.partition(";")
            found = re.match(r"\s*([\w.-]+)\s*(?:\[[^\]]*\])?\s*\(?([^)@]*)\)?\s*(@.*)?$", wanted)
            if not found or (marker and not applies(marker)):
                continue
            name, specifier = normal(found.group(1)), found.group(2).strip()
            if name not in USED:
                unmet.append(f"{one.name} {one.version} needs {found.group(1)}{specifier}, which is not installed")
            elif specifier and not allows(specifier, USED[name].version):
                unmet.append(f"{one.name} {one.version} needs {name}{specifier}, found {USED[name].version}")
    FACTS["python.unmet"] = sorted(unmet)[:100]


def describe_interpreter():
    """Interpreter and environment."""
    FACTS["python.version"] = platform.python_version()
    FACTS["python.executable"], FACTS["python.prefix"] = sys.executable, sys.prefix
    FACTS["python.implementation"], FACTS["python.bits"] = platform.python_implementation(), struct.calcsize("P") * 8
    FACTS["python.soabi"] = sysconfig.get_config_var("SOABI")
    FACTS["python.free_threaded"] = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    conda = os.path.isdir(os.path.join(sys.prefix, "conda-meta"))
    kinds = (
        ("conda", conda), ("venv", sys.prefix != sys.base_prefix), ("pyenv", "pyenv" in sys.base_prefix),
        ("system", sys.prefix in ("/usr", "/usr/local")),
    )  # fmt: skip
    FACTS["python.environment"] = next((kind for kind, sign in kinds if sign), "other")
    try:
        with open(os.path.join(sys.prefix, "pyvenv.cfg"), encoding="utf-8", errors="replace") as file:
            uv = re.search(r"^uv\s*=", file.read(), re.M)
    except OSError:
        uv = None
    FACTS["python.installer"] = "conda" if conda else "uv" if uv else "pip"
    FACTS["python.externally_managed"] = sys.prefix == sys.base_prefix and os.path.exists(
        os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
    )
    FACTS["python.conda_env"] = os.environ.get("CONDA_DEFAULT_ENV")
    place = sysconfig.get_path("purelib")
    FACTS["python.site_packages"], FACTS["python.site_writable"] = place, os.access(place, os.W_OK)
    FACTS["python.path"] = [place for place in SEARCH if place]


def describe_commands():
    """Whether the commands pip and python on PATH belong to this interpreter."""
    FACTS["python.pip_version"] = USED["pip"].version if "pip" in USED else None
    FACTS["python.python_command"] = shutil.which("python") or shutil.which("python3")
    path = FACTS["python.pip_command"] = shutil.which("pip") or shutil.which("pip3")
    if path and os.name != "nt":
        with open(path, "rb") as file:
            first = file.readline(4096).decode("utf-8", "replace")
            second = file.readline(4096).decode("utf-8", "replace")
        # Long paths are written as: #!/bin/sh, then '''exec' "/path/python" "$0" "$@"
        found = re.match(r"#!\s*(\S*python[\d.]*)", first) or re.search(r"exec'?\s+\"?([^\"]*python[\d.]*)", second)
        if found and os.path.exists(found.group(1)):
            folders = [os.path.realpath(os.path.dirname(p)) for p in (found.group(1), sys.executable)]
            FACTS["python.pip_same"] = folders[0] == folders[1]


def find_shadows():
    """Files of the working folder and of PYTHONPATH that hide modules of the standard library or of packages."""
    installed = {module: one.place for one in reversed(list(USED.values())) for module in one.modules}
    usual = "random types json logging queue enum copy code token platform profile signal"
    standard = set(getattr(sys, "stdlib_module_names", usual.split()))
    shadows = []
    for place in dict.fromkeys([os.getcwd(), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]):
        if os.path.realpath(place) in map(os.path.realpath, (LIBRARY, FACTS.get("python.site_packages", LIBRARY))):
            continue
        for name in sorted(os.listdir(place))[:5000] if os.path.isdir(place) else ():
            module, ending = os.path.splitext(name)
            path = os.path.join(place, name)
            if ending == ".py" or (not ending and os.path.isfile(os.path.join(path, "__init__.py"))):
                home = installed.get(module)
                if module in standard or (home and os.path.realpath(home) != os.path.realpath(place)):
                    shadows.append(f"{module}: {path}")
    FACTS["python.shadowed"] = shadows


def find_user_site():
    """Distributions that come from the user's own folder into this environment."""
    folder = site.getusersitepackages()
    active = folder in SEARCH
    FACTS["python.user_site"] = folder if active else None
    leaks = sorted(one.name for one in USED.values() if one.place == folder) if active else []
    FACTS["python.user_site_leaks"] = leaks[:100]


def find_openmp():
    """OpenMP runtimes that packages bring; two kinds in one process end in OMP Error 15."""
    found = set()
    for place in dict.fromkeys(one.place for one in USED.values()):
        for folder in os.listdir(place):
            for inner in (folder, os.path.join(folder, "lib"), os.path.join(folder, ".dylibs")):
                full = os.path.join(place, inner)
                if (folder.endswith(".libs") or folder in ("torch", "tensorflow", "sklearn")) and os.path.isdir(full):
                    runtimes = [name for name in os.listdir(full) if re.match(r"lib(iomp5|gomp|omp)\b", name)]
                    found |= {os.path.join(inner, name) for name in runtimes}
    FACTS["python.openmp_runtimes"] = sorted(found)


ALL, USED = [], {}
for work in (find_distributions, check_distributions, check_requirements, describe_interpreter, describe_commands,
             find_shadows, find_user_site, find_openmp):  # fmt: skip
    step(work)
report()
