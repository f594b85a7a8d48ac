"""Stacks of compiled code in the forms that crash handlers print."""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from triage.log.streams import read_lines
from triage.parse.native import NativeTrace, find_native


def parse(text: str) -> list[NativeTrace]:
    return find_native(read_lines(enumerate(textwrap.dedent(text).splitlines(), 1)))


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        (
            """\
            RuntimeError: CUDA error: device-side assert triggered
            Exception raised from c10_cuda_check at ../c10/cuda/CUDAException.cpp:44 (most recent call first):
            frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x57 (0x7f1 in /x/torch/lib/libc10.so)
            frame #1: <unknown function> + 0x5b3a23e (0x7f2 in /x/torch/lib/libtorch_cpu.so)
            frame #22: python() [0x5c4a10]
            """,
            [("/x/torch/lib/libc10.so", "c10::Error::Error(c10::SourceLocation, std::string)", "0x7f1"),
             ("/x/torch/lib/libtorch_cpu.so", "<unknown function>", "0x7f2")],
        ),
        (
            """\
            #0  __GI_raise (sig=sig@entry=6) at ../sysdeps/unix/sysv/linux/raise.c:50
            #1  0x00007ffff7a22859 in __GI_abort () at abort.c:79
            #2  0x00007ffff7dd1234 in ncclCommInitRank (comm=0x1, n=2) from /usr/lib/libnccl.so.2
            #3  0x00005555 in main ()
            """,
            [("../sysdeps/unix/sysv/linux/raise.c", "__GI_raise", ""), ("abort.c", "__GI_abort", "0x00007ffff7a22859"),
             ("/usr/lib/libnccl.so.2", "ncclCommInitRank", "0x00007ffff7dd1234"), ("", "main", "0x00005555")],
        ),
        (
            """\
            [node-21:182998] *** Process received signal ***
            [node-21:182998] Signal: Segmentation fault (11)
            [node-21:182998] [ 0] /lib/libpthread.so.0(+0x14420)[0x7f2ee21dd420]
            [node-21:182998] [ 1] /usr/lib/libmpi.so.40(MPI_Init+0x2b)[0x7f2ee2]
            [node-21:182998] *** End of error message ***
            """,
            [("/lib/libpthread.so.0", "", "0x7f2ee21dd420"), ("/usr/lib/libmpi.so.40", "MPI_Init", "0x7f2ee2")],
        ),
        (
            """\
            *** SIGSEGV (@0x0) received by PID 77 (TID 0x7f) from PID 0; stack trace: ***
                @     0x7f2d3a1f05cd  google::LogMessage::Fail()
                @           0x40a7f8  train()
            """,
            [("", "google::LogMessage::Fail()", "0x7f2d3a1f05cd"), ("", "train()", "0x40a7f8")],
        ),
        (
            """\
            --------------------------------------
            C++ Traceback (most recent call last):
            --------------------------------------
            0   paddle::framework::GlooWrapper::Init()
            1   gloo::transport::tcp::Pair::connect(gloo::transport::tcp::Address const&)
            """,
            [("", "paddle::framework::GlooWrapper::Init()", ""),
             ("", "gloo::transport::tcp::Pair::connect(gloo::transport::tcp::Address const&)", "")],
        ),
        (
            """\
            - C++ Call Stack: (For framework developers)
            ----------------------------------------------------
            mindspore/ccsrc/plugin/device/ascend/hal/hardware/comm_lib.cc:112 Initialize
            """,
            [("mindspore/ccsrc/plugin/device/ascend/hal/hardware/comm_lib.cc", "Initialize", "")],
        ),
        (
            """\
            1       0x61fa3ec6566e tensorrt_llm::common::throwRuntimeError(char const*, int) + 94
            2       0x61fa3ec6519b /app/bench/gptSessionBenchmark(+0x1919b) [0x61fa3ec6519b]
            """,
            [("", "tensorrt_llm::common::throwRuntimeError(char const*, int)", "0x61fa3ec6566e"),
             ("/app/bench/gptSessionBenchmark", "", "0x61fa3ec6519b")],
        ),
        (
            """\
            Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
            0   libsystem_kernel.dylib        	0x000000018a2e5e28 __pthread_kill + 8
            1   libtorch_cpu.dylib            	0x0000000112345678 at::mps::MPSStream::commit() + 44
            """,
            [("libsystem_kernel.dylib", "__pthread_kill", "0x000000018a2e5e28"),
             ("libtorch_cpu.dylib", "at::mps::MPSStream::commit()", "0x0000000112345678")],
        ),
        (
            """\
            ==77==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602
                #0 0x55f in read_shard /src/io.c:14:3
                #1 0x7f3  (/lib/libc.so.6+0x29d90)
            """,
            [("/src/io.c", "read_shard", "0x55f"), ("/lib/libc.so.6", "", "0x7f3")],
        ),
        (
            """\
            Windows fatal exception: access violation
            00007FFD1A2B torch_cpu.dll!at::native::copy_ [<unknown file> @ <unknown line number>]
            """,
            [("torch_cpu.dll", "at::native::copy_", "00007FFD1A2B")],
        ),
    ],
    ids=["c10", "gdb", "open-mpi", "glog", "paddle", "mindspore", "tensorrt-llm", "macos", "asan", "windows"],
)  # fmt: skip
def test_each_form_gives_library_symbol_and_address(text: str, frames: list[tuple[str, str, str]]) -> None:
    (trace,) = parse(text)
    assert [(f.library, f.symbol, f.address) for f in trace.frames][: len(frames)] == frames
    assert trace.first_line <= trace.frames[0].line <= trace.last_line == trace.frames[-1].line


