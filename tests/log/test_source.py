"""Sources: any file, stream or folder becomes one seekable view of UTF-8 bytes."""

from __future__ import annotations

import bz2
import gzip
import importlib.util
import io
import json
import lzma
import os
import pickle
import random
import subprocess
import sys
import threading
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

from triage.errors import TriageError
from triage.log import bytestore
from triage.log.source import LONG_LINE, OVERLAP, Source, open_source, source_from_text

LOG = "step 1 loss 0.5\nRuntimeError: CUDA error: out of memory\n"
CHINESE = "训练开始\n错误：显存不足，请减小批大小\nRuntimeError: x\n"


def text_of(source: Source) -> str:
    return b"".join(chunk for _, chunk in source.chunks()).decode()


def open_bytes(folder: Path, data: bytes, name: str = "run.log") -> Source:
    path = folder / name
    path.write_bytes(data)
    return open_source([str(path)], None)


def test_a_plain_file_is_read_in_place(tmp_path: Path) -> None:
    with open_bytes(tmp_path, LOG.encode()) as source:
        assert (source.size, source.encoding, source.replaced) == (len(LOG), "utf-8", 0)
        assert source.read(16, 28) == b"RuntimeError"
        assert source.read(-5, 4) == b"step" and source.read(len(LOG) - 1, 10**9) == b"\n" and source.read(9, 3) == b""
        assert source.name.endswith("run.log")


@pytest.mark.parametrize(
    ("pack", "suffix"), [(gzip.compress, "gz"), (bz2.compress, "bz2"), (lzma.compress, "xz")], ids=["gz", "bz2", "xz"]
)
def test_a_compressed_file_is_read_by_its_content_not_its_name(tmp_path: Path, pack, suffix: str) -> None:  # type: ignore[no-untyped-def]
    assert text_of(open_bytes(tmp_path, pack(LOG.encode()), f"a.{suffix}")) == LOG
    assert text_of(open_bytes(tmp_path, pack(LOG.encode()) + pack(LOG.encode()), "b.log")) == LOG * 2


@pytest.mark.skipif(importlib.util.find_spec("zstandard") is None, reason="no zstd decoder")
def test_zstd_is_read_where_a_decoder_is_installed(tmp_path: Path) -> None:
    import zstandard

    packed = zstandard.ZstdCompressor().compress(LOG.encode())
    assert text_of(open_bytes(tmp_path, packed + packed, "a.zst")) == LOG * 2


def test_zstd_without_a_decoder_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compression.zstd", "zstandard", "pyzstd"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(TriageError, match="zstd -dc"):
        open_bytes(tmp_path, b"\x28\xb5\x2f\xfd" + b"x" * 50, "a.zst")


def test_a_compressed_file_that_breaks_off_gives_what_it_holds(tmp_path: Path) -> None:
    lines = "".join(f"step {i} loss {random.random()}\n" for i in range(50_000))
    packed = gzip.compress(lines.encode())
    text = text_of(open_bytes(tmp_path, packed[: len(packed) // 2], "a.gz"))
    assert len(text) > 100_000 and lines.startswith(text)


def test_what_is_no_gzip_after_its_first_bytes_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TriageError, match="not readable as gzip"):
        open_bytes(tmp_path, b"\x1f\x8b\x08" + b"garbage" * 9, "a.gz")


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (LOG.encode("utf-8-sig"), "utf-8"),
        (LOG.encode("utf-16"), "utf-16-le"),
        (b"\xfe\xff" + LOG.encode("utf-16-be"), "utf-16-be"),
        (LOG.encode("utf-16-le"), "utf-16-le"),
        (LOG.encode("utf-16-be"), "utf-16-be"),
        (LOG.encode("utf-32"), "utf-32-le"),
    ],
    ids=["bom", "16", "16be-bom", "16le", "16be", "32"],
)
def test_each_encoding_of_windows_gives_the_same_text(tmp_path: Path, data: bytes, encoding: str) -> None:
    source = open_bytes(tmp_path, data)
    assert (text_of(source), source.encoding, source.replaced) == (LOG, encoding, 0)
    assert text_of(source_from_text(data)) == LOG


def test_chinese_in_gbk_is_decoded_and_utf8_lines_among_it_too(tmp_path: Path) -> None:
    source = open_bytes(tmp_path, CHINESE.encode("gbk") + "完成 ✓\n".encode() + CHINESE.encode("gb18030"))
    assert (text_of(source), source.encoding, source.replaced) == (CHINESE + "完成 ✓\n" + CHINESE, "gbk", 0)


