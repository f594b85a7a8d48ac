"""How the bytes of one file or stream come in: in place, or decompressed and turned into UTF-8 on the way."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from triage.errors import TriageError
from triage.log.bytestore import ByteStore, FileStore, spool
from triage.log.decompress import BLOCK, compression_of, decompress
from triage.log.encodings import detect_encoding, to_utf8

_SAMPLE = 4 << 20
"""Bytes at the beginning that the encoding is judged by; of a large file, windows further on are looked at too."""


class Intake(msgspec.Struct, frozen=True):
    """The UTF-8 bytes of one file or stream."""

    store: ByteStore
    encoding: str
    """Codec they were written in."""
    replaced: int = 0
    """Characters that could not be decoded."""
    broken_off: bool = False
    """Whether its compressed bytes end too early."""


def view_file(file: BinaryIO, base: int, name: str) -> Intake:
    """Take the bytes of a regular file from offset `base` on: in place when they are plain UTF-8, else as a stream.

    Closes the file itself unless the store reads from it. Raises TriageError for what is no log.
    """
    path = "" if name.startswith("<") else name
    store = FileStore(file, base, path)
    if store.size == 0:  # empty, or a file of /proc that does not tell its size
        with file:
            return keep_stream(file, name)
    samples = [store.read(0, min(store.size, _SAMPLE))]
    kind = compression_of(samples[0][:8])
    if not kind and store.size > _SAMPLE:
        if store.size <= 8 * _SAMPLE:
            samples.append(store.read(_SAMPLE, store.size))
        else:
            step = store.size // 16
            samples += [store.read(at, at + (64 << 10)) for at in range(step, store.size, step)]
            samples.append(store.read(store.size - (1 << 20), store.size))
    if not kind:
        encoding, mark = detect_encoding(samples, name)
        if encoding == "utf-8":
            return Intake(FileStore(file, base + mark, path) if mark else store, encoding)
    file.seek(base)
    with file:
        return keep_stream(file, name)


def keep_stream(raw: BinaryIO, name: str) -> Intake:
    """Read a stream to its end, decompressed and turned into UTF-8; keep it in memory, or spooled when it is large.

    Raises TriageError for what is no log.
    """
    blocks = _blocks(raw)
    head = _first(blocks, 8)
    kind = compression_of(head)
    broken_off: list[str] = []
    if kind:
        blocks = decompress(_Rest(head, blocks), kind, name, broken_off)  # type: ignore[arg-type]
        head = b""
    head = _first(blocks, _SAMPLE, head)
    if kind and compression_of(head[:8]):
        raise TriageError(f"{name} is compressed twice; unpack it first")
    encoding, mark = detect_encoding([head], name)
    plain = _chain(head[mark:], blocks)
    if encoding == "utf-8":
        store = spool(plain, name)
        return Intake(store, encoding, broken_off=bool(broken_off))
    replaced = 0

    def converted() -> Iterator[bytes]:
        nonlocal replaced
        for block, broken in to_utf8(plain, encoding):
            replaced += broken
            yield block

    store = spool(converted(), name)
    return Intake(store, encoding, replaced, bool(broken_off))


def _blocks(raw: BinaryIO) -> Iterator[bytes]:
    read = getattr(raw, "read1", raw.read)
    while block := read(BLOCK):
        yield block


def _first(blocks: Iterator[bytes], size: int, head: bytes = b"") -> bytes:
    """Draw blocks until `size` bytes are at hand, or all there are."""
    kept, length = [head], len(head)
    while length < size:
        block = next(blocks, b"")
        if not block:
            break
        kept.append(block)
        length += len(block)
    return b"".join(kept)


def _chain(head: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    if head:
        yield head
    yield from blocks


class _Rest(io.RawIOBase):
    """A stream of which the head was already drawn, readable from its beginning again."""

    def __init__(self, head: bytes, blocks: Iterator[bytes]) -> None:
        super().__init__()
        self._blocks = _chain(head, blocks)
        self._left = b""

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer with what comes next."""
        if not self._left:
            self._left = next(self._blocks, b"")
        count = min(len(buffer), len(self._left))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        return count
