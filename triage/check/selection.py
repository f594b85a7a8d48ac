"""What `triage rules check PATH...` is about: layers to load, and findings to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from triage.check.finding import Finding
from triage.errors import TriageError
from triage.knowledge.roots import Root, all_roots, overlay_root, shipped_root
from triage.settings import overlay_folders

KINDS = ("rules", "causes", "trees", "facts", "tables", "checks")


def select(paths: Sequence[str], folders: Sequence[str] = ()) -> tuple[tuple[Root, ...], Callable[[Finding], bool]]:
    """Return the layers to load, and whether a finding belongs to the given paths; without paths all do.

    Raises TriageError for a path that does not exist or holds no knowledge.
    """
    if not paths:
        return all_roots(overlay_folders(folders)), lambda finding: True
    shipped = shipped_root()
    layers: dict[Path, None] = {}
    files: set[str] = set()
    for given in paths:
        path = Path(given)
        if not path.exists():
            raise TriageError(f"there is no file or folder {given}")
        inside = [(kind, file) for kind, file in shipped.files() if _holds(path, file)]
        if inside:
            files.update(shipped.label(file) for _, file in inside)
            continue
        folder = _layer_of(path)
        root = overlay_root(folder)
        layers[folder] = None
        files.update(root.label(file) for _, file in root.files() if _holds(path, file))
        files.update(str(file) for file in (root.pack_file,) if file.exists() and _holds(path, file))
    roots = all_roots((*overlay_folders(folders), *layers))
    return roots, lambda finding: finding.file in files


def _holds(path: Path, file: Path) -> bool:
    return file.resolve() == path.resolve() or path.resolve() in file.resolve().parents


def _layer_of(path: Path) -> Path:
    """Return the folder of the layer that a file or folder belongs to."""
    folder = path if path.is_dir() else path.parent
    if folder.name in KINDS and folder.parent.name == "knowledge_base":
        return folder.parent.parent
    return folder.parent if folder.name in ("rules", "knowledge_base", *KINDS) else folder
