#!/usr/bin/env python3
"""Record the output of the scripts in `failures/` afresh.

usage: python -m tests.real.record [NAME ...]     in an environment that has triage's tests and the libraries
"""

from __future__ import annotations

import sys

from tests.real.failures import all_failures, anonymous


def main() -> None:
    wanted = set(sys.argv[1:])
    for failure in all_failures():
        if wanted and failure.name not in wanted:
            continue
        missing = failure.missing()
        if missing:
            print(f"{failure.name}: skipped, no {missing}")
            continue
        failure.recorded.parent.mkdir(exist_ok=True)
        failure.recorded.write_text(anonymous(failure.run()), encoding="utf-8")
        print(f"{failure.name}: recorded")


if __name__ == "__main__":
    main()
