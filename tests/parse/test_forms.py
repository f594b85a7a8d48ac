"""Forms that other tools print, recorded from them; each must give the same chain."""

from __future__ import annotations

from pathlib import Path

import pytest

from triage.log.streams import read_lines
from triage.parse.traceback import Traceback, find_tracebacks, root_of

RECORDED = Path(__file__).parent / "recorded"


def parse(text: str) -> list[Traceback]:
    return find_tracebacks(read_lines(enumerate(text.splitlines(), 1)))


@pytest.mark.parametrize("name", ["ipython", "ipython_script", "stackprinter", "better_exceptions", "loguru"])
def test_each_recorded_form_gives_the_chain_that_python_would_print(name: str) -> None:
    found = parse((RECORDED / f"{name}.txt").read_text(encoding="utf-8"))
    assert [(t.type, t.relation, t.previous) for t in found[:3]] == [
        ("FileNotFoundError", "", None), ("RuntimeError", "cause", 0), ("KeyError", "context", 1),
    ]  # fmt: skip
    assert [(f.file, f.line, f.function, f.code) for f in found[0].frames] == [
        ("/home/user/prog.py", 5, "middle", 'load("/nonexistent/file.bin")'),
        ("/home/user/prog.py", 2, "load", "return open(path)"),
    ]
    assert found[1].message == "could not load weights\nsecond line of message"
    assert not any(t.truncated for t in found[:3])


def test_notebook_cells_are_frames() -> None:
    found = parse((RECORDED / "ipython.txt").read_text(encoding="utf-8"))
    assert [(f.file, f.line, f.code) for f in found[3].frames] == [("<cell 3>", 1, "1/0")]


def test_old_notebooks_told_lines_by_arrows() -> None:
    (found,) = parse(
        "---------------------------------------------------------------------------\n"
        "RuntimeError                              Traceback (most recent call last)\n"
        "<ipython-input-3-0a1b2c> in <module>\n----> 1 model(x)\n\n"
        "/opt/conda/lib/python3.8/site-packages/torch/nn/modules/module.py in _call_impl(self, *input)\n"
        "    887         else:\n--> 889             result = self.forward(*input, **kwargs)\n    890 \n\n"
        "RuntimeError: CUDA error: no kernel image is available for execution on the device\n"
    )
    assert [(f.line, f.function, f.owner) for f in found.frames] == [
        (1, "<module>", "user"), (889, "_call_impl", "library:torch"),
    ]  # fmt: skip
    assert found.message.startswith("CUDA error: no kernel image")


def test_a_data_loader_relay_leads_to_the_exception_in_the_worker() -> None:
    found = parse(
        'Traceback (most recent call last):\n  File "train.py", line 44, in <module>\n    for batch in loader:\n'
        '  File "/opt/conda/lib/python3.11/site-packages/torch/_utils.py", line 705, in reraise\n    raise exception\n'
        "OSError: Caught OSError in DataLoader worker process 3.\n"
        'Original Traceback (most recent call last):\n  File "/opt/PIL/_binary.py", line 98, in i32be\n'
        "    return unpack\n"
        "struct.error: unpack_from requires a buffer of at least 4 bytes\n\n"
        "The above exception was the direct cause of the following exception:\n\n"
        'Traceback (most recent call last):\n  File "folder.py", line 51, in __getitem__\n    image = Image.open(f)\n'
        "OSError: image file is truncated\n\n"
        "During handling of the above exception, another exception occurred:\n\n"
        'Traceback (most recent call last):\n  File "train.py", line 60, in <module>\n    save()\nTypeError: save\n'
    )
    assert [(t.type, t.relation, t.previous) for t in found] == [
        ("OSError", "remote", 2), ("struct.error", "", None), ("OSError", "cause", 1), ("TypeError", "context", 0),
    ]  # fmt: skip
    assert found[0].message == "Caught OSError in DataLoader worker process 3." and root_of(found, 3) == 1


