#!/usr/bin/env python3
"""Network: interfaces against the settings of NCCL, Gloo and HCCL, the master's address and port, InfiniBand, proxies.

Without --deep no packet leaves the machine and no socket is bound: names are looked up in the hosts file only, ports
in the kernel's tables. With --deep MASTER_ADDR is resolved, and the hub's port is tried.
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

PROBE = "network"

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

import ipaddress
import re
import socket
import struct

VARIABLES = (
    "MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE", "NCCL_SOCKET_IFNAME", "NCCL_IB_HCA", "NCCL_IB_DISABLE",
    "NCCL_IB_GID_INDEX", "NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE", "NCCL_NET", "NCCL_DEBUG", "GLOO_SOCKET_IFNAME",
    "TP_SOCKET_IFNAME", "HCCL_SOCKET_IFNAME", "HCCL_IF_IP", "HCCL_IF_BASE_PORT", "HCCL_CONNECT_TIMEOUT",
    "HCCL_EXEC_TIMEOUT", "RANK_TABLE_FILE", "no_proxy",
)  # fmt: skip
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


def read_interfaces():
    """Interfaces that are up, with their addresses."""
    up, addresses = [], []
    for name in names("/sys/class/net"):
        state = (read(f"/sys/class/net/{name}/operstate") or "").strip()
        flags = int((read(f"/sys/class/net/{name}/flags") or "0").strip() or "0", 16)
        if state in ("up", "unknown") and flags & 1:
            up.append(name)
    FACTS["network.interfaces"] = up
    if not ROOT and sys.platform == "linux":
        import fcntl

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:  # asks the kernel, sends nothing
            for name in up:
                try:
                    answer = fcntl.ioctl(probe, 0x8915, struct.pack("256s", name.encode()[:15]))  # SIOCGIFADDR
                    addresses.append(f"{name}={socket.inet_ntoa(answer[20:24])}")
                except OSError:
                    continue
    for line in (read("/proc/net/if_inet6") or "").splitlines():
        parts = line.split()
        if len(parts) == 6 and parts[5] in up:
            addresses.append(f"{parts[5]}={ipaddress.IPv6Address(int(parts[0], 16))}")
    FACTS["network.addresses"] = addresses


def matching(setting, up):
    """Interfaces that a setting of NCCL's form selects: prefixes, `=` exact, `^` all but these."""
    exclude, exact = setting.startswith("^"), "=" in setting[:2]
    parts = setting.lstrip("^=").split(",")
    hits = [name for name in up if any(name == part if exact else name.startswith(part) for part in parts if part)]
    return [name for name in up if (name in hits) != exclude]


def check_interfaces():
    """What the settings select; a setting that selects nothing stops the job at its start."""
    for name in VARIABLES:
        FACTS["env." + name] = os.environ.get(name)
    problems, up = [], FACTS.get("network.interfaces", [])
    for fact, variable in (
        ("nccl", "NCCL_SOCKET_IFNAME"),
        ("hccl", "HCCL_SOCKET_IFNAME"),
        ("gloo", "GLOO_SOCKET_IFNAME"),
    ):
        setting = os.environ.get(variable)
        if setting is None:
            FACTS[f"network.{fact}_interfaces"] = None
            continue
        chosen = [n for n in setting.split(",") if n in up] if fact == "gloo" else matching(setting, up)
        FACTS[f"network.{fact}_interfaces"] = chosen
        if not chosen:
            problems.append(f"{variable}={setting}")
    FACTS["network.ifname_problem"] = ", ".join(problems) or None


def local_addresses():
    """Addresses of this machine as texts."""
    return {address.split("=", 1)[1] for address in FACTS.get("network.addresses", [])} | {"127.0.0.1", "::1"}


def hosts_address(name):
    """Address of a name by the hosts file, or None."""
    for line in (read("/etc/hosts") or "").splitlines():
        parts = line.split("#")[0].split()
        if name in parts[1:]:
            return parts[0]
    return None


