#!/usr/bin/env python3
"""Measure triage against what it is allowed to cost, and print ratios.

usage: python tests/benchmarks/speed.py [--size MB] [--rounds N]

- start-up: a 20 KB log as text and as JSON, beside an interpreter that only imports the libraries triage stands on
- throughput: a large training log, beside counting its newlines in Python's `bytes`, and `rg -c -f` with the same
  patterns where ripgrep is installed
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

IMPORTS = "import hyperscan, regex, rich.console, jinja2.sandbox"
COUNT = "import sys; print(open(sys.argv[1], 'rb').read().count(b'\\n'))"


def median_of(argv: list[str], rounds: int, stdin: Path | None = None) -> float:
    """Return the median wall time of a command in seconds."""
    times = []
    for _ in range(rounds):
        with open(stdin or os.devnull, "rb") as file:
            start = time.perf_counter()
            subprocess.run(argv, stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            times.append(time.perf_counter() - start)
    return statistics.median(times)


def training_log(path: Path, megabytes: int) -> None:
    """Write an ordinary training log with a CUDA error near its end."""
    rng = random.Random(7)
    block = "".join(
        f"2026-01-05 12:{i // 60 % 60:02d}:{i % 60:02d},{rng.randrange(1000):03d} INFO train.py:88 step {i} | loss "
        f"{rng.uniform(1, 3):.4f} | lr 1.00e-04 | grad_norm {rng.uniform(0, 1):.3f} | {rng.uniform(3000, 5000):.0f} tok/s\n"
        for i in range(9000)
    ).encode()
    fault = b"RuntimeError: CUDA error: no kernel image is available for execution on the device\n"
    with path.open("wb") as file:
        for _ in range(megabytes * 2**20 // len(block)):
            file.write(block)
        file.write(b"Traceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    main()\n" + fault)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    triage = [sys.executable, "-m", "triage", "--no-probes"]
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.log"
        training_log(small, 0)
        example = next(Path(__file__).resolve().parents[2].glob("examples/torchrun*.log")).read_bytes()
        small.write_bytes((b"step 1 | loss 2.0 | lr 1e-4\n" * 650 + example)[:20480])
        for _ in range(2):
            subprocess.run([*triage, str(small)], stdout=subprocess.DEVNULL, check=False)
        base = median_of([sys.executable, "-c", IMPORTS], args.rounds)
        text = median_of([*triage, str(small)], args.rounds)
        as_json = median_of([*triage, "--json", str(small)], args.rounds)
        print(f"imports only            {1000 * base:7.0f} ms")
        print(f"20 KB log, text         {1000 * text:7.0f} ms   {text / base:.2f} of imports (allowed 1.5)")
        print(f"20 KB log, JSON         {1000 * as_json:7.0f} ms   {as_json / base:.2f} of imports (allowed 1.2)")
        large = Path(folder) / "large.log"
        training_log(large, args.size)
        rounds = min(args.rounds, 3)
        count = median_of([sys.executable, "-c", COUNT, str(large)], rounds)
        in_memory = large.read_bytes()
        start = time.perf_counter()
        in_memory.count(b"\n")
        pure = time.perf_counter() - start
        del in_memory
        scan = median_of([*triage, "--json", str(large)], rounds)
        start_up = as_json
        rate = large.stat().st_size / 2**20 / max(scan - start_up, 1e-6)
        print(f"{args.size} MB, newlines counted {1000 * pure:6.0f} ms in memory, {1000 * count:.0f} ms as a program")
        print(
            f"{args.size} MB, triage        {1000 * scan:9.0f} ms   {(scan - start_up) / pure:.2f} of counting plus start-up"
            f" (allowed 3), {rate:.0f} MB/s"
        )
        subprocess.run([*triage, "--json", str(large)], stdout=subprocess.DEVNULL, check=False)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"largest process         {peak:7.0f} MiB (newline program included)")
        ripgrep(large, folder)


def ripgrep(large: Path, folder: str) -> None:
    """Time `rg -c` with the fixed pieces of all rules."""
    if shutil.which("rg") is None:
        print("rg is not installed")
        return
    from triage.knowledge.base import Knowledge

    patterns = Path(folder) / "patterns"
    patterns.write_text("\n".join(rule.pattern for rule in Knowledge.load().rules if rule.where != "block"))
    taken = median_of(["rg", "-c", "-f", str(patterns), str(large)], 1)
    size = large.stat().st_size / 2**20
    print(f"rg -c -f, same patterns {1000 * taken:7.0f} ms, {size / taken:.0f} MB/s")


if __name__ == "__main__":
    main()
