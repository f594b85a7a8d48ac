"""What tables add to answers: versions and codes that a log prints, held against what goes with what."""

from __future__ import annotations

import pytest

import triage

LIBRARY = "/opt/env/lib/python3.10/site-packages"
ANSWERS = [
    # cause, log, what its explanation, recipes or proof must say
    ("cuda.driver_too_old", "torch==2.4.1+cu121\n| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |\n"
     "RuntimeError: The NVIDIA driver on your system is too old (found version 11040).",
     ["torch 2.4.1+cu121 (CUDA 12.1) needs driver 525.60.13 or newer, and this machine has 470.82.01", "whl/cu118", "cu118, cu121, cu124"]),
    ("cuda.driver_too_old", "RuntimeError: The NVIDIA driver on your system is too old (found version 12020).", ["CUDA up to 12.2", "whl/cu126"]),
    ("cuda.no_kernel_image", "torch==2.6.0+cu124\nNVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.\n"
     "RuntimeError: CUDA error: no kernel image is available for execution on the device",
     ["NVIDIA GeForce RTX 5090) has compute capability 12.0", "sm_90", "no wheel of this torch release holds code for so new a GPU", "CUDA 12.8 and newer can compile for"]),
    ("cuda.no_kernel_image", "torch==2.15.0\nGPU 0: NVIDIA GeForce GTX 1080 Ti\nRuntimeError: CUDA error: no kernel image is available for execution on the device",
     ["no wheel of this torch release holds code for so old a GPU", '"torch==2.14.*" --index-url https://download.pytorch.org/whl/cu126']),
    ("cuda.launch_failure", "RuntimeError: CUDA error: unspecified launch failure", ["a kernel failed with an exception that has no better name", "can use CUDA no more"]),
    ("cuda.unknown_error", "onnxruntime::CudaCall CUDA failure 999: unknown error ; GPU=0 ; hostname=box", ["unknown internal error"]),
    ("cuda.driver_library_mismatch", "Failed to initialize NVML: Driver/library version mismatch", ["user-space library and kernel module have different driver versions"]),
    ("ort.cuda_provider_load", "onnxruntime-gpu 1.19.2\n[E:onnxruntime:Default, provider_bridge_ort.cc:1992] [ONNXRuntimeError] : 1 : FAIL : Failed to load library "
     "libonnxruntime_providers_cuda.so with error: libcudnn.so.9: cannot open shared object file: No such file or directory",
     ["onnxruntime-gpu 1.19.2 from PyPI needs CUDA 12.x and cuDNN 9.x", "nvidia-cudnn-cu12==9.*"]),
    ("onnx.opset_unsupported", "onnxruntime==1.17.1\nonnx==1.17.0\nonnxruntime.capi.onnxruntime_pybind11_state.Fail: [ONNXRuntimeError] : 1 : FAIL : Load model from yolo.onnx "
     "failed:/onnxruntime_src/onnxruntime/core/graph/model.cc:180 Unsupported model IR version: 10, max supported IR version: 9",
     ["IR version 10 is read by onnxruntime 1.18 and newer", "reads up to opset 20 and IR version 9", "onnx 1.17.0 writes opset 22", '"onnxruntime>=1.18"']),
    ("onnx.model_invalid", "[ONNXRuntimeError] : 7 : INVALID_PROTOBUF : Load model from m.onnx failed:Protobuf parsing failed.", ["INVALID_PROTOBUF is ONNX Runtime's word for"]),
    ("abi.undefined_symbol", f"vllm==0.6.3\ntorch==2.5.1\nImportError: {LIBRARY}/vllm/_C.abi3.so: undefined symbol: _ZN3c1013MessageLoggerC1EPKcii",
     ["vllm 0.6.3 was built for torch 2.4.0; installed is torch 2.5.1", "torch==2.4.0", "uninstall -y vllm", "import torch, vllm"]),
    ("abi.torchvision_mismatch", "torch==2.5.1\ntorchvision==0.19.0\nRuntimeError: operator torchvision::nms does not exist", ["fitting torchvision is 0.20.1", '"torchvision==0.20.1"', "was released for another torch"]),
    ("abi.python_version", "ERROR: Could not find a version that satisfies the requirement torch==1.8.1 (from versions: none)", ["torch ==1.8.1 has wheels for Python 3.6, 3.7, 3.8, 3.9", "uv venv --python 3.9 && uv pip install torch==1.8.1"]),
    ("env.api_removed", f"Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    import imgaug\n"
     f"  File \"{LIBRARY}/imgaug/augmenters/meta.py\", line 3368, in __init__\n    self.dtype = np.bool\nAttributeError: module 'numpy' has no attribute 'bool'.",
     ["use bool (or np.bool_)", "python -m pip install --upgrade imgaug"]),
    ("cuda.cpu_only_build", "pytorch version: 2.3.1+cpu\nNvidia driver version: 550.54.15\nAssertionError: Torch not compiled with CUDA enabled", ["https://download.pytorch.org/whl/cu126"]),
    ("env.pip_conflict", "ERROR: No matching distribution found for torch==2.1.2+cu117", ["that release exists for cu118, cu121"]),
    ("env.api_removed", "AttributeError: module 'numpy' has no attribute 'product'.", ["np.product went in NumPy 2.0", "use np.prod", "numpy<2.0"]),
    ("hf.version_conflict", "- `transformers` version: 4.44.0\n- Huggingface_hub version: 1.1.0\n"
     "ImportError: huggingface-hub>=0.23.2,<1.0 is required for a normal functioning of this module, but found huggingface-hub==1.1.0.",
     ["the installed transformers asks for another version of tokenizers, huggingface_hub", "installed version of huggingface-hub: 1.1.0", "huggingface_hub <1.0,>=0.23.2"]),
    ("triton.version_mismatch", "torch==2.5.1\ntriton==3.3.0\nImportError: cannot import name 'AttrsDescriptor' from 'triton.compiler.compiler' "
     f"({LIBRARY}/triton/compiler/compiler.py)", ["this torch release pins another Triton", "which belongs to torch 2.7", '"triton==3.1.0"']),
    ("triton.ptxas_arch", "triton==3.2.0\nGPU 0: NVIDIA GeForce RTX 5090\nptxas fatal   : Value 'sm_120' is not defined for option 'gpu-name'",
     ["Triton 3.2.0 bundles ptxas 12.4", "Compute capability 12.0 is known from Triton 3.3", "does not know this GPU yet"]),
    ("distributed.wrong_interface", "n1:311:311 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to eth7\nn1:311:402 [0] misc/socket.cc:44 NCCL WARN Bootstrap : no socket interface found",
     ["The log shows NCCL_SOCKET_IFNAME set to eth7 (interfaces for start-up", "env -u NCCL_SOCKET_IFNAME"]),
    ("distributed.nccl_system_error", "RuntimeError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1269, unhandled system error, NCCL version 2.14.3",
     ["a system call or another library failed; usually behind it: /dev/shm too small"]),
    ("serving.grpc_unavailable", "grpc._channel._InactiveRpcError: <_InactiveRpcError of RPC that terminated with:\n\tstatus = StatusCode.UNAVAILABLE\n\tdetails = \"failed to connect to all addresses\"",
     ["Status UNAVAILABLE means: server not reachable now", "Worth a retry: yes"]),
    ("memory.host_oom", "Last State:     Terminated\n  Reason:       OOMKilled\n  Exit Code:    137", ["Kubernetes calls it OOMKilled: the container hit its memory limit"]),
    ("user_code.interrupted", "   JobId=4411 JobName=train\n   JobState=TIMEOUT Reason=TimeLimit\nslurmstepd: error: *** JOB 4411 ON n1 CANCELLED AT 2024-05-01T10:00:00 DUE TO TIME LIMIT ***", ["Slurm calls it TIMEOUT: reached its time limit"]),
    ("cuda.nvlink_error", "[  99.1] NVRM: Xid (PCI:0018:01:00): 145, RLW_REMAP Nonfatal XC1 i0 Link -1 (0x00000004 0x00000001 0x00000000 0x00000000 0x00000000 0x00000000)",
     ["145 RLW_REMAP 0x00000001 by the catalogue of NVIDIA: Non-fatal, do now XID_154_EVAL"]),
    ("cann.torch_npu_version", f"torch-npu==2.5.1.post1\ntorch==2.6.0\nImportError: {LIBRARY}/torch_npu/lib/libtorch_npu.so: undefined symbol: _ZNK3c1010TensorImpl4sizeEl",
     ["torch_npu 2.5.1.post1 wants torch 2.5.1", "this torch_npu was built for another torch", "torch==2.5.1 torch-npu==2.5.1.post1 torchvision==0.20.1"]),
    ("cann.acl_init", "RuntimeError: NPU function error: aclInit(nullptr), error code is 507899", ["Return code 507899 (ACL_ERROR_RT_DRV_INTERNAL_ERROR) says:"]),
    ("trt.engine_version", "docker run nvcr.io/nvidia/tritonserver:24.07-py3\n[E] 6: The engine plan file is not compatible with this version of TensorRT, expecting library version 10.2.0.19 got 8.6.1.6, please rebuild.",
     ["The -trtllm image of Triton 24.07 loads engines of TensorRT 10.1.0"]),
]  # fmt: skip


