
"""A small knowledge base, logs that fit it, and an application over both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from triage.tui.app import TriageApp
from triage.tui.desk import Desk
from triage.tui.settings import Settings

from tests.conftest import Kit
from triage.diagnosis import Options
from triage.knowledge.base import Knowledge
from triage.log.source import Source, source_from_text
from triage.probing.target import Target

FACTS = """
facts:
  - {name: torch.cxx11_abi, type: bool, label: string ABI of torch, probe: torch, ask: Is the ABI new?, how: "python -c 'import torch'"}
  - {name: torch.cuda_version, type: version, label: CUDA version of torch, probe: torch}
  - {name: nvidia.driver_version, type: version, label: NVIDIA driver version, probe: nvidia}
  - {name: gpu.count, type: int, label: number of GPUs, probe: nvidia}
  - {name: gpu.*.name, type: string, label: GPU name, probe: nvidia}
  - {name: gpu.*.memory_total, type: bytes, label: memory, probe: nvidia}
  - {name: train.batch, type: int, label: batch size, ask: "Which batch size, per GPU?"}
  - {name: train.half, type: bool, label: half precision, ask: Does it train in float16?}
  - {name: train.bad_data, type: bool, label: bad data, ask: Do the data hold NaN?}
  - {name: memory.need, type: string, label: memory asked for}
  - {name: log.*, type: string, label: log}
  - {name: error.*, type: string, label: error}
  - {name: process.*, type: string, label: process}
"""
TABLES = """
table: drivers
about: drivers
key: cuda
match: major
columns: {cuda: CUDA, minimum: oldest driver}
sources: [{id: s1, what: test}]
rows:
  - {cuda: '12', minimum: '525.60', src: s1}
"""
RULES = r"""
family: t
rules:
  - {id: t-oom, says: the GPU has no memory left, pattern: 'CUDA out of memory. Tried to allocate (?P<need>[\d.]+ GiB)', captures: {need: {type: text}}, source: s, samples: [{text: 'CUDA out of memory. Tried to allocate 2.00 GiB', captures: {need: 2.00 GiB}}], near_misses: [memory is fine]}
  - {id: t-symbol, says: a symbol of torch is missing, pattern: 'undefined symbol: \w+', source: s, samples: [{text: 'undefined symbol: _ZN3c10'}], near_misses: []}
  - {id: t-nan, says: the loss is NaN, pattern: 'loss is nan', source: s, samples: [{text: loss is nan}], near_misses: []}
"""
CAUSES = """
family: t
causes:
  - id: memory.gpu_oom
    title: {en: The GPU has too little memory, zh: 显存不足}
    explanation: Weights, activations and buffers do not fit together. {{ need }} more was asked for.
    seen_as: [{rule: t-oom, weight: strong}]
    arguments_for: [{when: {fact: train.batch, gt: 64}, weight: strong, because: the batch is large}]
    recipes:
      - title: Make each step smaller
        risk: environment
        steps:
          - {text: Look at what is used., command: "printf 'used: %s\\\\n' all"}
          - {text: Lower the batch size., command: "batch_size = 8", language: python}
          - {text: Name the device., command: "echo device <number>"}
        check: {text: torch sees the card, probe: torch, expect: {fact: torch.cuda_version, ge: '12.0'}}
        undo: put the batch size back
      - title: Ask for another machine
        risk: admin
        steps: [{text: Ask., command: "sudo reboot"}]
        check: {text: look}
  - id: abi.cxx11_abi
    title: The extension has the other string ABI
    explanation: Two string types do not mix.
    recipes: [{title: Take the other wheel, risk: environment, steps: [{text: Install it., command: "echo wheel"}], check: {text: it imports, command: "echo imported"}}]
  - id: abi.undefined_symbol
    title: The extension was built for another torch
    explanation: The releases differ.
    recipes: [{title: Build it anew, risk: environment, steps: [{text: Build., command: "echo build"}], check: {text: it imports}}]
  - id: numeric.fp16_overflow
    title: Values overflow in half precision
    explanation: float16 ends at 65504.
    recipes: [{title: Take bfloat16, risk: none, steps: [{text: Set dtype to bfloat16.}], check: {text: the loss is finite}}]
  - id: numeric.bad_values
    title: The data hold NaN
    explanation: One bad sample is enough.
    seen_as: [{rule: t-nan, weight: weak}]
    recipes: [{title: Clean the data, risk: none, steps: [{text: Drop rows with NaN.}], check: {text: none is left}}]
  - id: cuda.driver_too_old
    title: The driver is too old
    explanation: The driver decides which CUDA runs.
    arguments_for: [{when: {fact: nvidia.driver_version, lt: {lookup: drivers, column: minimum, of: torch.cuda_version}}, weight: strong, because: the driver is older than this CUDA needs}]
    recipes: [{title: Update the driver, risk: admin, steps: [{text: Update., command: "sudo apt install driver"}], check: {text: nvidia-smi works}}]
