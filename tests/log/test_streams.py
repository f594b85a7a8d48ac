"""Lines: prefixes come off in any nesting, the message stays as it was."""

from __future__ import annotations

import json
import time

import pytest

from triage.log.streams import Line, read_lines


def read(*texts: str) -> list[Line]:
    return read_lines(enumerate(texts, 1))


def one(text: str) -> Line:
    lines = read(text)
    assert len(lines) == 1
    return lines[0]


TRACE = '  File "/opt/x.py", line 3, in f'

HEADS = [
    # prefix, stream, level, time
    ("[rank3]: ", "rank3", "", ""),
    ("[default3]:", "default3", "", ""),
    ("[default3]: ", "default3", "", ""),
    ("[1,3]<stderr>:", "1,3", "", ""),
    ("[1,3]<stderr>: ", "1,3", "", ""),
    ("[prterun-n1-77@1,3]<stdout>: ", "1,3", "", ""),
    ("(RayWorker pid=7, ip=10.0.0.2) ", "RayWorker pid=7 ip=10.0.0.2", "", ""),
    ("(pid=7) ", "pid=7", "", ""),
    ("(EngineCore_0 pid=7) ", "EngineCore_0 pid=7", "", ""),
    ("(Worker_TP0_EP0 pid=811) ", "Worker_TP0_EP0 pid=811", "", ""),
    ("(ServeReplica:default:Model pid=9) ", "ServeReplica:default:Model pid=9", "", ""),
    ("(raylet, ip=10.0.0.2) ", "raylet ip=10.0.0.2", "", ""),
    ("(autoscaler +32s) ", "autoscaler", "", ""),
    ("(Worker pid=22) [Stage-0] ", "Worker pid=22/Stage-0", "", ""),
    ("[node-2] ", "node-2", "", ""),
    ("worker-1  | ", "worker-1", "", ""),
    ("trainer_2 | ", "trainer_2", "", ""),
    ("[pod/train-0/main] ", "pod/train-0/main", "", ""),
    ("(EngineCore pid=4) (RayWorkerWrapper pid=6, ip=10.0.0.2) ERROR 08-14 09:11:52 [worker_base.py:305] ",
     "EngineCore pid=4/RayWorkerWrapper pid=6 ip=10.0.0.2", "ERROR", "08-14 09:11:52"),
    ("ERROR 05-04 10:22:41 [core.py:396] ", "", "ERROR", "05-04 10:22:41"),
    ("WARNING 04-01 02:45:50 ray_utils.py:320] ", "", "WARNING", "04-01 02:45:50"),
    ("2026-11-30T12:00:00.123Z ", "", "", "2026-11-30T12:00:00.123Z"),
    ("2026-11-30T12:00:00.123Z [rank5]: ", "rank5", "", "2026-11-30T12:00:00.123Z"),
    ("2024-05-04T10:22:41.1234567Z ##[error]", "", "ERROR", "2024-05-04T10:22:41.1234567Z"),
    ("2024-05-04T10:22:41.123456789+08:00 stderr F ", "", "", "2024-05-04T10:22:41.123456789+08:00"),
    ("2024-05-04 10:22:41,123 - my.module - ERROR - ", "", "ERROR", "2024-05-04 10:22:41,123"),
    ("05/22 09:09:35 - mmengine - WARNING - ", "", "WARNING", "05/22 09:09:35"),
    ("01/09/2024 18:04:11 - INFO - __main__ - ", "", "INFO", "01/09/2024 18:04:11"),
    ("2024-05-04 10:22:41.123 | ERROR    | mod:fn:12 - ", "", "ERROR", "2024-05-04 10:22:41.123"),
    ("2024-05-04 10:22:41,123 ERROR worker.py:1654 -- ", "", "ERROR", "2024-05-04 10:22:41,123"),
    ("2024-05-04 10:22:41.123456: E tensorflow/core/x.cc:12] ", "", "ERROR", "2024-05-04 10:22:41.123456"),
    ("2024/09/03 16:36:00 routes.go:1125: INFO ", "", "INFO", "2024/09/03 16:36:00"),
    ("2022-11-22T15:40:53,930 [WARN ] W-9000-m_1.0-stderr MODEL_LOG - ", "W-9000-m_1.0", "WARNING",
     "2022-11-22T15:40:53,930"),
    ("[2024-11-12 10:02:04,118] [ERROR] [launch.py:321:sigkill_handler] ", "", "ERROR", "2024-11-12 10:02:04,118"),
    ("[2025-05-07 09:41:12 TP0] ", "TP0", "", "2025-05-07 09:41:12"),
    ("[2025-05-07 09:41:12 DP1 TP0] ", "DP1 TP0", "", "2025-05-07 09:41:12"),
    ("[2024-05-04 10:22:41,123][module][ERROR] - ", "", "ERROR", "2024-05-04 10:22:41,123"),
    ("[INFO|trainer.py:641] 2024-06-07 17:03:11,076 >> ", "", "INFO", "2024-06-07 17:03:11,076"),
    ("[05/04/2024-10:22:41] [TRT] [E] ", "", "ERROR", "05/04/2024-10:22:41"),
    ("[TensorRT-LLM][ERROR] ", "", "ERROR", ""),
    ("[W504 10:22:41.331000123 ProcessGroupNCCL.cpp:1250] ", "", "WARNING", "10:22:41.331000123"),
    ("[rank0]:[E504 10:22:41.331000123 ProcessGroupNCCL.cpp:629] ", "rank0", "ERROR", "10:22:41.331000123"),
    ("E0504 10:22:41.331000 2311 torch/distributed/api.py:874] ", "", "ERROR", "10:22:41.331000"),
    ("F0925 10:12:44.120021  4127 math_functions.cu:27] ", "", "FATAL", "10:12:44.120021"),
    ("E0000 00:00:1714567890.123456   12345 cuda_dnn.cc:8310] ", "", "ERROR", "00:00:1714567890.123456"),
    ("I20240504 10:22:41.331000 2311 op.cc:8] ", "", "INFO", "10:22:41.331000"),
    ("[W 2026-12-01 01:04:05,251] ", "", "WARNING", "2026-12-01 01:04:05,251"),
    ("[I 2026-12-01 01:04:05.251 ServerApp] ", "", "INFO", "2026-12-01 01:04:05.251"),
    ("2024-05-04 10:22:41.123456789 [E:onnxruntime:Default, provider_bridge_ort.cc:1745 TryGet] ", "", "ERROR",
     "2024-05-04 10:22:41.123456789"),
    ("ERROR:torch.distributed.elastic.multiprocessing.api:", "", "ERROR", ""),
    ("ERROR: ", "", "ERROR", ""),
    ("Jul 20 06:18:44 node-1 mold[4127]: ", "node-1/mold[4127]", "", "Jul 20 06:18:44"),
    ("2024-05-04T10:22:41.123456+00:00 node-1 train[77]: ", "node-1/train[77]", "", "2024-05-04T10:22:41.123456+00:00"),
    ("[ERROR] RUNTIME(4127,ffff9c4d2010,python):2025-03-11-14:20:08.310.552 [api.cc:173] ", "", "ERROR",
     "2025-03-11-14:20:08.310.552"),
    ("[node-21:182998] ", "node-21:182998", "", ""),
    ('time="2023-02-07T08:12:32Z" level=error msg="', "", "ERROR", "2023-02-07T08:12:32Z"),
    ("[错误] ", "", "ERROR", ""),
    ("│ ", "", "", ""),
    ("[1,mpirank:3,algo-2]<stderr>:", "1,mpirank:3,algo-2", "", ""),
    ("[ERROR] ME(8821:281473,MainProcess):2021-03-11-14:20:08.310.552 [mindspore/x.py:17] ", "", "ERROR",
     "2021-03-11-14:20:08.310.552"),
    ("[2024-05-04 10:22:41,123] [ WARNING] ", "", "WARNING", "2024-05-04 10:22:41,123"),
    ("[2024-05-04 10:22:41 +0000] [77] [ERROR] ", "", "ERROR", "2024-05-04 10:22:41 +0000"),
    ("Jul 20 06:18:44.123456 node-1 train[77]: ", "node-1/train[77]", "", "Jul 20 06:18:44.123456"),
    ("Mon 2024-05-06 10:22:41 UTC node-1 train[77]: ", "node-1/train[77]", "", "Mon 2024-05-06 10:22:41 UTC"),
    ("24/05/01 10:22:41 ERROR ", "", "ERROR", "24/05/01 10:22:41"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "stream", "level", "time_stamp"), HEADS, ids=[head for head, *_ in HEADS])
