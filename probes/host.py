#!/usr/bin/env python3
"""The machine: system, processor, memory and its limits, /dev/shm, disks, ulimits, container, time, environment.

Values of variables whose names say token, key, secret or password are never printed.
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

PROBE = "host"

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

# Variables whose absence is worth knowing; others are told when a program of this field reads them.
ASKED = (
    "CUDA_HOME", "CUDA_LAUNCH_BLOCKING", "CUDA_MODULE_LOADING", "LD_LIBRARY_PATH", "LD_PRELOAD", "PYTHONPATH",
    "PYTHONNOUSERSITE", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "PYTORCH_NPU_ALLOC_CONF",
    "TORCH_CUDA_ARCH_LIST", "MAX_JOBS", "OMP_NUM_THREADS", "KMP_DUPLICATE_LIB_OK", "MASTER_ADDR",
    "MASTER_PORT", "RANK", "WORLD_SIZE",
    "LOCAL_RANK", "NCCL_SOCKET_IFNAME", "NCCL_IB_DISABLE", "NCCL_P2P_DISABLE", "NCCL_DEBUG", "GLOO_SOCKET_IFNAME",
    "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "TORCH_EXTENSIONS_DIR", "HF_HOME", "HF_HUB_OFFLINE", "HF_ENDPOINT",
    "TRANSFORMERS_OFFLINE", "ASCEND_HOME_PATH", "ASCEND_OPP_PATH", "ASCEND_TOOLKIT_HOME", "HCCL_IF_IP",
    "HCCL_SOCKET_IFNAME", "HSA_OVERRIDE_GFX_VERSION", "TF_CPP_MIN_LOG_LEVEL", "TF_FORCE_GPU_ALLOW_GROWTH",
    "XLA_PYTHON_CLIENT_PREALLOCATE", "XLA_PYTHON_CLIENT_MEM_FRACTION", "XLA_FLAGS", "http_proxy", "https_proxy",
    "no_proxy", "TMPDIR", "CC", "CXX",
)  # fmt: skip
OURS = re.compile(
    r"(ACCELERATE|ASCEND|ATB|AWQ|BNB|CANN|CONDA_(DEFAULT_ENV|PREFIX)|CUBLAS|CUDA|CUDNN|DEEPSPEED|DS_|FLASH|FSDP|GLOO|GRPC|"
    r"HCCL|HF_|HIP|HSA|HUGGING|JAX|KMP|LD_|MASTER_|MIOPEN|MKL|MPI|MS_|MINDSPORE|NCCL|NNODES|NODE_RANK|NVCC|NVIDIA|"
    r"NVTE|OMP|ONE(API|DNN)|OPAL|OPENBLAS|ORT_|PIP_|PJRT|PL_|PMI|PYTHON|PYTORCH|RANK$|RAY|ROC|SGLANG|SLURM_"
    r"(JOB_ID|NNODES|NTASKS|PROCID|LOCALID|NODEID|GPUS|MEM|CPUS)|SYCL|TF_|TOKENIZERS|TORCH|TPU|TRANSFORMERS|TRITON|"
    r"TVM|UCX|UV_|VIRTUAL_ENV|VLLM|WORLD_SIZE|XDG_CACHE|XLA|XPU|ZE_|LOCAL_|PADDLE|FLAGS_|CC$|CXX$|PATH$|TMPDIR$|"
    r"(https?|all|no)_proxy$)", re.I
)  # fmt: skip
SECRET = re.compile(r"TOKEN(?!IZER)|SECRET|PASSW|API_?KEY|ACCESS_?KEY|CREDENTIAL|PRIVATE|_KEY$|AUTH", re.I)


def read_system():
    """Operating system, kernel, C library."""
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)', read("/etc/os-release") or "", re.M))
    if platform.system() == "Darwin":
        FACTS["host.os"] = "macOS " + platform.mac_ver()[0]
    elif platform.system() == "Windows":
        FACTS["host.os"] = "Windows " + platform.version()
    else:
        name, version = release.get("NAME", platform.system()), release.get("VERSION_ID", "")
        FACTS["host.os"] = f"{name} {version}".strip()
    FACTS.update({"host.name": platform.node(), "host.kernel": platform.release(), "host.arch": platform.machine()})
    if sys.platform == "linux":
        try:
            libc, _, version = os.confstr("CS_GNU_LIBC_VERSION").partition(" ")
        except (ValueError, OSError, AttributeError):
            libc, version = "musl", None
        FACTS.update({"host.libc": libc, "host.glibc": version})
    uptime = (read("/proc/uptime") or "").split()
    if uptime:
        FACTS["host.uptime_seconds"] = float(uptime[0])
    scope = (read("/proc/sys/kernel/yama/ptrace_scope") or "").strip()
    if scope.isdigit():
        FACTS["host.ptrace_scope"] = int(scope)


def read_libstdcxx():
    """The libstdc++ that this interpreter loads, and the newest versions it offers."""

    def load():
        """Load it in a child and see where it came from."""
        import ctypes

        ctypes.CDLL("libstdc++.so.6")
        with open("/proc/self/maps") as maps:
            return next(line[line.find("/"):].strip() for line in maps if "libstdc++.so" in line)  # fmt: skip

    path, _ = in_child(load, 3) if sys.platform == "linux" else (None, "")
    if not path:
        return
    FACTS["host.libstdcxx"] = path
    with open(path, "rb") as file:
        data = file.read(1 << 26)
    for fact, prefix in (("host.glibcxx", b"GLIBCXX"), ("host.cxxabi", b"CXXABI")):
        found = [tuple(map(int, v.split(b"."))) for v in re.findall(prefix + rb"_(\d+(?:\.\d+)+)\0", data)]
        if found:
            FACTS[fact] = ".".join(map(str, max(found)))


def read_cpu():
    """Processor, the instruction sets that binaries of this field use, and how much of it this process may use."""
    text = read("/proc/cpuinfo") or ""
    model = re.search(r"^(?:model name|Model Name|CPU part|Hardware)\s*:\s*(.+)$", text, re.M)
    FACTS["host.cpu"] = model.group(1).strip() if model else platform.processor() or platform.machine()
    affinity = getattr(os, "sched_getaffinity", None)
    FACTS["host.cpu_count"] = len(affinity(0)) if affinity else os.cpu_count()
    flags = re.search(r"^(?:flags|Features)\s*:\s*(.+)$", text, re.M)
    if flags:
        have = set(flags.group(1).split())
        wanted = "sse4_1 sse4_2 avx avx2 fma f16c avx512f avx512_vnni avx512_bf16 amx_tile asimd asimddp sve bf16"
        FACTS["host.cpu_flags"] = [flag for flag in wanted.split() if flag in have]
        if "x86" in platform.machine() or "AMD64" in platform.machine():
            for flag in ("avx", "avx2", "fma", "f16c", "avx512f", "avx512_vnni", "avx512_bf16"):
                FACTS["host.cpu_" + flag] = flag in have
            FACTS["host.cpu_amx"] = "amx_tile" in have
    nodes = [name for name in names("/sys/devices/system/node") if re.match(r"node\d+$", name)]
    if nodes:
        FACTS["host.numa_nodes"] = len(nodes)


def read_memory():
    """Memory of the machine."""
    sizes = dict(re.findall(r"^(\w+):\s+(\d+) kB", read("/proc/meminfo") or "", re.M))
    for fact, key in (
        ("memory_total", "MemTotal"), ("memory_available", "MemAvailable"),
        ("swap_total", "SwapTotal"), ("swap_free", "SwapFree"),
    ):  # fmt: skip
        if key in sizes:
            FACTS["host." + fact] = int(sizes[key]) * 1024


def cgroup_files():
    """Folders of this process's cgroup, its parents last: for version 2, and for the memory part of version 1."""
    second, first = "", ""
    for line in (read("/proc/self/cgroup") or "").splitlines():
        number, controllers, path = [*line.split(":", 2), "", ""][:3]
        if number == "0" and not controllers:
            second = path
        elif "memory" in controllers.split(","):
            first = path
    folders = []
    for base, path in (("/sys/fs/cgroup", second), ("/sys/fs/cgroup/memory", first)):
        while path not in ("", "/") and len(folders) < 40:
            folders.append(base + path)
            path = os.path.dirname(path)
        folders.append(base)
    return folders


