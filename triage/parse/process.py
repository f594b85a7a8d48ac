"""How processes ended: signals, exit codes, the out-of-memory killer, time limits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from triage.lazy import lazy_pattern
from triage.log.prefixes import HEADER_LIMIT
from triage.log.streams import Line

SIGNALS = {
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
    9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
    16: "SIGSTKFLT", 17: "SIGCHLD", 18: "SIGCONT", 19: "SIGSTOP", 20: "SIGTSTP", 24: "SIGXCPU", 25: "SIGXFSZ",
    31: "SIGSYS",
}  # fmt: skip
"""Linux signal numbers (signal(7), x86 and Arm)."""

_NAMES = frozenset(SIGNALS.values())
_WORDS = {  # strsignal(3) of glibc, of macOS, and of zsh
    "segmentation fault": "SIGSEGV", "access violation": "SIGSEGV", "invalid memory reference": "SIGSEGV",
    "bus error": "SIGBUS", "aborted": "SIGABRT", "abort": "SIGABRT", "abort trap": "SIGABRT",
    "process abort signal": "SIGABRT", "killed": "SIGKILL", "illegal instruction": "SIGILL",
    "illegal hardware instruction": "SIGILL", "invalid opcode": "SIGILL", "floating point exception": "SIGFPE",
    "terminated": "SIGTERM", "hangup": "SIGHUP", "segfault": "SIGSEGV", "erroneous arithmetic operation": "SIGFPE",
    "termination signal": "SIGTERM",
}  # fmt: skip

Kind = Literal["signal", "exit", "oom_kill", "timeout"]


class Ending(msgspec.Struct, frozen=True):
    """A line that tells how a process ended."""

    kind: Kind
    value: str
    """Signal name (`SIGSEGV`), exit code in decimal (`137`), Windows status (`0xC0000005`); for `oom_kill` and
    `timeout` the process, job or step named, or empty."""
    line: int
    """Number of the log line."""
    stream: str


_FAULT = "Segmentation fault|Bus error|Illegal instruction|Floating point exception|Aborted|Abort trap|Killed"
_STATUS = "C0000005|C000001D|C00000FD|C0000374|C0000409|C0000094|C0000135|C0000139|C0000142|C000007B|C0000017|C000013A"
_NOT_AN_ENDING = lazy_pattern(r"potential root cause|(?i:possible reasons)")
"""Ray's list of what may have happened; it is printed whatever did."""

_Forms = tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]
"""Expressions, each with lower-case words of which its line must hold one."""

_OOM: _Forms = (
    (("killed process",), lazy_pattern(r"[Kk]illed process \d{1,9} \((?P<who>[^)\n]{1,80})\)")),
    (("oom_reaper",), lazy_pattern(r"oom_reaper: reaped process \d+ \((?P<who>[^)\n]{1,80})\)")),
    (
        ("oom",),
        lazy_pattern(r"[Dd]etected \d+ oom[-_]kill event(?:s|\(s\))? in (?:\w+ )?(?P<who>[\w+=]{1,60}(?:\.\w{1,20})?)"),
    ),
    (
        ("oom", "out of memory"),
        lazy_pattern(
            r"Memory cgroup out of memory|oom-kill:|oom[-_]kill event|result 'oom-kill'|killed by the OOM killer\."
        ),
    ),
    (("oom", "term_memlimit"), lazy_pattern(r"OOM ?Killed\b|\"?OOMKilled\"?: ?true|TERM_MEMLIMIT")),
    (("out of memory",), lazy_pattern(r"tasks? [\d,-]{1,40}: Out Of Memory")),
    (("killed due to",), lazy_pattern(r"killed due to (?:the node running low on memory|memory pressure)")),
)
_TIMEOUT: _Forms = (
    (("due to time limit",), lazy_pattern(r"(?P<who>(?:JOB|STEP) [\w.+]{1,40}) .{0,200}DUE TO TIME LIMIT")),
    (
        ("due to time limit", "deadline", "term_runlimit"),
        lazy_pattern(r"DUE TO TIME LIMIT|DeadlineExceeded|Job was active longer than specified deadline|TERM_RUNLIMIT"),
    ),
    (("wall",), lazy_pattern(r"walltime \d+ exceeded limit|exceeded (?:the )?wall ?time")),
)
_SIGNAL: _Forms = (
    (("signals.",), lazy_pattern(r"Signals\.(?P<name>SIG[A-Z0-9]{2,8})")),
    (
        ("signal",),
        lazy_pattern(
            r"(?i:died with|killed by|terminated (?:by|with)|interrupted by|received|exited (?:on|with|due to)"
            r"|caught|on) (?i:signal):? ?\(?(?P<number>\d{1,2})(?!\w|%|\.\d)"
        ),
    ),
    (
        ("sig",),
        lazy_pattern(
            r"(?i:died with|killed by|terminated (?:by|with)|received|exited on|caught|got|sent|signal:?|signaled:?) ?"
            r"(?:(?i:signal):? )?(?P<name>SIG[A-Z0-9]{2,8})\b"
        ),
    ),
    (("*** sig",), lazy_pattern(r"\*\*\* (?P<name>SIG[A-Z]{2,6}) (?:\(@|received|\()")),
    (("signal",), lazy_pattern(r"\b[Ss]ignal:? \(?(?P<number>\d{1,2})(?!\w|%|\.\d)")),
    (("status=",), lazy_pattern(r"code=(?:killed|dumped), status=(?P<number>\d{1,2})/")),
    (
        ("fatal", "signal"),
        lazy_pattern(
            r"(?i:Fatal Python error|signal|Caught signal \d+|Windows fatal exception): ?\(?"
            rf"(?P<word>(?i:{_FAULT}|access violation))"
        ),
    ),
    (("is detected by",), lazy_pattern(r"`(?P<word>[A-Za-z ]{4,40})` is detected by the operating system")),
    (
        ("segfault at", "invalid opcode"),
        lazy_pattern(r"\b(?P<word>segfault) at [0-9a-f]+ ip |\btrap (?P<word2>invalid opcode) ip:"),
    ),
    (("(core dumped)",), lazy_pattern(rf"(?P<word>{_FAULT}) \(core dumped\)")),
    (
        (*_FAULT.lower().split("|"), "terminated", "hangup"),
        lazy_pattern(
            rf"(?:[\w./ \[\],-]{{1,60}}: ){{0,5}}(?:\[\d+\][+-]?)? *(?:\d+ +)?(?P<word>{_FAULT}|Terminated|Hangup)"
            r"(?:: \d+)?(?: {2,}\S.*|(?<=exception)\S.*)?\s*$"
        ),
    ),
    (
        ("zsh: ",),
        lazy_pattern(
            r"zsh: (?P<word>killed|segmentation fault|bus error|abort|illegal hardware instruction|terminated) +\S"
        ),
    ),
)
_SHELL = _SIGNAL[-2][1]
"""The form a shell prints, padded to 24 columns; only at the beginning of a message."""