def test_a_prefix_comes_off_and_says_who_when_and_how_serious(
    head: str, stream: str, level: str, time_stamp: str
) -> None:
    line = one(head + "RuntimeError: x")
    assert (line.text, line.stream, line.level, line.time) == ("RuntimeError: x", stream, level, time_stamp)
    assert line.raw == head + "RuntimeError: x" and line.number == 1


@pytest.mark.parametrize("head", [h for h, *_ in HEADS if not h.startswith(("[node-21", "[错误", "ERROR: "))])
def test_the_indentation_of_the_message_survives_each_prefix(head: str) -> None:
    assert one(head + TRACE).text == TRACE
    assert one(head + "    code = 1").text == "    code = 1"


@pytest.mark.parametrize("head", [h for h, *_ in HEADS if not h.startswith("│")])
def test_prefixes_nest_under_a_collector_and_a_rank(head: str) -> None:
    line = one("2026-11-30T12:00:00.123Z [rank5]: " + head + "RuntimeError: x")
    assert (
        line.text == "RuntimeError: x" and line.stream.startswith("rank5") and line.time == "2026-11-30T12:00:00.123Z"
    )


@pytest.mark.parametrize(
    "message",
    [
        "RuntimeError: x",
        "KeyError: 3",
        "[1/49] nvcc -c x.cu",
        "[100/744]  lr: 1.0e-04",
        "  0%|          | 0/30 [00:00<?, ?it/s]",
        "step     12 | loss 1.2 | lr 1.00e-04",
        "{'loss': 0.4127, 'epoch': 1.0}",
        '{"loss": 0.41, "epoch": 1}',
        "Error: ShardCannotStart",
        "Warning: something",
        "(epoch: 1, iters: 2600) D_A: 0.214",
        "(venv) user@host:~$ python train.py",
        "[Model Analyzer] Initializing",
        "[step:100] loss 0.5",
        "[core.py:396] told without a level",
        "12.1 True",
        "00:04.0 3D controller: NVIDIA",
        "127.0.0.1",
        "[0]:",
        "EZ9999: Inner Error!",
        "C:\\Users\\x>python a.py",
        "INFOrmation",
        "https://example.org/2024-01-01",
        "ERROR SUMMARY: 0 errors",
    ],
)
def test_what_only_looks_like_a_prefix_stays(message: str) -> None:
    assert one(message).text == message and one(message).stream == ""


