"""Which encoding a log is written in, and how its bytes become UTF-8."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

from triage.errors import TriageError
from triage.lazy import lazy_pattern

_MAGIC = (
    (b"\x7fELF", "an ELF program or library"),
    (b"MZ\x90\x00", "a Windows program or library"),
    (b"PK\x03\x04", "a zip archive (a wheel, a saved model, a workbook)"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF\r\n", "an HDF5 file"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"GGUF", "a GGUF model"),
    (b"\xca\xfe\xba\xbe", "a macOS program or a Java class"),
    (b"\xcf\xfa\xed\xfe", "a macOS program"),
)
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LONG_NULS = lazy_pattern(rb"\x00{16,}")
_CONTROLS = bytes(c for c in range(32) if c not in b"\x00\x07\x08\t\n\x0b\x0c\r\x1b")
_HIGH_RUN = lazy_pattern(rb"[\x80-\xff][\x40-\xff]?")
_GB2312_PAIR = lazy_pattern(rb"[\xa1-\xa9\xb0-\xf7][\xa1-\xfe]")
_NOT_ASCII = lazy_pattern(rb"[\x80-\xff]+")


def detect_encoding(samples: list[bytes], name: str) -> tuple[str, int]:
    """Tell the encoding of a log from samples of it, the first of which is its beginning.

    Returns the codec name (`utf-8`, `utf-16-le`, `utf-16-be`, `utf-32-le`, `utf-32-be` or `gbk`) and how many bytes of
    byte order mark to skip. Raises TriageError when the samples are no text.
    """
    head = samples[0] if samples else b""
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            return encoding, len(bom)
    for magic, what in _MAGIC:
        if head.startswith(magic):
            raise TriageError(f"{name} is {what}, not a log")
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        raise TriageError(f"{name} is a Python pickle (a saved model?), not a log")
    if head[257:262] == b"ustar":
        raise TriageError(f"{name} is a tar archive; unpack it and give its folder")
    wide = _utf16_without_bom(head[:65536])
    if wide:
        return wide, 0
    body = b"".join(sample[:65536] for sample in samples)
    if b"\x00" in body:
        body = _LONG_NULS.sub(b"", body)  # holes that log rotation leaves
    controls = len(body) - len(body.translate(None, _CONTROLS))
    if body.count(0) > 0.02 * len(body) or controls > 0.05 * len(body):
        raise TriageError(f"{name} is binary data, not a log")
    return ("gbk" if any(_is_gbk(sample) for sample in samples) else "utf-8"), 0


def _utf16_without_bom(head: bytes) -> str:
    """Name the UTF-16 byte order that the NUL bytes of ASCII letters give away, or return an empty string."""
    head = head[: len(head) // 2 * 2]
    if len(head) < 8:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    pairs = len(head) // 2
    printable = sum(32 <= byte < 127 or byte in b"\t\r\n" for byte in (head[::2] if odd > even else head[1::2])[:4096])
    if max(even, odd) < 0.2 * pairs or min(even, odd) > 0.02 * pairs or printable < 0.2 * min(pairs, 4096):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _is_gbk(body: bytes) -> bool:
    """Whether bytes that are no UTF-8 read as everyday Chinese in GBK: most pairs in the GB2312 rows."""
    broken = b"\n".join(line for line in body.split(b"\n") if not _is_utf8(line)) if not _is_utf8(body) else b""
    if not broken:
        return False
    pairs = _HIGH_RUN.findall(broken)
    return len(pairs) >= 2 and sum(1 for pair in pairs if _GB2312_PAIR.fullmatch(pair)) >= 0.8 * len(pairs)


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        # a character cut off by the edge of a sample says nothing
        return error.start >= len(data) - 3 or (error.end <= 3 and _is_utf8(data[error.end :]))
    return True


def to_utf8(blocks: Iterable[bytes], encoding: str) -> Iterator[tuple[bytes, int]]:
    """Turn blocks of UTF-16, UTF-32 or GBK bytes into UTF-8 blocks, each with the number of characters replaced.

    A `gbk` log may hold UTF-8 lines too (a Chinese Windows mixes both), so it is decided line by line.
    """
    if encoding == "gbk":
        yield from _lines_to_utf8(blocks)
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    for block in blocks:
        yield _encode(decoder.decode(block))
    yield _encode(decoder.decode(b"", final=True))


def _encode(text: str) -> tuple[bytes, int]:
    return text.encode("utf-8", "replace"), text.count("\ufffd")


def _lines_to_utf8(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    rest = b""
    for block in blocks:
        data = rest + block
        cut = data.rfind(b"\n") + 1
        if not cut and len(data) < 1 << 20:
            rest = data
            continue
        cut = cut or len(data)
        rest = data[cut:]
        yield _gbk_lines(data[:cut])
    if rest:
        yield _gbk_lines(rest)


def _gbk_lines(data: bytes) -> tuple[bytes, int]:
    if data.isascii():
        return data, 0
    out: list[str] = []
    for line in data.split(b"\n"):
        try:
            out.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            out.append(line.decode("gb18030", "replace"))
    return _encode("\n".join(out))


def mend_utf8(data: bytes, cut_start: bool = False, cut_end: bool = False) -> tuple[bytes, int]:
    """Replace each byte that is part of no UTF-8 character by `?`, which keeps all offsets; count them.

    `cut_start` and `cut_end` say that a character may have been cut there; what can be the rest of one stays as it is.
    """
    if data.isascii():
        return data, 0
    try:
        data.decode("utf-8")
        return data, 0
    except UnicodeDecodeError:
        pass
    start = 0
    while cut_start and start < min(3, len(data)) and 0x80 <= data[start] < 0xC0:
        start += 1
    end = len(data)
    for back in range(1, min(4, len(data) + 1) if cut_end else 1):
        byte = data[-back]
        if byte >= 0xC0:
            if 0xC2 <= byte <= 0xF4 and back < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4):
                end = len(data) - back
            break
        if byte < 0x80:
            break
    count = 0

    def mend_run(match: re.Match[bytes]) -> bytes:
        nonlocal count
        run = match.group()
        try:
            run.decode("utf-8")
            return run
        except UnicodeDecodeError:
            mended = run.decode("utf-8", "surrogateescape")
            count += sum(1 for char in mended if "\udc80" <= char <= "\udcff")
            return b"".join(b"?" if "\udc80" <= char <= "\udcff" else char.encode() for char in mended)

    if start > end:
        return data, 0
    return data[:start] + _NOT_ASCII.sub(mend_run, data[start:end]) + data[end:], count
