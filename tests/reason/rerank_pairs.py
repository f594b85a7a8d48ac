"""The same log on different machines: (name, log, {right answer: facts that make it right})."""

from __future__ import annotations

from triage.reason.book import FactValue

GIB = 1 << 30
MIB = 1 << 20
Facts = dict[str, FactValue]


def trace(error: str, file: str = "/srv/app/train.py", call: str = "main()") -> str:
    """A traceback that ends in an error."""
    return f'Traceback (most recent call last):\n  File "{file}", line 31, in <module>\n    {call}\n{error}\n'


NO_GPU = trace("RuntimeError: No CUDA GPUs are available")
OOM = trace(
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of"
    " which 1.10 GiB is free."
)
UNDEFINED = trace(
    "ImportError: /opt/env/lib/python3.11/site-packages/myop/_C.so: undefined symbol:"
    " _ZN3c105ErrorC2ENS_14SourceLocation"
    "ENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
)
NO_LIBCUDA = trace("OSError: libcuda.so.1: cannot open shared object file: No such file or directory")
NCCL = trace(
    "torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:275,"
    " unhandled"
    " system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5\nncclSystemError: System call (e.g."
    " socket,"
    " malloc) or external library call failed or device error."
)
NPU_SMI = "$ npu-smi info\ndcmi module initialize failed. ret is -8005\n"
KILLED = "epoch 3 step 120 loss 1.93\n/opt/job/run.sh: line 9:  4711 Killed                  python train.py\n"
CUDA_UNKNOWN = trace(
    "RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env"
    " variable"
    " CUDA_VISIBLE_DEVICES after program start. Setting the available devices to be zero."
)
BUS_ERROR = trace(
    "RuntimeError: DataLoader worker (pid 812) is killed by signal: Bus error. It is possible that dataloader's"
    " workers are"
    " out of shared memory. Please try to raise your shared memory limit."
)
BUSY = trace(
    "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable\nCUDA kernel errors might be"
    " asynchronously"
    " reported at some other API call"
)
ORDINAL = trace("RuntimeError: CUDA error: invalid device ordinal")
NO_MODULE = trace("ModuleNotFoundError: No module named 'transformers'")
DISK = trace("OSError: [Errno 28] No space left on device")
INSUFFICIENT = trace("RuntimeError: CUDA error: CUDA driver version is insufficient for CUDA runtime version")
ORT_FAILED = (
    "2025-01-05 10:11:12.123456789 [W:onnxruntime:Default, onnxruntime_pybind_state.cc:993"
    " CreateExecutionProviderInstance]"
    " Failed to create CUDAExecutionProvider. Require cuDNN 9.* and CUDA 12.*. Please install all dependencies as"
    " mentioned"
    " in the GPU requirements page"
    " (https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html#requirements)"
    ", make sure they're in the PATH, and that your GPU is supported.\n"
)
NO_ATTRIBUTE = trace("AttributeError: module 'torch' has no attribute 'nn'")
UNAVAILABLE = "torch 2.5.1\nCUDA available: False\n" + trace(
    "RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are"
    " running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your"
    " storages to the"
    " CPU."
)
JAX_CPU = (
    "WARNING:jax._src.xla_bridge:An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not"
    " installed."
    " Falling back to cpu.\n"
)
NPU_INIT = trace(
    "RuntimeError: SetPrecisionMode:build/CMakeFiles/torch_npu.dir/compiler_depend.ts:156 NPU function error: at_npu::"
    "native::AclSetCompileopt(aclCompileOpt::ACL_PRECISION_MODE, precision_mode), error code is 500001"
)
NO_HAL = trace("ImportError: libascend_hal.so: cannot open shared object file: No such file or directory")
CUBLAS = trace("RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`")