"""
CHECKS = """
family: t
checks:
  - id: t-driver
    says: the driver is new enough for this torch
    probes: [nvidia, torch]
    good: {fact: nvidia.driver_version, ge: {lookup: drivers, column: minimum, of: torch.cuda_version}}
    cause: cuda.driver_too_old
    shows: 'driver {{ nvidia.driver_version }}, CUDA {{ torch.cuda_version }}'
"""
LIBRARY = """
id: library
title: A library does not load
about: Tells string ABI and release apart.
enter: {seen: t-symbol}
start: abi
nodes:
  abi:
    ask: Which string ABI has torch?
    why: The symbol names one of two.
    fact: torch.cxx11_abi
    branches:
      - {answer: the new one, when: {fact: torch.cxx11_abi, is: true}, cause: abi.cxx11_abi, weight: decisive}
      - {answer: the old one, when: {fact: torch.cxx11_abi, is: false}, cause: abi.undefined_symbol, weight: decisive}
"""
NAN = """
id: nan-loss
title: The loss is NaN
about: Finds the first value that is not finite.
enter: {seen: t-nan}
start: data
nodes:
  data:
    ask: Do the data hold NaN?
    why: One bad sample is enough.
    fact: train.bad_data
    branches:
      - {answer: some are not finite, when: {fact: train.bad_data, is: true}, cause: numeric.bad_values, weight: strong}
      - {answer: the log shows an overflow, when: {seen: t-oom}, go: half}
      - {answer: all are finite, when: {fact: train.bad_data, is: false}, go: half}
  half:
    ask: Does it train in float16?
    why: float16 overflows early.
    fact: train.half
    branches:
      - {answer: float16, when: {fact: train.half, is: true}, cause: numeric.fp16_overflow, weight: decisive}
      - {answer: not in float16, when: {fact: train.half, is: false}, cause: numeric.bad_values, weight: weak}
"""
OOM_LOG = "\n".join([
    "[rank0]: epoch 1 step 1 loss 2.1",
    *[f"[rank{n % 2}]: epoch 1 step {n} loss 2.0" for n in range(2, 40)],
    "[rank0]: Traceback (most recent call last):",
    '[rank0]:   File "/home/user/train.py", line 40, in <module>',
    "[rank0]:     loss.backward()",
    "[rank0]: torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
    "[rank1]: waiting",
]) + "\n"  # fmt: skip
SYMBOL_LOG = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    import x\n" \
    "ImportError: x.so: undefined symbol: _ZN3c105Error\n"  # fmt: skip
UNKNOWN_LOG = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nValueError: odd thing\n'
HEALTHY_LOG = "step 1\nstep 2\ntraining finished successfully\n"


def make_knowledge(folder: Path) -> Knowledge:
    """Return the small knowledge base."""
    kit = Kit(folder)
    kit.write("facts/all.yaml", FACTS)
    kit.write("tables/cards.yaml", TABLES)
    kit.write("rules/t.yaml", RULES)
    kit.write("causes/t.yaml", CAUSES)
    kit.write("checks/t.yaml", CHECKS)
    kit.write("trees/library.yaml", LIBRARY)
    kit.write("trees/nan-loss.yaml", NAN)
    return kit.knowledge


def make_app(knowledge: Knowledge, log: str | None, **options: Any) -> TriageApp:
    """Return an application over a log (None: none given), with settings of its own."""
    settings = Settings(**{"look": False, **options})
    desk = Desk(knowledge, Target("python3"), Options(language=settings.language))

    def opener(tell: object) -> Source:
        return source_from_text(log or "", "train.log")

    return TriageApp(desk, settings, opener if log is not None else None, "train.log")