def test_western_text_that_is_no_utf8_is_not_taken_for_chinese(tmp_path: Path) -> None:
    source = open_bytes(tmp_path, "Le modèle a échoué: mémoire épuisée à l'étape 3\n".encode("latin-1"))
    assert source.encoding == "utf-8"
    assert text_of(source).startswith("Le mod?le a ?chou?: m?moire")


def test_broken_bytes_are_replaced_in_place_and_counted_once(tmp_path: Path) -> None:
    data = "ok 中\n".encode() + b"bad \xff\xfe byte\n" + "end 🚀\n".encode()
    source = open_bytes(tmp_path, data)
    assert text_of(source) == "ok 中\nbad ?? byte\nend 🚀\n" and text_of(source) and source.replaced == 2
    whole = "ok 中\nbad ?? byte\nend 🚀\n".encode()
    for start in range(len(data)):
        for end in range(start, len(data)):
            assert source.read(start, end) == whole[start:end]


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01" + bytes(100),
        b"\x89PNG\r\n\x1a\n" + bytes(100),
        pickle.dumps({"a": 1}, protocol=4),
        os.urandom(4000),
        bytes(range(256)) * 20,
    ],
    ids=["elf", "png", "pickle", "random", "bytes"],
)
def test_binary_input_is_refused_with_a_sentence(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(TriageError, match="not a log"):
        open_bytes(tmp_path, data)


def test_a_saved_model_is_refused_by_what_it_is(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "model.pt", "w") as archive:
        archive.writestr("archive/data.pkl", b"x")
    with pytest.raises(TriageError, match="zip archive"):
        open_source([str(tmp_path / "model.pt")], None)


def test_the_hole_that_log_rotation_leaves_is_no_binary(tmp_path: Path) -> None:
    source = open_bytes(tmp_path, bytes(300_000) + LOG.encode())
    assert text_of(source).endswith(LOG)


def test_an_empty_log_is_a_source_of_nothing(tmp_path: Path) -> None:
    source = open_bytes(tmp_path, b"")
    assert source.size == 0 and list(source.chunks()) == [] and source.read(0, 10) == b""


def test_a_missing_file_and_an_empty_folder_say_so(tmp_path: Path) -> None:
    with pytest.raises(TriageError, match="there is no file"):
        open_source([str(tmp_path / "gone.log")], None)
    with pytest.raises(TriageError, match="no log"):
        open_source([str(tmp_path)], None)
    with pytest.raises(TriageError, match="no standard input"):
        open_source([], None)


def test_a_pipe_and_a_redirected_file_give_the_same(tmp_path: Path) -> None:
    (tmp_path / "run.log").write_text(LOG, encoding="utf-8")
    code = (
        "import sys; from triage.log.source import open_source; s = open_source([], sys.stdin.buffer);"
        "print(s.name, s.size, b''.join(c for _, c in s.chunks()).decode(), end='')"
    )
    with (tmp_path / "run.log").open("rb") as file:
        direct = subprocess.run([sys.executable, "-c", code], stdin=file, capture_output=True, text=True, check=True)
    piped = subprocess.run([sys.executable, "-c", code], input=LOG, capture_output=True, text=True, check=True)
    assert direct.stdout == piped.stdout == f"<stdin> {len(LOG)} {LOG}"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_named_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    thread = threading.Thread(target=lambda: path.write_bytes(LOG.encode()))
    thread.start()
    assert text_of(open_source([str(path)], None)) == LOG
    thread.join()


def test_standard_input_can_be_named_among_files(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(b"one")
    source = open_source([str(tmp_path / "a.log"), "-"], io.BytesIO(b"two\n"))
    assert text_of(source) == "one\ntwo\n"
    assert [source.part_at(offset).name for offset in (0, 3, 4, 99)] == [str(tmp_path / "a.log")] * 2 + ["<stdin>"] * 2


def test_a_folder_gives_its_logs_in_natural_order_and_passes_over_the_rest(tmp_path: Path) -> None:
    for name in ("rank10.log", "rank2.log", "sub/slurm-7.out", "train.log.1", "app.log.gz"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(name.encode()) if name.endswith("gz") else name.encode())
    for name in ("model.pt", "train.py", ".hidden.log", "config.yaml"):
        (tmp_path / name).write_bytes(b"not read")
    (tmp_path / "core.log").write_bytes(b"\x7fELF" + bytes(50))
    source = open_source([str(tmp_path)], None)
    assert text_of(source).split("\n") == ["app.log.gz", "rank2.log", "rank10.log", "sub/slurm-7.out", "train.log.1"]


def test_a_torchrun_log_folder_gives_streams_and_the_traceback_of_error_json(tmp_path: Path) -> None:
    base = tmp_path / "run_x7" / "attempt_0"
    stack = 'Traceback (most recent call last):\n  File "train.py", line 3, in main\nValueError: x\n'
    for rank in (0, 11):
        (base / str(rank)).mkdir(parents=True)
        (base / str(rank) / "stdout.log").write_text(f"out {rank}", encoding="utf-8")
        (base / str(rank) / "stderr.log").write_text("", encoding="utf-8")
    error = {"message": {"message": "ValueError: x", "extraInfo": {"py_callstack": stack, "timestamp": "1"}}}
    (base / "11" / "error.json").write_text(json.dumps(error), encoding="utf-8")
    source = open_source([str(tmp_path)], None)
    assert text_of(source) == f"out 0\n{stack}out 11"
    assert [part.stream for part in source.parts if part.end > part.start] == ["rank0", "rank11", "rank11"]


def test_more_files_than_a_process_may_open_are_read(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for number in range(300):
        (tmp_path / f"rank{number}.log").write_text(f"{number}\n", encoding="utf-8")
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
    try:
        with open_source([str(tmp_path)], None) as source:
            assert text_of(source).split() == [str(number) for number in range(300)]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("size", [1, 7, 64, 1000, 4 << 20])
def test_chunks_cover_the_log_and_keep_lines_whole(size: int) -> None:
    rng = random.Random(size)
    data = b"".join(b"x" * rng.randrange(200) + b"\n" for _ in range(300)) + b"no end"
    source = source_from_text(data)
    place = 0
    for offset, chunk in source.chunks(size):
        assert offset == place and (chunk.endswith(b"\n") or offset + len(chunk) == len(data))
        place += len(chunk)
    assert place == len(data)


def test_a_line_below_one_mebibyte_is_whole_in_one_chunk_and_a_longer_one_overlaps() -> None:
    short, long = b"s" * (LONG_LINE - 2) + b"\n", b"l" * (3 * LONG_LINE) + b"\n"
    data = b"a\n" + short + long + short + b"b\n"
    chunks = list(source_from_text(data).chunks(1 << 16))
    assert sum(chunk.count(b"\n") for _, chunk in chunks) == data.count(b"\n")
    assert sum(short in chunk for _, chunk in chunks) == 2
    steps = {before[0] + len(before[1]) - after[0] for before, after in pairwise(chunks)}
    assert steps == {0, OVERLAP}


def test_a_chunk_never_spans_two_files(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.log").write_text(f"{name}1\n{name}2", encoding="utf-8")
    source = open_source([str(tmp_path)], None)
    assert [chunk for _, chunk in source.chunks()] == [b"a1\na2\n", b"b1\nb2"]
    assert source.read(4, 8) == b"2\nb1"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak of memory from /proc")
def test_a_decompression_bomb_is_spooled_not_held_in_memory(tmp_path: Path) -> None:
    line = b"step 1 loss 2.0 " + b"0" * 1000 + b"\n"
    with gzip.open(tmp_path / "bomb.gz", "wb", compresslevel=1) as file:
        for _ in range(300):
            file.write(line * 1000)
    code = (
        "import re, sys; from triage.log.source import open_source; s = open_source([sys.argv[1]], None);"
        "n = sum(len(c) for _, c in s.chunks()); status = open('/proc/self/status').read();"
        "print(n, re.search('VmHWM:[^0-9]+([0-9]+)', status)[1])"  # ru_maxrss keeps the parent's peak over exec
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "bomb.gz")], capture_output=True, text=True, check=True
    )
    size, kib = map(int, done.stdout.split())
    assert size == 300_000 * len(line) and kib < 200 * 1024


def test_a_spooled_log_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytestore, "MEMORY_LIMIT", 1000)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with open_source([], io.BytesIO(LOG.encode() * 1000)) as source:
        assert text_of(source) == LOG * 1000
        assert list(tmp_path.iterdir()) == []


def test_a_log_that_shrinks_while_it_is_read_does_no_harm(tmp_path: Path) -> None:
    source = open_bytes(tmp_path, LOG.encode() * 100)
    os.truncate(tmp_path / "run.log", 10)
    assert text_of(source) == "step 1 los" and source.read(50, 90) == b""
