"""The log as one seekable view of UTF-8 bytes, whatever it came from."""

from __future__ import annotations

import bisect
import io
import os
import stat
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import BinaryIO, TypeVar

import msgspec

from triage.errors import TriageError
from triage.log.bytestore import ByteStore, MemoryStore
from triage.log.encodings import mend_utf8
from triage.log.folder import error_json_text, find_logs, stream_of_path
from triage.log.intake import Intake, keep_stream, view_file

LONG_LINE = 1 << 20
"""A line of more bytes than this is cut by `Source.chunks`."""

_MARGIN = 4
"""Bytes read beside a window, so that a character at its edge is seen whole."""

MAX_OPEN = 64
"""Files held open at a time; the others are opened for each read."""

OVERLAP = 8 << 10
"""Bytes that two chunks share where a long line was cut."""

_S = TypeVar("_S", bound="Source")


class Part(msgspec.Struct, frozen=True):
    """One file within a source."""

    name: str
    """Path as given or found; `<stdin>` for standard input."""
    start: int
    """Offset of its first byte in the source."""
    end: int
    """Offset after its last byte, the line end that closes it included."""
    encoding: str
    """Codec it was written in; what the source gives is always UTF-8."""
    stream: str = ""
    """Stream that its path tells (`rank3` in a torchrun log tree), or empty."""
    broken_off: bool = False
    """Whether it is compressed and ends too early."""


class _Piece(msgspec.Struct):
    part: Part
    store: ByteStore
    padded: bool
    """Whether a line end must be added so that the next part starts on a new line."""


class Source:
    """A seekable byte view of a log as UTF-8; several files follow each other, each ending with a line end.

    Attributes:
        name: path, `<stdin>`, or the common name of several files.
        size: bytes in the view.
        encoding: `utf-8`, `utf-16-le`, `utf-16-be`, `utf-32-le`, `utf-32-be` or `gbk`; of several files, the first
            that is not UTF-8.
        parts: the files, in order.
        replaced: characters that were broken and are shown as `?` or U+FFFD. For a file read in place it counts what
            `chunks` has passed so far, so it is complete after one full pass.
    """

    def __init__(self, name: str, pieces: Sequence[_Piece], replaced: int = 0) -> None:
        self.name = name
        self.parts = tuple(piece.part for piece in pieces)
        self.size = pieces[-1].part.end if pieces else 0
        self.encoding = next((part.encoding for part in self.parts if part.encoding != "utf-8"), "utf-8")
        self.replaced = replaced
        self._pieces = list(pieces)
        self._starts = [part.start for part in self.parts]
        self._counted = 0

    def part_at(self, offset: int) -> Part:
        """Return the file that holds the byte at `offset` (the last one for an offset past the end)."""
        return self.parts[max(0, bisect.bisect_right(self._starts, offset) - 1)]

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from `start` to `end`, clipped to the view; a character may be cut at either edge."""
        start, end = max(0, start), min(end, self.size)
        blocks: list[bytes] = []
        index = max(0, bisect.bisect_right(self._starts, start) - 1)
        while start < end and index < len(self._pieces):
            piece = self._pieces[index]
            stop = min(end, piece.part.end)
            first, last = start - piece.part.start, stop - piece.part.start
            from_, to = max(0, first - _MARGIN), last + _MARGIN
            block = self._read_piece(piece, from_, to)
            cut_end = piece.part.start + to < piece.part.end
            blocks.append(mend_utf8(block, from_ > 0, cut_end)[0][first - from_ : last - from_])
            start, index = stop, index + 1
        return blocks[0] if len(blocks) == 1 else b"".join(blocks)

    def chunks(self, size: int = 4 << 20) -> Iterator[tuple[int, bytes]]:
        """Yield (offset, bytes) chunks of about `size` bytes that together cover the view, each ending at a line end.

        Where no line end comes within `size` bytes and 1 MiB, the chunk is cut there and the next one starts 8 KiB
        earlier. So each line shorter than 1 MiB is whole in exactly one chunk, and bytes are seen twice only within a
        longer line. No chunk spans two files.
        """
        size = max(1, size)
        for piece in self._pieces:
            base, length = piece.part.start, piece.part.end - piece.part.start
            pos = 0
            cut = False
            while pos < length:
                block, step = self._cut(piece, pos, size, length)
                if not block:
                    break
                cut, cut_before = step < len(block), cut
                block, broken = mend_utf8(block, cut_before, cut)
                if base + pos >= self._counted:
                    self.replaced += broken
                    self._counted = base + pos + len(block)
                yield base + pos, block
                pos += step

    def _cut(self, piece: _Piece, pos: int, size: int, length: int) -> tuple[bytes, int]:
        """Return the chunk at `pos` of a piece and how far the next one lies."""
        block = self._read_piece(piece, pos, pos + size)
        if pos + len(block) >= length or len(block) < size:  # at the end, or the file has shrunk meanwhile
            return block, length - pos
        cut = block.rfind(b"\n") + 1
        if cut:
            return block[:cut], cut
        limit = max(size, LONG_LINE)
        if limit > size:
            more = self._read_piece(piece, pos + size, pos + limit)
            cut = more.find(b"\n") + 1
            block += more[:cut] if cut else more
            if cut or pos + len(block) >= length:
                return block, len(block)
        return block, max(1, len(block) - OVERLAP)

    def _read_piece(self, piece: _Piece, start: int, end: int) -> bytes:
        block = piece.store.read(start, end)
        if piece.padded and start < end and end > piece.store.size >= start:
            block += b"\n"
        return block

    def close(self) -> None:
        """Close the files behind the view."""
        for piece in self._pieces:
            piece.store.close()

    def __enter__(self: _S) -> _S:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


def open_source(paths: Sequence[str], stdin: BinaryIO | None) -> Source:
    """Open files, folders or standard input as one source.

    Args:
        paths: files and folders in the order to read them; `-` is standard input. Empty: standard input alone.
        stdin: the binary standard input, or None when there is none to read.

    Raises TriageError for a missing or unreadable file, a folder without logs, binary data, or nothing to read at all.
    A binary or unreadable file found by walking a folder is passed over as long as another file is readable.
    """
    given = list(paths) or ["-"]
    pieces: list[_Piece] = []
    replaced = 0
    problem: TriageError | None = None
    try:
        for path in given:
            walked = path != "-" and os.path.isdir(path)
            for file in find_logs(path) if walked else [path]:
                try:
                    intake = _open_stdin(stdin) if file == "-" else _open_file(file)
                except TriageError as error:
                    if not walked:
                        raise
                    problem = problem or error
                    continue
                replaced += intake.replaced
                _append_piece(pieces, "<stdin>" if file == "-" else file, intake)
                if len(pieces) > MAX_OPEN:
                    intake.store.park()
        if not pieces:
            raise problem or TriageError("there is no log to read")
    except BaseException:
        for piece in pieces:
            piece.store.close()
        raise
    name = pieces[0].part.name if len(pieces) == 1 else given[0] if len(given) == 1 else f"{len(pieces)} files"
    return Source(name, pieces, replaced)


def source_from_text(text: str | bytes, name: str = "<text>") -> Source:
    """Make a source of text at hand; bytes are decoded as a file's would be. Raises TriageError for binary data."""
    data = text.encode("utf-8", "replace") if isinstance(text, str) else bytes(text)
    intake = keep_stream(io.BytesIO(data), name)
    pieces: list[_Piece] = []
    _append_piece(pieces, name, intake)
    return Source(name, pieces, intake.replaced)


