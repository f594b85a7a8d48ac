"""Versions that a log states: environment reports, `pip list` and `conda list`, what installers say they installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from triage.lazy import lazy_pattern
from triage.log.streams import Line
from triage.parse.traceback import Traceback


class Stated(msgspec.Struct, frozen=True):
    """A distribution with the version that a line gives it."""

    distribution: str
    """Normalised name; `python` is the interpreter."""
    version: str
    line: int
    """Number of the log line."""


_NAME = r"(?P<name>[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*)"
_VERSION = r"v?(?P<version>\d+(?:\.\d+)+[A-Za-z0-9.+]*)"
_PIN = lazy_pattern(rf"\s*(?:\[pip3?\] ?|[+~] )?{_NAME}==={{0,1}}{_VERSION}\s*$")
_CONDA = lazy_pattern(rf"\[conda\] {_NAME}\s+{_VERSION}(?:\s|$)")
_ROW = lazy_pattern(rf"{_NAME}\s+{_VERSION}(?:\s+\S+){{0,3}}\s*$")
_HEADER = lazy_pattern(r"(?:Package\s+Version|#\s+Name\s+Version)\b")
_RULE = lazy_pattern(r"-{3,}(?:\s+-{3,})*\s*$|#")
_INSTALLED = lazy_pattern(r"Successfully installed (?P<list>\S.*)$")
_ITEM = lazy_pattern(r"(?P<name>[A-Za-z][\w.-]*?)-(?P<version>\d[\w.+!]*)$")
_SATISFIED = lazy_pattern(
    r"Requirement already satisfied: (?P<name>[A-Za-z][\w.-]*).{0,300}? in .{1,300}\((?P<version>\d[\w.+]*)\)\s*$"
)
_CONFLICT = lazy_pattern(
    rf"{_NAME} {_VERSION} (?:requires|has requirement) .{{1,200}}?,? but you(?:'ll)? have "
    r"(?P<other>[A-Za-z][\w.-]*) (?P<has>\d+(?:\.\d+)+[A-Za-z0-9+]*(?:\.[A-Za-z0-9+]+)*)"
)
_SPOKEN = lazy_pattern(
    r"[-*\s]{0,6}`?(?P<name>[A-Za-z][\w-]{1,30})`? (?:API server )?[Vv]ersion(?: \([^)\n]{1,20}\))?(?::| is|=)? *"
    rf"'?{_VERSION}(?![\w.])"
)
_ENGINE = lazy_pattern(r"Initializing an? (?:V\d )?LLM engine \(v(?P<version>\d+\.\d+[\w.+]*)\)")
_LOOSE = lazy_pattern(rf"(?:[-*] )?{_NAME}(?: *[:=] *| +){_VERSION}(?:\s+pypi_0\s+pypi)?\s*$")
_PYTHON = lazy_pattern(r"[/\\](?:python|Python)(?P<major>[23])\.?(?P<minor>\d{1,2})[/\\]")
_SEPARATORS = lazy_pattern(r"[-_.]+")

_SAME = {
    "pytorch": "torch", "paddle": "paddlepaddle", "tf": "tensorflow", "triton-windows": "triton",
    "pytorch-triton": "triton",
}  # fmt: skip
"""Names by which programs and conda call a distribution of another name."""
_KNOWN = frozenset({
    "accelerate", "apex", "auto-gptq", "autoawq", "bitsandbytes", "cupy", "datasets", "deepspeed", "diffusers",
    "evaluate", "flash-attn", "flax", "huggingface-hub", "jax", "jaxlib", "keras", "lightning", "llama-cpp-python",
    "megatron-core", "mindspore", "mmcv", "mmengine", "numpy", "onnx", "onnxruntime", "onnxruntime-gpu", "optimum",
    "paddlepaddle", "paddlepaddle-gpu", "pandas", "peft", "protobuf", "python", "pytorch-lightning", "ray",
    "safetensors", "scikit-learn", "scipy", "sentence-transformers", "sentencepiece", "sglang", "tensorflow",
    "tensorflow-gpu", "tensorrt", "tensorrt-llm", "tf-keras", "tokenizers", "torch", "torch-npu", "torchaudio",
    "torchtext", "torchvision", "transformer-engine", "transformers", "triton", "trl", "ultralytics", "unsloth",
    "vllm", "vllm-ascend", "xformers",
})  # fmt: skip
"""Distributions believed without a list around them."""
MOST = 1000
"""Distributions kept of one log."""
SHORT = 80
"""Characters of a line that says nothing but a name and its version."""


def find_versions(lines: Sequence[Line]) -> list[Stated]:
    """Return the versions that a log gives as installed; of several for one distribution the last."""
    found: dict[str, Stated] = {}
    listing: set[str] = set()
    for line in lines:
        text = line.text
        if len(text) > 8192 or not any(char.isdigit() for char in text):
            if _HEADER.match(text):
                listing.add(line.stream)
            elif line.stream in listing and not _RULE.match(text):
                listing.discard(line.stream)
            continue
        for name, version in _stated(text, line.stream in listing):
            plain = _normal(name)
            if len(found) < MOST or plain in found:
                found[plain] = Stated(plain, version.rstrip("."), line.number)
        if line.stream in listing and not _ROW.match(text):
            listing.discard(line.stream)
    return list(found.values())


def python_of(tracebacks: Sequence[Traceback]) -> str | None:
    """Return the Python version (`3.10`) that the paths of frames name, where all name the same."""
    seen = {
        f"{match['major']}.{match['minor']}"
        for traceback in tracebacks
        for frame in traceback.frames
        for match in _PYTHON.finditer(frame.file)
    }
    return seen.pop() if len(seen) == 1 else None


def _stated(text: str, in_list: bool) -> Iterator[tuple[str, str]]:
    """Yield (name, version) of each distribution that one line gives as installed."""
    if "Successfully installed" in text:
        installed = _INSTALLED.search(text)
        for word in installed["list"].split() if installed else ():
            item = _ITEM.match(word)
            if item:
                yield item["name"], item["version"]
        return
    if "but you" in text:
        conflict = _CONFLICT.search(text)
        if conflict:
            yield conflict["name"], conflict["version"]
            yield conflict["other"], conflict["has"]
        return
    if "LLM engine" in text:
        engine = _ENGINE.search(text)
        if engine:
            yield "vllm", engine["version"]
        return
    for hint, pattern in (("==", _PIN), ("[conda]", _CONDA), ("already satisfied", _SATISFIED)):
        match = pattern.match(text) if hint in text else None
        if match:
            yield match["name"], match["version"]
            return
    match = _ROW.match(text) if in_list else _SPOKEN.match(text) if "ersion" in text else None
    if match is None and len(text) < SHORT:
        match = _LOOSE.match(text)
    if match and (in_list or _normal(match["name"]) in _KNOWN):
        yield match["name"], match["version"]


def _normal(name: str) -> str:
    plain = _SEPARATORS.sub("-", name).lower()
    return _SAME.get(plain, plain)
