"""Tracebacks that this Python really prints, in every dress a log can put on them."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from triage.log.streams import read_lines
from triage.parse.traceback import Traceback, find_tracebacks, root_of

PROGRAM = """
def load(path):
    return open(path)

def middle():
    try:
        load("/nonexistent/weights.bin")
    except OSError as error:
        raise RuntimeError("could not load weights\\nsecond line") from error

def outer():
    try:
        middle()
    except RuntimeError:
        return {}["missing"]
"""

Runner = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Runner:
    """Run a program that fails; return all it printed."""
    (tmp_path / "prog.py").write_text(PROGRAM, encoding="utf-8")

    def run_program(code: str, *options: str, name: str = "main.py") -> str:
        (tmp_path / name).write_text(textwrap.dedent(code), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, *options, name], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
        )
        return done.stdout + done.stderr

    return run_program


def parse(text: str) -> list[Traceback]:
    return find_tracebacks(read_lines(enumerate(text.splitlines(), 1)))


def kinds(tracebacks: list[Traceback]) -> list[tuple[str, str, int | None]]:
    return [(t.type, t.relation, t.previous) for t in tracebacks]


CHAIN = [("FileNotFoundError", "", None), ("RuntimeError", "cause", 0), ("KeyError", "context", 1)]


def test_a_chain_is_read_from_its_root_to_its_end(run: Runner) -> None:
    text = run("import prog\nprog.outer()")
    found = parse(text)
    assert kinds(found) == CHAIN and root_of(found, 2) == 0
    assert found[1].message == "could not load weights\nsecond line"
    assert [(f.function, f.line, f.code, f.owner) for f in found[0].frames] == [
        ("middle", 7, 'load("/nonexistent/weights.bin")', "user"), ("load", 3, "return open(path)", "user"),
    ]  # fmt: skip
    lines = text.splitlines()
    for traceback in found:
        assert lines[traceback.first_line - 1] == "Traceback (most recent call last):"
        assert lines[traceback.exception_line - 1].startswith(f"{traceback.type}: ")
        assert not traceback.truncated


DRESSES: dict[str, Callable[[int, str], str]] = {
    "rank": lambda i, line: f"[rank3]: {line}",
    "torchrun": lambda i, line: f"[default3]:{line}",
    "mpirun": lambda i, line: f"[1,3]<stderr>:{line}",
    "srun": lambda i, line: f"3: {line}",
    "ray": lambda i, line: f"(W pid=7, ip=10.0.0.2) {line}",
    "vllm": lambda i, line: f"(EngineCore_0 pid=7) ERROR 05-04 10:22:{i % 60:02d} [core.py:396] {line}",
    "compose": lambda i, line: f"worker-1  | {line}",
    "github": lambda i, line: f"2024-05-04T10:22:{i % 60:02d}.{i:07d}Z {line}",
    "logging": lambda i, line: f"2024-05-04 10:22:{i % 60:02d},{i:03d} - a.b - ERROR - {line}",
    "loguru": lambda i, line: f"2024-05-04 10:22:{i % 60:02d}.{i:03d} | ERROR    | a:b:{i} - {line}",
    "torchserve": lambda i, line: f"2022-11-22T15:40:{i % 60:02d},930 [INFO ] W-9000-m_1.0-stdout MODEL_LOG - {line}",
    "syslog": lambda i, line: f"Jul 20 06:18:{i % 60:02d} node-1 train[77]: {line}",
    "colour": lambda i, line: f"\x1b[31m{line}\x1b[0m\r",
    "docker": lambda i, line: json.dumps(
        {"log": line + "\n", "stream": "stderr", "time": f"2024-05-04T10:22:{i:02d}Z"}
    ),
    "nested": lambda i, line: f"2024-05-04T10:22:01Z worker-1 | 3: [rank3]: {line}",
}


@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES)
def test_a_chain_is_the_same_in_every_dress(run: Runner, dress: Callable[[int, str], str]) -> None:
    plain = run("import prog\nprog.outer()")
    dressed = "\n".join(dress(i, line) for i, line in enumerate(plain.splitlines()))
    before = "\n".join(dress(i, f"step {i} loss 0.5") for i in range(20))
    found, bare = parse(dressed), parse(plain)
    assert kinds(found) == CHAIN
    assert [(t.message, t.frames, t.exception_line) for t in found] == [
        (t.message, t.frames, t.exception_line) for t in bare
    ]
    assert kinds(parse(before + "\n" + dressed)) == CHAIN


def test_empty_lines_between_all_lines_do_no_harm(run: Runner) -> None:
    text = run("import prog\nprog.outer()")
    spaced = parse(text.replace("\n", "\n\n"))
    assert kinds(spaced) == CHAIN
    assert [t.frames for t in spaced] == [t.frames for t in parse(text)]


def test_ranks_that_print_at_the_same_time_are_not_mixed(run: Runner) -> None:
    plain = run("import prog\nprog.outer()").splitlines()
    mixed = [f"[rank{rank}]: {line}" for line in plain for rank in range(8)]
    found = parse("\n".join(mixed))
    assert len(found) == 24
    for rank in range(8):
        own = [i for i, t in enumerate(found) if t.stream == f"rank{rank}"]
        assert [found[i].type for i in own] == ["FileNotFoundError", "RuntimeError", "KeyError"]
        assert root_of(found, own[2]) == own[0] and len(found[own[0]].frames) == 2


def test_other_output_of_the_same_process_may_stand_within_a_traceback(run: Runner) -> None:
    lines = run("import prog\nprog.middle()").splitlines()
    lines[2:2] = ["INFO: eval done, 0 errors", "step 3 loss 0.5"]
    assert kinds(parse("\n".join(lines))) == CHAIN[:2]
    assert len(parse("\n".join(lines))[0].frames) == 2


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exception groups came with Python 3.11")
def test_an_exception_group_leads_to_its_members_however_deep(run: Runner) -> None:
    text = run(
        """
        def cause():
            try:
                1 / 0
            except ZeroDivisionError as error:
                raise KeyError("shard") from error
        def members():
            try:
                cause()
            except KeyError as error:
                yield error
            note = ValueError("bad")
            note.add_note("while reading shard 3")
            yield note
            try:
                raise ExceptionGroup("inner", [TypeError("t"), OSError(5, "io")])
            except ExceptionGroup as inner:
                yield inner
        raise ExceptionGroup("several shards failed", list(members()))
        """
    )
    found = parse(text)
    by_type = {t.type + t.message[:5]: i for i, t in enumerate(found)}
    assert kinds(found) == [
        ("ExceptionGroup", "group", 2), ("ZeroDivisionError", "", None), ("KeyError", "cause", 1), ("ValueError",
         "", None),
        ("ExceptionGroup", "group", 5), ("TypeError", "", None), ("OSError", "", None),
    ]  # fmt: skip
    assert root_of(found, 0) == by_type["ZeroDivisionErrordivis"]
    assert found[3].message == "bad\nwhile reading shard 3"
    assert found[0].message == "several shards failed (3 sub-exceptions)" and found[0].frames[-1].function == "<module>"
    ranked = parse("\n".join(f"[rank1]: {line}" for line in text.splitlines()))
    assert kinds(ranked) == kinds(found)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="task groups came with Python 3.11")
def test_tasks_of_a_task_group_are_members_of_its_exception(run: Runner) -> None:
    found = parse(run(
        """
        import asyncio
        async def task():
            raise ValueError("in task")
        async def main():
            async with asyncio.TaskGroup() as group:
                group.create_task(task())
                group.create_task(task())
        asyncio.run(main())
        """
    ))  # fmt: skip
    assert [t.type for t in found] == ["ExceptionGroup", "ValueError", "ValueError"]
    assert (found[0].relation, found[0].previous) == ("group", 1)


def test_a_recursion_error_keeps_the_frames_that_were_printed(run: Runner) -> None:
    (found,) = parse(run("def f(n):\n    return f(n + 1)\nf(0)\n"))
    assert found.type == "RecursionError" and [f.code for f in found.frames] == ["f(0)"] + ["return f(n + 1)"] * 3


def test_a_syntax_error_ends_in_the_frame_of_its_file(run: Runner) -> None:
    (alone,) = parse(run("x = 1\nif x = 2:\n    pass\n"))
    assert alone.type == "SyntaxError" and not alone.truncated and alone.exception_line == 4
    assert [(f.line, f.function, f.code) for f in alone.frames] == [(2, "", "if x = 2:")]
    (imported,) = parse(run("import main", name="importer.py"))
    assert [f.code for f in imported.frames] == ["import main", "if x = 2:"]


@pytest.mark.parametrize(
    "code",
    [
        "import multiprocessing as m, prog\nif __name__ == '__main__':\n"
        "    with m.get_context('fork').Pool(1) as p: p.apply(prog.middle)",
        "from concurrent.futures import ProcessPoolExecutor as P\nimport prog\nif __name__ == '__main__':\n"
        "    with P(1) as p: p.submit(prog.middle).result()",
    ],
    ids=["multiprocessing", "futures"],
)  # fmt: skip
def test_an_exception_of_another_process_is_before_its_relay(run: Runner, code: str) -> None:
    found = parse(run(code))
    assert kinds(found) == [*CHAIN[:2], ("RuntimeError", "remote", 1)]
    assert root_of(found, 2) == 0 and found[1].frames[0].owner == "stdlib"


def test_an_exception_in_a_thread_is_found(run: Runner) -> None:
    found = parse(
        run("import threading, prog\nt = threading.Thread(target=prog.middle)\nt.start()\nt.join()\nprint('done')")
    )
    assert kinds(found) == CHAIN[:2] and found[1].frames[0].owner == "stdlib"


def test_what_logging_prints_after_a_record_is_no_part_of_the_message(run: Runner) -> None:
    found = parse(run(
        """
        import logging, prog
        logging.basicConfig(format="%(asctime)s - %(name)s - %(levelname)s - %(message)s")
        try:
            prog.outer()
        except KeyError:
            logging.exception("it failed")
        logging.warning("after")
        """
    ))  # fmt: skip
    assert kinds(found) == CHAIN and found[2].message == "'missing'"


def test_rich_boxes_are_read_with_their_chain(run: Runner) -> None:
    pytest.importorskip("rich")
    for options in ("", "show_locals=True", "width=60"):
        found = parse(run(f"from rich.traceback import install\ninstall({options})\nimport prog\nprog.outer()"))
        assert kinds(found) == CHAIN
        assert [(f.line, f.function, f.code) for f in found[0].frames] == [
            (7, "middle", 'load("/nonexistent/weights.bin")'), (3, "load", "return open(path)"),
        ]  # fmt: skip
        assert found[0].frames[0].file.endswith("/prog.py") and found[1].message.startswith("could not load weights")


def test_pytest_reports_are_read_with_their_chain(run: Runner, tmp_path: Path) -> None:
    run("""
        import prog
        class Odd(BaseException): pass
        def test_chain():
            prog.outer()
        def test_assert():
            assert 1 == 2
        def test_odd():
            raise Odd("odd thing")
        """, name="test_it.py")  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir=.", "test_it.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = parse(done.stdout)
    assert kinds(found) == [*CHAIN, ("AssertionError", "", None), ("test_it.Odd", "", None)]
    assert [(f.file, f.line, f.code) for f in found[2].frames] == [
        ("test_it.py", 5, "prog.outer()"), ("prog.py", 15, 'return {}["missing"]'),
    ]  # fmt: skip
    assert found[1].message == "could not load weights\nsecond line" and found[3].message == "assert 1 == 2"


def test_a_traceback_cut_at_either_end_says_so(run: Runner) -> None:
    lines = run("import prog\nprog.load('/nonexistent')").splitlines()
    for start in range(1, len(lines)):
        (tail,) = parse("\n".join(lines[start:]))
        assert tail.type == "FileNotFoundError" and tail.truncated
    (head,) = parse("\n".join(lines[:-1]))
    assert (head.type, head.truncated, len(head.frames)) == ("", True, 2)


def test_lines_that_were_left_out_end_a_traceback() -> None:
    numbered = [(1, "Traceback (most recent call last):"), (2, '  File "a.py", line 1, in f'), (900, "ValueError: x")]
    found = find_tracebacks(read_lines(numbered))
    assert [(t.type, t.last_line) for t in found] == [("", 2), ("ValueError", 900)]


@pytest.mark.parametrize(
    ("line", "kind", "message"),
    [
        ("RuntimeError: CUDA error: invalid device function", "RuntimeError", "CUDA error: invalid device function"),
        ("torch.cuda.OutOfMemoryError: CUDA out of memory.", "torch.cuda.OutOfMemoryError", "CUDA out of memory."),
        ("KeyboardInterrupt", "KeyboardInterrupt", ""),
        ("EOFError", "EOFError", ""),
        ("torch._dynamo.exc.Unsupported: call_function", "torch._dynamo.exc.Unsupported", "call_function"),
        ("triton.runtime.errors.OutOfResources: out of resource", "triton.runtime.errors.OutOfResources",
         "out of resource"),
        ("ERROR 05-04 10:22:41 [engine.py:160] OutOfMemoryError('CUDA out of memory.')", "OutOfMemoryError",
         "CUDA out of memory."),
        ("2024-05-04 10:22:41 ERROR failed: ValueError: bad shape", "ValueError", "bad shape"),
    ],
)  # fmt: skip
def test_a_lone_exception_line_is_a_truncated_traceback(line: str, kind: str, message: str) -> None:
    (found,) = parse(line)
    assert (found.type, found.message, found.truncated) == (kind, message, True)


@pytest.mark.parametrize(
    "line",
    [
        "/opt/x.py:85: FutureWarning: this argument will be removed",
        "FutureWarning: this argument will be removed",
        "WARNING: ValueError: caught and ignored",
        "Error: something",
        "0 errors, 2 exceptions ignored",
        "INFO: checkpoint saved, RuntimeError: no",
        "Downloading KeyError-handler: 50%",
        "Failed to import Ray with ModuleNotFoundError(\"No module named 'ray'\").",
    ],
)
def test_what_is_no_exception_gives_none(line: str) -> None:
    assert parse(line) == [] or line.startswith("WARNING")


def test_advice_is_in_the_message_and_marked_as_notes() -> None:
    (found,) = parse(
        "RuntimeError: CUDA error: device-side assert triggered\n"
        "CUDA kernel errors might be asynchronously reported at some other API call.\n"
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1\n"
    )
    assert found.message.count("\n") == 2 and len(found.notes) == 2 and found.notes[1].endswith("BLOCKING=1")


@pytest.mark.parametrize(
    ("file", "owner"),
    [
        ("/home/user/train.py", "user"),
        ("train.py", "user"),
        ("<stdin>", "user"),
        ("/opt/conda/lib/python3.11/site-packages/torch/nn/modules/module.py", "library:torch"),
        ("/usr/lib/python3/dist-packages/six.py", "library:six"),
        ("C:\\env\\Lib\\site-packages\\transformers\\trainer.py", "library:transformers"),
        ("/x/site-packages/foo-1.0-py3.8.egg/foo/a.py", "library:foo"),
        ("/x/lib/python3.10/site-packages/pip/site-packages/bar/a.py", "library:bar"),
        ("/usr/lib/python3.11/threading.py", "stdlib"),
        ("C:\\Python310\\lib\\threading.py", "stdlib"),
        ("<frozen importlib._bootstrap>", "stdlib"),
        ("<__array_function__ internals>", "library:numpy"),
        ("<eval_with_key>.12", "library:torch"),
        ("/tmp/torchinductor_user/ab/cab.py", "library:torch"),
        ("pandas/_libs/index.pyx", "native"),
        ("/src/kernel.cu", "native"),
    ],
)
def test_a_frame_knows_whose_code_it_runs(file: str, owner: str) -> None:
    (found,) = parse(f'Traceback (most recent call last):\n  File "{file}", line 3, in f\n    x\nValueError: y')
    assert found.frames[0].owner == owner and found.frames[0].file == file
