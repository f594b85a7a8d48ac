"""Endings: how each shell, scheduler and runtime tells that a process died."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from triage.log.streams import read_lines
from triage.parse.process import Ending, find_endings


def parse(text: str) -> list[Ending]:
    return find_endings(read_lines(enumerate(text.splitlines(), 1)))


ENDINGS = [
    ("Segmentation fault (core dumped)", "signal", "SIGSEGV"),
    ("Killed", "signal", "SIGKILL"),
    ("Aborted (core dumped)", "signal", "SIGABRT"),
    ("Bus error", "signal", "SIGBUS"),
    ("Illegal instruction (core dumped)", "signal", "SIGILL"),
    ("bash: line 1:  1234 Killed                  python train.py", "signal", "SIGKILL"),
    ("run.sh: line 12: 31337 Segmentation fault      (core dumped) python train.py", "signal", "SIGSEGV"),
    ("[1]+  Killed                  python train.py", "signal", "SIGKILL"),
    ("zsh: killed     python train.py", "signal", "SIGKILL"),
    ("zsh: illegal hardware instruction  python", "signal", "SIGILL"),
    ("Fatal Python error: Segmentation fault", "signal", "SIGSEGV"),
    ("Windows fatal exception: access violation", "signal", "SIGSEGV"),
    ("*** SIGSEGV (@0x0) received by PID 77 (TID 0x7f) from PID 0; stack trace: ***", "signal", "SIGSEGV"),
    ("[node-21:182998] Signal: Segmentation fault (11)", "signal", "SIGSEGV"),
    ("[node-21:182998:0:182998] Caught signal 11 (Segmentation fault: address not mapped)", "signal", "SIGSEGV"),
    ("FatalError: `Segmentation fault` is detected by the operating system.", "signal", "SIGSEGV"),
    ("failed (exitcode: -9) local_rank: 0 (pid: 2317) of binary: /usr/bin/python3", "signal", "SIGKILL"),
    ("  exitcode  : -6 (pid: 2317)", "signal", "SIGABRT"),
    ("subprocess.CalledProcessError: Command 'x' died with <Signals.SIGKILL: 9>.", "signal", "SIGKILL"),
    ("Command terminated by signal 9", "signal", "SIGKILL"),
    ("mpirun noticed that process rank 3 with PID 0 on node n exited on signal 9 (Killed).", "signal", "SIGKILL"),
    ("RuntimeError: DataLoader worker (pid 7) is killed by signal: Bus error. It is possible", "signal", "SIGBUS"),
    ("Shard process was signaled to shutdown with signal 4 rank=0", "signal", "SIGILL"),
    ("Process finished with exit code 137 (interrupted by signal 9: SIGKILL)", "signal", "SIGKILL"),
    ("Worker (pid:7) was sent SIGKILL! Perhaps out of memory?", "signal", "SIGKILL"),
    ("Main process exited, code=killed, status=9/KILL", "signal", "SIGKILL"),
    ("python[77]: segfault at 0 ip 00007f2 sp 00007f3 error 4 in libtorch.so[7f2+3]", "signal", "SIGSEGV"),
    ("traps: python[77] trap invalid opcode ip:7f2 sp:7f3 error:0 in libtf.so[7f2+3]", "signal", "SIGILL"),
    ("srun: error: node-7: task 3: Segmentation fault (core dumped)", "signal", "SIGSEGV"),
    ("srun: error: node-7: task 3: Killed", "signal", "SIGKILL"),
    ("trainer-1 exited with code 137", "exit", "137"),
    ("srun: error: node-1: task 0: Exited with exit code 1", "exit", "1"),
    ("returned non-zero exit status 255.", "exit", "255"),
    ("exits with return code = 1", "exit", "1"),
    ('      "exitCode": 137,', "exit", "137"),
    ("      Exit Code:    139", "exit", "139"),
    ("Error: Process completed with exit code 2.", "exit", "2"),
    ("Process finished with exit code -1073741819 (0xC0000005)", "exit", "0xC0000005"),
    ("exited with code 3221225477", "exit", "0xC0000005"),
    ("error: exception 0xc0000139 entry point not found", "exit", "0xC0000139"),
    ("      Reason:       OOMKilled", "oom_kill", ""),
    ('"OOMKilled": true,', "oom_kill", ""),
    ("Out of memory: Killed process 12903 (ray::ActorModelR) total-vm:251658240kB", "oom_kill", "ray::ActorModelR"),
    ("Memory cgroup out of memory: Killed process 77 (python) total-vm:1kB", "oom_kill", "python"),
    ("slurmstepd: error: Detected 1 oom-kill event(s) in StepId=9411285.0. Some of your", "oom_kill",
     "StepId=9411285.0"),
    ("srun: error: node-15: task 0: Out Of Memory", "oom_kill", ""),
    ("train.service: Failed with result 'oom-kill'.", "oom_kill", ""),
    ("Task was killed due to the node running low on memory.", "oom_kill", ""),
    ("slurmstepd: error: *** JOB 884213 ON node-1 CANCELLED AT 2024-05-03T04:00:21 DUE TO TIME LIMIT ***",
     "timeout", "JOB 884213"),
    ("  reason: DeadlineExceeded", "timeout", ""),
    ("=>> PBS: job killed: walltime 3620 exceeded limit 3600", "timeout", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "kind", "value"), ENDINGS, ids=[line[:40] for line, *_ in ENDINGS])
def test_each_way_to_tell_of_an_end_is_read(line: str, kind: str, value: str) -> None:
    assert [(e.kind, e.value) for e in parse(f"step 1\n{line}\n")] == [(kind, value)]
    (ending,) = parse(f"[rank3]: {line}")
    assert ending.stream.startswith("rank3") and ending.line == 1


@pytest.mark.parametrize(
    "line",
    [
        "Process finished with exit code 0",
        "Failed to pull, status code 404",
        'INFO: 10.0.0.5:51522 - "POST /v1/completions HTTP/1.1" 500 Internal Server Error',
        "step 9 | signal 0.5 | noise 0.1",
        "signal-to-noise 11 dB",
        "(1) The process is killed by SIGKILL by OOM killer. There are some potential root causes.",
        "Requests aborted: 3",
        "Killed 3 idle workers",
        "exit code path is not covered",
        "no OOM events, all good",
        "retry terminated early",
    ],
)
def test_what_is_no_end_gives_none(line: str) -> None:
    assert parse(line) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM, signal.SIGFPE])
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_real_shell_and_a_real_subprocess_tell_the_signal(number: signal.Signals) -> None:
    code = f"import os; os.kill(os.getpid(), {int(number)})"
    told = subprocess.run(
        ["bash", "-c", f'{sys.executable} -c "{code}"; echo after'], capture_output=True, text=True, check=False
    )
    assert [e.value for e in parse(told.stderr)] == [number.name]
    with pytest.raises(subprocess.CalledProcessError) as error:
        subprocess.run([sys.executable, "-c", code], check=True)
    assert [e.value for e in parse(str(error.value))] == [number.name]