_EXIT: _Forms = (
    (
        ("exit",),
        lazy_pattern(
            r"(?i)\bexit[ _]?codes?\"?\s{0,10}(?:[:=]|is|of|with|was|status)?\s{0,10}\"?(?P<code>-?\d{1,10})(?!\w|\.\d)"
        ),
    ),
    (
        ("exit", "return"),
        lazy_pattern(
            r"(?i)(?:exit(?:ed with)? status|return ?code|exited with(?: code)?)\s?(?:[:=]|was|is)?\s?"
            r"(?P<code>-?\d{1,10})(?!\w|\.\d)"
        ),
    ),
    (("code=exited",), lazy_pattern(r"code=exited, status=(?P<code>\d{1,3})")),
    (("0xc",), lazy_pattern(rf"(?i)0x(?P<status>{_STATUS})\b")),
)
_CUES = (
    "ignal", "SIG", "illed", "oom", "OOM", "Out Of Memory", "TIME LIMIT", "eadline", "alltime", "exit", "Exit", "fault",
    "Bus error", "Illegal instr", "Aborted", "Abort trap", "Terminated", "eturn code", "eturncode", "0xC0", "0xc0",
    "core dumped", "Hangup", "wall time", "TERM_", "zsh: ", "invalid opcode", "low on memory", "memory pressure",
    "code=", "loating point", "violation",
)  # fmt: skip


def find_endings(lines: Sequence[Line]) -> list[Ending]:
    """Find the lines that tell how a process ended other than well; one ending a line, in the order of the log.

    Exit code 0 is none. Of exit codes, -9 becomes SIGKILL and 3221225477 becomes 0xC0000005; 137 stays 137.
    Never raises; linear in the lines.
    """
    endings: list[Ending] = []
    for line in lines:
        text = line.text if len(line.text) <= HEADER_LIMIT else line.text[:HEADER_LIMIT]
        if _has_cue(text):
            found = _read_ending(text)
            if found is not None:
                endings.append(Ending(found[0], found[1], line.number, line.stream))
    return endings


def _has_cue(text: str) -> bool:
    for cue in _CUES:  # noqa: SIM110 - a generator here doubles the time of a plain line
        if cue in text:
            return True
    return False


def _read_ending(text: str) -> tuple[Kind, str] | None:
    lowered = text.lower()
    for pattern in _fitting(_OOM, lowered):
        match = pattern.search(text)
        if match:
            return "oom_kill", match.groupdict().get("who") or ""
    for pattern in _fitting(_TIMEOUT, lowered):
        match = pattern.search(text)
        if match:
            return "timeout", match.groupdict().get("who") or ""
    if ("root cause" in lowered or "possible reasons" in lowered) and _NOT_AN_ENDING.search(text):
        return None
    if "closing signal" in lowered:  # a launcher tells what it is about to do to the other ranks
        return None
    for pattern in _fitting(_SIGNAL, lowered):
        match = pattern.match(text) if pattern is _SHELL else pattern.search(text)
        name = _signal_of(match.groupdict()) if match else ""
        if name:
            return "signal", name
    for pattern in _fitting(_EXIT, lowered):
        match = pattern.search(text)
        found = _exit_of(match.groupdict()) if match else None
        if found:
            return found
    return None


def _fitting(forms: _Forms, lowered: str) -> Iterator[re.Pattern[str]]:
    """Yield the expressions that a line may match: the others need not be compiled."""
    for cues, pattern in forms:
        if any(cue in lowered for cue in cues):
            yield pattern


def _signal_of(groups: dict[str, str | None]) -> str:
    """Name the signal that a match tells by number, name or words; empty when it is none."""
    number, name = groups.get("number"), groups.get("name")
    if number:
        return SIGNALS.get(int(number), "")
    if name:
        return name if name in _NAMES else ""
    word = groups.get("word") or groups.get("word2") or ""
    return _WORDS.get(" ".join(word.lower().split()), "")


def _exit_of(groups: dict[str, str | None]) -> tuple[Kind, str] | None:
    status = groups.get("status")
    if status:
        return "exit", f"0x{status.upper()}"
    number = int(groups.get("code") or 0)
    if number == 0:
        return None
    unsigned = number & 0xFFFFFFFF
    if unsigned >= 0xC0000000 and not -64 <= number < 0:  # NTSTATUS, printed signed or unsigned
        return "exit", f"0x{unsigned:08X}"
    name = SIGNALS.get(-number)
    return ("signal", name) if name else ("exit", str(number))
