"""The knowledge of another git revision, unpacked into a temporary folder."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

from triage.errors import TriageError
from triage.knowledge.base import Knowledge
from triage.knowledge.roots import Root, data_folder
from triage.knowledge.store import load_compiled


def knowledge_at(revision: str, folder: Path) -> Knowledge:
    """Return the knowledge of `revision`, its files written to `folder`; today's engine reads it.

    Raises TriageError if this is no checkout, the revision is unknown, or its files do not fit today's engine.
    """
    top = data_folder("rules").parent
    if revision.startswith("-"):
        raise TriageError(f"{revision!r} is no revision")
    try:
        done = subprocess.run(
            ["git", "-C", str(top), "archive", "--format=tar", revision, "--", "rules", "knowledge_base"],
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise TriageError("--against needs git, which cannot be run") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise TriageError(f"git does not give the rules at {revision}: {said[-1] if said else 'it failed'}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return Knowledge(load_compiled([Root(revision, folder / "rules", folder / "knowledge_base")]))
