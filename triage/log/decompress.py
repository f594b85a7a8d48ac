"""Compressed logs, read as a stream of plain bytes."""

from __future__ import annotations

import importlib
import io
from collections.abc import Iterator
from typing import BinaryIO

from triage.errors import TriageError

BLOCK = 1 << 20
"""Bytes handed on at a time, so that a decompression bomb never sits in memory."""

_MAGIC = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"))


def compression_of(head: bytes) -> str:
    """Name the compression (`gzip`, `bzip2`, `xz`, `zstd`) that the first bytes show, or return an empty string."""
    return next((kind for magic, kind in _MAGIC if head.startswith(magic)), "")


def decompress(raw: BinaryIO, kind: str, name: str, broken_off: list[str]) -> Iterator[bytes]:
    """Yield the plain bytes of a compressed stream in blocks of at most 1 MiB.

    A stream that breaks off (the job died while writing it) gives what could be read, and its name is put into
    `broken_off`. Raises TriageError when nothing
    could be, or when no zstd decoder is installed.
    """
    stream = _open(raw, kind, name)
    seen = False
    while True:
        try:
            block = stream.read1(BLOCK)  # read() would lose what comes before a sudden end
        except MemoryError:
            raise
        except Exception as error:  # each codec, and each zstd binding, has an error class of its own
            if seen:
                broken_off.append(name)
                return
            raise TriageError(f"{name} is not readable as {kind}: {error}") from error
        if not block:
            return
        seen = True
        yield block


def _open(raw: BinaryIO, kind: str, name: str) -> io.BufferedIOBase:
    if kind == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=raw)
    if kind == "bzip2":
        import bz2

        return bz2.BZ2File(raw)
    if kind == "xz":
        import lzma

        return lzma.LZMAFile(raw)
    for module_name in ("compression.zstd", "zstandard", "pyzstd"):
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            continue
        if module_name == "zstandard":
            reader: io.BufferedIOBase = module.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
        else:
            reader = module.ZstdFile(raw)
        return reader
    raise TriageError(f"{name} is zstd-compressed and this Python cannot read it; run: zstd -dc {name} | triage")