PAIRS: list[tuple[str, str, dict[str, Facts]]] = [
    ("no-gpus", NO_GPU, {
        "cuda.no_device_visible": {"nvidia.driver_version": "550.54.14", "gpu.count": 4, "env.CUDA_VISIBLE_DEVICES": "",
            "visible.cuda_problem": "empty", "visible.cuda_count": 0, "torch.build": "cuda",
            "torch.cuda_version": "12.1"},
        "cuda.no_driver": {"nvidia.driver_version": None, "nvidia.pci_count": 1, "gpu.count": 0, "host.container": None,
            "env.CUDA_VISIBLE_DEVICES": None, "torch.build": "cuda", "nvidia.module_loaded": False},
        "cuda.container_no_gpu": {"nvidia.driver_version": None, "nvidia.pci_count": 4, "host.container": "docker",
            "gpu.count": 0, "env.CUDA_VISIBLE_DEVICES": None, "torch.build": "cuda"}}),
    ("oom", OOM, {
        "memory.gpu_other_process": {"gpu.0.memory_total": 80 * GIB, "gpu.0.memory_used": 70 * GIB,
            "gpu.0.process_count":
            2, "gpu.0.process_memory": 70 * GIB, "gpu.0.processes": ["pid 1 python 40 GiB", "pid 2 vllm 30 GiB"]},
        "memory.gpu_fragmentation": {"torch.memory_allocated": 40 * GIB, "torch.memory_reserved": 76 * GIB,
            "torch.memory_unallocated": 36 * GIB, "gpu.0.process_count": 1, "gpu.0.memory_total": 80 * GIB},
        "memory.gpu_oom": {"torch.memory_allocated": 76 * GIB, "torch.memory_reserved": 77 * GIB,
            "torch.memory_unallocated": 400 * MIB, "gpu.0.process_count": 0, "gpu.0.memory_total": 80 * GIB,
            "gpu.0.memory_used": 10 * MIB}}),
    ("undefined-symbol", UNDEFINED, {
        "abi.cxx11_abi": {"torch.cxx11_abi": False, "torch.version": "2.4.0+cu121",
            "abi.cxx11_mismatch": ["myop/_C.so"],
            "abi.undefined": ["myop/_C.so: c10::Error"], "abi.torch_mismatch": []},
        "abi.undefined_symbol": {"torch.cxx11_abi": True, "torch.version": "2.7.0+cu126", "abi.cxx11_mismatch": [],
            "abi.undefined": ["myop/_C.so: c10::Error"], "abi.torch_mismatch": ["myop/_C.so: torch 2.4"]}}),
    ("libcuda-missing", NO_LIBCUDA, {
        "cuda.no_driver": {"nvidia.driver_version": None, "nvidia.pci_count": 1, "host.container": None,
            "gpu.count": 0},
        "cuda.container_no_gpu": {"nvidia.driver_version": None, "nvidia.pci_count": 1, "host.container": "docker",
            "gpu.count": 0}}),
    ("nccl-system-error", NCCL, {
        "memory.shm_too_small": {"host.shm_bytes": 64 * MIB, "host.container": "docker", "network.ib_devices": [],
            "network.ifname_problem": None, "host.memlock_bytes": -1},
        "memory.pinned_or_memlock": {"host.shm_bytes": 64 * GIB, "host.memlock_bytes": 65536, "network.ib_memlock_ok":
            False, "network.ib_devices": ["mlx5_0"], "network.ib_active": ["mlx5_0/1"], "network.ifname_problem": None},
        "distributed.wrong_interface": {"host.shm_bytes": 64 * GIB, "host.memlock_bytes": -1, "network.ib_devices": [],
            "network.ifname_problem": "NCCL_SOCKET_IFNAME=ib7", "env.NCCL_SOCKET_IFNAME": "ib7"}}),
    ("npu-smi", NPU_SMI, {
        "cann.permission": {"npu.device_nodes": ["/dev/davinci0"], "npu.device_nodes_denied": ["/dev/davinci0"],
            "npu.user_in_group": False, "npu.driver_loaded": True, "cann.driver_version": "24.1.rc3",
            "npu.busy": False},
        "cann.device_unavailable": {"npu.device_nodes": ["/dev/davinci0"], "npu.device_nodes_denied": [],
            "npu.user_in_group": True, "npu.driver_loaded": True, "cann.driver_version": "24.1.rc3", "npu.busy": True,
            "cann.driver_firmware_agree": True},
        "cann.driver_firmware": {"npu.device_nodes": [], "npu.driver_loaded": False, "npu.device_nodes_denied": [],
            "cann.driver_firmware_agree": False, "npu.busy": False}}),
    ("killed", KILLED, {
        "memory.host_oom": {"host.oom_kill_count": 1, "host.memory_limit": 32 * GIB, "host.memory_peak": 32 * GIB,
            "host.oom_kill": "Memory cgroup out of memory: Killed process 4711 (python)"},
        "user_code.interrupted": {"host.oom_kill_count": 0, "host.oom_kill": None, "host.kernel_log_readable": True,
            "host.memory_limit": None, "host.memory_available": 400 * GIB}}),
    ("cuda-unknown", CUDA_UNKNOWN, {
        "cuda.unknown_error": {"nvidia.driver_version": "550.54.14", "nvidia.uvm_loaded": False, "gpu.count": 1,
            "nvidia.versions_agree": True, "nvidia.nvswitch_count": 0, "env.CUDA_VISIBLE_DEVICES": None},
        "cuda.system_not_ready": {"nvidia.driver_version": "550.54.14", "nvidia.uvm_loaded": True, "gpu.count": 8,
            "nvidia.versions_agree": True, "nvidia.nvswitch_count": 6, "nvidia.fabric_manager": "stopped",
            "env.CUDA_VISIBLE_DEVICES": None, "cuda.init": "CUDA_ERROR_SYSTEM_NOT_READY"},
        "cuda.driver_library_mismatch": {"nvidia.versions_agree": False, "gpu.count": 1, "nvidia.module_version":
            "550.54.14", "nvidia.library_version": "550.90.07", "env.CUDA_VISIBLE_DEVICES": None}}),
    ("worker-bus-error", BUS_ERROR, {
        "memory.shm_too_small": {"host.shm_bytes": 64 * MIB, "host.container": "docker", "host.oom_kill_count": 0},
        "memory.host_oom": {"host.shm_bytes": 200 * GIB, "host.shm_free": 190 * GIB, "host.container": None,
            "host.oom_kill_count": 3, "host.oom_kill": "Out of memory: Killed process 812 (python)"}}),
    ("busy", BUSY, {
        "cuda.compute_mode_busy": {"gpu.0.compute_mode": "exclusive_process", "gpu.0.process_count": 1, "gpu.count": 1,
            "gpu.0.mig_mode": False},
        "cuda.mig_misconfigured": {"gpu.0.compute_mode": "default", "gpu.0.mig_mode": True, "gpu.0.mig_devices": [],
            "gpu.count": 1, "gpu.0.process_count": 0}}),
    ("ordinal", ORDINAL, {
        "cuda.invalid_device_ordinal": {"gpu.count": 2, "visible.cuda_problem": None, "visible.cuda_count": 2,
            "env.CUDA_VISIBLE_DEVICES": None, "gpu.0.mig_mode": False},
        "cuda.mig_misconfigured": {"gpu.count": 1, "gpu.0.mig_mode": True, "gpu.0.mig_devices": ["MIG-1", "MIG-2"],
            "visible.cuda_problem": "mig_several", "visible.cuda_count": 1,
            "env.CUDA_VISIBLE_DEVICES": "MIG-1,MIG-2"}}),
    ("no-module", NO_MODULE, {
        "env.module_missing": {"python.pip_same": True, "pkg.transformers": None, "python.shadowed": []},
        "env.interpreter_mismatch": {"python.pip_same": False, "pkg.transformers": None, "python.shadowed": [],
            "python.pip_command": "/usr/bin/pip", "python.executable": "/opt/env/bin/python"}}),
    ("no-space", DISK, {
        "memory.shm_too_small": {"host.shm_bytes": 64 * MIB, "host.shm_free": 0, "host.container": "docker",
            "host.disk_work_free": 900 * GIB, "host.disk_tmp_free": 90 * GIB},
        "memory.disk_full": {"host.shm_bytes": 200 * GIB, "host.shm_free": 199 * GIB, "host.disk_work_free": 0,
            "host.disk_tmp_free": 90 * GIB, "host.container": None}}),
    ("jax-cpu", JAX_CPU, {
        "jax.no_gpu_fallback": {"jax.plugin": None, "jax.versions_agree": True, "gpu.count": 1},
        "jax.plugin_mismatch": {"jax.plugin": "jax-cuda12-plugin", "jax.plugin_version": "0.4.30",
            "jax.version": "0.4.35",
            "jax.jaxlib_version": "0.4.34", "jax.versions_agree": False, "gpu.count": 1}}),
    ("libascend-hal", NO_HAL, {
        "cann.env_not_sourced": {"cann.env_sourced": False, "cann.home": "/usr/local/Ascend/latest", "cann.hal_library":
            "/usr/local/Ascend/driver/lib64/driver/libascend_hal.so", "cann.driver_version": "24.1.rc3"},
        "cann.driver_firmware": {"cann.env_sourced": True, "cann.home": "/usr/local/Ascend/latest",
            "cann.driver_version":
            None, "cann.hal_library": None, "npu.driver_loaded": False, "npu.device_nodes": []}}),
    ("cublas", CUBLAS, {
        "memory.gpu_oom": {"torch.memory_allocated": 78 * GIB, "gpu.0.memory_free": 10 * MIB,
            "gpu.0.memory_total": 80 * GIB,
            "cuda_lib.shadowing": [], "cuda_lib.conflicts": []},
        "cuda.lib_conflict": {"cuda_lib.shadowing": ["/usr/local/cuda/lib64/libcublas.so.12"], "cuda_lib.conflicts":
            ["cublas: 12.1 (wheel), 12.6 (LD_LIBRARY_PATH)"], "gpu.0.memory_free": 70 * GIB,
            "gpu.0.memory_total": 80 * GIB,
            "env.LD_LIBRARY_PATH": "/usr/local/cuda/lib64"}}),
    ("driver-insufficient", INSUFFICIENT, {
        "cuda.driver_too_old": {"nvidia.driver_version": "470.57.02", "nvidia.cuda_version": "11.4",
            "torch.cuda_version":
            "12.1", "gpu.count": 1, "host.container": None},
        "cuda.no_driver": {"nvidia.driver_version": None, "nvidia.pci_count": 1, "gpu.count": 0,
            "host.container": None}}),
    ("provider-not-created", ORT_FAILED, {
        "ort.cuda_provider_load": {"nvidia.driver_version": "550.54.14", "gpu.count": 1, "ort.missing_libraries":
            ["CUDAExecutionProvider: libcudnn.so.9"], "ort.packages": ["onnxruntime-gpu 1.20.0"]},
        "cuda.no_driver": {"nvidia.driver_version": None, "nvidia.pci_count": 1, "gpu.count": 0, "host.container": None,
            "ort.missing_libraries": ["CUDAExecutionProvider: libcuda.so.1"], "cuda.libcuda_path": None}}),
    ("no-attribute", NO_ATTRIBUTE, {
        "env.module_shadowed": {"python.shadowed": ["torch (/srv/app/torch.py)"], "torch.missing_files": []},
        "env.partial_install": {"python.shadowed": [], "torch.missing_files": ["torch/nn/__init__.py"],
            "python.missing_files": ["torch"]}}),
    ("compile-option", NPU_INIT, {
        "cann.opp_missing": {"cann.python_modules_missing": ["decorator", "attrs"], "cann.env_sourced": True,
            "cann.te_importable": True, "cann.kernels_agree": True},
        "cann.env_not_sourced": {"cann.python_modules_missing": [], "cann.env_sourced": False,
            "cann.te_importable": False,
            "cann.home": "/usr/local/Ascend/latest"}}),
    ("unavailable", UNAVAILABLE, {
        "cuda.cpu_only_build": {"torch.build": "cpu", "torch.version": "2.5.1+cpu",
            "nvidia.driver_version": "550.54.14",
            "gpu.count": 1},
        "cuda.driver_too_old": {"torch.build": "cuda", "torch.cuda_version": "12.4",
            "nvidia.driver_version": "470.57.02",
            "gpu.count": 1, "env.CUDA_VISIBLE_DEVICES": None}}),
]  # fmt: skip
