"""The probe visibility: what a program will see, by the rules that CUDA, HIP and Ascend follow."""

from __future__ import annotations

from typing import Any

import pytest

from tests.probes.machine import Machine

LISTING = """GPU 0: NVIDIA A100 (UUID: GPU-aaaa1111-0000)
GPU 1: NVIDIA A100 (UUID: GPU-bbbb2222-0000)
GPU 2: NVIDIA A100 (UUID: GPU-bbbb3333-0000)
"""
WITH_MIG = """GPU 0: NVIDIA A100 (UUID: GPU-aaaa1111-0000)
  MIG 3g.20gb     Device  0: (UUID: MIG-11111111-1)
  MIG 3g.20gb     Device  1: (UUID: MIG-22222222-2)
GPU 1: NVIDIA A100 (UUID: GPU-bbbb2222-0000)
"""
A, B, C = "GPU-aaaa1111-0000", "GPU-bbbb2222-0000", "GPU-bbbb3333-0000"

CASES: list[tuple[str, str | None, str, list[str], str | None]] = [
    ("unset", None, LISTING, [A, B, C], None),
    ("empty", "", LISTING, [], "empty"),
    ("blank", "  ", LISTING, [], "empty"),
    ("order", "2,0", LISTING, [C, A], None),
    ("spaces", " 0 , 1", LISTING, [A, B], None),
    ("out-of-range", "0,3,1", LISTING, [A], "out_of_range"),
    ("all-out-of-range", "7", LISTING, [], "out_of_range"),
    ("negative", "-1", LISTING, [], "negative"),
    ("negative-later", "1,-1,0", LISTING, [B], "negative"),
    ("duplicate", "0,0", LISTING, [], "duplicate"),
    ("word", "gpu0", LISTING, [], "not_a_number"),
    ("trailing-comma", "0,", LISTING, [A], "not_a_number"),
    ("uuid", B, LISTING, [B], None),
    ("uuid-prefix", "GPU-aaaa", LISTING, [A], None),
    ("uuid-ambiguous", "GPU-bbbb", LISTING, [], "unknown_uuid"),
    ("uuid-unknown", "GPU-cccc", LISTING, [], "unknown_uuid"),
    ("mixed", f"{A},1", LISTING, [A], "mixed"),
    ("number-then-uuid", f"0,{B}", LISTING, [A], "mixed"),
    ("mig-unset", None, WITH_MIG, ["MIG-11111111-1", B], None),
    ("mig-index", "0", WITH_MIG, ["MIG-11111111-1"], None),
    ("mig-uuid", "MIG-22222222-2", WITH_MIG, ["MIG-22222222-2"], None),
    ("mig-several", "MIG-11111111-1,MIG-22222222-2", WITH_MIG, ["MIG-11111111-1", "MIG-22222222-2"], "mig_several"),
    ("mig-parent", A, WITH_MIG, ["MIG-11111111-1"], "mig_parent"),
]


@pytest.mark.parametrize(("value", "listing", "shown", "problem"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_cuda_visible_devices_is_read_as_cuda_reads_it(
    machine: Machine, value: str | None, listing: str, shown: list[str], problem: str | None
) -> None:
    machine.tool("nvidia-smi", f"cat <<'END'\n{listing}END\n")
    machine.variables["TRIAGE_PROBE_ROOT"] = ""
    if value is not None:
        machine.variables["CUDA_VISIBLE_DEVICES"] = value
    facts = machine.run("visibility").facts
    assert (facts["visible.cuda"], facts["visible.cuda_problem"]) == (shown, problem)
    assert facts["visible.cuda_count"] == len(shown)
    assert facts["env.CUDA_VISIBLE_DEVICES"] == value


ASCEND: list[tuple[str, str | None, list[int], str | None]] = [
    ("unset", None, [0, 1, 2, 3], None),
    ("two", "1,3", [1, 3], None),
    ("blank-stops-reading", "1, 2,3", [1], "not_a_number"),
    ("empty", "", [], "empty"),
    ("out-of-range", "0,9", [0], "out_of_range"),
    ("duplicate", "1,1", [], "duplicate"),
    ("falling", "3,1", [3, 1], "not_ascending"),
]


@pytest.mark.parametrize(("value", "shown", "problem"), [c[1:] for c in ASCEND], ids=[c[0] for c in ASCEND])
def test_ascend_visible_devices_is_read_as_the_runtime_reads_it(
    machine: Machine, value: str | None, shown: list[int], problem: str | None
) -> None:
    for index in range(4):
        machine.file(f"/dev/davinci{index}")
    if value is not None:
        machine.variables["ASCEND_RT_VISIBLE_DEVICES"] = value
    facts = machine.run("visibility").facts
    assert (facts["visible.ascend"], facts["visible.ascend_problem"]) == (shown, problem)


def test_without_gpus_a_number_is_no_fault_but_an_empty_variable_is(machine: Machine) -> None:
    machine.variables["CUDA_VISIBLE_DEVICES"] = "0"
    assert machine.run("visibility").facts["visible.cuda_problem"] is None
    machine.variables["CUDA_VISIBLE_DEVICES"] = ""
    assert machine.run("visibility").facts["visible.cuda_problem"] == "empty"


def test_rocm_narrows_then_chooses(machine: Machine) -> None:
    for index, simds in enumerate((0, 304, 304, 304)):
        machine.file(f"/sys/class/kfd/kfd/topology/nodes/{index}/properties", f"simd_count {simds}\n")
    machine.variables.update({"ROCR_VISIBLE_DEVICES": "1,2", "HIP_VISIBLE_DEVICES": "1"})
    facts = machine.run("visibility").facts
    assert facts["visible.rocm"] == [2]
    machine.variables["HIP_VISIBLE_DEVICES"] = "2"
    wanted: dict[str, Any] = {"visible.rocm": [], "visible.rocm_problem": "out_of_range"}
    facts = machine.run("visibility").facts
    assert {name: facts[name] for name in wanted} == wanted
