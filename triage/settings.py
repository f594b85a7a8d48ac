"""The language of texts, and the folders with private knowledge."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from triage.configuration import setting

if TYPE_CHECKING:  # most runs have no private folder, and to import it takes longer than to see that
    from pathlib import Path


def text_language(flag: str | None = None) -> str:
    """Return the language of texts: the flag, then TRIAGE_LANG, then a configuration file, then the locale."""
    if flag:
        return flag
    chosen: str = setting("lang").value
    if chosen:
        return chosen
    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    if not name and os.name == "nt":
        import locale

        name = locale.getlocale()[0] or ""
    return "zh" if name.lower().startswith(("zh", "chinese")) else "en"


PROJECT = ".triage"
"""Folder of a project with rules of its own."""
RULES = "rules"
"""Folder with the user's own rules, in the user's configuration folder for triage."""


def overlay_folders(flags: Sequence[str] = ()) -> tuple[Path, ...]:
    """Return the folders with private knowledge, those that count more last.

    The user's configuration folder, the project's `.triage/` (in the working folder or above it), TRIAGE_RULES
    (separated like PATH) or a configuration file's `rules`, then the flags. The first two count only if they hold
    knowledge and belong to the user.
    """
    given: list[str] = setting("rules").value
    own = [folder for folder in (user_folder(), project_folder()) if folder is not None and _is_trusted(folder)]
    folders = dict.fromkeys((*map(str, own), *given, *flags))
    if not folders:
        return ()
    from pathlib import Path

    return tuple(dict.fromkeys(map(Path, folders)))


def user_folder() -> Path | None:
    """Return the user's own knowledge: TRIAGE_CONFIG_DIR or the configuration folder, `rules` and all; None without."""
    given = os.environ.get("TRIAGE_CONFIG_DIR")
    if given is None:
        given = config_folder()
    if not any(os.path.isdir(os.path.join(given, name)) for name in (RULES, "knowledge_base", "causes")):
        return None
    from pathlib import Path

    return Path(given)


def config_folder() -> str:
    """Return the user's configuration folder for triage."""
    if os.name == "posix" and os.uname().sysname == "Linux":  # as platformdirs says, without the time to import it
        base = os.environ.get("XDG_CONFIG_HOME", "")
        return os.path.join(base if base.strip() else os.path.expanduser("~/.config"), "triage")
    import platformdirs

    return platformdirs.user_config_dir("triage", appauthor=False)


def project_folder(start: Path | None = None) -> Path | None:
    """Return the nearest `.triage/` in a folder or above it, if it holds knowledge."""
    try:
        here = os.path.abspath(start or os.getcwd())
    except OSError:
        return None
    while not os.path.isdir(os.path.join(here, PROJECT)):
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above
    from pathlib import Path

    found = Path(here, PROJECT)
    return found if any(found.glob("**/*.yaml")) else None


def _is_trusted(folder: Path) -> bool:
    """A folder that somebody else put above the working folder (in /tmp, say) must not speak for triage."""
    if not hasattr(os, "getuid"):
        return True
    try:
        status = folder.stat()
    except OSError:
        return False
    return status.st_uid in (os.getuid(), 0) and not status.st_mode & 0o002