@pytest.mark.parametrize(
    "text",
    [
        "[74889.644138] NVRM: Xid (PCI:0000:02:00): 79, GPU has fallen off the bus.",
        "[    3.548555] NVRM: Xid (PCI:0000:02:00): 79, GPU has fallen off the bus.",
        "[Thu Apr 12 10:02:11 2018] NVRM: Xid (PCI:0000:02:00): 79, GPU has fallen off the bus.",
        "Jul 20 06:18:44 node-1 kernel: NVRM: Xid (PCI:0000:02:00): 79, GPU has fallen off the bus.",
        "Jul 20 06:18:44 node-1 kernel: [ 12.345678] NVRM: Xid (PCI:0000:02:00): 79, GPU has fallen off the bus.",
        "2024-05-04T10:22:41+0000 node-1 kernel: NVRM: Xid (PCI:0000:02:00): 79, GPU has fallen off the bus.",
        "kernel: NVRM: Xid (PCI:0000:02:00): 79, GPU has fallen off the bus.",
        "NVRM: Xid (PCI:0000:02:00): 79, GPU has fallen off the bus.",
    ],
)
def test_a_kernel_line_is_known_in_each_of_its_forms(text: str) -> None:
    line = one(text)
    assert line.kernel and line.text == "NVRM: Xid (PCI:0000:02:00): 79, GPU has fallen off the bus."


