"""The probes host, cuda_libs, triton_cache, onnxruntime, tensorrt, tensorflow, jax, huggingface, network, rocm, xpu."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.probes.environments import install, site
from tests.probes.machine import Machine


def pick(facts: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """The facts of the names that are wanted."""
    return {name: facts.get(name, "<missing>") for name in wanted}


HOSTS: list[tuple[str, dict[str, str], dict[str, str], dict[str, Any]]] = [
    ("docker", {"/.dockerenv": ""}, {}, {"host.container": "docker"}),
    ("podman", {"/run/.containerenv": ""}, {}, {"host.container": "podman"}),
    ("kubernetes", {}, {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, {"host.container": "kubernetes",
        "host.kubernetes": True}),
    ("apptainer", {}, {"APPTAINER_NAME": "x.sif"}, {"host.container": "apptainer"}),
    ("bare", {}, {}, {"host.container": None, "host.kubernetes": False, "host.slurm_job": None}),
    ("slurm", {}, {"SLURM_JOB_ID": "77"}, {"host.slurm_job": "77"}),
    ("kvm", {"/sys/class/dmi/id/sys_vendor": "QEMU\n"}, {}, {"host.virtualization": "kvm"}),
    ("vm", {"/proc/cpuinfo": "flags\t\t: fpu avx hypervisor\n"}, {}, {"host.virtualization": "vm"}),
    ("metal", {"/sys/class/dmi/id/sys_vendor": "Dell Inc.\n", "/proc/cpuinfo": "flags\t\t: fpu avx\n"}, {},
        {"host.virtualization": None}),
    ("no-avx", {"/proc/cpuinfo": "model name\t: Old CPU\nflags\t\t: fpu sse4_2\n"}, {},
        {"host.cpu": "Old CPU", "host.cpu_avx": False, "host.cpu_flags": ["sse4_2"]}),
    ("limit", {"/proc/meminfo": "MemTotal:       65536 kB\n", "/proc/self/cgroup": "0::/job/task\n",
        "/sys/fs/cgroup/job/task/memory.max": "max\n", "/sys/fs/cgroup/job/memory.max": "4194304\n",
        "/sys/fs/cgroup/job/task/memory.current": "12288\n",
        "/sys/fs/cgroup/job/task/memory.events": "oom 1\noom_kill 2\n",
        "/sys/fs/cgroup/job/cpu.max": "150000 100000\n"}, {},
        {"host.memory_limit": 4194304, "host.memory_usage": 12288, "host.oom_kill_count": 2, "host.cpu_limit": 1.5}),
    ("no-limit", {"/proc/meminfo": "MemTotal:       65536 kB\n", "/sys/fs/cgroup/memory.max": "max\n"}, {},
        {"host.memory_limit": None, "host.memory_total": 65536 << 10}),
    ("first-cgroup", {"/proc/self/cgroup": "5:memory:/docker/x\n",
        "/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes": "1048576\n"},
        {}, {"host.memory_limit": 1048576}),
    ("oom", {"/dev/kmsg": "3,9,9,-;Out of memory: Killed process 12903 (python) total-vm:1kB\n"}, {},
        {"host.oom_kill": "Out of memory: Killed process 12903 (python) total-vm:1kB",
        "host.kernel_log_readable": True}),
    ("secret", {}, {"HF_TOKEN": "hf_abcdefghijklmnopqrstuv", "https_proxy": "http://me:pw@proxy:1"},
        {"env.HF_TOKEN": "<set>", "env.https_proxy": "http://***@proxy:1"}),
    ("variables", {}, {"NCCL_DEBUG": "INFO", "VLLM_USE_V1": "0", "SHELL": "/bin/x"},
        {"env.NCCL_DEBUG": "INFO", "env.VLLM_USE_V1": "0", "env.CUDA_HOME": None, "env.SHELL": "<missing>"}),
]  # fmt: skip


@pytest.mark.parametrize(("files", "variables", "wanted"), [h[1:] for h in HOSTS], ids=[h[0] for h in HOSTS])
def test_host_states_become_facts(
    machine: Machine, files: dict[str, str], variables: dict[str, str], wanted: dict[str, Any]
) -> None:
    for path, text in files.items():
        machine.file(path, text)
    machine.variables.update(variables)
    facts = machine.run("host").facts
    assert pick(facts, wanted) == wanted
    assert "hf_abc" not in str(facts) and "pw@" not in str(facts)


def test_cuda_libraries_of_wheels_and_of_the_library_path(machine: Machine) -> None:
    place = site(machine)
    for name, file in (("cublas", "libcublas.so.12"), ("cudnn", "libcudnn.so.9"), ("nvjitlink", "libnvJitLink.so.12")):
        (place / "nvidia" / name / "lib").mkdir(parents=True)
        (place / "nvidia" / name / "lib" / file).touch()
    install(machine, "nvidia-cudnn-cu12", "9.1.0.70")
    old = machine.folder / "old"
    old.mkdir()
    (old / "libnvJitLink.so.12.1.55").touch()
    (old / "libnvJitLink.so.12").symlink_to("libnvJitLink.so.12.1.55")
    machine.libraries.append(old)
    wanted = {
        "cudnn.version": "9.1.0.70", "cuda_lib.cudnn.source": "wheel", "cuda_lib.nvjitlink.source": "LD_LIBRARY_PATH",
        "cuda_lib.nvjitlink.version": "12.1.55", "cuda_lib.shadowing": [str(old / "libnvJitLink.so.12")],
    }  # fmt: skip
    facts = machine.run("cuda_libs").facts
    assert pick(facts, wanted) == wanted
    assert facts["cuda_lib.conflicts"][0].startswith("nvjitlink: ")
    assert "nccl" in facts["cuda_lib.missing"]


@pytest.mark.parametrize(
    ("gcc", "release", "fits"), [("14.2.0", "12.4", False), ("13.2.0", "12.4", True), ("12.2.0", "11.8", False)]
)
def test_a_host_compiler_too_new_for_nvcc_is_seen(machine: Machine, gcc: str, release: str, fits: bool) -> None:
    machine.tool("c++", f"echo 'c++ (Debian) {gcc}'")
    machine.tool("nvcc", f"echo 'Cuda compilation tools, release {release}, V{release}.1'")
    facts = machine.run("cuda_libs").facts
    assert (facts["nvcc.version"], facts["compiler.version"], facts["nvcc.host_compiler_fits"]) == (release, gcc, fits)


def test_triton_cache_faults_are_named(machine: Machine) -> None:
    cache = machine.folder / "cache"
    for key in ("AAA", "BBB"):
        (cache / key).mkdir(parents=True)
    (cache / "AAA" / "kernel.json").write_text('{"target": {"backend": "cuda", "arch": 80}}')
    (cache / "AAA" / "kernel.cubin").write_bytes(b"\x7fELF...")
    (cache / "BBB" / "kernel.json").write_text('{"target": {"back')
    (cache / "BBB" / "kernel.cubin").write_bytes(b"")
    (cache / "BBB" / "launcher.so").write_bytes(b"garbage")
    machine.variables["TRITON_CACHE_DIR"] = str(cache)
    facts = machine.run("triton_cache").facts
    assert sorted(facts["triton.cache_bad"]) == ["BBB/kernel.cubin", "BBB/kernel.json", "BBB/launcher.so"]
    wanted = {"triton.cache_entries": 2, "triton.cache_archs": ["cuda:80"], "triton.cache_exists": True}
    assert pick(facts, wanted) == wanted


def test_a_lock_of_a_dead_build_is_named(machine: Machine) -> None:
    folder = machine.folder / "extensions"
    (folder / "py38_cu113" / "fused_adam").mkdir(parents=True)
    lock = folder / "py38_cu113" / "fused_adam" / "lock"
    lock.touch()
    (folder / "py38_cu113" / "fused_adam" / "fused_adam.so").touch()
    machine.variables["TORCH_EXTENSIONS_DIR"] = str(folder)
    assert machine.run("triton_cache").facts["torch_extensions.locks"] == []
    os.utime(lock, (time.time() - 3600,) * 2)
    facts = machine.run("triton_cache").facts
    assert facts["torch_extensions.locks"] == [str(lock)]
    assert facts["torch_extensions.stale"] == ["py38_cu113/fused_adam/fused_adam.so"]


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_cache_that_cannot_be_written_is_seen(machine: Machine) -> None:
    cache = machine.folder / "cache"
    cache.mkdir(mode=0o500)
    machine.variables["TRITON_CACHE_DIR"] = str(cache)
    assert machine.run("triton_cache").facts["triton.cache_writable"] is False


def test_a_network_file_system_is_seen(machine: Machine) -> None:
    machine.file("/proc/self/mounts", f"server:/x {machine.folder} nfs4 rw,noexec 0 0\n")
    machine.variables["TRITON_CACHE_DIR"] = str(machine.folder / "cache")
    wanted = {
        "triton.cache_fs": "nfs4",
        "triton.cache_network_fs": True,
        "triton.cache_noexec": True,
        "triton.cache_exists": False,
    }
    assert pick(machine.run("triton_cache").facts, wanted) == wanted


def compile_library(path: Path, *needed: str) -> None:
    """A shared library that needs others by name."""
    import subprocess

    path.parent.mkdir(parents=True, exist_ok=True)
    words = ["gcc", "-shared", "-fPIC", "-nostdlib", "-x", "c", "/dev/null", "-o"]
    others = []
    for name in needed:
        other = path.parent / "build" / name
        other.parent.mkdir(exist_ok=True)
        subprocess.run([*words, str(other), f"-Wl,-soname,{name}"], check=True)
        others.append(str(other))
    subprocess.run([*words, str(path), "-Wl,--no-as-needed", "-x", "none", *others], check=True)


def test_libraries_that_an_onnxruntime_provider_lacks_are_named(machine: Machine) -> None:
    install(machine, "onnxruntime-gpu", "1.20.1", modules=("onnxruntime",))
    place = site(machine)
    (place / "onnxruntime" / "__init__.py").write_text('__version__ = "1.20.1"\n')
    capi = place / "onnxruntime" / "capi"
    compile_library(capi / "libonnxruntime_providers_cuda.so", "libcudart.so.12", "libcudnn.so.9", "libc.so.6")
    compile_library(capi / "libonnxruntime_providers_tensorrt.so", "libnvinfer.so.10")
    (place / "nvidia" / "cudnn" / "lib").mkdir(parents=True)
    (place / "nvidia" / "cudnn" / "lib" / "libcudnn.so.9").touch()
    wanted = {
        "ort.version": "1.20.1", "ort.packages": ["onnxruntime-gpu 1.20.1"], "ort.cuda_wanted": "12",
        "ort.cudnn_wanted": "9",
        "ort.tensorrt_wanted": "10", "ort.found_in_wheels": ["libcudnn.so.9"],
        "ort.providers_loadable": ["CPUExecutionProvider"],
        "ort.providers": ["CUDAExecutionProvider", "TensorrtExecutionProvider", "CPUExecutionProvider"],
        "ort.missing_libraries": ["CUDAExecutionProvider: libcudart.so.12", "CUDAExecutionProvider: libcudnn.so.9",
                                  "TensorrtExecutionProvider: libnvinfer.so.10"],
    }  # fmt: skip
    assert pick(machine.run("onnxruntime").facts, wanted) == wanted


def test_a_tensorrt_library_of_another_version_is_seen(machine: Machine) -> None:
    install(machine, "tensorrt", "10.2.0")
    folder = machine.folder / "trt"
    folder.mkdir()
    for name in ("libnvinfer", "libnvinfer_plugin"):
        (folder / f"{name}.so.8.6.1").touch()
        (folder / f"{name}.so.8").symlink_to(f"{name}.so.8.6.1")
    machine.libraries.append(folder)
    wanted = {"trt.version": "10.2.0", "trt.library_version": "8.6.1", "trt.plugin_version": "8.6.1",
    "trt.versions_agree": False,
              "trt.missing_libraries": ["libnvonnxparser.so"]}  # fmt: skip
    assert pick(machine.run("tensorrt").facts, wanted) == wanted


def test_what_tensorflow_was_built_for_and_lacks(machine: Machine) -> None:
    install(machine, "tensorflow", "2.16.1", modules=("tensorflow",))
    install(machine, "keras", "3.2.0")
    platform = site(machine) / "tensorflow" / "python" / "platform"
    platform.mkdir(parents=True)
    pairs = [("cuda_version", "12.3"), ("cudnn_version", "8"), ("is_cuda_build", True)]
    (platform / "build_info.py").write_text(f"build_info = collections.OrderedDict({pairs!r})\n")
    (site(machine) / "nvidia" / "cudnn" / "lib").mkdir(parents=True)
    (site(machine) / "nvidia" / "cudnn" / "lib" / "libcudnn.so.9").touch()
    facts = machine.run("tensorflow").facts
    wanted = {
        "tf.version": "2.16.1",
        "tf.cuda_build": True,
        "tf.cuda_version": "12.3",
        "tf.cudnn_version": "8",
        "tf.keras_version": "3.2.0",
    }
    assert pick(facts, wanted) == wanted
    assert "libcudnn.so.8" in facts["tf.missing_libraries"]


@pytest.mark.parametrize(
    ("jaxlib", "plugin", "agree"),
    [("0.4.35", "0.4.35", True), ("0.4.35", "0.4.34", False), ("0.4.33", "0.4.33", False), ("0.4.36", "0.4.36", False)],
)
def test_jax_versions_that_do_not_go_together_are_seen(machine: Machine, jaxlib: str, plugin: str, agree: bool) -> None:
    install(machine, "jax", "0.4.35", ("jaxlib<=0.4.35,>=0.4.34", "ml_dtypes>=0.4.0"))
    install(machine, "jaxlib", jaxlib)
    install(machine, "jax-cuda12-plugin", plugin)
    facts = machine.run("jax").facts
    assert (facts["jax.versions_agree"], facts["jax.plugin"]) == (agree, "jax-cuda12-plugin")
    assert "libcudart.so.12" in facts["jax.missing_libraries"]


def test_hugging_face_cache_switches_and_token(machine: Machine) -> None:
    install(machine, "transformers", "4.56.2", ("tokenizers<=0.23.0,>=0.22.0", "huggingface-hub<1.0,>=0.34.0"))
    install(machine, "tokenizers", "0.15.0")
    home = machine.folder / "hf"
    blobs = home / "hub" / "models--org--name" / "blobs"
    blobs.mkdir(parents=True)
    (blobs / "abc.incomplete").touch()
    (blobs / "def").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 123\n")
    (home / "token").write_text("hf_secretsecretsecretsecret")
    machine.variables.update({"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "HF_HUB_ENABLE_HF_TRANSFER": "1"})
    facts = machine.run("huggingface").facts
    wanted = {
        "hf.cached": ["org/name"], "hf.incomplete": ["models--org--name/abc.incomplete"], "hf.offline": True,
        "hf.lfs_pointers": ["models--org--name/def"], "hf.token_present": True, "hf.token_source": "file",
        "hf.transfer_missing": True, "hf.unmet": [
            "transformers 4.56.2 needs tokenizers<=0.23.0,>=0.22.0, found 0.15.0",
            "transformers 4.56.2 needs huggingface-hub<1.0,>=0.34.0, which is not installed"],
    }  # fmt: skip
    assert pick(facts, wanted) == wanted
    assert "hf_secret" not in str(facts)


def test_a_requirement_without_a_bound_says_nothing_of_the_next_one(machine: Machine) -> None:
    install(machine, "peft", "0.21.2", ("safetensors", "huggingface_hub>=0.25.0"))
    install(machine, "safetensors", "0.8.0")
    install(machine, "huggingface-hub", "2.4.0")
    assert not machine.run("huggingface").facts.get("hf.unmet")


def lay_network(machine: Machine) -> None:
    """Interfaces lo, eth0 and ib0 up, eth1 down; one InfiniBand port active, one down; port 29500 taken."""
    for name, state, flags in (
        ("lo", "unknown", "0x9"),
        ("eth0", "up", "0x1003"),
        ("eth1", "down", "0x1002"),
        ("ib0", "up", "0x1003"),
    ):
        machine.file(f"/sys/class/net/{name}/operstate", state + "\n")
        machine.file(f"/sys/class/net/{name}/flags", flags + "\n")
    for port, state in (("1", "4: ACTIVE"), ("2", "1: DOWN")):
        machine.file(f"/sys/class/infiniband/mlx5_0/ports/{port}/state", state + "\n")
        machine.file(f"/sys/class/infiniband/mlx5_0/ports/{port}/link_layer", "InfiniBand\n")
    machine.file("/proc/net/tcp", "  sl  local_address rem_address   st\n   0: 00000000:733C 00000000:0000 0A 0\n")
    machine.file("/etc/hosts", "127.0.0.1 localhost\n127.0.1.1 node0 # me\n10.0.0.5 node5\n")


NETWORKS: list[tuple[str, dict[str, str], dict[str, Any]]] = [
    ("plain", {}, {"network.interfaces": ["eth0", "ib0", "lo"], "network.ib_active": ["mlx5_0:1 InfiniBand 4: ACTIVE"],
        "network.ib_down": ["mlx5_0:2 InfiniBand 1: DOWN"], "network.ib_link_layer": "InfiniBand",
        "network.ifname_problem": None,
        "network.listening_ports": [29500], "network.nccl_interfaces": None}),
    ("prefix", {"NCCL_SOCKET_IFNAME": "eth"}, {"network.nccl_interfaces": ["eth0"]}),
    ("exact", {"NCCL_SOCKET_IFNAME": "=eth"}, {"network.nccl_interfaces": [],
        "network.ifname_problem": "NCCL_SOCKET_IFNAME==eth"}),
    ("all-but", {"NCCL_SOCKET_IFNAME": "^lo,eth"}, {"network.nccl_interfaces": ["ib0"]}),
    ("wrong", {"NCCL_SOCKET_IFNAME": "bond0"}, {"network.ifname_problem": "NCCL_SOCKET_IFNAME=bond0"}),
    ("down", {"GLOO_SOCKET_IFNAME": "eth1"}, {"network.gloo_interfaces": [],
        "network.ifname_problem": "GLOO_SOCKET_IFNAME=eth1"}),
    ("hccl", {"HCCL_SOCKET_IFNAME": "eth0"}, {"network.hccl_interfaces": ["eth0"]}),
    ("master-here", {"MASTER_ADDR": "localhost", "MASTER_PORT": "29500"}, {"network.master_resolves": True,
        "network.master_local": True, "network.master_port_free": False}),
    ("master-free", {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29501"}, {"network.master_port_free": True}),
    ("master-there", {"MASTER_ADDR": "node5", "MASTER_PORT": "29500"}, {"network.master_resolves": True,
        "network.master_local": False, "network.master_port_free": "<missing>"}),
    ("master-unknown", {"MASTER_ADDR": "node9.example"}, {"network.master_resolves": "<missing>"}),
    ("proxy", {"https_proxy": "http://me:pw@proxy:3128", "no_proxy": ".cluster", "MASTER_ADDR": "a.cluster"},
        {"network.proxies": ["https_proxy=http://***@proxy:3128"], "network.no_proxy_covers_master": True}),
]  # fmt: skip


@pytest.mark.parametrize(("variables", "wanted"), [n[1:] for n in NETWORKS], ids=[n[0] for n in NETWORKS])
def test_network_states_become_facts(machine: Machine, variables: dict[str, str], wanted: dict[str, Any]) -> None:
    lay_network(machine)
    machine.variables.update(variables)
    facts = machine.run("network").facts
    assert pick(facts, wanted) == wanted
    assert "pw@" not in str(facts)


def test_amd_gpus_and_their_architectures(machine: Machine) -> None:
    base = "/sys/class/kfd/kfd/topology/nodes"
    for index, (simds, version) in enumerate(((0, 0), (304, 90402), (80, 110501))):
        machine.file(f"{base}/{index}/properties", f"simd_count {simds}\ngfx_target_version {version}\n")
    machine.file(f"{base}/1/mem_banks/0/properties", f"size_in_bytes {192 << 30}\n")
    machine.file("/dev/kfd")
    machine.file("/sys/module/amdgpu/version", "6.3.6\n")
    machine.file("/opt/rocm/.info/version", "6.0.2-115\n")
    wanted = {
        "rocm.archs": ["gfx942", "gfx1151"], "gpu.count": 2, "gpu.0.memory_total": 192 << 30, "rocm.version": "6.0.2",
        "rocm.driver_version": "6.3.6", "rocm.kfd": True, "rocm.user_in_groups": True, "rocm.device_nodes_denied": [],
    }  # fmt: skip
    assert pick(machine.run("rocm").facts, wanted) == wanted


def test_an_intel_gpu_without_its_user_space(machine: Machine) -> None:
    machine.file("/sys/bus/pci/devices/0000:03:00.0/vendor", "0x8086\n")
    machine.file("/sys/bus/pci/devices/0000:03:00.0/class", "0x038000\n")
    wanted = {"xpu.pci_count": 1, "xpu.driver": None, "xpu.device_nodes": [], "xpu.level_zero_gpu": None}
    report = machine.run("xpu")
    assert report.status == "ok"
    assert pick(report.facts, wanted) == wanted


@pytest.mark.parametrize("probe", ["onnxruntime", "tensorrt", "tensorflow", "jax", "rocm", "xpu", "mps"])
def test_what_is_not_there_is_absent(machine: Machine, probe: str) -> None:
    assert machine.run(probe, "--deep").status == "absent"
