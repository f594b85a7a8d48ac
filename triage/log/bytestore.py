"""Where the UTF-8 bytes of one log lie: in its file, in memory, or spooled on disk."""

from __future__ import annotations

import os
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

    def park(self) -> None:
        """Give back the file until the next read, if that can be done."""
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

    def park(self) -> None:
        """Nothing to give back."""

    def close(self) -> None:
        """Let the bytes go."""
        self._data = b""


class FileStore:
    """Bytes of an open file from `base` on, read in place.

    Positioned reads, not mmap: a log that is truncated while it is read then gives fewer bytes, not a bus error.
    """

    def __init__(self, file: BinaryIO, base: int = 0, path: str = "") -> None:
        self._file: BinaryIO | None = file
        self._base = base
        self._path = path
        self._lock = threading.Lock()
        self.size = max(0, os.fstat(file.fileno()).st_size - base)

    def park(self) -> None:
        """Close the file until it is read: a folder may hold more logs than a process may hold files."""
        if self._path and self._file is not None:
            self._file.close()
            self._file = None

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes between two offsets; safe from several threads. Empty when the file has gone meanwhile."""
        start, end = max(0, start), min(end, self.size)
        if end <= start:
            return b""
        with self._lock:
            if self._file is not None:
                return self._read_from(self._file, start, end)
            try:
                with open(self._path, "rb", buffering=0) as file:
                    return self._read_from(file, start, end)
            except OSError:
                return b""

    def _read_from(self, file: BinaryIO, start: int, end: int) -> bytes:
        file.seek(self._base + start)
        blocks: list[bytes] = []
        left = end - start
        while left > 0:  # Linux reads 2 GiB at most at a time; a file can have shrunk
            block = file.read(left)
            if not block:
                break
            blocks.append(block)
            left -= len(block)
        return blocks[0] if len(blocks) == 1 else b"".join(blocks)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
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
                    import tempfile  # takes as long as reading a small log

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