def check_master():
    """Host name, MASTER_ADDR and MASTER_PORT."""
    own = socket.gethostname()
    address = FACTS["network.hostname_address"] = hosts_address(own)
    if address:
        FACTS["network.hostname_loopback"] = address.startswith("127.") or address == "::1"
    taken = set()
    for table in ("tcp", "tcp6"):
        for line in (read("/proc/net/" + table) or "").splitlines()[1:]:
            parts = line.split()
            if len(parts) > 3 and parts[3] == "0A":  # LISTEN
                taken.add(int(parts[1].rpartition(":")[2], 16))
    FACTS["network.listening_ports"] = sorted(taken)[:200]
    FACTS["network.nameservers"] = len(re.findall(r"^nameserver\s", read("/etc/resolv.conf") or "", re.M))
    master = os.environ.get("MASTER_ADDR")
    if not master:
        return
    try:
        numeric = str(ipaddress.ip_address(master))
    except ValueError:
        numeric = "127.0.0.1" if master == "localhost" else hosts_address(master)
    if numeric is None and DEEP:
        numeric, _ = in_child(lambda: socket.getaddrinfo(master, None)[0][4][0], 10)
        FACTS["network.master_resolves"] = numeric is not None
    elif numeric is not None:
        FACTS["network.master_resolves"] = True
    if numeric:
        FACTS["network.master_local"] = numeric in local_addresses() or numeric.startswith("127.") or master == own
    port = os.environ.get("MASTER_PORT", "")
    if port.isdigit() and FACTS.get("network.master_local"):
        FACTS["network.master_port_free"] = int(port) not in taken


def read_infiniband():
    """InfiniBand and RoCE ports, and what RDMA needs."""
    base, active, down, layers = "/sys/class/infiniband", [], [], set()
    devices = names(base)
    for device in devices:
        for port in names(f"{base}/{device}/ports"):
            state = (read(f"{base}/{device}/ports/{port}/state") or "").strip()
            layer = (read(f"{base}/{device}/ports/{port}/link_layer") or "").strip()
            layers.add(layer)
            (active if "ACTIVE" in state else down).append(f"{device}:{port} {layer} {state}".strip())
    FACTS.update({"network.ib_devices": devices, "network.ib_active": active, "network.ib_down": down})
    FACTS["network.ib_link_layer"] = " and ".join(sorted(layers - {""})) or None
    if devices:
        import resource

        soft = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
        FACTS["network.ib_memlock_ok"] = soft == resource.RLIM_INFINITY or soft >= 1 << 30
    modules = read("/proc/modules")
    if modules is not None:
        FACTS["network.peer_memory_module"] = bool(re.search(r"^(nvidia_peermem|nv_peer_mem)\s", modules, re.M))
    FACTS["network.hccn_conf"] = os.path.exists(rooted("/etc/hccn.conf"))


def read_proxies():
    """Proxy variables without credentials, and whether the master is excepted."""
    told = [(name, re.sub(r"(://)?[^/@\s]*@", r"\1***@", os.environ[name])) for name in PROXIES if os.environ.get(name)]
    FACTS["network.proxies"] = [f"{name}={value}" for name, value in told]
    for name, value in told:
        FACTS["env." + name] = value
    master = os.environ.get("MASTER_ADDR")
    excepted = os.environ.get("no_proxy") or os.environ.get("NO_PROXY")
    if master and told:
        parts = [part.strip().lstrip("*.") for part in (excepted or "").split(",") if part.strip()]
        FACTS["network.no_proxy_covers_master"] = any(part in ("", master) or master.endswith(part) for part in parts)


def try_hub():
    """Whether the hub's port can be reached from here; through a proxy that tells nothing, so it is not tried."""
    if FACTS.get("network.proxies"):
        return
    host = re.sub(r"^\w+://|/.*$", "", os.environ.get("HF_ENDPOINT") or "huggingface.co")
    name, _, port = host.partition(":")

    def connect():
        """Open a connection and close it; runs in a child, since looking up a name can hang."""
        socket.create_connection((name, int(port or 443)), 5).close()
        return True

    FACTS["network.hub_reachable"] = bool(in_child(connect, 8)[0])


for work in (read_interfaces, check_interfaces, check_master, read_infiniband, read_proxies):
    step(work)
if DEEP:
    step(try_hub)
report()
