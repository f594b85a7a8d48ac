"""What a terminal would act on is removed from log text, once, at the door."""

from __future__ import annotations

from triage.lazy import lazy_pattern

_ESC = lazy_pattern(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor moves
    "|(?:\x1b\\]|\x9d)[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\\\|\x9c)"  # OSC: titles, links, clipboard
    "|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\\\|\x9c)"  # DCS, SOS, PM, APC
    "|\x1b[ -/]*[0-Z\\\\^-~]"  # two-byte escapes, charset selection
    "|(?:\\^\\[|#033|\u241b)\\[[0-9;]{0,16}m"  # colours that a pager, syslog or a browser already spelled out
)
_BARE_COLOUR = lazy_pattern(r"(?:\\(?:u001[bB]|x1[bB]|033|e))?\[(?:\d{1,3}(?:;\d{1,3}){0,5})?m")
"""A colour whose escape character was dropped by a web form or spelled by JSON; only trusted beside `[0m`, `[0;0m`."""
_UNPRINTABLE = lazy_pattern(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]"
)
_BYTE_CSI = lazy_pattern(rb"\x1b\[[0-?]*[ -/]*[@-~]")
_BYTE_ESC = lazy_pattern(
    rb"\x1b(?:\][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)|[PX^_][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)|[ -/]*[0-Z\\^-~]|)"
)
_BYTE_CSI8 = lazy_pattern(rb"\xc2\x9b[0-?]*[ -/]*[@-~]")


def clean_line(text: str) -> str:
    """Return one line without anything a terminal would act on: escapes, controls but tab, bidi and zero-width marks.

    Backspaces take back the character before them, as on a terminal. Carriage returns within the line are dropped:
    cut the line with `split_carriage_returns` first to keep the pieces apart.
    """
    if text.isprintable() and "[" not in text:
        return text
    spelled = "^[[" in text or "#033[" in text or "\u241b[" in text
    if spelled or "\x1b" in text or not text.isascii():
        text = _ESC.sub("", text)
    if "[0m" in text or "[0;0m" in text:
        text = _BARE_COLOUR.sub("", text)
    if text.isprintable():
        return text
    if "\b" in text:
        text = _apply_backspaces(text)
    return _UNPRINTABLE.sub("", text)


def _apply_backspaces(text: str) -> str:
    kept: list[str] = []
    for char in text:
        if char != "\b":
            kept.append(char)
        elif kept:
            kept.pop()
    return "".join(kept)


def split_carriage_returns(line: str) -> list[str]:
    r"""Cut a line at its carriage returns: the states of a progress bar, then what was printed over it.

    A trailing `\r` (CRLF) gives no empty piece; a line of nothing but `\r` gives one empty piece.
    """
    if "\r" not in line:
        return [line]
    return [piece for piece in line.split("\r") if piece] or [""]


def needs_cleaning(chunk: bytes) -> bool:
    """Whether `clean_chunk` could change this chunk: searches for single bytes, the fastest there are."""
    return b"\x1b" in chunk or (b"\x9b" in chunk and b"\xc2\x9b" in chunk)


def clean_chunk(chunk: bytes) -> bytes:
    r"""Return UTF-8 bytes without escape sequences, every `\n` kept, in linear time.

    Only escape sequences go (they split words that patterns look for); the other controls stay, since they are harmless
    to a matcher and `clean_line` removes them from what is shown.
    """
    chunk = _BYTE_CSI.sub(b"", chunk)
    if b"\x1b" in chunk:
        chunk = _BYTE_ESC.sub(b"", chunk)
    return _BYTE_CSI8.sub(b"", chunk) if b"\xc2\x9b" in chunk else chunk