def test_a_spawned_process_is_before_the_exception_of_its_parent() -> None:
    found = parse(
        'Traceback (most recent call last):\n  File "a.py", line 9, in <module>\n    mp.spawn(f, nprocs=2)\n'
        "torch.multiprocessing.spawn.ProcessRaisedException: \n\n-- Process 1 terminated with the following error:\n"
        "Traceback (most recent call last):\n"
        '  File "/x/site-packages/torch/multiprocessing/spawn.py", line 90, in _wrap\n'
        "    fn(i, *args)\nRuntimeError: CUDA error: out of memory\n\n"
    )
    assert [(t.type, t.relation, t.previous) for t in found] == [
        ("torch.multiprocessing.spawn.ProcessRaisedException", "remote", 1), ("RuntimeError", "", None),
    ]  # fmt: skip


def test_a_ray_task_within_a_task_leads_to_the_innermost_exception() -> None:
    found = parse(
        'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    ray.get(outer.remote())\n'
        "ray.exceptions.RayTaskError(ZeroDivisionError): ray::outer() (pid=7, ip=10.0.0.2)\n"
        '  File "train.py", line 5, in outer\n    ray.get(inner.remote())\n'
        "ray.exceptions.RayTaskError(ZeroDivisionError): ray::inner() (pid=8, ip=10.0.0.2)\n"
        '  File "train.py", line 3, in inner\n    1/0\nZeroDivisionError: division by zero\n'
    )
    assert [(t.type.split(".")[-1], t.relation, t.previous) for t in found] == [
        ("RayTaskError(ZeroDivisionError)", "remote", 1), ("RayTaskError(ZeroDivisionError)", "remote", 2),
        ("ZeroDivisionError", "", None),
    ]  # fmt: skip
    assert [f.function for f in found[1].frames] == ["outer"] and root_of(found, 0) == 2


def test_a_ray_task_that_raised_from_another_exception_leads_to_that() -> None:
    found = parse(
        "ray.exceptions.RayTaskError(RuntimeError): ray::f() (pid=7, ip=10.0.0.2)\n"
        '  File "a.py", line 3, in g\n    x()\nValueError: bad\n\n'
        "The above exception was the direct cause of the following exception:\n\nray::f() (pid=7, ip=10.0.0.2)\n"
        '  File "a.py", line 6, in f\n    raise RuntimeError("y") from e\nRuntimeError: y\n'
    )
    assert [(t.type.split(".")[-1], t.relation, t.previous) for t in found] == [
        ("RayTaskError(RuntimeError)", "remote", 2), ("ValueError", "", None), ("RuntimeError", "cause", 1),
    ]  # fmt: skip


BOX = """\
Traceback (most recent call last):
  File "/opt/conda/bin/torchrun", line 8, in <module>
    sys.exit(main())
torch.distributed.elastic.multiprocessing.errors.ChildFailedError: 
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
[1]:
  time      : 2025-05-04_10:22:41
  rank      : 1 (local_rank: 1)
  exitcode  : -6 (pid: 2318)
  error_file: /run/err/1/error.json
  traceback : Traceback (most recent call last):
    File "train.py", line 7, in main
      dist.barrier()
  RuntimeError: NCCL error
  
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  rank      : 0 (local_rank: 0)
  exitcode  : 1 (pid: 2317)
  error_file: /run/err/0/error.json
  traceback : Traceback (most recent call last):
    File "train.py", line 5, in main
      net(x)
  ValueError: bad shape
  
============================================================
next line of the launcher
"""  # noqa: W291, W293 - torchrun prints these blanks


def test_the_box_of_torchrun_leads_to_the_failure_it_calls_the_root() -> None:
    found = parse(BOX)
    assert [(t.type.split(".")[-1], t.message[:9]) for t in found[1:]] == [
        ("RuntimeError", "NCCL erro"), ("ValueError", "bad shape"),
    ]  # fmt: skip
    assert (found[0].relation, found[0].previous) == ("remote", 2)
    assert "exitcode  : -6" in found[0].message and "next line" not in found[0].message


def test_torchscript_leads_to_the_error_of_its_interpreter() -> None:
    found = parse(
        'Traceback (most recent call last):\n  File "run.py", line 5, in <module>\n    m(x)\n'
        "RuntimeError: The following operation failed in the TorchScript interpreter.\n"
        "Traceback of TorchScript, serialized code (most recent call last):\n"
        '  File "code/__torch__/net.py", line 12, in forward\n    _0 = torch.matmul(x, self.w)\n'
        "         ~~~~ <--- HERE\n\n"
        "Traceback of TorchScript, original code (most recent call last):\n"
        '  File "net.py", line 9, in forward\n        return x @ self.w\n               ~~~~ <--- HERE\n'
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)\n"
    )
    assert [(t.relation, t.previous, len(t.frames)) for t in found] == [("remote", 1, 1), ("", None, 2)]
    assert found[1].message.startswith("mat1 and mat2")


