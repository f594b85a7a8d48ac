"""The quick look at the NVIDIA driver of this machine, by pynvml in triage's own process.

It answers in milliseconds what a probe needs a process for, and only where a driver is there at all.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from triage.reason.book import FactValue

_LOCK = threading.Lock()
_SIGNS = ("/dev/nvidiactl", "/proc/driver/nvidia/version", "/dev/dxg")


def quick_nvidia_facts(seconds: float = 1.0) -> dict[str, FactValue]:
    """Driver version, CUDA level, and name, memory, compute capability of each GPU of this machine.

    Never raises and never takes longer than `seconds`: NVML runs in a thread that is left behind when it hangs, and
    then no second one is started. Without a driver (no device node, no kernel module) NVML is not loaded at all.

    Returns:
        Facts by name, as the probe `nvidia` names them; empty when the answer did not come in time.
    """
    if not any(Path(sign).exists() for sign in _SIGNS):
        return {"nvidia.driver_version": None, "gpu.count": 0}
    if not _LOCK.acquire(blocking=False):
        return {}
    facts: dict[str, FactValue] = {}
    done = threading.Event()

    def work() -> None:
        """Ask NVML; holds the lock until NVML has answered, however late."""
        try:
            found = ask_nvml()
            if not done.is_set():
                facts.update(found)
        finally:
            _LOCK.release()
            done.set()

    threading.Thread(target=work, name="nvml", daemon=True).start()
    if not done.wait(seconds):
        done.set()
        return {}
    return facts


def ask_nvml() -> dict[str, FactValue]:
    """The facts by pynvml, in this thread; what NVML does not know is left out."""
    facts: dict[str, FactValue] = {}
    try:
        import pynvml
    except ImportError:
        return facts
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        code = getattr(error, "value", None)
        names = {number: name for name, number in vars(pynvml).items() if name.startswith("NVML_ERROR_")}
        facts["nvidia.nvml_init"] = names.get(code, str(error))
        if isinstance(code, int):
            facts["nvidia.nvml_init_code"] = code
        return facts
    facts["nvidia.nvml_init"], facts["nvidia.nvml_init_code"] = "NVML_SUCCESS", 0

    def tell(name: str, ask: Callable[[], Any]) -> None:
        """Set a fact if NVML knows it; older drivers lack functions, some devices lack answers."""
        with contextlib.suppress(pynvml.NVMLError, AttributeError, OSError):
            value = ask()
            facts[name] = value.decode("utf-8", "replace") if isinstance(value, bytes) else value

    tell("nvidia.driver_version", pynvml.nvmlSystemGetDriverVersion)
    tell("nvidia.cuda_version_number", pynvml.nvmlSystemGetCudaDriverVersion_v2)
    level = facts.get("nvidia.cuda_version_number")
    if isinstance(level, int):
        facts["nvidia.cuda_version"] = f"{level // 1000}.{level % 1000 // 10}"
    tell("gpu.count", pynvml.nvmlDeviceGetCount)
    count = facts.get("gpu.count")
    for index in range(count if isinstance(count, int) else 0):
        with contextlib.suppress(pynvml.NVMLError):
            device = pynvml.nvmlDeviceGetHandleByIndex(index)
            tell(f"gpu.{index}.name", partial(pynvml.nvmlDeviceGetName, device))
            tell(f"gpu.{index}.uuid", partial(pynvml.nvmlDeviceGetUUID, device))
            memory = pynvml.nvmlDeviceGetMemoryInfo(device)
            facts[f"gpu.{index}.memory_total"], facts[f"gpu.{index}.memory_used"] = int(memory.total), int(memory.used)
            major, minor = pynvml.nvmlDeviceGetCudaComputeCapability(device)
            facts[f"gpu.{index}.compute_capability"] = f"{major}.{minor}"
    with contextlib.suppress(pynvml.NVMLError):
        pynvml.nvmlShutdown()
    return facts
