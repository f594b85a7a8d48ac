"""Every sentence of `knowledge_base/checks` is true of a healthy machine and untrue where it should be."""

from __future__ import annotations

import pytest

from tests.doctor.faults import CASES
from tests.doctor.machines import HOST, MACHINES, PYTHON, Facts
from triage.doctor import CheckResult, examine_machine
from triage.knowledge.base import Knowledge
from triage.probing.run import find_probes


def judged(shipped: Knowledge, facts: Facts) -> dict[str, CheckResult]:
    """Each check on a machine of facts, deep ones too, by its id."""
    return {check.id: check for check in examine_machine(shipped, None, facts, deep=True).checks}


def wrong(checks: dict[str, CheckResult]) -> dict[str, tuple[str, str]]:
    """What is not fine, with the values at hand."""
    return {name: (c.state, c.shows) for name, c in checks.items() if c.state not in ("ok", "not applicable")}


@pytest.mark.parametrize("machine", MACHINES)
def test_nothing_is_wrong_with_a_healthy_machine(shipped: Knowledge, machine: str) -> None:
    assert wrong(judged(shipped, MACHINES[machine])) == {}


def test_a_machine_without_any_accelerator_is_not_broken_by_that(shipped: Knowledge) -> None:
    none: Facts = {"gpu.count": 0, "nvidia.pci_count": 0, "nvidia.driver_version": None, "npu.count": 0,
                   "nvidia.nvml_init": None, "cuda.libcuda_path": None, "cuda.init": None, "rocm.pci_count": 0,
                   "xpu.pci_count": 0, "npu.pci_count": 0, "cann.home": None, "cann.version": None,
                   "torch.version": "2.5.1+cpu", "torch.metadata_version": "2.5.1+cpu", "torch.build": "cpu",
                   "torch.missing_files": [], "torch.missing_libraries": [], "torch.import_ok": True,
                   "torch.cuda_available": False, "env.CUDA_VISIBLE_DEVICES": "", "visible.cuda_problem": "empty",
                   "visible.cuda_count": 0}  # fmt: skip
    assert wrong(judged(shipped, {**HOST, **PYTHON, **none})) == {}


def test_nothing_known_is_nothing_wrong(shipped: Knowledge) -> None:
    assert {check.state for check in judged(shipped, {}).values()} == {"not applicable"}


@pytest.mark.parametrize(
    ("machine", "check", "applies", "change", "state", "cause"), CASES, ids=[f"{c[1]}-{n}" for n, c in enumerate(CASES)]
)
def test_a_sentence_is_true_when_it_should_be_and_untrue_when_not(
    shipped: Knowledge, machine: str, check: str, applies: Facts, change: Facts, state: str, cause: str
) -> None:
    healthy = {**MACHINES[machine], **applies}
    assert judged(shipped, healthy)[check].state == "ok"
    found = judged(shipped, {**healthy, **change})[check]
    assert (found.state, found.cause) == (state, cause)
    assert "?" not in found.shows and "<" not in found.shows.replace("<=", ""), "no value is unknown"
    assert found.fix, "each cause has a recipe"


def test_every_check_has_a_case(shipped: Knowledge) -> None:
    assert {case[1] for case in CASES} == {check.id for check in shipped.checks}


def test_checks_are_sentences_in_two_languages_that_name_probes_that_exist(shipped: Knowledge) -> None:
    probes = find_probes()
    for check in shipped.checks:
        assert not isinstance(check.says, str) and check.says.en and check.says.zh, check.id
        assert not check.says.en.endswith("."), check.id
        assert set(check.probes) <= set(probes), check.id
        assert check.cause in shipped.causes, check.id
