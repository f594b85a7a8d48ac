"""How processes ended: signals, exit codes, the out-of-memory killer, time limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from triage.log.prefixes import HEADER_LIMIT
from triage.log.streams import Line

SIGNALS = {
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL",
    10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 16: "SIGSTKFLT", 17: "SIGCHLD",
    18: "SIGCONT", 19: "SIGSTOP", 20: "SIGTSTP", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
}  # fmt: skip
"""Linux signal numbers (signal(7), x86 and Arm)."""

_NUMBERS = {name: number for number, name in SIGNALS.items()}
NTSTATUS = {
    "C0000005": "SIGSEGV", "C000001D": "SIGILL", "C00000FD": "SIGSEGV", "C0000374": "SIGABRT", "C0000409": "SIGABRT",
    "C0000094": "SIGFPE", "C0000135": "", "C0000139": "", "C0000142": "", "C000007B": "", "C0000017": "", "C000013A": "SIGINT",
}  # fmt: skip
"""Windows status codes that end a process (ntstatus.h), with the signal of the same meaning where there is one."""

_WORDS = {
    "segmentation fault": "SIGSEGV", "bus error": "SIGBUS", "aborted": "SIGABRT", "abort trap": "SIGABRT", "killed": "SIGKILL",
    "illegal instruction": "SIGILL", "floating point exception": "SIGFPE", "terminated": "SIGTERM", "hangup": "SIGHUP",
    "access violation": "SIGSEGV", "process abort signal": "SIGABRT",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ending:
    """A line that tells how a process ended."""

    kind: Literal["signal", "exit", "oom_kill", "timeout"]
    value: str
    """Signal name (`SIGSEGV`), exit code in decimal (`137`), status code (`0xC0000005`), or for `oom_kill` and `timeout`
    the process, step or container named, or empty."""
    line: int
    """Number of the log line."""
    stream: str


_Reader = Callable[[re.Match[str]], tuple[Literal["signal", "exit", "oom_kill", "timeout"], str] | None]


def _signal_named(match: re.Match[str]) -> tuple[Literal["signal"], str] | None:
    name = match["name"].upper()
    name = name if name.startswith("SIG") else f"SIG{name}"
    return ("signal", name) if name in _NUMBERS else None


def _signal_numbered(match: re.Match[str]) -> tuple[Literal["signal"], str] | None:
    name = SIGNALS.get(int(match["number"]))
    return ("signal", name) if name else None


def _signal_word(match: re.Match[str]) -> tuple[Literal["signal"], str] | None:
    return "signal", _WORDS[" ".join(match["word"].lower().split())]


def _exit_code(match: re.Match[str]) -> tuple[Literal["signal", "exit"], str] | None:
    number = int(match["code"])
    if number == 0:
        return None
    if number < 0:
        unsigned = number & 0xFFFFFFFF
        if unsigned >= 0xC0000000 and number < -64:
            return "exit", f"0x{unsigned:08X}"
        name = SIGNALS.get(-number)
        return ("signal", name) if name else ("exit", str(number))
    return "exit", f"0x{number:08X}" if number >= 0xC0000000 else str(number)


def _ntstatus(match: re.Match[str]) -> tuple[Literal["exit"], str] | None:
    return "exit", f"0x{match['status'].upper()}"


def _oom(match: re.Match[str]) -> tuple[Literal["oom_kill"], str]:
    return "oom_kill", (match.groupdict().get("who") or "").strip("() ")


def _timeout(match: re.Match[str]) -> tuple[Literal["timeout"], str]:
    return "timeout", match.groupdict().get("who") or ""


_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (re.compile(r"[Kk]illed process \d{1,9} \((?P<who>[^)\n]{1,80})\)"), _oom),
    (re.compile(r"Memory cgroup out of memory|oom-kill:|oom_reaper: reaped process \d+ \((?P<who>[^)\n]{1,80})\)"), _oom),
    (re.compile(r"[Dd]etected \d+ oom[-_]kill events? in (?:\w+ )?(?P<who>[\w.+=]{1,60})|oom[-_]kill event"), _oom),
    (re.compile(r"OOM ?Killed\b|\"?OOMKilled\"?: ?true"), _oom),
    (re.compile(r"task \d+(?:-\d+)?: Out Of Memory"), _oom),
    (re.compile(r"(?P<who>(?:JOB|STEP) [\w.+]{1,40}) .{0,200}DUE TO TIME LIMIT|DUE TO TIME LIMIT"), _timeout),
    (re.compile(r"DeadlineExceeded|Job was active longer than specified deadline|exceeded (?:the )?(?:wall ?time|walltime)"), _timeout),
    (re.compile(r"Signals\.(?P<name>SIG[A-Z0-9]{2,8})"), _signal_named),
    (re.compile(r"(?i)(?:died with|killed by|terminated (?:by|with)|received|exited (?:on|with|due to)|caught|on) signal:? ?\(?(?P<number>\d{1,2})\b"), _signal_numbered),
    (re.compile(r"(?i)(?:died with|killed by|terminated (?:by|with)|received|exited on|caught|got|Signal:?|signaled:?) ?(?:signal:? )?(?P<name>SIG[A-Z0-9]{2,8})\b"), _signal_named),
    (re.compile(r"\*\*\* (?P<name>SIG[A-Z]{2,6}) (?:\(@|received|\()"), _signal_named),
    (re.compile(r"Signal (?P<number>\d{1,2}) \(?SIG|\bsignal:? (?P<n2>\d{1,2})\b"), lambda m: _numbered(m["number"] or m["n2"])),
    (re.compile(r"(?:Fatal Python error|Signal|Caught signal \d+|Windows fatal exception): ?\(?(?P<word>Segmentation fault|Aborted|Bus error|Illegal instruction|Floating point exception|access violation)", re.I), _signal_word),
    (re.compile(r"`(?P<word>Segmentation fault|Process abort signal|Bus error|Illegal instruction)` is detected", re.I), _signal_word),
    (re.compile(r"(?:^|: line \d+: *\d+ |[\s:\d])(?P<word>Segmentation fault|Bus error|Illegal instruction|Floating point exception|Aborted|Killed|Abort trap|Terminated|Hangup)(?:: \d+)?(?: *\(core dumped\)| {2,}\S.*)?\s*$"), _signal_word),
    (re.compile(r"(?P<word>Segmentation fault|Bus error|Illegal instruction|Floating point exception|Aborted) \(core dumped\)"), _signal_word),
    (re.compile(r"(?i)exit[ _]?codes?\s{0,10}(?:[:=]|is|of|with|was|status)?\s?\"?(?P<code>-?\d{1,10})\b"), _exit_code),
    (re.compile(r"(?i)(?:exit status|return code|returned non-zero exit status|returncode|exited with(?: code| status)?|error status|status code)\s?(?:[:=]|was|is)?\s?(?P<code>-?\d{1,10})\b(?! OK)"), _exit_code),
    (re.compile(r"(?i)0x(?P<status>C0000005|C000001D|C00000FD|C0000374|C0000409|C0000094|C0000135|C0000139|C0000142|C000007B|C0000017|C000013A)\b"), _ntstatus),
)  # fmt: skip


def _numbered(text: str) -> tuple[Literal["signal"], str] | None:
    name = SIGNALS.get(int(text))
    return ("signal", name) if name else None


_CUES = (
    "ignal", "SIG", "illed", "oom", "OOM", "Out Of Memory", "TIME LIMIT", "eadline", "alltime", "exit", "Exit", "fault", "Bus error",
    "Illegal instr", "Aborted", "Abort trap", "Terminated", "eturn code", "eturncode", "0xC0", "0xc0", "core dumped", "Hangup",
    "rror status", "wall time",
)  # fmt: skip


def find_endings(lines: Sequence[Line]) -> list[Ending]:
    """Find the lines that tell how a process ended other than well; one ending a line, in the order of the log.

    Exit code 0 is no ending. `-9` and 0xC0000005 given as exit codes become a signal and a status code; 137 stays 137.
    Never raises; linear in the lines.
    """
    endings: list[Ending] = []
    for line in lines:
        text = line.text if len(line.text) <= HEADER_LIMIT else line.text[:HEADER_LIMIT]
        if not _has_cue(text):
            continue
        for pattern, reader in _READERS:
            match = pattern.search(text)
            found = reader(match) if match else None
            if found:
                endings.append(Ending(found[0], found[1], line.number, line.stream))
                break
    return endings


def _has_cue(text: str) -> bool:
    for cue in _CUES:
        if cue in text:
            return True
    return False
