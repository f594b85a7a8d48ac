"""Where knowledge lies: the shipped folders, and the private ones laid over them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from triage.errors import TriageError

if TYPE_CHECKING:  # to import it takes as long as to look through all folders
    from pathlib import Path

PACK = "pack.yaml"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def data_folder(name: str) -> Path:
    """Return the folder `name` (`rules`, `knowledge_base`, `probes`) of an installed package or of a checkout."""
    from pathlib import Path

    return Path(_data_folder(name))


def _data_folder(name: str) -> str:
    inside = os.path.join(_PACKAGE, name)
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(_PACKAGE), name)


class Root(msgspec.Struct, frozen=True):
    """One layer of knowledge; records of later layers replace those of earlier ones with the same id."""

    name: str
    """`shipped`, or the folder as the user wrote it."""
    rules_folder: str | Path
    base_folder: str | Path

    @property
    def rules(self) -> Path:
        """Folder of the rule files."""
        from pathlib import Path

        return Path(self.rules_folder)

    @property
    def base(self) -> Path:
        """Folder of the folders `causes`, `trees` and so on."""
        from pathlib import Path

        return Path(self.base_folder)

    @property
    def pack_file(self) -> Path:
        """The file that says what the layer is and what it switches off; it need not exist."""
        if self.rules.name == "rules" or self.base.name == "knowledge_base":
            return (self.rules if self.rules.name == "rules" else self.base).parent / PACK
        return self.rules / PACK

    def files(self) -> Iterator[tuple[str, Path]]:
        """Yield (kind, path) of each YAML file, in a fixed order; kind is `pack` or a folder name such as `causes`."""
        from pathlib import Path

        yield from ((kind, Path(path)) for kind, path in self.paths())

    def paths(self) -> Iterator[tuple[str, str]]:
        """Yield what `files` does, the paths as texts."""
        if self.name != "shipped" and self.pack_file.is_file():
            yield "pack", str(self.pack_file)
        yield from (("rules", path) for path in _yaml_files(self.rules_folder) if os.path.basename(path) != PACK)
        for kind in ("facts", "tables", "causes", "trees", "checks"):
            yield from ((kind, path) for path in _yaml_files(os.path.join(self.base_folder, kind)))

    def label(self, path: Path) -> str:
        """Return how messages name `path`: relative to where its kind of file usually lies."""
        for folder, shown in ((self.rules, "rules"), (self.base, "knowledge_base")):
            if path.is_relative_to(folder):
                inside = path.relative_to(folder).as_posix()
                return f"{shown}/{inside}" if self.name == "shipped" else str(path)
        return str(path)


def _yaml_files(folder: str | Path) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(names) if name.endswith(".yaml")]


def shipped_root() -> Root:
    """Return the layer that comes with triage."""
    return Root("shipped", _data_folder("rules"), _data_folder("knowledge_base"))


def overlay_root(folder: Path) -> Root:
    """Return the layer in `folder`: its `rules/` and `knowledge_base/`, or itself where rule files lie in it directly.

    Raises TriageError if there is no such folder or no YAML in it.
    """
    if not folder.is_dir():
        raise TriageError(f"there is no folder {folder}; --rules wants a folder with rule files")
    rules = folder / "rules" if (folder / "rules").is_dir() else folder
    base = folder / "knowledge_base" if (folder / "knowledge_base").is_dir() else folder
    root = Root(str(folder), rules, base)
    if next(root.files(), None) is None:
        raise TriageError(f"the folder {folder} holds no rule or knowledge files (*.yaml)")
    return root


def all_roots(overlays: Sequence[Path] = ()) -> tuple[Root, ...]:
    """Return the shipped layer and the given ones over it."""
    return (shipped_root(), *(overlay_root(folder) for folder in overlays))
