"""A log and the machine joined: which probes run, whose facts count, and which interpreter recipes name."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Kit, cause
from triage.cli.main import main
from triage.diagnosis import Case, Options, open_case
from triage.examine import examine, failed_interpreter, wanted_probes
from triage.knowledge.base import Knowledge
from triage.log.source import source_from_text
from triage.probing.run import ProbeRun
from triage.probing.target import Target
from triage.reason.book import FactValue

Facts = dict[str, FactValue]
NO_GPU = 'Traceback (most recent call last):\n  File "{file}", line 3, in <module>\n    model.cuda()\n' + (
    "RuntimeError: No CUDA GPUs are available\n"
)
OOM = (
    'Traceback (most recent call last):\n  File "/srv/a.py", line 3, in <module>\n    a @ b\n'
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB"
    " of which 1.10 GiB is free.\n"
)
SHAPE = (
    'Traceback (most recent call last):\n  File "/srv/a.py", line 3, in <module>\n    a @ b\n'
    "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x5 and 6x7)\n"
)


@pytest.fixture(scope="module")
def shipped() -> Knowledge:
    """The knowledge base of this working tree."""
    return Knowledge.load()


class Probes:
    """Stands in for the runner: answers with given facts and remembers what was asked."""

    def __init__(self, facts: dict[str, Facts]) -> None:
        self.facts, self.asked = facts, list[str]()
        self.deadline = 0.0

    def __call__(self, names: Iterable[str], target: Target, deadline: float, **_: Any) -> list[ProbeRun]:
        self.asked, self.deadline = list(names), deadline
        return [ProbeRun(name, "ok", 0.1, self.facts.get(name, {})) for name in self.asked]


def case_of(knowledge: Knowledge, log: str, facts: Facts | None = None) -> Case:
    """A case of a log and of facts from a file."""
    return open_case(source_from_text(log), knowledge, facts or {}, "file", Options())


def test_facts_of_the_machine_are_evidence_for_and_against(shipped: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    probes = Probes({
        "nvidia": {"nvidia.driver_version": "550.54.14", "gpu.count": 2, "nvidia.versions_agree": True},
        "visibility": {"env.CUDA_VISIBLE_DEVICES": "-1", "visible.cuda_problem": "negative", "visible.cuda_count": 0},
        "host": {"host.container": None},
        "torch": {"torch.build": "cuda", "torch.cuda_version": "12.1"},
    })  # fmt: skip
    monkeypatch.setattr("triage.examine.run_probes", probes)
    case = case_of(shipped, NO_GPU.format(file="/srv/train.py"))
    results, notes = examine(case, Target())
    report = case.report(results, notes)
    assert report.hypotheses[0].id == "cuda.no_device_visible" and not notes
    evidence = [e for h in report.hypotheses for e in h.evidence if e.source == "probe"]
    assert any(e.fact == "env.CUDA_VISIBLE_DEVICES" and e.for_ and e.probe == "visibility" for e in evidence)


def test_a_fact_that_speaks_against_is_shown_as_that(shipped: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    busy: Facts = {"gpu.count": 1, "gpu.0.process_count": 1, "gpu.0.process_memory": 70 << 30}
    monkeypatch.setattr("triage.examine.run_probes", Probes({"nvidia": busy}))
    case = case_of(shipped, OOM)
    results, notes = examine(case, Target())
    best, *others = case.report(results, notes).hypotheses
    assert best.id == "memory.gpu_other_process" and any(e.for_ and e.probe == "nvidia" for e in best.evidence)
    against = {h.id for h in others for e in h.evidence if not e.for_ and e.probe == "nvidia"}
    assert "memory.gpu_oom" in against


def test_only_the_probes_that_the_open_hypotheses_ask_for_run(
    shipped: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes = Probes({})
    monkeypatch.setattr("triage.examine.run_probes", probes)
    examine(case_of(shipped, NO_GPU.format(file="/srv/train.py")), Target())
    assert {"nvidia", "visibility"} <= set(probes.asked)
    assert not {"cann", "jax", "tensorflow", "huggingface", "rocm", "tensorrt"} & set(probes.asked)
    assert probes.deadline <= 2.0
    examine(case_of(shipped, NO_GPU.format(file="/srv/train.py")), Target(), deep=True)
    assert probes.deadline > 2.0


def test_a_fault_of_the_program_or_none_asks_no_driver(shipped: Knowledge) -> None:
    assert not {"nvidia", "cann", "cuda_driver"} & set(wanted_probes(case_of(shipped, SHAPE)))
    assert wanted_probes(case_of(shipped, "step 1 | loss 2.0\nstep 2 | loss 1.9\n")) == []


class Stepwise(Probes):
    """Answers one probe after the other and tells of each, the last one asked first."""

    def __call__(self, names: Iterable[str], target: Target, deadline: float, **more: Any) -> list[ProbeRun]:
        runs = super().__call__(names, target, deadline)
        for run in reversed(runs):
            more["progress"](run.name, None)
            more["progress"](run.name, run)
        return runs


def test_facts_arrive_probe_by_probe(shipped: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    probes = Stepwise({"nvidia": {"gpu.count": 2}, "visibility": {"visible.cuda_count": 0}})
    monkeypatch.setattr("triage.examine.run_probes", probes)
    case, seen = case_of(shipped, NO_GPU.format(file="/srv/train.py")), list[set[str]]()
    results, _ = examine(case, Target(), arrived=lambda facts: seen.append({known.name for known in facts}))
    assert len(seen) == len(results) > 2
    told = [({"gpu.count", "visible.cuda_count"} & names) for names in seen]
    assert set() in told and any(len(names) == 1 for names in told) and len(told[-1]) == 2
    assert case.facts.get("gpu.count") is not None


@pytest.mark.parametrize(("here", "used"), [("535.104.05", True), ("550.54.14", False)])
def test_no_fact_arrives_before_it_is_known_that_the_log_is_of_this_machine(
    shipped: Knowledge, monkeypatch: pytest.MonkeyPatch, here: str, used: bool
) -> None:
    probes = Stepwise({"nvidia": {"nvidia.driver_version": here}, "visibility": {"visible.cuda_count": 0}})
    monkeypatch.setattr("triage.examine.run_probes", probes)
    case = case_of(shipped, NO_GPU.format(file="/srv/train.py"), {"nvidia.driver_version": "535.104.05"})
    before = {known.name for known in case.facts}
    seen: list[set[str]] = []
    _, notes = examine(case, Target(), arrived=lambda facts: seen.append({known.name for known in facts}))
    assert any("visible.cuda_count" in names for names in seen) is used
    assert bool(notes) is not used
    if not used:
        assert all(names <= before | {"python.command"} for names in seen)


def test_what_is_known_is_not_asked_again(shipped: Knowledge) -> None:
    log = NO_GPU.format(file="/srv/train.py")
    asked = wanted_probes(case_of(shipped, log))
    known: Facts = {"env.CUDA_VISIBLE_DEVICES": None, "visible.cuda_problem": None, "visible.cuda_count": 1,
                    "visible.nvidia_problem": None, "env.NVIDIA_VISIBLE_DEVICES": None}  # fmt: skip
    assert "visibility" in asked and "visibility" not in wanted_probes(case_of(shipped, log, known))


@pytest.mark.parametrize(
    ("there", "here", "elsewhere"),
    [
        ({"nvidia.driver_version": "535.104.05"}, {"nvidia.driver_version": "550.54.14"}, True),
        ({"nvidia.driver_version": "550.54.14"}, {"nvidia.driver_version": None}, True),
        ({"python.version": "3.11"}, {"python.version": "3.11.7"}, False),
        ({"python.version": "3.9"}, {"python.version": "3.11.7"}, True),
        ({"torch.version": "2.4.1"}, {"torch.version": "2.4.1+cu121"}, False),
        ({"gpu.0.name": "A100-SXM4-40GB"}, {"gpu.0.name": "NVIDIA A100-SXM4-40GB"}, False),
        ({"gpu.0.name": "Tesla V100"}, {"gpu.0.name": "NVIDIA A100-SXM4-40GB"}, True),
        ({"host.name": "node7"}, {"host.name": "laptop"}, False),
    ],
)
def test_a_log_of_another_machine_is_recognised_by_versions_and_devices(
    shipped: Knowledge, monkeypatch: pytest.MonkeyPatch, there: Facts, here: Facts, elsewhere: bool
) -> None:
    monkeypatch.setattr("triage.examine.run_probes", Probes({"nvidia": {**here, "gpu.count": 77}}))
    case = case_of(shipped, NO_GPU.format(file="/srv/train.py"), there)
    _, notes = examine(case, Target())
    assert bool(notes) is elsewhere
    assert (case.facts.get("gpu.count") is None) is elsewhere
    if elsewhere:
        assert "comes from another machine or environment" in notes[0] and "was not used" in notes[0]


def test_a_log_whose_packages_lie_in_a_folder_that_is_not_here_is_of_another_machine(
    shipped: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triage.examine.run_probes", Probes({"nvidia": {"gpu.count": 77}}))
    log = NO_GPU.format(file="/nowhere/env/lib/python3.10/site-packages/torch/cuda/__init__.py")
    case = case_of(shipped, log)
    _, notes = examine(case, Target())
    assert "there is no /nowhere/env/lib/python3.10/site-packages here" in notes[0]
    assert case.facts.get("gpu.count") is None
    case = case_of(shipped, log)
    _, notes = examine(case, Target("python3", ("ssh", "node7")))
    assert notes == [] and case.facts.get("gpu.count") is not None, "with --via its folders cannot be seen from here"


def environment(folder: Path) -> Path:
    """An environment made of empty files, and its interpreter."""
    (folder / "lib" / "python3.11" / "site-packages" / "torch").mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").touch()
    return folder / "bin" / "python"


def test_another_environment_of_this_machine_lends_its_machine_and_keeps_its_packages(
    shipped: Knowledge, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    interpreter = environment(tmp_path / "my env")
    probes = Probes({"nvidia": {"gpu.count": 0}, "torch": {"torch.version": None}})
    monkeypatch.setattr("triage.examine.run_probes", probes)
    file = tmp_path / "my env/lib/python3.11/site-packages/torch/cuda/__init__.py"
    case = case_of(shipped, NO_GPU.format(file=file))
    assert failed_interpreter(case) == str(interpreter)
    results, notes = examine(case, Target())
    assert "nvidia" in probes.asked and not {"torch", "python", "abi"} & set(probes.asked)
    assert f"triage --python '{interpreter}'" in notes[0]
    commands = [step.command or "" for fix in case.report(results).hypotheses[0].fix for step in fix.steps]
    named = [command for command in commands if " -m pip " in command or " -c " in command]
    assert all(f"'{interpreter}' -" in command for command in named)


def test_the_interpreter_that_a_person_names_is_examined_whole(
    shipped: Knowledge, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    interpreter = environment(tmp_path / "env")
    probes = Probes({})
    monkeypatch.setattr("triage.examine.run_probes", probes)
    file = tmp_path / "env/lib/python3.11/site-packages/torch/cuda/__init__.py"
    case = case_of(shipped, NO_GPU.format(file=file))
    _, notes = examine(case, Target(str(interpreter)), chosen=True)
    assert notes == [] and "torch" in probes.asked
    known = case.facts.get("python.command")
    assert known is not None and (known.value, known.source) == (str(interpreter), "person")


def test_without_a_sign_of_the_interpreter_recipes_keep_plain_python(
    shipped: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triage.examine.run_probes", Probes({}))
    case = case_of(shipped, NO_GPU.format(file="/srv/train.py"))
    examine(case, Target())
    assert case.facts.get("python.command") is None


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON report of the command line."""
    main([*arguments, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_real_probes_answer_within_two_seconds_and_are_named(
    tmp_path: Path, shipped: Knowledge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Knowledge, "load", lambda *_, **__: shipped)
    log = tmp_path / "e.log"
    log.write_text(NO_GPU.format(file="/srv/train.py"))
    start = time.monotonic()
    report = run(capsys, str(log))
    assert time.monotonic() - start < 4, "2 s for the probes, the rest for a busy test machine"
    assert {"nvidia", "visibility"} <= {probe["name"] for probe in report["probes"]}
    assert any(name.startswith("nvidia.") for name in report["facts"])


def test_no_probes_means_none(
    tmp_path: Path, shipped: Knowledge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Knowledge, "load", lambda *_, **__: shipped)
    monkeypatch.setattr("triage.examine.run_probes", None)
    log = tmp_path / "e.log"
    log.write_text(NO_GPU.format(file="/srv/train.py"))
    assert run(capsys, str(log), "--no-probes")["probes"] == []
    (tmp_path / "f.json").write_text('{"nvidia.driver_version": null, "nvidia.pci_count": 1, "host.container": null}')
    report = run(capsys, str(log), "--facts", str(tmp_path / "f.json"))
    assert report["probes"] == [] and report["hypotheses"][0]["id"] == "cuda.no_driver"


def test_this_interpreter_is_its_own_environment(shipped: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    probes = Probes({})
    monkeypatch.setattr("triage.examine.run_probes", probes)
    folder = next(Path(path) for path in sys.path if path.endswith("site-packages"))
    _, notes = examine(case_of(shipped, NO_GPU.format(file=folder / "torch/cuda/__init__.py")), Target())
    assert notes == [] and "torch" in probes.asked


def test_a_probe_that_did_not_come_back_leaves_the_quick_look(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    kit.rules("t-no | no devices are available")
    because = "arguments_for: [{when: {fact: drv.version, is: '535.1'}, weight: strong, because: there}]"
    kit.causes(cause("t.x", "{rule: t-no, weight: strong}", because))
    late = ProbeRun("nvidia", "timeout", 2.0, {}, detail="no answer within 2 s")
    monkeypatch.setattr("triage.examine.run_probes", lambda *args, **options: [late])
    monkeypatch.setattr("triage.examine.quick_nvidia_facts", lambda: {"drv.version": "535.1"})
    case = kit.case("no devices are available\n")
    results, _ = examine(case, Target())
    known = case.facts.get("drv.version")
    assert [result.status for result in results] == ["timeout"]
    assert known is not None and (known.value, known.source) == ("535.1", "probe")
