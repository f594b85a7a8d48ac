"""Settings from flags, variables and files, each with its origin; many logs; completion."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_command_line import EXAMPLES, triage


def config(tmp_path: Path, **env: str) -> dict[str, tuple[str, str]]:
    project = tmp_path / "project" / "deep"
    project.mkdir(parents=True, exist_ok=True)
    done = triage("config", env={"TRIAGE_CONFIG_DIR": str(tmp_path / "user"), **env}, cwd=project)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.decode().splitlines()]
    return {row[0]: (row[1], row[-1]) for row in rows}


def test_a_setting_comes_from_the_nearest_source(tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "config.toml").write_text('lang = "zh"\ncolor = "never"\ntop = 3\n')
    assert config(tmp_path)["lang"] == ("zh", str(tmp_path / "user" / "config.toml"))
    (tmp_path / "project").mkdir(exist_ok=True)
    (tmp_path / "project" / "pyproject.toml").write_text('[tool.triage]\nlang = "both"\n')
    found = config(tmp_path)
    assert found["lang"] == ("both", str(tmp_path / "project" / "pyproject.toml"))
    assert found["top"] == ("3", str(tmp_path / "user" / "config.toml"))
    assert found["probes"] == ("True", "default")
    assert config(tmp_path, TRIAGE_LANG="en")["lang"] == ("en", "TRIAGE_LANG")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("project/.triage.toml", "probes = false\n", "may set lang and rules only"),
        ("project/.triage.toml", 'via = "ssh evil"\n', "there is no setting via"),
        ("user/config.toml", 'lang = "klingon"\n', "one of en, zh, both"),
        ("user/config.toml", "top = 0\n", "a number from 1 to 50"),
        ("user/config.toml", "[keys]\nwalk = 3\n", "must be a table of texts"),
        ("project/.triage.toml", '[keys]\nwalk = "j"\n', "may set lang and rules only"),
        ("user/config.toml", "lang = \n", "cannot be read"),
    ],
)
def test_a_faulty_file_is_one_sentence(tmp_path: Path, name: str, text: str, says: str) -> None:
    for folder in ("project/deep", "user"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / name).write_text(text)
    done = triage("config", env={"TRIAGE_CONFIG_DIR": str(tmp_path / "user")}, cwd=tmp_path / "project" / "deep")
    assert done.returncode == 2
    assert says in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_keys_come_from_the_users_file(tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "config.toml").write_text('[keys]\nwalk = "j"\nlog = "L"\n')
    assert config(tmp_path)["keys"] == ("walk=j,", str(tmp_path / "user" / "config.toml"))


def test_many_logs_each_by_itself_are_json_lines(tmp_path: Path) -> None:
    logs = [EXAMPLES / "torchrun-flash-attn.log", EXAMPLES / "healthy-nccl-retry.log"]
    done = triage("--json", "--each", "--no-probes", *logs)
    rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [row["outcome"] for row in rows] == ["cause", "healthy"]
    assert [row["input"]["name"] for row in rows] == [str(log) for log in logs]
    out = tmp_path / "reports.jsonl"
    triage("--json", "--each", "--no-probes", "-o", out, *logs)
    assert len(out.read_text().splitlines()) == 2


def test_ids_of_causes_and_names_of_probes_are_completed() -> None:
    for words, wanted in (("triage explain cuda.driver", "cuda.driver_too_old"), ("triage probe nvi", "nvidia")):
        env = {"_TRIAGE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": "2"}
        assert wanted in triage(env=env).stdout.decode()
