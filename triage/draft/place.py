"""The folder that drafts are written to."""

from __future__ import annotations

from pathlib import Path

from triage.errors import TriageError
from triage.knowledge.roots import data_folder, overlay_root
from triage.settings import PROJECT, project_folder


def draft_folder(into: str | None) -> Path:
    """Return the layer that a person named; else the checkout around the working folder, else the project's own."""
    if into is not None:
        folder = Path(into)
        return (
            folder.parent if folder.name == "rules" and folder.resolve() == data_folder("rules").resolve() else folder
        )
    top = data_folder("rules").parent
    here = Path.cwd().resolve()
    if (top / "pyproject.toml").is_file() and (here == top or top in here.parents):
        return top
    return project_folder() or Path.cwd() / PROJECT


def holds_knowledge(folder: Path) -> bool:
    """Whether a folder is a layer with knowledge, and not the checkout's own."""
    if not folder.is_dir() or folder.resolve() == data_folder("rules").parent.resolve():
        return False
    try:
        overlay_root(folder)
    except TriageError:
        return False
    return True
