"""Python environments made of files: interpreters whose search path holds packages that are only metadata."""

from __future__ import annotations

from pathlib import Path

from tests.probes.machine import Machine


def site(machine: Machine) -> Path:
    """A folder of packages that the machine's interpreter searches."""
    folder = machine.folder / "env" / "site-packages"
    folder.mkdir(parents=True, exist_ok=True)
    machine.variables["PYTHONPATH"] = str(folder)
    return folder


def install(
    machine: Machine, name: str, version: str, requires: tuple[str, ...] = (), modules: tuple[str, ...] = ()
) -> Path:
    """Lay down a distribution: metadata, a RECORD, and an empty package for each module."""
    place = site(machine)
    folder = place / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir()
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        *(f"Requires-Dist: {r}" for r in requires),
    ]
    (folder / "METADATA").write_text("\n".join(lines) + "\n\nText.\n")
    for module in modules:
        (place / module).mkdir(exist_ok=True)
        (place / module / "__init__.py").touch()
    (folder / "RECORD").write_text("".join(f"{module}/__init__.py,sha256=x,0\n" for module in modules))
    return folder


def install_torch(
    machine: Machine,
    version: str = "2.5.1+cu121",
    cuda: str | None = "12.1",
    archs: str = "sm_80 sm_90 compute_90",
    abi: str = "Ss",
) -> Path:
    """Lay down what the probes read of torch: version.py, and the texts that they search in its libraries."""
    install(machine, "torch", version, ("triton==3.1.0",))
    folder = site(machine) / "torch"
    (folder / "lib").mkdir(parents=True)
    (folder / "__init__.py").write_text(
        "raise ImportError('libcudart.so.12: cannot open shared object file: No such file or directory')\n"
    )
    text = f"__version__ = {version!r}\ndebug = False\ncuda = {cuda!r}\ngit_version = 'abc'\nhip = None\n"
    (folder / "version.py").write_text(text)
    for name in ("libtorch.so", "libtorch_cpu.so", *(("libtorch_cuda.so", "libc10_cuda.so") if cuda else ())):
        (folder / "lib" / name).write_bytes(b"\x7fELF")
    (folder / "lib" / "libc10.so").write_bytes(b"\0_ZN3c105ErrorC1ENS_14SourceLocationE" + abi.encode() + b"\0")
    (folder / "lib" / "libtorch_python.so").write_bytes(b"\0" + archs.encode() + b"\0")
    (folder / "_C.abi3.so").touch()
    return folder
