"""A pattern made of a line matches it, matches the same message with other values, and keeps its fixed text."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from triage.check.pumping import slowness
from triage.draft.generalise import generalise
from triage.draft.records import near_miss_of
from triage.match.captures import fits

LINES = [
    ("RuntimeError: The size of tensor a (512) must match the size of tensor b (77) at non-singleton dimension 1",
     "RuntimeError: The size of tensor a (4) must match the size of tensor b (1024) at non-singleton dimension 3"),
    ("OSError: /opt/conda/lib/libfoo.so.11: cannot open shared object file",
     "OSError: /usr/lib/libbar.so: cannot open shared object file"),
    ("ImportError: cannot import name 'Bert' from 'transformers.models' (/usr/lib/python3/x/__init__.py)",
     "ImportError: cannot import name 'Llama' from 'transformers' (/home/me/y.py)"),
    ("torch.OutOfMemoryError: Tried to allocate 2.00 GiB on cuda:0", "torch.OutOfMemoryError: Tried to allocate 512 MiB on cuda:7"),
    ("driver 535.104.05 is older than 550.54 at 0x7ffe12", "driver 470.1 is older than 580.65.06 at 0xdead"),
    ("no kernel image for sm_120, built for sm_90", "no kernel image for sm_61, built for sm_70"),
    ("request 8f14e45f-ceea-467f-a83c-1b2d3e4f5a6b timed out after 30.0s on 10.0.0.7:8500",
     "request 00000000-aaaa-bbbb-cccc-1b2d3e4f5a6b timed out after 5s on 192.168.1.20"),
    ("digest sha256:9f86d081884c7d659a2feaa0c55ad015 of shard 3 is wrong", "digest sha256:00ff00ff00ff00 of shard 12 is wrong"),
    (r"D:\work\engine.cpp(412): cannot convert fusion.42", r"C:\a b.cpp(9): cannot convert fusion.7"),
    ("panicked at 'index out of bounds', src/beam.rs:212:17", "panicked at 'index out of bounds', lib/decoder/x.rs:1:2"),
    ("KeyError: 'model.layers.31.mlp.up_proj.weight'", "KeyError: 'model.layers.0.mlp.up_proj.weight'"),
    ("错误：无法加载词表 /data/模型/vocab.txt（第 1203 行，编码 utf-8）", "错误：无法加载词表 /a.txt（第 7 行，编码 utf-8）"),
    ("_ZN3zoo4initEv needs threshold=1.5e-05 in zoo-1.4.2+cu121", "_ZN1a1bEi needs threshold=0.25 in zoo-2.0"),
    ("download of https://example.org/a/b?x=1 failed with status 404", "download of http://localhost:80/ failed with status 500"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "other"), LINES)
def test_values_become_captures_and_the_message_stays(line: str, other: str) -> None:
    made = generalise(line)
    for text in (line, other):
        assert regex.search(made.expression, text), made.expression
    assert not regex.search(made.expression, near_miss_of(line))


@pytest.mark.parametrize("line", [line for line, _ in LINES])
def test_captures_hold_what_fits_their_type(line: str) -> None:
    made = generalise(line)
    match = regex.search(made.expression, line)
    assert match
    for name, (kind, value) in made.captures.items():
        assert match[name] == value
        assert fits(kind, value)


@pytest.mark.parametrize("line", [line for line, _ in LINES])
def test_a_made_pattern_is_never_slow(line: str) -> None:
    assert slowness(generalise(line).expression)[0] != "endless"


PRINTED = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=300)


@given(PRINTED.filter(lambda text: text.strip() != ""))
def test_any_line_gives_a_pattern_that_matches_it(line: str) -> None:
    assert regex.search(generalise(line).expression, line.strip())


def test_a_name_stays_where_nothing_else_tells_the_fault() -> None:
    made = generalise("KeyError: 'model.layers.31.mlp.up_proj.weight'")
    assert not regex.search(made.expression, "KeyError: 'optimizer_state'")
    assert generalise("ValueError: group_size=128 does not divide the 100 rows").captures["group_size"] == ("int", "128")


def test_a_class_of_pythons_own_is_left_out_where_the_message_tells_enough() -> None:
    assert generalise("RuntimeError: selected index k out of range").expression == "selected index k out of range"
    assert generalise("zoo.PlanError: selected index k out of range").expression.startswith("zoo")
    assert generalise("KeyError: 'labels'").expression == "KeyError: 'labels'"


def test_prose_in_quotes_is_part_of_the_message() -> None:
    assert "Try to run it again" in generalise("Error: the job said 'Try to run it again' and left").expression


def test_a_lone_number_after_v_is_a_version() -> None:
    made = generalise("RuntimeError: this executable reads files of version v6 or below, but the file has version v99")
    assert made.captures == {"version": ("version", "v6"), "version2": ("version", "v99")}