def read_cgroup():
    """Limits of the container or job: the tightest of the cgroup and its parents."""
    limits, cpus, kills, pids, found = [], [], None, [], False
    for folder in cgroup_files():
        for name in ("memory.max", "memory.limit_in_bytes"):
            value = (read(f"{folder}/{name}") or "").strip()
            found = found or bool(value)
            if value.isdigit() and int(value) < 1 << 60:
                limits.append(int(value))
        for fact, files in (("usage", ("memory.current", "memory.usage_in_bytes")),
                            ("peak", ("memory.peak", "memory.max_usage_in_bytes"))):  # fmt: skip
            for name in files:
                value = (read(f"{folder}/{name}") or "").strip()
                if value.isdigit():
                    FACTS.setdefault("host.memory_" + fact, int(value))
        for name in ("memory.events", "memory.oom_control"):
            counted = re.search(r"^oom_kill (\d+)", read(f"{folder}/{name}") or "", re.M)
            if counted:
                kills = max(kills or 0, int(counted.group(1)))
        quota = (read(folder + "/cpu.max") or "").split()
        if len(quota) == 2 and quota[0].isdigit():
            cpus.append(int(quota[0]) / int(quota[1]))
        value = (read(folder + "/pids.max") or "").strip()
        if value.isdigit():
            pids.append(int(value))
    total = FACTS.get("host.memory_total")
    if found:
        tight = [limit for limit in limits if total is None or limit < total]
        FACTS["host.memory_limit"] = min(tight) if tight else None
    if kills is not None:
        FACTS["host.oom_kill_count"] = kills
    if cpus:
        FACTS["host.cpu_limit"] = min(cpus)
    if pids:
        FACTS["host.pids_limit"] = min(pids)


