"""Versions that a log states as installed, in the forms in which programs print them."""

from __future__ import annotations

import pytest

from triage.diagnosis import read_text
from triage.parse.versions import find_versions, python_of


def versions(text: str) -> dict[str, str]:
    return {stated.distribution: stated.version for stated in find_versions(read_text(text).lines)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Successfully installed nvidia-nccl-cu12-2.21.5 torch-2.5.1+cu121 huggingface_hub-0.26.2",
         {"nvidia-nccl-cu12": "2.21.5", "torch": "2.5.1+cu121", "huggingface-hub": "0.26.2"}),
        ("torch==2.4.1\nflash_attn==2.6.3", {"torch": "2.4.1", "flash-attn": "2.6.3"}),
        ("[pip3] torch==2.4.1+cu121\n[conda] numpy   1.26.4   py310h5f9d8c6_0", {"torch": "2.4.1+cu121", "numpy": "1.26.4"}),
        (" + vllm==0.6.3\n - vllm==0.6.2", {"vllm": "0.6.3"}),
        ("Package      Version\n------------ -------\nsomething-x  1.2.3\ntorch        2.1.0\n\nother 4.5.6", {"something-x": "1.2.3", "torch": "2.1.0"}),
        ("# Name      Version   Build  Channel\npytorch     2.1.0     py3.10_cuda12.1  pytorch", {"torch": "2.1.0"}),
        ("- `transformers` version: 4.44.0\n- Python version: 3.10.12\n- Huggingface_hub version: 0.24.6\n- PyTorch version (GPU?): 2.4.0+cu121 (True)",
         {"transformers": "4.44.0", "python": "3.10.12", "huggingface-hub": "0.24.6", "torch": "2.4.0+cu121"}),
        ("INFO 10-12 10:11:12 llm_engine.py:237] Initializing an LLM engine (v0.6.3.post1) with config: model='x'", {"vllm": "0.6.3.post1"}),
        ("vLLM API server version 0.6.3", {"vllm": "0.6.3"}),
        ("vllm 0.6.3 requires torch==2.4.0, but you have torch 2.5.1 which is incompatible.", {"vllm": "0.6.3", "torch": "2.5.1"}),
        ("Requirement already satisfied: peft>=0.5 in /opt/env/lib/python3.10/site-packages (from trl) (0.13.2)", {"peft": "0.13.2"}),
        ("onnxruntime-gpu 1.19.2", {"onnxruntime-gpu": "1.19.2"}),
        ("transformers: 4.40.1", {"transformers": "4.40.1"}),
        ("torch                     2.1.0                    pypi_0    pypi", {"torch": "2.1.0"}),
        ("triton-windows 3.2.0.post10", {"triton": "3.2.0.post10"}),
        ("epoch 1.5\nloss: 0.123", {}),
        ("ERROR: No matching distribution found for torch==2.4.1", {}),
        ("pip install torch==2.4.1", {}),
        ("torch 2.4.1 is not supported", {}),
        ("torch==2.1.0\nSuccessfully installed torch-2.4.0", {"torch": "2.4.0"}),
    ],
)  # fmt: skip
def test_versions(text: str, expected: dict[str, str]) -> None:
    assert versions(text) == expected


def frames(*files: str) -> str:
    return "Traceback (most recent call last):\n" + "".join(f'  File "{f}", line 1, in f\n    f()\n' for f in files) + "ValueError: x"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (("train.py", "/opt/env/lib/python3.10/site-packages/torch/nn/modules.py"), "3.10"),
        (("C:\\Users\\me\\Python311\\Lib\\site-packages\\torch\\__init__.py",), "3.11"),
        (("/usr/lib/python3.10/runpy.py", "/opt/env/lib/python3.11/site-packages/x.py"), None),
        (("train.py",), None),
    ],
)
def test_the_python_of_a_traceback(files: tuple[str, ...], expected: str | None) -> None:
    assert python_of(read_text(frames(*files)).tracebacks) == expected
