"""Files in the user's cache folder: written aside and moved into place, owned by the user, old ones dropped."""

from __future__ import annotations

import contextlib
import os
import zlib
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from pathlib import Path

MAGIC = b"triage-cache-7\n"
KEPT = 8
"""Files of one kind that are kept: each edit of a rule makes a new one."""


def cache_folder() -> str:
    """Return the folder for compiled knowledge: `TRIAGE_CACHE_DIR`, or the user's cache folder."""
    given = os.environ.get("TRIAGE_CACHE_DIR")
    if given:
        return given
    if os.name == "posix" and os.uname().sysname == "Linux":  # as platformdirs says, without the time to import it
        base = os.environ.get("XDG_CACHE_HOME", "")
        return os.path.join(base if base.strip() else os.path.expanduser("~/.cache"), "triage")
    import platformdirs

    return platformdirs.user_cache_dir("triage", appauthor=False)


def read_plain(name: str) -> bytes | None:
    """Return the content of a cache file as it is; None if it is missing, or not the user's or root's."""
    try:
        with _open(name) as file:
            return file.read()
    except OSError:
        return None


def map_file(name: str) -> memoryview | None:
    """Return the content of a cache file, read where it is looked at; None if it is missing, empty or foreign."""
    import mmap

    try:
        with _open(name) as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):
        return None


def _open(name: str) -> BinaryIO:
    file = open(os.path.join(cache_folder(), name), "rb", buffering=0)  # noqa: SIM115 - the caller closes it
    if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid not in (os.getuid(), 0):
        file.close()
        raise PermissionError
    return file


def read_checked(name: str) -> memoryview | None:
    """Return the content of a cache file written by `write_checked`; None if it is missing, foreign or damaged."""
    raw = read_plain(name)
    head = len(MAGIC)
    if raw is None or raw[:head] != MAGIC:
        return None
    body = memoryview(raw)[head + 4 :]
    return body if zlib.crc32(body).to_bytes(4, "big") == raw[head : head + 4] else None


def write_checked(name: str, body: bytes) -> None:
    """Write a cache file with a check sum."""
    write_plain(name, MAGIC + zlib.crc32(body).to_bytes(4, "big") + body)


def write_plain(name: str, body: bytes) -> None:
    """Write a cache file if the folder can be written; two processes may do so at once."""
    import tempfile
    from pathlib import Path

    path = Path(cache_folder()) / name
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=path.parent, prefix=".triage-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(body)
            os.replace(aside, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(aside)
            raise
        _drop_old(path)


def _drop_old(fresh: Path) -> None:
    kind = fresh.name.split("-")[0]
    files = sorted(fresh.parent.glob(f"{kind}-*.bin"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in files[KEPT:]:
        with contextlib.suppress(OSError):
            old.unlink()
