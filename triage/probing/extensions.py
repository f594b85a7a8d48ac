"""Do the compiled extensions fit what is installed? Completes the facts of the probe `abi`, which only lists files."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from triage.probing.elf import Extension, demangle, missing_symbols, read_extension, version_key
from triage.probing.probe_run import ProbeRun
from triage.reason.book import FactValue

# Mangled names of torch's own namespaces, and its C interfaces. Other symbols come from too many places to judge.
_TORCH_SYMBOL = re.compile(r"_Z\w*?(?:3c10|2at|5torch|6caffe2)[A-Z\d]|aoti_torch_|THP[A-Z]")
_OLD_STRING = re.compile(r"(?:\d[a-zA-Z]\w*|[EK_vibjlm])Ss(?:[A-Z_\d]|$)")
# Come with the driver, the interpreter or the loader, not with a package.
_ELSEWHERE = re.compile(r"lib(?:cuda|nvidia-ml|python3[\d.]*)\.so|ld-linux|linux-vdso|ld64\.so")
# Those of torch's libraries that `import torch` loads.
_TORCH_LIBRARIES = ("libtorch_python", "libtorch_cpu", "libtorch_cuda", "libc10", "libc10_cuda")
_SYSTEM_FOLDERS = (
    "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
    "/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib",
)  # fmt: skip


def examine_extensions(run: ProbeRun, seconds: float = 10.0) -> ProbeRun:
    """Read the files that the probe `abi` listed on this machine, and add what does not fit.

    Args:
        run: a result of the probe `abi`, from this machine.
        seconds: time for all files; those left then are named in a note.

    Returns:
        The result with `abi.undefined` ("file: plain name (mangled name)"), `abi.cxx11_mismatch`,
        `abi.missing_libraries`, `torch.missing_libraries`, `abi.glibc_needed`, `abi.glibcxx_needed`,
        `abi.glibc_too_new`, `abi.glibcxx_too_new`, `abi.cuda_mismatch`; unchanged if it lists no files.
    """
    paths = _texts(run.facts.get("abi.extensions"))
    libraries = [Path(path) for path in _texts(run.facts.get("abi.torch_libraries"))]
    folders = [path.parent for path in libraries] + [Path(f) for f in _texts(run.facts.get("abi.library_folders"))]
    if not paths and not libraries:
        return run
    end, notes = time.monotonic() + seconds, list(run.notes)
    undefined, cxx11, missing, cuda = [], [], [], []
    needs: dict[str, list[tuple[str, str]]] = {"GLIBC": [], "GLIBCXX": []}
    for index, path in enumerate(paths):
        if time.monotonic() > end:
            notes.append(f"{len(paths) - index} extensions were not read: the time was up")
            break
        extension = read_extension(path)
        if extension is None:
            notes.append(f"{path} is not a readable ELF file")
            continue
        name = _short(path)
        closure, lost = resolve_needed(extension, folders)
        missing += [f"{name}: {library}" for library in lost]
        wanted = {symbol for symbol in extension.undefined if _TORCH_SYMBOL.match(symbol)}
        if libraries and not lost:
            gone = sorted(missing_symbols(wanted, [*libraries, *closure]))
            undefined += [f"{name}: {demangle(symbol)} ({symbol})" for symbol in gone[:5]]
            if _other_string(gone, run.facts.get("torch.cxx11_abi")):
                cxx11.append(name)
        cuda += _cuda_majors(name, extension, run.facts.get("torch.cuda_version"))
        for prefix, found in needs.items():
            version = extension.newest(prefix)
            if version is not None:
                found.append((version, name))
    facts: dict[str, FactValue] = {
        **run.facts,
        "abi.undefined": undefined,
        "abi.cxx11_mismatch": cxx11,
        "abi.missing_libraries": missing,
        "abi.cuda_mismatch": cuda,
        "torch.missing_libraries": find_missing_libraries(libraries, folders),
    }
    for prefix, found in needs.items():
        if found:
            lowest = run.facts.get(f"host.{prefix.lower()}")
            facts[f"abi.{prefix.lower()}_needed"] = max(found, key=lambda item: version_key(item[0]))[0]
            if isinstance(lowest, str):
                newer = [(v, name) for v, name in found if version_key(v) > version_key(lowest)]
                facts[f"abi.{prefix.lower()}_too_new"] = [f"{name}: {prefix}_{v}" for v, name in newer]
    return replace(run, facts=facts, notes=tuple(notes))


def find_missing_libraries(libraries: Iterable[Path], folders: list[Path]) -> list[str]:
    """Names of libraries that torch's own libraries need and that are neither in `folders` nor on the loader's path."""
    missing: dict[str, None] = {}
    for library in libraries:
        extension = read_extension(library) if library.stem in _TORCH_LIBRARIES else None
        if extension is not None:
            missing |= dict.fromkeys(resolve_needed(extension, folders)[1])
    return list(missing)


def resolve_needed(extension: Extension, folders: list[Path]) -> tuple[list[Path], list[str]]:
    """Find the libraries that an extension needs, directly or through others, as the loader would.

    Args:
        extension: the extension.
        folders: folders of libraries that are loaded before it (torch's own, the NVIDIA wheels').

    Returns:
        Paths of those found outside the system's folders, and names of those not found anywhere.
    """
    paths = [Path(folder) for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
    shared = [*folders, *paths, *map(Path, _SYSTEM_FOLDERS), *_configured_folders()]
    real = {folder.resolve() for folder in folders}
    found: dict[str, Path] = {}
    lost: list[str] = []
    waiting = [extension]
    while waiting and len(found) < 200:
        current = waiting.pop()
        for name in current.needed:
            if name in found or name in lost or _ELSEWHERE.match(name):
                continue
            places = [*map(Path, current.runpath), *map(Path, extension.runpath), *shared]
            path = next((place / name for place in places if (place / name).exists()), None)
            if path is None:
                lost.append(name)
                continue
            found[name] = path
            # What torch's own libraries lack is torch's fault, not the extension's.
            if not str(path).startswith(_SYSTEM_FOLDERS) and path.parent.resolve() not in real:
                inner = read_extension(path)
                if inner is not None:
                    waiting.append(inner)
    return [path for path in found.values() if not str(path).startswith(_SYSTEM_FOLDERS)], lost


def _configured_folders() -> list[Path]:
    """Folders that the loader's configuration adds."""
    found = []
    for path in sorted(Path("/etc/ld.so.conf.d").glob("*.conf")):
        try:
            lines = path.read_text(errors="replace").splitlines()
        except OSError:
            continue
        found += [Path(line.strip()) for line in lines if line.startswith("/")]
    return found


def _other_string(gone: list[str], new_abi: object) -> bool:
    """Whether missing symbols take the std::string of the ABI that torch does not have."""
    if not isinstance(new_abi, bool):
        return False
    return any(_OLD_STRING.search(symbol) if new_abi else "__cxx11" in symbol for symbol in gone)


def _cuda_majors(name: str, extension: Extension, torch_cuda: object) -> list[str]:
    """The extension if it needs the CUDA runtime of another major version than torch's."""
    for library in extension.needed:
        match = re.match(r"lib(?:cudart|cublas)\.so\.(\d+)", library)
        if match and isinstance(torch_cuda, str) and match[1] != torch_cuda.split(".")[0]:
            return [f"{name}: {library}, torch has CUDA {torch_cuda}"]
    return []


def _short(path: str) -> str:
    """A path from the folder of its package on."""
    parts = Path(path).parts
    for marker in ("site-packages", "dist-packages"):
        if marker in parts:
            return "/".join(parts[len(parts) - parts[::-1].index(marker) :])
    return path


def _texts(value: FactValue) -> list[str]:
    """A list of texts, or an empty one."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
