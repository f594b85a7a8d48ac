"""Facts of healthy machines, one for each kind of accelerator, on which every sentence is true."""

from __future__ import annotations

from triage.reason.book import FactValue

GIB = 1 << 30
Facts = dict[str, FactValue]

HOST: Facts = {
    "host.arch": "x86_64", "host.libc": "glibc", "host.glibc": "2.35", "host.glibcxx": "3.4.30", "host.cpu": "EPYC",
    "host.cpu_avx": True, "host.container": None, "host.wsl": False, "host.shm_bytes": 64 * GIB,
    "host.shm_free": 60 * GIB, "host.memory_available": 200 * GIB, "host.memory_total": 256 * GIB,
    "host.memory_limit": 128 * GIB, "host.oom_kill_count": 0, "host.memlock_bytes": -1, "host.nofile_soft": 65536,
    "host.address_space_bytes": -1, "host.disk_work_free": 500 * GIB, "host.disk_home_free": 50 * GIB,
    "host.disk_tmp_free": 50 * GIB, "host.disk_cache_free": 50 * GIB, "host.disk_work_fs": "ext4",
    "host.disk_work_inodes_free": 10**7, "host.disk_tmp_inodes_free": 10**7, "host.disk_tmp_writable": True,
    "host.disk_home_writable": True, "host.disk_cache_writable": True, "host.disk_tmp_noexec": False,
    "host.clock_behind_seconds": 0.0,
}  # fmt: skip
PYTHON: Facts = {
    "python.version": "3.11.9", "python.executable": "/opt/env/bin/python", "python.python_command":
    "/opt/env/bin/python", "python.pip_command": "/opt/env/bin/pip", "python.pip_same": True, "python.bits": 64,
    "python.unmet": [], "python.shadowed": [], "python.module_conflicts": [], "python.duplicates": [],
    "python.missing_files": [], "python.broken_metadata": [], "python.leftovers": [], "python.user_site_leaks": [],
}  # fmt: skip
TORCH: Facts = {
    "torch.version": "2.5.1+cu121", "torch.metadata_version": "2.5.1", "pkg.torch": "2.5.1", "pkg.torchvision":
    "0.20.1", "pkg.torchaudio": "2.5.1", "torch.build": "cuda", "torch.cuda_version": "12.1", "torch.missing_files": [],
    "torch.missing_libraries": ["libcuda.so.1"], "torch.arch_list": ["sm_80", "sm_90"], "torch.arch_missing": [],
    "torch.companions_mismatch": [], "torch.triton_wanted": "3.1.0", "torch.import_ok": True,
    "torch.cuda_available": True, "torch.kernel": "ok", "pkg.torch-npu": None, "abi.extensions": ["/x/op/_C.so"],
    "abi.undefined": [], "abi.cxx11_mismatch": [], "abi.torch_mismatch": [], "abi.cuda_mismatch": [],
    "abi.python_mismatch": [], "abi.missing_libraries": [], "abi.glibc_too_new": [], "abi.glibcxx_too_new": [],
}  # fmt: skip
TRITON: Facts = {
    "triton.version": "3.1.0", "triton.cache_dir": "/x/cache", "triton.cache_writable": True,
    "inductor.cache_writable": True, "triton.cache_bad": [], "inductor.cache_bad": [], "triton.cache_noexec": False,
    "triton.cache_free": 9 * GIB, "torch_extensions.locks": [], "inductor.locks": [],
    "torch_extensions.built": ["a.so"],
    "torch_extensions.stale": [], "compiler.cc": "/usr/bin/cc", "python.headers": "/usr/include/python3.11",
    "triton.libcuda": "/usr/lib/libcuda.so.1", "triton.ptxas_version": "12.4",
}  # fmt: skip
GPU: Facts = {
    "nvidia.pci_count": 8, "nvidia.module_loaded": True, "nvidia.driver_version": "550.54.14", "nvidia.cuda_version":
    "13.0", "nvidia.versions_agree": True, "nvidia.module_version": "550.54.14",
    "nvidia.library_version": "550.54.14", "nvidia.nvml_init": "NVML_SUCCESS", "nvidia.device_nodes": ["/dev/nvidia0"],
    "nvidia.device_nodes_denied": [], "nvidia.uvm_loaded": True, "nvidia.uvm_node": True, "nvidia.nvswitch_count": 4,
    "nvidia.fabric_manager": "running", "nvidia.xid_codes": [], "gpu.count": 8, "gpu.0.name": "NVIDIA H100",
    "gpu.0.compute_capability": "9.0", "gpu.0.lost": False, "gpu.0.ecc_uncorrected": 0, "gpu.0.remap_pending": False,
    "gpu.0.retired_pending": False, "gpu.0.remap_failure": False, "gpu.0.compute_mode": "exclusive_process",
    "gpu.0.process_count": 0, "gpu.0.processes": [], "gpu.0.mig_mode": True, "gpu.0.mig_devices": ["MIG-1"],
    "gpu.0.mig_pending": False, "gpu.0.throttle_reasons": ["gpu_idle"], "gpu.0.nvlink_active": 18,
    "gpu.0.nvlink_inactive": 0, "gpu.0.fabric_state": "completed",
}  # fmt: skip
CUDA: Facts = {
    "cuda.libcuda_path": "/usr/lib/libcuda.so.1", "cuda.libcuda_kind": "driver", "cuda.load_error": None,
     "cuda.init": "CUDA_SUCCESS",
    "cuda.driver_version": "13.0", "cuda.device_count": 8, "cuda.context": "CUDA_SUCCESS", "visible.cuda_problem": None,
    "visible.cuda_count": 8, "env.LD_LIBRARY_PATH": "/usr/lib", "cuda_lib.shadowing": [], "env.CUDA_HOME": "/usr/cuda",
    "nvcc.path": "/usr/cuda/bin/nvcc", "nvcc.version": "12.4", "nvcc.host_compiler_fits": True, "compiler.version":
    "12.2.0", "compiler.kind": "gcc", "cudnn.version": "9.1.0", "env.CUDA_VISIBLE_DEVICES": None,
    "env.NVIDIA_VISIBLE_DEVICES": None,
}  # fmt: skip
OTHERS: Facts = {
    "ort.version": "1.20.0", "ort.packages": ["onnxruntime-gpu 1.20.0"], "ort.providers": ["CUDAExecutionProvider",
    "TensorrtExecutionProvider", "CPUExecutionProvider"], "ort.providers_loadable": ["CUDAExecutionProvider",
    "TensorrtExecutionProvider", "CPUExecutionProvider"], "ort.missing_libraries": [], "ort.cuda_wanted": "12",
    "ort.cudnn_wanted": "9", "ort.import_error": None, "ort.run.CUDAExecutionProvider": "ok",
    "trt.version": "10.5.0", "trt.library": "/x/libnvinfer.so.10", "trt.library_version": "10.5.0",
    "trt.versions_agree": True, "trt.missing_libraries": [], "trt.import_error": None,
    "tf.version": "2.18.0", "tf.packages": ["tensorflow 2.18.0"], "tf.cuda_build": True, "tf.cuda_version": "12.5",
    "tf.missing_libraries": [], "tf.keras_version": "3.6.0", "tf.import_error": None, "tf.devices": ["GPU:0"],
    "jax.version": "0.4.35", "jax.jaxlib_version": "0.4.34", "jax.plugin": "jax-cuda12-plugin", "jax.plugin_version":
    "0.4.35", "jax.versions_agree": True, "jax.missing_libraries": [], "jax.import_error": None, "jax.backend": "gpu",
    "jax.devices": ["cuda:0"],

    "pkg.transformers": "4.46.0", "pkg.huggingface-hub": "0.26.0", "hf.unmet": [], "hf.offline": False,
    "hf.cached": ["models--gpt2"], "hf.cache_writable": True, "hf.cache_free": 90 * GIB, "hf.lfs_pointers": [],
    "hf.transfer_missing": False, "hf.cache_dir": "/x/hub", "pkg.vllm": "0.6.3", "network.hub_reachable": True,
}  # fmt: skip
NETWORK: Facts = {
    "env.NCCL_SOCKET_IFNAME": "eth0", "env.GLOO_SOCKET_IFNAME": None, "network.interfaces": ["eth0", "lo"],
    "network.ifname_problem": None, "env.MASTER_ADDR": "node0", "env.MASTER_PORT": "29500",
    "network.master_resolves": True, "network.master_local": True, "network.master_port_free": True,
    "network.hostname_loopback": False, "network.hostname_address": "10.0.0.2", "network.proxies": ["http_proxy"],
    "network.no_proxy_covers_master": True, "network.ib_devices": ["mlx5_0"], "network.ib_active": ["mlx5_0/1"],
    "network.ib_memlock_ok": True,
}  # fmt: skip
NVIDIA: Facts = {**HOST, **PYTHON, **TORCH, **TRITON, **GPU, **CUDA, **OTHERS, **NETWORK}
ASCEND: Facts = {
    **HOST, **PYTHON, "torch.version": "2.1.0+cpu", "torch.metadata_version": "2.1.0", "torch.build": "cpu",
    "torch.missing_files": [], "torch.missing_libraries": [], "pkg.torch": "2.1.0", "pkg.torch-npu": "2.1.0.post10",
    "gpu.count": 0, "npu.count": 8, "npu.pci_count": 8, "npu.driver_loaded": True, "npu.busy": False,
    "cann.driver_firmware_agree": True, "cann.driver_version": "24.1.rc3", "cann.firmware_version": "7.5.0.1.129",
    "npu.device_nodes": ["/dev/davinci0"], "npu.device_nodes_missing": [], "npu.device_nodes_denied": [],
    "npu.device_mode": "0660 HwHiAiUser", "npu.smi_path": "/usr/local/bin/npu-smi", "npu.smi_error": None,
    "npu.0.health": "OK", "cann.home": "/usr/local/Ascend/latest", "cann.version": "8.0.RC3", "cann.env_sourced": True,
    "cann.env_stale": [], "cann.acl_load_error": None, "cann.kernels": ["910b"], "cann.kernels_version": "8.0.RC3",
    "cann.kernels_agree": True, "cann.python_modules_missing": [], "cann.torch_npu_torch_agree": True,
    "cann.torch_npu_cann": "8.0.RC3", "visible.ascend_problem": None, "cann.acl_init_code": 0,
    "cann.acl_device_error": None, "cann.torch_npu_import_error": None, "torch.import_ok": True,
}  # fmt: skip
AMD: Facts = {
    **HOST, **PYTHON, "gpu.count": 0, "rocm.pci_count": 1, "rocm.version": "6.2.0", "rocm.kfd": True,
    "rocm.gpu_count": 1,
    "rocm.device_nodes_denied": [], "torch.version": "2.5.1+rocm6.2", "torch.build": "rocm", "torch.missing_files": [],
    "torch.metadata_version": "2.5.1+rocm6.2", "torch.missing_libraries": [], "visible.rocm_problem": None,
    "rocm.hip_init": "hipSuccess", "torch.import_ok": True,
}  # fmt: skip
INTEL: Facts = {
    **HOST, **PYTHON, "gpu.count": 0, "xpu.pci_count": 1, "torch.build": "xpu", "torch.version": "2.5.1+xpu",
    "torch.metadata_version": "2.5.1+xpu", "torch.missing_files": [], "torch.missing_libraries": [], "xpu.driver": "xe",
    "xpu.device_nodes": ["/dev/dri/renderD128"], "xpu.device_nodes_denied": [],
    "xpu.level_zero": "/x/libze_loader.so.1",
    "xpu.level_zero_gpu": "/x/libze_intel_gpu.so.1", "env.ZE_AFFINITY_MASK": "0", "visible.xpu_problem": None,
    "xpu.ze_init": "ZE_RESULT_SUCCESS", "torch.import_ok": True,
}  # fmt: skip
MAC: Facts = {
    **HOST, **PYTHON, "host.arch": "arm64", "host.libc": None, "gpu.count": 0, "mps.macos_version": "14.5", "mps.chip":
    "Apple M2", "mps.supported": True, "mps.rosetta": False, "pkg.torch": "2.5.1", "torch.import_ok": True,
    "torch.mps_available": True, "host.shm_bytes": None,
}  # fmt: skip
MACHINES = {"nvidia": NVIDIA, "ascend": ASCEND, "amd": AMD, "intel": INTEL, "mac": MAC}