def test_nccl_lines_belong_to_their_process() -> None:
    line = one("[2026-03-13 22:26:02] node-1:20119:20402 [5] ibvwrap.c:262 NCCL WARN Call failed")
    assert (line.stream, line.level, line.text) == ("node-1:20119", "WARNING", "ibvwrap.c:262 NCCL WARN Call failed")


def test_srun_labels_come_off_when_most_lines_have_them() -> None:
    lines = read(*[f"{i % 4}: step {i}" for i in range(12)], "srun: error: node-7: task 3: Exited with exit code 1")
    assert [(line.stream, line.text) for line in lines[:2]] == [("0", "step 0"), ("1", "step 1")]
    assert lines[-1].text.startswith("srun: error")


def test_srun_labels_come_off_a_traceback_even_deep_in_other_output() -> None:
    lines = read(
        *["plain training line"] * 50,
        "3: Traceback (most recent call last):",
        '3:   File "a.py", line 3, in f',
        "3: ValueError: x",
    )
    assert [line.text for line in lines[50:]] == [
        "Traceback (most recent call last):",
        '  File "a.py", line 3, in f',
        "ValueError: x",
    ]
    assert {line.stream for line in lines[50:]} == {"3"}


def test_rank_labels_of_mpiexec_come_off_when_most_lines_have_them() -> None:
    lines = read(*[f"[{i % 2}] step {i}" for i in range(9)], "[1] ValueError: x")
    assert (lines[9].stream, lines[9].text) == ("1", "ValueError: x")
    assert read("[8] Assertion failed: creator")[0].text == "[8] Assertion failed: creator"


def test_a_numbered_list_is_no_srun_label() -> None:
    lines = read("1: disable graphs", "2: lower the fraction", "3: do not compile")
    assert [line.text for line in lines] == ["1: disable graphs", "2: lower the fraction", "3: do not compile"]


def test_pdsh_host_names_come_off_when_most_lines_have_them() -> None:
    lines = read(
        "node-3: step 1",
        "node-4: step 1",
        "node-3: ImportError: libfoo",
        "node-4: step 2",
        "node-3: step 3",
        "node-4: x",
    )
    assert {line.stream for line in lines} == {"node-3", "node-4"} and lines[2].text == "ImportError: libfoo"


def test_error_names_and_metrics_are_no_host_names() -> None:
    texts = [
        "loss1: 0.5",
        "loss1: 0.4",
        "loss1: 0.3",
        "loss1: 0.2",
        "RuntimeError1: x",
        "RuntimeError1: x",
        "RuntimeError1: y",
    ]
    assert [line.text for line in read(*texts)] == texts


def test_docker_and_kubernetes_json_lines_give_their_message() -> None:
    docker = json.dumps(
        {"log": "\x1b[31m[rank3]: ValueError: x\x1b[0m\n", "stream": "stderr", "time": "2024-05-04T10:22:41Z"}
    )
    line = one(docker)
    assert (line.text, line.stream, line.time, line.raw) == (
        "ValueError: x", "rank3", "2024-05-04T10:22:41Z", docker.replace("\\u001b[31m", "").replace("\\u001b[0m", ""),
    )  # fmt: skip


def test_a_json_record_with_a_traceback_becomes_lines_of_one_number() -> None:
    record = {
        "event": "failed",
        "level": "error",
        "timestamp": "2024",
        "exception": 'Traceback (most recent call last):\n  File "a", line 1, in f\nValueError: x',
    }
    lines = read("before", json.dumps(record), "after")
    assert [line.number for line in lines] == [1, 2, 2, 2, 2, 3]
    assert [line.text for line in lines[1:5]] == [
        "failed",
        "Traceback (most recent call last):",
        '  File "a", line 1, in f',
        "ValueError: x",
    ]
    assert {line.level for line in lines[1:5]} == {"ERROR"}


