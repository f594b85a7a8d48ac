"""The probes on real frameworks, where they are installed beside the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.probes.machine import check_facts
from triage.probing.run import run_probes
from triage.probing.target import Target

pytestmark = pytest.mark.real
CPP = """
#include <c10/util/Exception.h>
#include <ATen/ATen.h>
extern "C" void PyInit_x() { TORCH_CHECK(false, "x"); }
at::Tensor g() { return at::zeros({1}); }
"""


@pytest.mark.parametrize(
    ("module", "probe", "wanted"),
    [
        ("torch", "torch", {"torch.import_ok": True, "torch.import_error": None, "torch.kernel": "ok"}),
        ("onnxruntime", "onnxruntime", {"ort.import_error": None, "ort.run.CPUExecutionProvider": "ok"}),
        ("tensorflow", "tensorflow", {"tf.import_error": None}),
        ("jax", "jax", {"jax.import_error": None, "jax.versions_agree": True}),
    ],
)
def test_a_framework_that_works_is_told_to_work(module: str, probe: str, wanted: dict[str, object]) -> None:
    if find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    (quick,) = run_probes([probe], Target())
    (deep,) = run_probes([probe], Target(), deep=True, each=100, deadline=120)
    check_facts(quick.facts)
    check_facts(deep.facts)
    assert {name: deep.facts.get(name) for name in wanted} == wanted
    for name in (
        "torch.version",
        "torch.cuda_version",
        "torch.cxx11_abi",
        "torch.arch_list",
        "ort.version",
        "tf.version",
    ):
        assert quick.facts.get(name) == deep.facts.get(name)


@pytest.mark.skipif(find_spec("torch") is None or shutil.which("g++") is None, reason="needs torch and g++")
def test_an_extension_whose_torch_changed_is_caught_with_its_symbol(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = find_spec("torch")
    assert spec is not None and spec.origin is not None
    torch = Path(spec.origin).parent
    place = tmp_path / "site-packages"
    library = place / "op" / "_C.so"
    library.parent.mkdir(parents=True)
    (tmp_path / "x.cpp").write_text(CPP)
    words = [
        "g++",
        "-std=c++20",
        "-O0",
        "-shared",
        "-fPIC",
        f"-I{torch}/include",
        str(tmp_path / "x.cpp"),
        f"-L{torch}/lib",
    ]
    subprocess.run([*words, "-lc10", "-ltorch_cpu", "-o", str(library)], check=True)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(place), str(torch.parent)]))
    (run,) = run_probes(["abi"], Target(sys.executable))
    assert run.facts["abi.undefined"] == []
    library.write_bytes(library.read_bytes().replace(b"torchCheckFail", b"torchCheckFall"))
    (run,) = run_probes(["abi"], Target(sys.executable))
    told = run.facts["abi.undefined"]
    assert isinstance(told, list) and str(told[0]).startswith("op/_C.so: c10::detail::torchCheckFall(")