def test_a_crash_of_this_python_is_read() -> None:
    code = "import ctypes\ndef boom():\n    ctypes.string_at(0)\nboom()"
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code], capture_output=True, text=True, check=False
    )
    (trace,) = parse(done.stderr)
    assert [f.symbol for f in trace.frames] == ["string_at", "boom", "<module>"]
    assert trace.first_line == 1 and trace.frames[0].library.endswith("ctypes/__init__.py")


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_a_backtrace_of_glibc_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "#include <execinfo.h>\nint main(void) { void *f[9]; backtrace_symbols_fd(f, backtrace(f, 9), 1); return 0; }"
    )
    built = subprocess.run(["cc", "-rdynamic", "a.c", "-o", "a"], cwd=tmp_path, capture_output=True, check=False)
    if built.returncode:
        pytest.skip("no execinfo.h")
    done = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True)
    (trace,) = parse(done.stdout)
    assert any(f.symbol == "main" for f in trace.frames) and all(f.address.startswith("0x") for f in trace.frames)


def test_stacks_of_two_ranks_are_kept_apart() -> None:
    head = "Exception raised from f at a.cpp:1 (most recent call first):"
    lines = [head, *[f"frame #{i}: f{i} + 0x1 (0x7f in /libc10.so)" for i in range(3)]]
    traces = parse("\n".join(f"[rank{rank}]: {line}" for line in lines for rank in (0, 1)))
    assert [(t.stream, len(t.frames)) for t in traces] == [("rank0", 3), ("rank1", 3)]


def test_two_stacks_of_one_stream_are_two() -> None:
    head = "Exception raised from f at a.cpp:1 (most recent call first):\nframe #0: f + 0x1 (0x7f in /libc10.so)\n"
    assert [len(t.frames) for t in parse(head + head)] == [1, 1]


@pytest.mark.parametrize(
    "text",
    [
        "step 3 at 0x7f",
        "0  1  2",
        "#1 in the list",
        "[ 5] Surprise Down Error",
        "0  4f1c9c0b7a5d  10.0.0.1  True  ALIVE",
        "/a/b.py:3: x",
    ],
)
def test_what_is_no_frame_gives_no_stack(text: str) -> None:
    assert parse(text) == []
