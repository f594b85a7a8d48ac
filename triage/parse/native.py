"""Stacks of compiled code."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from triage.lazy import lazy_pattern
from triage.log.prefixes import HEADER_LIMIT
from triage.log.streams import Line


class NativeFrame(msgspec.Struct, frozen=True):
    """One frame of compiled code, or of Python as faulthandler prints it."""

    library: str
    """Path of the library or source file as printed; empty when not told."""
    symbol: str
    """Function as printed, demangled or not; empty when not told."""
    address: str
    """Address as printed (`0x7f..`), or empty."""
    line: int
    """Number of the log line."""


class NativeTrace(msgspec.Struct, frozen=True):
    """Frames that were printed together, innermost first as a rule."""

    stream: str
    frames: tuple[NativeFrame, ...]
    first_line: int
    """Number of the line that announces the stack, or of the first frame."""
    last_line: int


_HEX = r"0x[0-9a-fA-F]{1,16}"
_PATTERNS = (  # each with a text that its line must hold
    # c10: frame #1: c10::Error::Error(...) + 0x57 (0x7f.. in /path/libc10.so)
    (
        "frame #",
        r"\s*frame #\d+: (?P<symbol>.{0,4000}?)(?: \+ (?:HEX|\d+))?"
        r" \((?P<address>HEX) in (?P<library>[^()\n]{1,1000})\)",
    ),
    # gdb: #1  0x00007f.. in f (x=1) at file.c:3, or from /lib/libc.so.6
    (
        "#",
        r"\s*#\d+ +(?:(?P<address>HEX) in )?(?P<symbol>\S.{0,2000}?)(?: ?\(.{0,4000}\))?"
        r" (?:from|at) (?P<library>\S+?)(?::\d+)?\s*$",
    ),
    ("#", r"\s*#\d+ +(?P<address>HEX) in (?P<symbol>\S+)(?: ?\(.{0,4000}\))?\s*$"),
    # AddressSanitizer: #0 0x55.. in f /src/a.c:3, or (/lib/x.so+0x12)
    ("#", r"\s*#\d+ +(?P<address>HEX) +(?:in (?P<symbol>\S.{0,1000}?) )?\(?(?P<library>/[^\s()+:]{1,1000})\S*"),
    # backtrace_symbols(3), Open MPI, TensorRT-LLM: [ 0] /lib/x.so(f+0x123)[0x7f..]
    (
        "[0x",
        r"\s*(?:\[ ?\d+\] |\d+ +(?:HEX )?)?(?P<library>/[^\s()]{1,1000})\((?P<symbol>[^()+\s]{0,1000})(?:\+HEX)?\)"
        r" ?\[(?P<address>HEX)\]",
    ),
    # TensorRT-LLM, UCX: 2  0x7f.. symbol(args) + 353
    ("0x", r"\s*\d+ +(?P<address>HEX) (?P<symbol>\S.{0,3000}?)(?: ?\+ ?(?:HEX|\d+))?\s*$"),
    # glog: @     0x7f2d3a1f05cd  google::LogMessage::Fail()
    ("@", r"\s*@ +(?P<address>HEX) +(?P<symbol>\S.{0,2000}?)(?: \+ \d+)?\s*$"),
    # Paddle: 0   paddle::framework::GlooWrapper::Init()
    ("  ", r"\d{1,3} {2,3}(?P<symbol>[A-Za-z_~][\w:<>~]{1,1000}(?:::|\().{0,2000})$"),
    # macOS crash report: 3   libsystem_c.dylib   0x000000018 abort + 180
    (
        "0x",
        r"\d{1,3} {2,3}(?P<library>[\w.+-]{1,200}(?: \w{1,99})?)\s+"
        r"(?P<address>HEX) (?P<symbol>.{1,2000}?)(?: \+ \d+)?\s*$",
    ),
    # faulthandler: File "x.py", line 3 in f
    ('File "', r'\s*File "(?P<library>[^"\n]{1,1000})", line (?:\d+|\?\?\?) in (?P<symbol>.{1,200})$'),
    # MindSpore: mindspore/core/utils/ms_context.cc:327 SetDeviceTargetFromInner
    (".", r"(?P<library>(?:mindspore|plugin|ge|runtime)/[\w./-]{1,500}\.(?:cc|cpp|h)):\d+ (?P<symbol>\S.{0,300})$"),
    # Windows: 00007FFD torch_cpu.dll!at::native::f [<unknown file> @ <unknown line number>]
    (
        "!",
        r"\s*(?:(?P<address>[0-9A-F]{8,16}) )?"
        r"(?P<library>[\w.-]{1,100}\.(?:dll|pyd|exe))!(?P<symbol>[\w:<>~@?$]{1,1000})",
    ),
)
_FRAMES = tuple((cue, lazy_pattern(pattern.replace("HEX", _HEX))) for cue, pattern in _PATTERNS)
_START = lazy_pattern(
    r"Exception raised from |C\+\+ Traceback|Fatal Python error|Windows fatal exception|C\+\+ Call Stack"
    r"|terminate called|\*\*\* (?:SIG\w+|Check failure stack trace|Process received signal|Aborted at)|=== ?backtrace"
    r"|(?:Current )?[Tt]hread 0x[0-9a-fA-F]+ .{0,80}\(most recent call first\)|Thread \d+ .{0,80}Crashed"
    r"|[Ss]tack ?trace|[Bb]acktrace|SIGSEGV|SIGABRT|Caught signal|Segmentation fault|AddressSanitizer|0xC00000"
    r"|[Ff]atal error"
)
_CUES = ("frame #", "0x", 'File "', "::", ".dll", ".pyd", ".c:", ".cc:", ".cpp:", ".h:", " from /")
_FIRST = lazy_pattern(r"\s*(?:frame #|#\d|\[ ?\d|\d|/|@|File|mindspore|plugin|ge/|runtime/|[\w.-]+\.(?:dll|pyd|exe)!)")
_GAP = 4
"""Other lines of a stream that may stand between frames of one stack."""


def read_frame(text: str, number: int) -> NativeFrame | None:
    """Read one line as a native frame; None when it is none."""
    if not _FIRST.match(text) or not any(cue in text for cue in _CUES):
        return None
    for cue, pattern in _FRAMES:
        match = pattern.match(text) if cue in text else None
        if match:
            found = match.groupdict()
            return NativeFrame(
                (found.get("library") or "").strip(),
                (found.get("symbol") or "").strip(),
                found.get("address") or "",
                number,
            )
    return None


def find_native(lines: Sequence[Line]) -> list[NativeTrace]:
    """Find the stacks of compiled code, a crash handler's list of Python frames included.

    Returns them in the order of their first lines; streams may interleave. Never raises; linear in the lines.
    """
    open_traces: dict[str, _Open] = {}
    done: list[NativeTrace] = []
    for line in lines:
        text = line.text if len(line.text) <= HEADER_LIMIT else line.text[:HEADER_LIMIT]
        frame = read_frame(text, line.number) if text else None
        current = open_traces.get(line.stream)
        if frame is None:
            if current is not None:
                current.gap += bool(text.strip())
                if current.gap > _GAP:
                    _close(open_traces, line.stream, done)
                    current = None
            if _may_start(text) and _START.search(text):
                if current is not None and current.frames:
                    _close(open_traces, line.stream, done)
                    current = None
                if current is None:
                    open_traces[line.stream] = _Open(line.number)
            continue
        if current is None:
            current = open_traces[line.stream] = _Open(line.number)
        current.frames.append(frame)
        current.gap = 0
    for stream in list(open_traces):
        _close(open_traces, stream, done)
    return sorted(done, key=lambda trace: trace.first_line)


class _Open:
    """A stack whose end has not come."""

    __slots__ = ("first", "frames", "gap")

    def __init__(self, first: int) -> None:
        self.first = first
        self.frames: list[NativeFrame] = []
        self.gap = 0


def _close(open_traces: dict[str, _Open], stream: str, done: list[NativeTrace]) -> None:
    trace = open_traces.pop(stream)
    if trace.frames:
        done.append(NativeTrace(stream, tuple(trace.frames), trace.first, trace.frames[-1].line))


_START_CUES = (
    "raised from", "C++ Trace", "atal Python error", "atal error", "fatal exception", "***", "hread 0x", "Crashed",
    "tack trace", "tacktrace", "acktrace", "SIG", "aught signal", "Segmentation fault", "Call Stack",
    "terminate called", "0xC0", "anitizer",
)  # fmt: skip


def _may_start(text: str) -> bool:
    for cue in _START_CUES:  # noqa: SIM110 - a generator here doubles the time of a plain line
        if cue in text:
            return True
    return False