def read_kernel_log():
    """The last line about an out-of-memory kill, where this user may read the kernel's log."""
    try:
        device = os.open(rooted("/dev/kmsg"), os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        FACTS["host.kernel_log_readable"] = False
        return
    FACTS["host.kernel_log_readable"], last, size = True, None, 0
    try:
        while size < 16 << 20 and time.monotonic() < END - 1:
            record = os.read(device, 8192).decode("utf-8", "replace")
            if not record:
                break
            size += len(record)
            for line in record.splitlines():
                if "Out of memory: Kill" in line or "Memory cgroup out of memory" in line:
                    last = line.split(";", 1)[-1].strip()[:300]
    except OSError:
        pass
    os.close(device)
    FACTS["host.oom_kill"] = last


def read_shm():
    """/dev/shm: size and use."""
    if os.path.isdir(rooted("/dev/shm")):
        size = os.statvfs(rooted("/dev/shm"))
        FACTS["host.shm_bytes"], FACTS["host.shm_free"] = size.f_blocks * size.f_frsize, size.f_bavail * size.f_frsize
        FACTS["host.shm_used"] = FACTS["host.shm_bytes"] - size.f_bfree * size.f_frsize
    elif sys.platform == "linux":
        FACTS["host.shm_bytes"] = None


def read_limits():
    """ulimits; -1 = unlimited."""
    import resource

    for fact, name in (("nofile_soft", "NOFILE"), ("nproc_soft", "NPROC"), ("memlock_bytes", "MEMLOCK"),
                       ("core_bytes", "CORE"), ("stack_bytes", "STACK"), ("address_space_bytes", "AS")):  # fmt: skip
        if hasattr(resource, "RLIMIT_" + name):
            value = resource.getrlimit(getattr(resource, "RLIMIT_" + name))[0]
            FACTS["host." + fact] = -1 if value == resource.RLIM_INFINITY else value
    FACTS["host.nofile_hard"] = resource.getrlimit(resource.RLIMIT_NOFILE)[1]


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


def read_disks():
    """Space, inodes, file system and rights where home, temporary files, caches and the work are."""
    home = os.path.expanduser("~")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    temporary = os.environ.get("TMPDIR") or "/tmp"
    for fact, path in (("home", home), ("tmp", temporary), ("cache", cache), ("work", os.getcwd())):
        while not os.path.isdir(path) and path != os.path.dirname(path):
            path = os.path.dirname(path)
        size = os.statvfs(path)
        kind, options = mount_of(path)
        FACTS[f"host.disk_{fact}_free"] = size.f_bavail * size.f_frsize
        FACTS[f"host.disk_{fact}_fs"] = kind
        if size.f_files:
            FACTS[f"host.disk_{fact}_inodes_free"] = size.f_favail
        FACTS[f"host.disk_{fact}_writable"] = os.access(path, os.W_OK) and "ro" not in options
        if fact == "tmp":
            FACTS["host.disk_tmp_noexec"] = "noexec" in options


def read_container():
    """Container, pod, job, WSL, virtual machine."""
    cgroup = (read("/proc/1/cgroup") or "") + (read("/proc/self/cgroup") or "") + (read("/proc/self/mountinfo") or "")
    named = re.search(r"\0container=([\w-]+)", "\0" + (read("/proc/1/environ") or ""))
    pod = "KUBERNETES_SERVICE_HOST" in os.environ or "kubepods" in cgroup
    signs = (
        ("kubernetes", pod),
        ("podman", os.path.exists(rooted("/run/.containerenv"))),
        ("docker", os.path.exists(rooted("/.dockerenv")) or "/docker/" in cgroup),
        ("apptainer", "APPTAINER_NAME" in os.environ or "SINGULARITY_NAME" in os.environ),
        ("lxc", "/lxc" in cgroup),
        (named.group(1) if named else "other", bool(named) or "/containerd/" in cgroup),
    )
    FACTS["host.container"] = next((kind for kind, sign in signs if sign), None)
    FACTS["host.kubernetes"] = pod
    FACTS["host.slurm_job"] = os.environ.get("SLURM_JOB_ID")
    release = platform.release().lower()
    FACTS["host.wsl"] = "microsoft" in release or "WSL_DISTRO_NAME" in os.environ
    if FACTS["host.wsl"]:
        FACTS["host.wsl_version"] = 2 if "wsl2" in release or "WSL_INTEROP" in os.environ else 1
    files = ("sys_vendor", "product_name", "bios_vendor")
    vendor = " ".join(read("/sys/class/dmi/id/" + name) or "" for name in files).lower()
    kinds = (
        ("kvm", "qemu"), ("kvm", "kvm"), ("vmware", "vmware"), ("hyper-v", "microsoft"), ("xen", "xen"),
        ("kvm", "google"),
        ("kvm", "amazon ec2"), ("kvm", "alibaba"), ("kvm", "openstack"), ("virtualbox", "virtualbox"),
    )  # fmt: skip
    found = next((kind for kind, text in kinds if text in vendor), None)
    guest = bool(re.search(r"^flags\s*:.*\bhypervisor\b", read("/proc/cpuinfo") or "", re.M))
    if vendor.strip() or guest or read("/proc/cpuinfo"):
        FACTS["host.virtualization"] = found or ("vm" if guest else None)


def read_user():
    """Who runs this, and in which groups."""
    import grp
    import pwd

    FACTS["host.uid"] = os.getuid()
    try:
        FACTS["host.user"] = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        FACTS["host.user"] = None
    groups = []
    for number in sorted({os.getegid(), *os.getgroups()}):
        try:
            groups.append(grp.getgrgid(number).gr_name)
        except KeyError:
            groups.append(str(number))
    FACTS["host.user_groups"] = groups


def read_clock():
    """How far the clock is behind at least: files that were there before now cannot be from the future."""
    newest = 0.0
    for path in ("/proc/1", "/etc", "/etc/hosts", "/etc/resolv.conf", "/usr", "/var/log", os.path.dirname(os.__file__)):
        try:
            newest = max(newest, os.stat(path).st_mtime)
        except OSError:
            continue
    FACTS["host.clock_behind_seconds"] = round(max(0.0, newest - time.time()), 1)


def read_environment():
    """Variables of this field. A secret's value is told as <set>, credentials in addresses are masked."""
    for name in ASKED:
        FACTS["env." + name] = None
    for name, value in sorted(os.environ.items()):
        if OURS.match(name) and not name.startswith("TRIAGE_") and re.match(r"\w+$", name):
            value = re.sub(r"(\w+://)[^/@\s]*@", r"\1***@", value)
            FACTS["env." + name] = "<set>" if SECRET.search(name) else value[:4000]


for work in (read_system, read_cpu, read_memory, read_cgroup, read_kernel_log, read_shm, read_limits, read_disks,
             read_container, read_user, read_clock, read_environment, read_libstdcxx):  # fmt: skip
    step(work)
report()
