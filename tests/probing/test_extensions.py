"""Compiled extensions against the torch that is installed: libraries made by the compiler, symbols as torch's."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.probes.environments import install_torch, site
from tests.probes.machine import Machine
from triage.probing.elf import demangle, missing_symbols, read_extension
from triage.probing.extensions import examine_extensions
from triage.probing.probe_run import ProbeRun
from triage.probing.run import run_probes
from triage.probing.target import Target

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None or sys.platform != "linux", reason="needs gcc on Linux")

NEW = "_ZN3c105ErrorC1ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
OLD = "_ZN3c105ErrorC1ENS_14SourceLocationESs"
EMPTY = "_ZN2at5emptyEN3c108ArrayRefIlEE"


def compile_library(path: Path, defines: tuple[str, ...] = (), uses: tuple[str, ...] = (), *flags: str) -> Path:
    """A shared library that defines and uses symbols by their mangled names."""
    code = "".join(f'void d{i}(void) __asm__("{name}"); void d{i}(void) {{}}\n' for i, name in enumerate(defines))
    code += "".join(f'extern void u{i}(void) __asm__("{name}");\n' for i, name in enumerate(uses))
    code += "void PyInit_x(void) {" + "".join(f"u{i}();" for i in range(len(uses))) + "}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    words = ["gcc", "-shared", "-fPIC", "-w", "-x", "c", "-", f"-Wl,-soname,{path.name}", "-Wl,--no-as-needed"]
    subprocess.run([*words, "-x", "none", *flags, "-o", str(path)], input=code.encode(), check=True)
    return path


@pytest.fixture
def torch_libraries(tmp_path: Path) -> list[Path]:
    """libc10 and libtorch_cpu of a torch with the new string ABI."""
    folder = tmp_path / "torch" / "lib"
    return [compile_library(folder / "libc10.so", (NEW,)), compile_library(folder / "libtorch_cpu.so", (EMPTY,))]


def examine(path: Path, libraries: list[Path], **facts: object) -> dict[str, object]:
    """The facts after examining one extension against torch's libraries."""
    listed = {
        "abi.extensions": [str(path)],
        "abi.torch_libraries": [str(one) for one in libraries],
        "torch.cxx11_abi": True,
    }
    return dict(examine_extensions(ProbeRun("abi", "ok", 0.1, {**listed, **facts})).facts)  # type: ignore[arg-type]


def test_an_extension_that_fits_is_quiet(tmp_path: Path, torch_libraries: list[Path]) -> None:
    path = compile_library(tmp_path / "good.so", (), (NEW, EMPTY), str(torch_libraries[0]), str(torch_libraries[1]))
    facts = examine(path, torch_libraries, **{"host.glibc": "99.0", "host.glibcxx": "99.0"})
    names = ("abi.undefined", "abi.cxx11_mismatch", "abi.missing_libraries", "abi.cuda_mismatch", "abi.glibc_too_new")
    assert [facts[name] for name in names] == [[], [], [], [], []]


def test_a_symbol_of_another_torch_is_named_in_plain_words(tmp_path: Path, torch_libraries: list[Path]) -> None:
    gone = "_ZN3c106detail14torchCheckFailEPKcS2_jRKSs"
    path = compile_library(tmp_path / "site-packages" / "op" / "_C.so", (), (gone,), str(torch_libraries[0]))
    facts = examine(path, torch_libraries)
    (told,) = facts["abi.undefined"]  # type: ignore[misc]
    assert told.startswith("op/_C.so: c10::detail::torchCheckFail(") and gone in told


def test_the_other_string_abi_is_recognised(tmp_path: Path, torch_libraries: list[Path]) -> None:
    path = compile_library(tmp_path / "old.so", (), (OLD,), str(torch_libraries[0]))
    assert examine(path, torch_libraries)["abi.cxx11_mismatch"] == [str(path)]
    other = [compile_library(tmp_path / "other" / "lib" / "libc10.so", (OLD,))]
    path = compile_library(tmp_path / "new.so", (), (NEW,), str(other[0]))
    assert examine(path, other, **{"torch.cxx11_abi": False})["abi.cxx11_mismatch"] == [str(path)]


def test_symbols_of_python_and_of_unknown_libraries_are_not_judged(tmp_path: Path, torch_libraries: list[Path]) -> None:
    path = compile_library(tmp_path / "x.so", (), ("PyObject_Call", "_ZN4mine3runEv"), str(torch_libraries[0]))
    assert examine(path, torch_libraries)["abi.undefined"] == []


