"""Where the UTF-8 bytes of one log lie: in its file, in memory, or spooled on disk."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterable
from typing import BinaryIO, Protocol

from triage.errors import TriageError

MEMORY_LIMIT = 32 << 20
"""Bytes kept in memory before a stream is spooled into an unlinked temporary file."""

SPOOL_LIMIT = 64 << 30
"""Bytes after which a stream is refused: no log, but a decompression bomb."""


class ByteStore(Protocol):
    """Bytes that can be read at any place."""

    size: int

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from `start` to `end`, fewer at the end of the store."""
        ...

    def close(self) -> None:
        """Give back the file, if there is one."""
        ...


class MemoryStore:
    """Bytes held in memory."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.size = len(data)

    def read(self, start: int, end: int) -> bytes:
        """Return a slice."""
        return self._data[start:end]

    def close(self) -> None:
        """Let the bytes go."""
        self._data = b""


class FileStore:
    """Bytes of an open file from `base` on, read in place.

    Positioned reads, not mmap: a log that is truncated while it is read then gives fewer bytes, not a bus error.
    """

    def __init__(self, file: BinaryIO, base: int = 0) -> None:
        self._file = file
        self._base = base
        self._lock = threading.Lock()
        self.size = max(0, os.fstat(file.fileno()).st_size - base)

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes between two offsets; safe from several threads."""
        start, end = max(0, start), min(end, self.size)
        if end <= start:
            return b""
        if hasattr(os, "pread"):
            block = os.pread(self._file.fileno(), end - start, self._base + start)
            while len(block) < end - start:  # Linux reads 2 GiB at most at a time; a file can have shrunk
                more = os.pread(self._file.fileno(), end - start - len(block), self._base + start + len(block))
                if not more:
                    break
                block += more
            return block
        with self._lock:
            self._file.seek(self._base + start)
            return self._file.read(end - start)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def spool(blocks: Iterable[bytes], name: str) -> ByteStore:
    """Keep a stream of bytes: in memory up to 32 MiB, else in a temporary file that has no name and vanishes with us.

    Raises TriageError when the disk is full or the stream has no end in sight (64 GiB).
    """
    kept: list[bytes] = []
    size = 0
    file: BinaryIO | None = None
    try:
        for block in blocks:
            size += len(block)
            if size > SPOOL_LIMIT:
                raise TriageError(f"{name} is larger than {SPOOL_LIMIT >> 30} GiB; give the last part of it")
            if file is None:
                kept.append(block)
                if size > MEMORY_LIMIT:
                    file = tempfile.TemporaryFile(prefix="triage-")  # noqa: SIM115 - lives as long as the store
                    file.writelines(kept)
                    kept = []
            else:
                file.write(block)
        if file is None:
            return MemoryStore(b"".join(kept))
        file.flush()
    except OSError as error:
        if file is not None:
            file.close()
        raise TriageError(f"{name} cannot be kept while it is read: {error.strerror or error}") from error
    except BaseException:
        if file is not None:
            file.close()
        raise
    return FileStore(file)
