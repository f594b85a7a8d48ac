#!/usr/bin/env python3
"""Measure triage against what it is allowed to cost, and print ratios.

usage: python tests/benchmarks/speed.py [--size MB] [--rounds N]

- start-up: a 20 KB log as text and as JSON, beside an interpreter that only imports the libraries triage stands on
- throughput: a large training log, beside counting its newlines in Python's `bytes`, and `rg -c -f` with the same
  patterns where ripgrep is installed

Each command is run once or twice unmeasured, so that knowledge and bytecode are compiled, then all take turns, and the
median of their CPU and wall times counts. On a machine that does other work, only the CPU time tells. Works from a
fresh clone: caches go to a temporary folder, bytecode too, since PYTHONDONTWRITEBYTECODE would have triage (and not the
installed libraries) compiled at each start.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[2]
IMPORTS = "import hyperscan, regex, rich.console, jinja2.sandbox"
COUNT = """
import sys, time
data = open(sys.argv[1], 'rb').read()
cpu, wall = time.process_time(), time.perf_counter()
data.count(b'\\n')
print(time.process_time() - cpu, time.perf_counter() - wall)
"""
FAULT = b"RuntimeError: CUDA error: no kernel image is available for execution on the device\n"


class Cost(NamedTuple):
    """What a command took: seconds of CPU (its own and the kernel's for it), seconds on the clock, MiB at most."""

    cpu: float
    wall: float
    peak: float


def run(argv: Sequence[str], env: Mapping[str, str]) -> Cost:
    """Run a command and return what it took."""
    start = time.perf_counter()
    with subprocess.Popen(
        argv, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(argv)} ended with status {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def measure(commands: Mapping[str, Sequence[str]], env: Mapping[str, str], rounds: int) -> dict[str, Cost]:
    """Return the median cost of each command; they take turns, so that all see the same machine."""
    for argv in commands.values():
        run(argv, env)
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, argv in commands.items():
            costs[name].append(run(argv, env))
    return {name: Cost(*map(statistics.median, zip(*each, strict=True))) for name, each in costs.items()}


def small_log(path: Path) -> None:
    """Write 20 KB of a training run that ends in an error."""
    example = (TOP / "examples" / "torchrun-flash-attn.log").read_bytes()
    steps = b"".join(b"step %d | loss %.4f | lr 1.00e-04\n" % (i, 2 + i % 7 / 10) for i in range(900))
    room = 20 * 1024 - len(example)
    path.write_bytes(steps[: steps.rindex(b"\n", 0, room) + 1] + example)


def large_log(path: Path, megabytes: int) -> None:
    """Write an ordinary training log with a CUDA error near its end."""
    rng = random.Random(7)
    block = "".join(
        f"2026-01-05 12:{i // 60 % 60:02d}:{i % 60:02d},{rng.randrange(1000):03d} INFO train.py:88 step {i} | loss "
        f"{rng.uniform(1, 3):.4f} | lr 1.00e-04 | grad_norm {rng.uniform(0, 1):.3f} | {rng.uniform(3000, 5000):.0f} tok/s\n"
        for i in range(9000)
    ).encode()
    with path.open("wb") as file:
        for _ in range(megabytes * 2**20 // len(block)):
            file.write(block)
        file.write(b'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    main()\n' + FAULT)


def count_in_memory(path: Path, rounds: int) -> Cost:
    """Return what counting a file's newlines takes once its bytes are in memory."""
    found = []
    for _ in range(rounds):
        done = subprocess.run([sys.executable, "-c", COUNT, str(path)], capture_output=True, text=True, check=True)
        found.append([float(number) for number in done.stdout.split()])
    cpu, wall = (statistics.median(column) for column in zip(*found, strict=True))
    return Cost(cpu, wall, 0.0)


def row(name: str, cost: Cost, base: Cost, allowed: float | None, minus: Cost | None = None) -> None:
    """Print what something took and its ratio to `base`, `minus` taken off."""
    cpu, wall = cost.cpu, cost.wall
    if minus is not None:
        cpu, wall = cpu - minus.cpu, wall - minus.wall
    limit = "" if allowed is None else f"   allowed {allowed}"
    print(
        f"{name:26s} CPU {1000 * cost.cpu:6.0f} ms ({cpu / base.cpu:.2f})   wall {1000 * cost.wall:6.0f} ms ({wall / base.wall:.2f})"
        f"   {cost.peak:4.0f} MiB{limit}"
    )


def start_up(folder: Path, env: Mapping[str, str], rounds: int) -> Cost:
    """Measure a small log; return the cost of the JSON report."""
    log = folder / "small.log"
    small_log(log)
    triage = [sys.executable, "-m", "triage", "--no-probes"]
    costs = measure(
        {
            "imports": [sys.executable, "-c", IMPORTS],
            "text": [*triage, str(log)],
            "JSON": [*triage, "--json", str(log)],
        },
        env,
        rounds,
    )
    row("imports only", costs["imports"], costs["imports"], None)
    row("20 KB log, text", costs["text"], costs["imports"], 1.5)
    row("20 KB log, JSON", costs["JSON"], costs["imports"], 1.2)
    return costs["JSON"]


def throughput(folder: Path, env: Mapping[str, str], megabytes: int, rounds: int, start: Cost) -> None:
    """Measure a large log; `start` is what a small one takes."""
    log = folder / "large.log"
    large_log(log, megabytes)
    counted = count_in_memory(log, rounds)
    name = f"{megabytes} MB, JSON"
    cost = measure({name: [sys.executable, "-m", "triage", "--no-probes", "--json", str(log)]}, env, rounds)[name]
    row(f"{megabytes} MB, newlines counted", counted, counted, None)
    row(f"{name} less start-up", cost, counted, 3, start)
    print(f"{'':26s} {log.stat().st_size / 2**20 / cost.wall:.0f} MB/s")
    ripgrep(log, folder)


def ripgrep(log: Path, folder: Path) -> None:
    """Time `rg -c` with the expressions that hyperscan looks for (those that tell of a fault)."""
    if shutil.which("rg") is None:
        print("rg is not installed")
        return
    sys.path.insert(0, str(TOP))
    from triage.knowledge.base import Knowledge
    from triage.match.skeleton import skeleton_of

    telling = [rule for rule in Knowledge.load().rules if rule.role not in ("benign", "context")]
    skeletons = [skeleton_of(rule.pattern, rule.where == "block") for rule in telling]
    patterns = folder / "patterns"
    patterns.write_bytes(b"\n".join((b"(?i)" if s.ignore_case else b"") + s.expression for s in skeletons))
    limits = ["--regex-size-limit", "2G", "--dfa-size-limit", "2G"]
    cost = run(["rg", "--no-config", "--no-unicode", *limits, "-c", "-f", str(patterns), str(log)], os.environ)
    print(
        f"rg -c -f, same patterns    CPU {1000 * cost.cpu:6.0f} ms   wall {1000 * cost.wall:6.0f} ms"
        f"   {log.stat().st_size / 2**20 / cost.wall:.0f} MB/s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--size", type=int, default=400, help="MB of the large log; 0 leaves it out")
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        env |= {
            "PYTHONPATH": os.pathsep.join(filter(None, (str(TOP), os.environ.get("PYTHONPATH", "")))),
            "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
            "TRIAGE_CACHE_DIR": str(folder / "cache"),
        }
        start = start_up(folder, env, args.rounds)
        if args.size:
            throughput(folder, env, args.size, min(args.rounds, 5), start)


if __name__ == "__main__":
    main()
