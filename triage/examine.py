"""Join the two halves: ask the probes that a diagnosis leaves open, and let their facts speak.

Only probes that could change the ranking, or whose facts the best cause's recipe wants to name, are run. A log that
comes from another machine, or from another environment of this one, is not judged by what is found here.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

from triage.diagnosis import Case
from triage.knowledge.model import Bilingual
from triage.knowledge.versions import version_key
from triage.language import say
from triage.probing.local import quick_nvidia_facts
from triage.probing.run import ProbeRun, Progress, run_probes
from triage.probing.target import Target
from triage.reason.book import FactBook, FactValue, Known
from triage.result import ProbeResult
from triage.sanitize import clean_text

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
OF_ENVIRONMENT = frozenset({
    "python", "torch", "abi", "onnxruntime", "tensorrt", "tensorflow", "jax", "huggingface", "triton_cache",
    "cuda_libs",
})  # fmt: skip
"""Probes that speak of the interpreter they run in, not of the machine."""

OTHER_ENVIRONMENT = Bilingual(
    en="the log comes from the environment of {0}; to let its packages speak: {1}",
    zh="日志来自 {0} 的环境；要检查那里的包，请运行：{1}",
)
OTHER_MACHINE = Bilingual(
    en="the log comes from another machine or environment ({0}); what the probes found here was not used",
    zh="日志来自另一台机器或另一个环境（{0}）；没有采用在本机探测到的结果",
)
DIFFERS = Bilingual(en="{0} is {1} there and {2} here", zh="{0} 在那里是 {1}，在本机是 {2}")
NOT_HERE = Bilingual(en="there is no {0} here", zh="本机没有 {0}")

Arrived = Callable[[FactBook], None]
"""Is given the facts as they stand after a probe has ended, while others still run."""


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
    case: Case,
    target: Target,
    deep: bool = False,
    progress: Progress | None = None,
    chosen: bool = False,
    arrived: Arrived | None = None,
) -> tuple[list[ProbeResult], list[str]]:
    """Run the probes that the case asks for and take their facts in.

    `chosen`: a person named the interpreter or the way to it. `arrived` is given the facts after each single probe; it
    is called in this thread. Returns how each probe went, and sentences for the report. Where the log comes from
    another machine or environment than the one probed, the facts are not used and a sentence says why. Raises
    TriageError for an interpreter or host that cannot be used.
    """
    names = wanted_probes(case)
    notes: list[str] = []
    failed = failed_interpreter(case) if target.is_local else None
    elsewhere = failed is not None and not _same_environment(failed, target.interpreter)
    if elsewhere and OF_ENVIRONMENT & set(names):
        names = [name for name in names if name not in OF_ENVIRONMENT]
        note = say(OTHER_ENVIRONMENT, case.options.language)
        notes.append(note.format(failed, f"triage --python {shlex.quote(failed or '')}"))
    if target.is_local and (chosen or failed is not None):
        command = failed if elsewhere and failed is not None else target.interpreter
        case.facts.add(Known("python.command", command, "person" if chosen and not elsewhere else "log"))
    if not names:
        return [], notes
    seconds = DEEP if deep else QUICK
    tell = progress if arrived is None else _Intake(case, target, names, progress, arrived)
    runs = run_probes(names, target, deep=deep, deadline=seconds, each=seconds, progress=tell)
    results = [ProbeResult(run.name, run.status, run.seconds, run.detail) for run in runs]
    other = _elsewhere(case, runs, target)
    if other:
        return results, [say(OTHER_MACHINE, case.options.language).format(other)]
    for run in runs:
        _take(case.facts, run, target)
    return results, notes


def _take(facts: FactBook, run: ProbeRun, target: Target) -> None:
    facts.add_all(run.facts, "probe", run.name)
    if run.name == "nvidia" and run.status not in ("ok", "absent") and target.is_local:
        facts.add_all(quick_nvidia_facts(), "probe", run.name)  # what the probe could not bring back in time


class _Intake:
    """Hands out the facts probe by probe.

    None are handed out before the probes that can tell the log's machine from this one have ended, and those that
    were are taken back where a later one tells after all.
    """

    def __init__(
        self, case: Case, target: Target, names: Iterable[str], progress: Progress | None, arrived: Arrived
    ) -> None:
        self._case = case
        self._target = target
        self._progress = progress
        self._arrived = arrived
        self._runs: list[ProbeRun] = []
        self._awaited = _telling_probes(case) & set(names)
        self._elsewhere = False

    def __call__(self, name: str, run: ProbeRun | None) -> None:
        if self._progress is not None:
            self._progress(name, run)
        if run is None or self._elsewhere:
            return
        self._runs.append(run)
        self._awaited.discard(name)
        facts = self._case.facts.copy()
        self._elsewhere = bool(_elsewhere(self._case, self._runs, self._target))
        if not self._elsewhere:
            if self._awaited:
                return
            for each in self._runs:
                _take(facts, each, self._target)
        self._arrived(facts)


def _telling_probes(case: Case) -> set[str]:
    """Return the probes whose facts can be held against what the log says of its machine."""
    out = set()
    for name in IDENTITY:
        known, record = case.facts.get(name), case.knowledge.facts.find(name)
        if known is not None and known.source in ("log", "file") and record is not None and record.probe is not None:
            out.add(record.probe)
    return out


def failed_interpreter(case: Case) -> str | None:
    """Return the interpreter on this machine whose site-packages the log's tracebacks name, if there is one.

    It is named to people, never run: a log is not to be trusted with what is executed.
    """
    for folder in sorted(_package_folders(case)):
        place = PurePosixPath(folder)
        if place.parent.parent.name in ("lib", "lib64"):
            interpreter = Path(place.parent.parent.parent) / "bin" / "python"
        elif place.parent.name == "Lib":
            interpreter = Path(place.parent.parent) / "python.exe"
        else:
            continue
        if _exists(folder) and interpreter.is_file():
            return str(interpreter)
    return None


def _same_environment(one: str, other: str) -> bool:
    """Whether two interpreters lie in one environment: the same folder, or the same file where it is no link."""
    a, b = Path(one), Path(other)
    return a.parent == b.parent or (not b.is_symlink() and a.parent.resolve() == b.parent.resolve())


def _elsewhere(case: Case, runs: Iterable[ProbeRun], target: Target) -> str:
    """Return why the log cannot come from the machine probed; empty where nothing speaks against it."""
    for run in runs:
        for name, value in run.facts.items():
            known = case.facts.get(name)
            if name not in IDENTITY or known is None or known.source not in ("log", "file"):
                continue
            record = case.knowledge.facts.find(name)
            if _differ(known.value, value, record is not None and record.type == "version"):
                return say(DIFFERS, case.options.language).format(name, _shown(known.value), _shown(value))
    if target.is_local:
        folders = _package_folders(case)
        if folders and not any(_exists(folder) for folder in folders):
            return say(NOT_HERE, case.options.language).format(sorted(folders)[0])
    return ""


def _differ(one: FactValue, other: FactValue, versions: bool) -> bool:
    """Whether two values name different things; 3.11 may be 3.11.7, and A100 an NVIDIA A100."""
    if one is None or other is None:
        return one is not other
    if versions:
        with suppress(ValueError):
            left, right = version_key(str(one)).release, version_key(str(other)).release
            length = min(len(left), len(right))
            return left[:length] != right[:length]
    texts = sorted((str(one).casefold(), str(other).casefold()), key=len)
    return texts[0] not in texts[1]


def _shown(value: FactValue) -> str:
    return "absent" if value is None else clean_text(str(value), 80)


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
