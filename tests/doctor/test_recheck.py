"""`triage doctor --check CAUSE`: is the cause gone?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.doctor.machines import ASCEND, NVIDIA, Facts
from triage.cli.main import main
from triage.errors import TriageError
from triage.knowledge.base import Knowledge
from triage.recheck import recheck_cause

HEALED: Facts = {
    "pkg.torch-npu": "2.5.1", "mindspore.version": "2.4.0", "npu.smi_exit": 0, "npu.user_in_group": True,
    "cann.te_importable": True, "gpu.0.compute_mode": "default", "gpu.0.memory_used": 0, "pkg.triton": "3.1.0",
    "pkg.numpy": "1.26.4", "triton.cache_network_fs": False, "triton.libcuda_link": "/usr/lib/libcuda.so",
    "torch.device_count": 8, "nvidia.uvm_loaded": True, "python.headers": "/usr/include",
}  # fmt: skip
"""What the healthy machines leave open and recipes expect."""
CASES: list[tuple[str, Facts, str]] = [
    ("cuda.driver_too_old", {}, "ok"),
    ("cuda.driver_too_old", {"nvidia.driver_version": "470.57.02"}, "bad"),
    ("abi.cxx11_abi", {}, "ok"),
    ("abi.cxx11_abi", {"abi.cxx11_mismatch": ["_C.so"]}, "bad"),
    ("memory.disk_full", {}, "ok"),
    ("memory.disk_full", {"host.disk_work_free": 0}, "bad"),
    ("cuda.system_not_ready", {}, "ok"),
    ("cuda.system_not_ready", {"cuda.init": "CUDA_ERROR_SYSTEM_NOT_READY"}, "bad"),
    ("cuda.ecc_error", {"gpu.0.ecc_uncorrected": 4}, "bad"),
]


@pytest.mark.parametrize(("cause", "change", "state"), CASES)
def test_a_cause_is_gone_or_still_there(shipped: Knowledge, cause: str, change: Facts, state: str) -> None:
    assert recheck_cause(shipped, cause, None, {**NVIDIA, **change}, deep=True).state == state


def test_each_recipe_s_check_is_true_of_a_healthy_machine(shipped: Knowledge) -> None:
    """A check that cannot come true would send people in circles."""
    wrong = []
    for cause in shipped.causes:
        for recipe in shipped.page(cause).recipes:
            if recipe.check.expect is not None:
                found = recheck_cause(shipped, cause, None, {**NVIDIA, **ASCEND, **NVIDIA, **HEALED}, deep=True)
                wrong += [(cause, row.says, row.shows) for row in found.rows if row.state != "ok"]
    assert wrong == []


def test_a_failure_for_another_cause_does_not_count(shipped: Knowledge) -> None:
    facts = {**NVIDIA, "cuda.init": "CUDA_ERROR_SYSTEM_NOT_READY"}
    rows = recheck_cause(shipped, "cuda.driver_library_mismatch", None, facts).rows
    assert all(row.state == "ok" for row in rows)


def test_what_is_not_known_is_not_gone(shipped: Knowledge) -> None:
    assert recheck_cause(shipped, "cuda.no_driver", None, {}).state == "unknown"


def test_a_cause_that_no_probe_can_tell_is_said_with_its_own_check(shipped: Knowledge) -> None:
    with pytest.raises(TriageError, match=r"no probe can tell whether shape\.matmul is gone; see for yourself: \w"):
        recheck_cause(shipped, "shape.matmul", None, {})
    with pytest.raises(TriageError, match="no cause nonsense"):
        recheck_cause(shipped, "nonsense.cause", None, {})


def test_the_command_gives_exit_status_and_json(
    shipped: Knowledge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Knowledge, "load", lambda *_, **__: shipped)
    for change, status, said in (({}, 0, "gone"), ({"torch.cuda_version": "13.0"}, 2, "still there")):
        file = tmp_path / "facts.json"
        file.write_text(json.dumps({**NVIDIA, **change}))
        words = ["doctor", "--check", "cuda.driver_too_old", "--facts", str(file), "--lang", "en"]
        assert main(words) == status
        assert said in capsys.readouterr().out
        assert main([*words, "--json"]) == status
        report = json.loads(capsys.readouterr().out)
        assert report["cause"] == "cuda.driver_too_old" and report["checks"] and report["state"] in ("ok", "bad")
    (tmp_path / "none.json").write_text("{}")
    assert main(["doctor", "--check", "cuda.no_driver", "--facts", str(tmp_path / "none.json")]) == 1
    assert main(["doctor", "--check", "shape.matmul"]) == 2