def test_code_that_tensorflow_traced_leads_to_the_error_in_it() -> None:
    found = parse(
        'Traceback (most recent call last):\n  File "fit.py", line 3, in <module>\n    model.fit(x)\n'
        "ValueError: in user code:\n\n"
        '    File "/x/site-packages/keras/engine/training.py", line 1284, in train_function  *\n'
        "        return step(self)\n"
        '    File "net.py", line 7, in call\n        return tf.matmul(a, b)\n\n'
        "    ValueError: Dimensions must be equal, but are 3 and 4\n\nafter\n"
    )
    assert [(t.relation, t.previous) for t in found] == [("remote", 1), ("", None)]
    assert found[1].message == "Dimensions must be equal, but are 3 and 4"
    assert [f.owner for f in found[1].frames] == ["library:keras", "user"]


def test_frames_that_a_message_quotes_stay_in_the_message() -> None:
    (graph,) = parse(
        "tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:\n\n"
        "Detected at node 'loss' defined at (most recent call last):\n"
        "    File \"train.py\", line 20, in <module>\n      model.fit(x, y)\nNode: 'loss'\n"
        "Received a label value of 10 which is outside the valid range of [0, 10).\n"
    )
    assert graph.message.endswith("valid range of [0, 10).")
    (dynamo,) = parse(
        'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f(x)\n'
        "torch._dynamo.exc.Unsupported: call to numpy\n\nfrom user code:\n"
        '   File "a.py", line 5, in f\n    return np.sin(x)\n\n'
        "Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n"
    )
    assert 'File "a.py", line 5, in f' in dynamo.message and dynamo.notes[0].startswith("Set TORCHDYNAMO")


def test_powershell_may_put_its_own_lines_into_a_traceback() -> None:
    (found,) = parse(
        "python : Traceback (most recent call last):\nAt line:1 char:1\n+ python train.py 2>&1 | Tee-Object log.txt\n"
        "+ ~~~~~~~~~~~~~~~\n"
        "    + CategoryInfo          : NotSpecified: (Traceback (most recent call last)::String) []\n"
        "    + FullyQualifiedErrorId : NativeCommandError\n \n"
        '  File "C:\\work\\train.py", line 3, in <module>\n    import torch\n'
        "ModuleNotFoundError: No module named 'torch'\n"
    )
    assert (found.type, found.first_line, [f.line for f in found.frames]) == ("ModuleNotFoundError", 1, [3])


def test_a_header_glued_to_other_output_still_begins_a_traceback() -> None:
    (found,) = parse(
        'device-side assert triggeredTraceback (most recent call last):\n  File "a.py", line 1, in f\n    x\n'
        "ValueError: y"
    )
    assert found.first_line == 1 and not found.truncated
    (numpy,) = parse('Traceback (most recent call last):  File "fx", line 8, in <module>\n    run()\nImportError: z')
    assert [f.file for f in numpy.frames] == ["fx"]


def test_last_words_of_cpp_are_an_exception() -> None:
    (found,) = parse(
        "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: misaligned address\n"
    )
    assert (found.type, found.message, found.exception_line) == ("c10::Error", "CUDA error: misaligned address", 2)


def test_indentation_that_was_lost_in_copying_does_no_harm() -> None:
    (found,) = parse(
        'Traceback (most recent call last):\nFile "a.py", line 1, in f\nx = g()\nFile "b.py", line 2, in g\n'
        "return 1/0\nZeroDivisionError: division by zero"
    )
    assert [f.code for f in found.frames] == ["x = g()", "return 1/0"] and found.type == "ZeroDivisionError"


def test_pathological_nesting_ends() -> None:
    text = (
        'ray.exceptions.RayTaskError(ValueError): ray::f() (pid=1)\n  File "a.py", line 3, in f\n' * 3000
        + "ValueError: x"
    )
    assert len(parse(text)) > 2000
    groups = "".join(f"{'  ' * i}  | Exception Group Traceback (most recent call last):\n" for i in range(500))
    parse("  + Exception Group Traceback (most recent call last):\n" + groups)
