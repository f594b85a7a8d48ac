"""The command line as a user meets it: real processes, real files, plain sentences for what is wrong."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SCHEMA = json.loads((ROOT / "triage/report/schema.json").read_text())


def triage(*args: str | Path, stdin: bytes | None = b"", env: dict[str, str] | None = None, cwd: Path | None = None):  # type: ignore[no-untyped-def]
    """Run the command line in its own process."""
    return subprocess.run(
        [sys.executable, "-m", "triage", *map(str, args)],
        input=stdin,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8", **(env or {})},
        cwd=cwd,
        timeout=120,
    )


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.log")), ids=lambda p: p.stem)
def test_each_example_gives_a_report_of_schema_1_and_the_fitting_exit_status(example: Path) -> None:
    done = triage("--json", "--no-probes", example)
    report = json.loads(done.stdout)
    jsonschema.validate(report, SCHEMA)
    assert done.stderr == b""
    healthy = example.name.startswith("healthy")
    assert report["outcome"] == ("healthy" if healthy else "cause")
    assert done.returncode == (0 if healthy else 1)
    if not healthy:
        best = report["hypotheses"][0]
        assert best["fix"], best["id"]
        printed = example.read_text(encoding="utf-8").splitlines()
        for evidence in best["evidence"]:
            if evidence["source"] == "log" and "rule" in evidence:
                assert evidence["text"].strip() in printed[evidence["line"] - 1]


def test_a_file_a_pipe_and_the_named_command_say_the_same() -> None:
    log = EXAMPLES / "torchrun-flash-attn.log"
    reports = [
        json.loads(triage("--json", "--no-probes", log).stdout),
        json.loads(triage("diagnose", "--json", "--no-probes", log).stdout),
        json.loads(triage("--json", "--no-probes", stdin=log.read_bytes()).stdout),
        json.loads(triage("--json", "--no-probes", "-", stdin=log.read_bytes()).stdout),
    ]
    for report in reports:
        report["input"].pop("name")
    assert all(report == reports[0] for report in reports)


def test_the_text_report_names_cause_proof_fix_and_check_within_one_screen() -> None:
    done = triage("--no-probes", EXAMPLES / "torchrun-flash-attn.log", env={"COLUMNS": "100"})
    text = done.stdout.decode()
    for word in ("Proof", "line 12", "Why", "Fix", "$ ", "Check", "next: triage explain"):
        assert word in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100
    assert len(text.splitlines()) <= 40


def test_markdown_goes_to_a_file_in_utf8(tmp_path: Path) -> None:
    out = tmp_path / "report.md"
    done = triage("--format", "markdown", "-o", out, "--no-probes", EXAMPLES / "npu-smi-permission.log")
    assert done.stdout == b""
    assert "权限不够" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["no-such-file.log"], "there is no file no-such-file.log"),
        (["--format", "xml", "x"], "xml"),
        (["--top", "0", "x"], "0"),
        (["--nonsense"], "nonsense"),
        (["report"], "needs ./ before it"),
        (["--lang", "klingon", "x"], "klingon"),
        (["--facts", "missing.json", str(EXAMPLES / "gpu-out-of-memory.log")], "facts file missing.json"),
        (["--rules", "no-such-folder", str(EXAMPLES / "gpu-out-of-memory.log")], "no-such-folder"),
        (["explain", "cuda.nonsense"], "there is no cause cuda.nonsense"),
        (["-o", "/no/such/folder/x", "--json", str(EXAMPLES / "gpu-out-of-memory.log")], "cannot write"),
    ],
)
def test_wrong_use_is_one_plain_sentence_and_exit_2(args: list[str], says: str) -> None:
    done = triage(*args)
    assert done.returncode == 2
    said = done.stderr.decode()
    assert says in said
    assert "Traceback" not in said
    assert done.stdout == b""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.elf", b"\x7fELF\x02\x01\x01" + bytes(500)),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
        ("a.pt", b"PK\x03\x04" + bytes(range(256)) * 4),
        ("random", bytes(range(256)) * 64),
    ],
)
def test_binary_input_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    done = triage(path)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_compressed_log_that_breaks_off_is_said_to(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(b"step %d\n" % step for step in range(100_000)))
    (tmp_path / "run.log.gz").write_bytes(whole[: len(whole) // 2])
    done = triage("--no-probes", "run.log.gz", cwd=tmp_path)
    assert done.returncode == 0
    assert "run.log.gz breaks off within its compressed data" in done.stdout.decode()


def test_a_log_compressed_twice_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "run.log.gz").write_bytes(gzip.compress(gzip.compress(b"step 1\n" * 100)))
    done = triage("--no-probes", "run.log.gz", cwd=tmp_path)
    assert done.stderr == b"triage: run.log.gz is compressed twice; unpack it first\n"


def test_a_folder_without_logs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes(bytes(range(256)))
    assert triage(tmp_path).returncode == 2


def test_empty_input_is_healthy() -> None:
    done = triage(stdin=b"")
    assert done.returncode == 0
    assert b"No fault found" in done.stdout


def test_a_faulty_rule_file_is_named_with_line_and_column(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("family: mine\nrules:\n  - id: mine-x\n    colour: red\n")
    done = triage("--rules", tmp_path, EXAMPLES / "gpu-out-of-memory.log")
    assert done.returncode == 2
    assert "mine.yaml:" in done.stderr.decode()


def test_private_rules_are_laid_over_the_shipped_ones(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/site.yaml").write_text(
        "family: site\nrules:\n  - {id: site-quota, says: quota, pattern: 'site quota exceeded for', source: site, samples: "
        "[{text: site quota exceeded for u}], near_misses: [quota]}\n"
    )
    (tmp_path / "causes").mkdir()
    (tmp_path / "causes/site.yaml").write_text(
        "family: site\ncauses:\n  - id: site.quota\n    title: quota\n    explanation: too much\n    seen_as: [{rule: site-quota, weight: decisive}]\n"
        "    recipes: [{title: ask, risk: none, steps: [{text: ask}], check: {text: ok}}]\n"
    )
    done = triage("--json", "--no-probes", "--rules", tmp_path, stdin=b"job: site quota exceeded for u7\n")
    report = json.loads(done.stdout)
    assert report["hypotheses"][0]["id"] == "site.quota"
    assert str(tmp_path) in report["hypotheses"][0]["origin"]


def test_a_home_that_cannot_be_written_is_fine(tmp_path: Path) -> None:
    done = triage("--json", "--no-probes", stdin=b"step 1\n", env={"TRIAGE_CACHE_DIR": "/proc/nope/cache"})
    assert done.returncode == 0
    assert json.loads(done.stdout)["outcome"] == "healthy"


def test_a_broken_cache_is_made_anew(tmp_path: Path) -> None:
    env = {"TRIAGE_CACHE_DIR": str(tmp_path)}
    log = EXAMPLES / "torchrun-flash-attn.log"
    first = triage("--json", "--no-probes", log, env=env)
    cache = next(tmp_path.glob("knowledge-*.bin"))
    raw = bytearray(cache.read_bytes())
    raw[len(raw) // 2] ^= 0xFF
    cache.write_bytes(raw)
    assert triage("--json", "--no-probes", log, env=env).stdout == first.stdout
    cache.write_bytes(raw[:100])
    assert triage("--json", "--no-probes", log, env=env).stdout == first.stdout


def test_two_processes_may_start_with_an_empty_cache_at_once(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TRIAGE_CACHE_DIR": str(tmp_path)}
    argv = [sys.executable, "-m", "triage", "--json", "--no-probes", str(EXAMPLES / "gpu-out-of-memory.log")]
    both = [subprocess.Popen(argv, env=env, stdout=subprocess.PIPE) for _ in range(2)]
    out = [p.communicate(timeout=120)[0] for p in both]
    assert out[0] == out[1]
    assert json.loads(out[0])["outcome"] == "cause"
    assert not list(tmp_path.glob(".knowledge-*"))


def test_nothing_hostile_reaches_the_terminal() -> None:
    log = (
        "Traceback (most recent call last):\n  File \"/home/u/a.py\", line 1, in <module>\n"
        "RuntimeError: \x1b]0;owned\x07\x1b[2J CUDA error: out of memory [bold]{{ 7*7 }}[/bold] \u202egnp.exe \x9b31m\n"
    )
    for form in ("text", "json", "markdown"):
        out = triage("--format", form, "--no-probes", "-v", stdin=log.encode()).stdout.decode()
        assert not [c for c in out if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0 or ord(c) in (0x202E, 0x2066)]
        assert "49" not in out.replace("149", "")


def test_secrets_are_masked_in_every_form() -> None:
    token = "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz012345"
    log = f"RuntimeError: CUDA out of memory. url https://user:pa55word@host/x?token={token} HF_TOKEN={token}\n".encode()
    for form in ("text", "json", "markdown"):
        out = triage("--format", form, "--no-probes", "-v", stdin=log).stdout.decode()
        assert token not in out
        assert "pa55word" not in out


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_names_in_home_paths_are_masked_on_request(form: str) -> None:
    log = (
        b"Traceback (most recent call last):\n  File \"/home/alice/train.py\", line 1, in <module>\n    f()\n"
        b"FileNotFoundError: [Errno 2] No such file or directory: '/home/alice/data/train.csv'\n"
    )
    assert b"alice" in triage("--no-probes", "-v", "--format", form, stdin=log).stdout
    done = triage("--no-probes", "-v", "--hide-home", "--format", form, stdin=log)
    assert b"alice" not in done.stdout
    assert done.returncode == 1


def test_a_closed_pipe_is_quiet() -> None:
    command = f"{sys.executable} -m triage --no-probes -v {EXAMPLES / 'torchrun-flash-attn.log'} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.stderr == b""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_standard_stream_is_no_crash(closed: str) -> None:
    log = EXAMPLES / "torchrun-flash-attn.log"
    command = f"exec '{sys.executable}' -m triage --no-probes '{log}' {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("where", ["-o /dev/full", "> /dev/full"])
def test_a_full_disk_is_one_sentence_and_exit_2(where: str) -> None:
    log = EXAMPLES / "torchrun-flash-attn.log"
    command = f"exec '{sys.executable}' -m triage --no-probes '{log}' {where}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == ["triage: cannot write all of its output: No space left on device"]


def test_labels_of_an_unknown_fault_are_whole() -> None:
    log = b"Traceback (most recent call last):\n  File 'a.py', line 1, in f\n    f()\nmylib.OddError: no such thing\n"
    done = triage("--no-probes", stdin=log)
    said = done.stdout.decode()
    assert done.returncode == 3
    assert "Read first" in said and "Search for" in said


def test_an_ascii_terminal_gets_replacements_and_no_crash() -> None:
    done = triage("--no-probes", EXAMPLES / "npu-smi-permission.log", env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert done.returncode == 1
    done.stdout.decode("ascii")


@pytest.mark.parametrize("columns", ["many", "0", "-3", "5"])
def test_an_odd_width_is_passed_over(columns: str) -> None:
    log = EXAMPLES / "npu-smi-permission.log"
    usual = triage("--no-probes", log, env={"COLUMNS": "100"})
    assert triage("--no-probes", log, env={"COLUMNS": columns}).stdout == usual.stdout != b""


def test_colour_is_asked_for_by_flag_and_environment() -> None:
    log = EXAMPLES / "torchrun-flash-attn.log"
    assert b"\x1b[" in triage("--no-probes", "--color", "always", log).stdout
    assert b"\x1b[" in triage("--no-probes", log, env={"FORCE_COLOR": "1"}).stdout
    assert b"\x1b[" not in triage("--no-probes", log, env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).stdout
    assert b"\x1b[" in triage("--no-probes", log, env={"NO_COLOR": ""} | {"FORCE_COLOR": "1"}).stdout
    assert triage("--no-probes", log, env={"TRIAGE_COLOR": "mauve"}).returncode == 2


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("507011", "含义：模型执行失败"),
        ("EZ9999", "含义：该模块的内部错误"),
        ("Xid 79", "含义：GPU 在 PCI Express 上不再应答（掉卡）"),
        ("SIGSEGV", "含义：无效的内存访问"),
        ("719", "含义：kernel 因一种没有更具体名称的异常而失败"),
    ],
)
def test_codes_are_explained_in_chinese(code: str, said: str) -> None:
    assert said in triage("--lang", "zh", "explain", code).stdout.decode()
    assert "含义" not in triage("explain", code).stdout.decode()


def test_explain_shows_a_page_and_lists() -> None:
    page = triage("explain", "cuda.driver_too_old").stdout.decode()
    assert "How it shows" in page
    assert "Fix:" in page
    listed = triage("explain").stdout.decode()
    assert len(listed.splitlines()) >= 100
    assert "memory.gpu_oom" in triage("explain", "memory").stdout.decode()


def test_help_without_a_log_and_without_a_pipe_is_help_or_one_sentence() -> None:
    done = triage("--help")
    assert done.returncode == 0
    assert b"triage < error.log" in done.stdout


def test_a_group_without_a_command_shows_its_help() -> None:
    done = triage("rules")
    assert done.returncode == 2
    assert done.stderr.startswith(b"Usage: triage rules")


def test_rules_list_says_when_no_rule_fits() -> None:
    assert triage("rules", "list", "no-such-rule").stderr == b"triage: no rule holds no-such-rule\n"
