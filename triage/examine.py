"""Join the two halves: ask the probes that a diagnosis leaves open, and let their facts speak.

Only probes that could change the ranking, or whose facts the best cause's recipe wants to name, are run.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath

from triage.diagnose import Case
from triage.knowledge.versions import version_key
from triage.probing.run import ProbeRun, Progress, run_probes
from triage.probing.target import Target
from triage.reason.book import FactValue
from triage.result import ProbeResult

QUICK = 2.0
"""Seconds that quick probes may take in all."""
DEEP = 90.0
"""Seconds that deep probes may take in all."""
MOST_CAUSES = 6
IDENTITY = (
    "torch.version", "python.version", "nvidia.driver_version", "gpu.0.name", "host.os", "host.kernel", "cann.version",
    "pkg.vllm", "pkg.transformers", "pkg.onnxruntime-gpu", "pkg.tensorflow", "pkg.jax",
)  # fmt: skip
"""Facts that tell one machine and environment from another."""


def wanted_probes(case: Case) -> list[str]:
    """Return the names of the probes whose facts could change the ranking or complete the recipe."""
    ranking = case.rank()
    names: list[str] = []
    best = [c for c in ranking.candidates if c.confidence >= 0.1][:MOST_CAUSES]
    causes = {c.cause.id for c in best}
    for node in ranking.open:
        if node.fact is not None and causes & set(node.between):
            names.append(node.fact)
    for candidate in best:
        names.extend(candidate.open)
    if best:
        names.extend(case.knowledge.names_in_recipes(best[0].cause.id))
    probes: dict[str, None] = {}
    for name in names:
        record = case.knowledge.facts.find(name)
        if record is not None and record.probe is not None and case.facts.get(name) is None:
            probes[record.probe] = None
    return list(probes)


def examine(
    case: Case, target: Target, deep: bool = False, progress: Progress | None = None
) -> tuple[list[ProbeResult], list[str]]:
    """Run the probes that the case asks for and take their facts in.

    Returns how each probe went, and sentences for the report. Where the log comes from another machine than the one
    probed, the facts are not used and a sentence says why. Raises TriageError for an interpreter or host that cannot be
    used.
    """
    names = wanted_probes(case)
    if not names:
        return [], []
    seconds = DEEP if deep else QUICK
    runs = run_probes(names, target, deep=deep, deadline=seconds, each=seconds, progress=progress)
    results = [ProbeResult(run.name, run.status, run.seconds, run.detail) for run in runs]
    elsewhere = _elsewhere(case, runs, target)
    if elsewhere:
        where = f"the log comes from another machine or environment ({elsewhere})"
        return results, [f"{where}; what the probes found here was not used"]
    for run in runs:
        case.facts.add_all(run.facts, "probe", run.name)
    return results, []


def _elsewhere(case: Case, runs: Iterable[ProbeRun], target: Target) -> str:
    """Return why the log cannot come from the machine probed; empty where nothing speaks against it."""
    for run in runs:
        for name, value in run.facts.items():
            known = case.facts.get(name)
            if name not in IDENTITY or known is None or known.source not in ("log", "file"):
                continue
            if _differ(known.value, value):
                return f"{name} is {known.value} there and {value} here"
    if target.is_local:
        folders = _package_folders(case)
        if folders and not any(_exists(folder) for folder in folders):
            return f"there is no {sorted(folders)[0]} here"
    return ""


def _differ(one: FactValue, other: FactValue) -> bool:
    if one is None or other is None:
        return one is not other
    try:
        return version_key(str(one)) != version_key(str(other))
    except ValueError:
        return str(one).casefold() != str(other).casefold()


def _package_folders(case: Case) -> set[str]:
    """Return the site-packages folders that the log's tracebacks name."""
    out = set()
    for traceback in case.log.tracebacks:
        for frame in traceback.frames:
            path = PureWindowsPath(frame.file) if ":\\" in frame.file[:4] else PurePosixPath(frame.file)
            for parent in path.parents:
                if parent.name in ("site-packages", "dist-packages") and parent.is_absolute():
                    out.add(str(parent))
    return out


def _exists(folder: str) -> bool:
    try:
        return Path(folder).is_dir()
    except OSError:
        return False