@pytest.mark.parametrize(("cause", "log", "says"), ANSWERS, ids=[f"{a[0]}-{i}" for i, a in enumerate(ANSWERS)])
def test_tables_speak_in_answers(cause: str, log: str, says: list[str]) -> None:
    best = triage.diagnose(log + "\n").hypotheses[0]
    assert best.id == cause
    told = [best.explanation, *(e.text for e in best.evidence)]
    for fix in best.fix:
        for step in fix.steps:
            told += [step.text, step.command or ""]
        told.append(fix.check.command or "")
    whole = "\n".join(told)
    assert [words for words in says if words not in whole] == []


@pytest.mark.parametrize(
    ("log", "says"),
    [
        ("RuntimeError: NPU function error: AclrtSynchronizeDeviceWithTimeout, error code is 507011", "模型执行失败"),
        ("RuntimeError: CUDA error: unspecified launch failure", "kernel 因一种没有更具体名称的异常而失败"),
    ],
)
def test_what_a_table_says_is_said_in_the_language_of_the_answer(log: str, says: str) -> None:
    english, chinese, both = (
        triage.diagnose(log + "\n", language=name).hypotheses for name in ("en", "zh", "both")
    )
    assert says not in str(english[0].explanation)
    assert says in str(chinese[0].explanation)
    assert says in str(both[0].explanation)
    assert str(english[0].explanation) in str(both[0].explanation)
