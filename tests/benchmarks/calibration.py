#!/usr/bin/env python3
"""Print how often triage is right, by the confidence it gives: of the answers at 0.9, nine in ten must be right.

usage: python tests/benchmarks/calibration.py [CASES.yaml|DIR ...]     (default: tests/cases)
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import yaml

from triage.diagnosis import Options, open_case
from triage.knowledge.base import Knowledge
from triage.log.source import source_from_text


def main() -> None:
    paths = [Path(arg) for arg in sys.argv[1:]] or [Path(__file__).resolve().parents[1] / "cases"]
    files = [file for path in paths for file in (sorted(path.glob("*.yaml")) if path.is_dir() else [path])]
    knowledge = Knowledge.load()
    bands: dict[int, list[bool]] = defaultdict(list)
    wrong: list[tuple[float, str, str, str]] = []
    for file in files:
        for case in yaml.safe_load(file.read_text(encoding="utf-8"))["cases"]:
            if case["cause"] == "none":
                continue
            source = source_from_text(case["log"])
            hypotheses = open_case(source, knowledge, case.get("facts") or {}, options=Options()).report().hypotheses
            best = hypotheses[0] if hypotheses else None
            right = best is not None and best.id in {case["cause"], *case.get("also", [])}
            confidence = best.confidence if best else 0.0
            bands[min(int(confidence * 10), 9)].append(right)
            if not right:
                wrong.append((confidence, case["id"], case["cause"], best.id if best else "-"))
    print("confidence   answers   right")
    for band in sorted(bands, reverse=True):
        answers = bands[band]
        print(f"{band / 10:.1f} to {(band + 1) / 10:.1f}   {len(answers):7d}   {sum(answers) / len(answers):6.1%}")
    for confidence, name, wanted, got in sorted(wrong, reverse=True):
        print(f"wrong at {confidence:.2f}: {name} wanted {wanted}, got {got}")


if __name__ == "__main__":
    main()
