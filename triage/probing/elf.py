"""Reading compiled extensions: what they need, what they define, and the plain names of mangled symbols."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection
from elftools.elf.hash import ELFHashSection, GNUHashSection
from elftools.elf.sections import SymbolTableSection

SIZE_LIMIT = 4 << 30
"""Bytes; a larger file is not read."""


@dataclass(frozen=True)
class Extension:
    """What the dynamic section of a shared library says."""

    path: Path
    """The file."""

    needed: tuple[str, ...]
    """Names of the libraries that it needs, in order (DT_NEEDED)."""

    runpath: tuple[str, ...]
    """Folders it looks in first (DT_RUNPATH or DT_RPATH), `$ORIGIN` resolved."""

    undefined: frozenset[str]
    """Symbols that another library must define; weak ones are left out, since they may stay undefined."""

    versions: frozenset[str]
    """Symbol versions it needs, such as `GLIBC_2.34` and `GLIBCXX_3.4.30`."""

    machine: str
    """Processor it is for, such as `x64` or `AArch64`."""

    def newest(self, prefix: str) -> str | None:
        """Newest version it needs of a prefix (`GLIBC`, `GLIBCXX`, `CXXABI`), without the prefix; None if none."""
        found = [v[len(prefix) + 1 :] for v in self.versions if re.fullmatch(rf"{prefix}_\d[\d.]*", v)]
        return max(found, key=version_key, default=None)


def version_key(version: str) -> tuple[int, ...]:
    """Sort key of a dotted number."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def read_extension(path: str | Path) -> Extension | None:
    """Read a shared library; None if it is no ELF file, is broken, or cannot be opened."""
    path = Path(path)
    try:
        if path.stat().st_size > SIZE_LIMIT:
            return None
        with path.open("rb") as file:
            elf = ELFFile(file)
            needed: list[str] = []
            folders: list[str] = []
            undefined: set[str] = set()
            versions: set[str] = set()
            for section in elf.iter_sections():
                if isinstance(section, DynamicSection):
                    for tag in section.iter_tags():
                        kind = str(tag.entry.d_tag)
                        if kind == "DT_NEEDED":
                            needed.append(str(getattr(tag, "needed", "")))
                        elif kind in ("DT_RUNPATH", "DT_RPATH"):
                            folders += str(getattr(tag, kind[3:].lower(), "")).split(":")
                elif isinstance(section, GNUVerNeedSection):
                    versions |= {part.name for _, parts in section.iter_versions() for part in parts}
                elif isinstance(section, SymbolTableSection) and section["sh_type"] == "SHT_DYNSYM":
                    symbols = (section.get_symbol(index) for index in range(_undefined_end(elf, section)))
                    undefined |= {symbol.name for symbol in symbols if _must_be_found(symbol)}
            origin = str(path.resolve().parent)
            runpath = [re.sub(r"\$\{?ORIGIN\}?", lambda _: origin, folder) for folder in folders if folder]
            machine = elf.get_machine_arch()
            return Extension(path, tuple(needed), tuple(runpath), frozenset(undefined), frozenset(versions), machine)
    except (OSError, ELFError, ValueError, KeyError, IndexError, TypeError, AttributeError):
        return None


def _undefined_end(elf: ELFFile, table: SymbolTableSection) -> int:
    """Index behind the last undefined symbol: a GNU hash table starts with the first symbol that is defined."""
    for section in elf.iter_sections():
        if isinstance(section, GNUHashSection):
            return min(int(section.params["symoffset"]), table.num_symbols())
    return table.num_symbols()


def _must_be_found(symbol: Any) -> bool:
    """Whether a symbol of the dynamic table is undefined and not weak."""
    return symbol["st_shndx"] == "SHN_UNDEF" and symbol["st_info"]["bind"] == "STB_GLOBAL" and bool(symbol.name)


def missing_symbols(symbols: Iterable[str], libraries: Iterable[str | Path]) -> set[str]:
    """The symbols that none of the libraries defines, found through their hash tables.

    A library that cannot be read defines nothing. Torch's libraries hold hundreds of thousands of symbols, so each
    name is looked up and the tables are never walked.
    """
    missing = set(symbols)
    for library in libraries:
        if not missing:
            break
        try:
            with Path(library).open("rb") as file:
                missing -= _defined(ELFFile(file), missing)
        except (OSError, ELFError, ValueError, KeyError, IndexError, TypeError):
            continue
    return missing


def _defined(elf: ELFFile, symbols: set[str]) -> set[str]:
    """Those of the symbols that a library defines."""
    for section in elf.iter_sections():
        if isinstance(section, (GNUHashSection, ELFHashSection)):
            found = set()
            for name in symbols:
                symbol = section.get_symbol(name)
                if symbol is not None and symbol["st_shndx"] != "SHN_UNDEF":
                    found.add(name)
            return found
    return set()


def demangle(symbol: str) -> str:
    """The C++ name of a mangled symbol, by the library itanium-demangler or by `c++filt`; else the symbol itself."""
    plain = symbol.partition("@")[0]
    if not plain.startswith("_Z"):
        return symbol
    try:
        from itanium_demangler import parse
    except ImportError:
        pass
    else:
        try:
            tree = parse(plain)
        except Exception:  # it gives up on rarer manglings with all kinds of errors
            tree = None
        if tree is not None:
            return str(tree)
    if shutil.which("c++filt"):
        try:
            # The symbol is the only word after "--", so that it cannot be an option.
            done = subprocess.run(["c++filt", "--", plain], capture_output=True, text=True, timeout=2, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return symbol
        return done.stdout.strip() or symbol
    return symbol