@pytest.mark.parametrize(
    ("record", "level", "stream"),
    [
        ({"message": "x", "levelname": "CRITICAL"}, "FATAL", ""),
        ({"msg": "x", "level": 50, "hostname": "n1"}, "ERROR", "n1"),
        ({"MESSAGE": "x", "PRIORITY": "3", "_HOSTNAME": "n1"}, "ERROR", "n1"),
        ({"timestamp": "2024", "level": "ERROR", "fields": {"message": "x"}, "target": "t"}, "ERROR", ""),
        ({"severity": "ERROR", "jsonPayload": {"message": "x"}}, "ERROR", ""),
        ({"message": "x", "rank": 3, "time": 1.5}, "", "rank3"),
        ({"log": "x", "kubernetes": {"pod_name": "p-0", "container_name": "c"}}, "", "p-0"),
        (
            {"text": "2024 | x\n", "record": {"level": {"name": "WARNING"}, "message": "x", "time": {"repr": "2024"}}},
            "WARNING",
            "",
        ),
    ],
)
def test_levels_and_streams_of_json_records_are_read(record: dict[str, object], level: str, stream: str) -> None:
    line = one(json.dumps(record))
    assert (line.text, line.level, line.stream) == ("x", level, stream)


@pytest.mark.parametrize(
    "text", ['{"a": 1}', '{"loss": 0.1, "text": "x"}', '{"message": "x"', "{" * 500, '{"": ' * 2000 + "}" * 2000]
)
def test_json_that_is_no_log_record_is_left_alone(text: str) -> None:
    assert one(text).text == text


def test_a_traceback_glued_to_a_progress_bar_is_parted_from_it() -> None:
    lines = read("[rank5]:   0%|          | 0/1250 [00:00<?, ?it/s][rank0]: Traceback (most recent call last):")
    assert [(line.stream, line.text) for line in lines][1] == ("rank5/rank0", "Traceback (most recent call last):")
    assert {line.number for line in lines} == {1}


def test_what_was_printed_over_a_progress_bar_is_a_line_of_its_own() -> None:
    lines = read("[rank1]: 10%\r20%\rValueError: x\r")
    assert [(line.stream, line.text) for line in lines] == [
        ("rank1", "10%"),
        ("rank1", "20%"),
        ("rank1", "ValueError: x"),
    ]


def test_pip_quotes_lose_their_frame_and_indentation() -> None:
    lines = read(
        "  × Getting requirements to build wheel did not run successfully.", "  │ exit code: 1",
        "  ╰─> [5 lines of output]",
        "      Traceback (most recent call last):", '        File "setup.py", line 3, in <module>',
        "          import torch",
        "      ModuleNotFoundError: No module named 'torch'", "      [end of output]", "    indented later",
    )  # fmt: skip
    assert [line.text for line in lines[3:]] == [
        "Traceback (most recent call last):", '  File "setup.py", line 3, in <module>', "    import torch",
        "ModuleNotFoundError: No module named 'torch'", "[end of output]", "    indented later",
    ]  # fmt: skip


def test_boxes_and_pytest_marks_come_off() -> None:
    assert one("│ ❱ 245 │   raise ValueError │").text == "❱ 245 │   raise ValueError"
    assert one("E       ValueError: x").text == "ValueError: x"
    assert one("E   ModuleNotFoundError: x").text == "ModuleNotFoundError: x"


def test_rays_count_of_repetitions_comes_off() -> None:
    assert one("(W pid=7) boom [repeated 3x across cluster]").text == "boom"


def test_a_stream_known_from_the_file_is_the_outermost_part() -> None:
    lines = read_lines([(1, "x"), (2, "(W pid=7) y")], "rank3")
    assert [line.stream for line in lines] == ["rank3", "rank3/W pid=7"]


def test_a_huge_line_is_kept_and_read_at_its_ends() -> None:
    text = "[rank3]: " + "x" * 50_000_000
    start = time.process_time()
    line = one(text)
    assert line.stream == "rank3" and len(line.text) == 50_000_000
    assert time.process_time() - start < 3
    bars = read("[rank3]: " + "50%|\r" * 1_000_000 + "ValueError: x")
    assert bars[-1].text == "ValueError: x" and bars[-1].stream == "rank3" and len(bars) < 5000


def test_an_ordinary_log_of_forty_thousand_lines_is_read_in_well_under_a_second() -> None:
    texts = [f"step {i:6d} | loss 2.1234 | lr 1.00e-04 | grad_norm 0.123 | 4000 tok/s" for i in range(40_000)]
    best = 9.0
    for _ in range(3):
        start = time.process_time()
        lines = read(*texts)
        best = min(best, time.process_time() - start)
    assert len(lines) == 40_000 and best < 1.5