def _append_piece(pieces: list[_Piece], name: str, intake: Intake) -> None:
    """Put a file after the others; the one before it is closed with a line end if it lacks one."""
    start = 0
    if pieces:
        last = pieces[-1]
        size = last.store.size
        if size and last.store.read(size - 1, size) != b"\n":
            last.padded = True
            old = last.part
            last.part = msgspec.structs.replace(old, end=old.end + 1)
        start = last.part.end
    end = start + intake.store.size
    part = Part(name, start, end, intake.encoding, stream_of_path(name), intake.broken_off)
    pieces.append(_Piece(part, intake.store, False))


def _open_file(path: str) -> Intake:
    try:
        file = open(path, "rb", buffering=0)  # noqa: SIM115 - the store closes it
        mode = os.fstat(file.fileno()).st_mode
    except FileNotFoundError:
        raise TriageError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise TriageError(f"{path} is a folder that cannot be walked") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise TriageError(f"{path} cannot be read: {reason.lower()}") from error
    raw: BinaryIO = file
    try:
        if os.path.basename(path) == "error.json":
            text = error_json_text(raw.read(16 << 20) or b"")
            if text is not None:
                file.close()
                return Intake(MemoryStore(text.encode("utf-8", "replace")), "utf-8")
            raw.seek(0)
        if stat.S_ISREG(mode):
            return view_file(raw, 0, path)
        with file:
            return keep_stream(raw, path)
    except OSError as error:
        file.close()
        raise TriageError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from error
    except BaseException:
        file.close()
        raise


def _open_stdin(stdin: BinaryIO | None) -> Intake:
    if stdin is None:
        raise TriageError("there is no standard input; give a log file")
    try:
        descriptor = stdin.fileno()
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            position = stdin.tell()
            return view_file(os.fdopen(os.dup(descriptor), "rb", buffering=0), position, "<stdin>")
    except (OSError, ValueError, AttributeError):
        pass  # not a file: read it to its end
    try:
        return keep_stream(stdin, "<stdin>")
    except OSError as error:
        raise TriageError(f"standard input cannot be read: {(error.strerror or str(error)).lower()}") from error