def test_a_sibling_that_defines_the_symbol_counts(tmp_path: Path, torch_libraries: list[Path]) -> None:
    own = "_ZN3c104mineEv"
    sibling = compile_library(tmp_path / "lib" / "libmine.so", (own,))
    path = compile_library(tmp_path / "x.so", (), (own,), str(sibling), "-Wl,-rpath,$ORIGIN/lib")
    assert examine(path, torch_libraries)["abi.undefined"] == []


def test_a_library_that_is_not_there_is_named_and_nothing_else_is_guessed(
    tmp_path: Path, torch_libraries: list[Path]
) -> None:
    lost = compile_library(tmp_path / "lib" / "libcudart.so.11.0", ())
    path = compile_library(tmp_path / "x.so", (), ("_ZN3c104goneEv",), str(lost))
    lost.unlink()
    facts = examine(path, torch_libraries, **{"torch.cuda_version": "12.4"})
    assert facts["abi.missing_libraries"] == [f"{path}: libcudart.so.11.0"]
    assert facts["abi.cuda_mismatch"] == [f"{path}: libcudart.so.11.0, torch has CUDA 12.4"]
    assert facts["abi.undefined"] == []


def test_libraries_that_torch_itself_lacks_are_told_apart(tmp_path: Path) -> None:
    lost = compile_library(tmp_path / "lib" / "libcudnn.so.9")
    torch_cuda = compile_library(tmp_path / "torch" / "lib" / "libtorch_cuda.so", (), (), str(lost))
    path = compile_library(tmp_path / "x.so", (), (), str(torch_cuda), "-Wl,-rpath,$ORIGIN/torch/lib")
    lost.unlink()
    facts = examine(path, [torch_cuda])
    assert facts["torch.missing_libraries"] == ["libcudnn.so.9"]
    assert facts["abi.missing_libraries"] == []


def test_versions_of_glibc_that_are_too_new_are_named(tmp_path: Path, torch_libraries: list[Path]) -> None:
    path = compile_library(tmp_path / "x.so", (), ("pthread_create", "printf"), "-lc")
    extension = read_extension(path)
    assert extension is not None
    newest = extension.newest("GLIBC")
    assert newest is not None
    facts = examine(path, torch_libraries, **{"host.glibc": "2.2"})
    assert facts["abi.glibc_needed"] == newest
    assert facts["abi.glibc_too_new"] == [f"{path}: GLIBC_{newest}"]


@pytest.mark.parametrize(
    "content", [b"", b"text", b"\x7fELF", b"\x7fELF\x02\x01\x01" + bytes(100), b"\x7fELF" + bytes(range(256)) * 50]
)
def test_files_that_are_no_libraries_are_left_out(tmp_path: Path, torch_libraries: list[Path], content: bytes) -> None:
    path = tmp_path / "x.so"
    path.write_bytes(content)
    facts = examine(path, torch_libraries)
    assert facts["abi.undefined"] == []
    assert read_extension(tmp_path / "nowhere.so") is None
    assert missing_symbols({"a"}, [path]) == {"a"}


def test_a_library_cut_short_does_no_harm(tmp_path: Path, torch_libraries: list[Path]) -> None:
    data = torch_libraries[0].read_bytes()
    for size in range(0, len(data), max(1, len(data) // 40)):
        path = tmp_path / "cut.so"
        path.write_bytes(data[:size])
        read_extension(path)
        assert missing_symbols({NEW}, [path]) in ({NEW}, set())


@pytest.mark.parametrize(
    ("symbol", "plain"),
    [
        ("_ZN2at4_ops5zeros4callEN3c108ArrayRefINS2_6SymIntEEE", "at::_ops::zeros::call(c10::ArrayRef<c10::SymInt>)"),
        ("printf", "printf"),
        ("_Znonsense", "_Znonsense"),
        ("_ZN3c106detail14torchCheckFailEPKcS2_jRKSs@VER", "c10::detail::torchCheckFail"),
    ],
)
def test_symbols_are_shown_by_their_plain_names(symbol: str, plain: str) -> None:
    assert demangle(symbol).startswith(plain)


def test_the_probe_and_the_reading_work_together(
    machine: Machine, torch_libraries: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = install_torch(machine, abi="NSt7__cxx1112basic_stringIcE")
    for library in torch_libraries:
        shutil.copy(library, folder / "lib" / library.name)
    compile_library(site(machine) / "op" / "_C.so", (), ("_ZN3c104goneEv",), str(folder / "lib" / "libc10.so"))
    monkeypatch.setenv("PYTHONPATH", str(site(machine)))
    (run,) = run_probes(["abi"], Target())
    assert run.facts["abi.undefined"] == ["op/_C.so: c10::gone() (_ZN3c104goneEv)"]
    assert run.facts["torch.cxx11_abi"] is True
