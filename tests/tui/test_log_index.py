"""Lines are found by counting newlines; only what is looked at is decoded."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from triage.tui import log_index
from triage.tui.log_index import LogIndex
from triage.tui.log_rows import Rows, folded

from triage.log.source import open_source, source_from_text


def index_of(text: str) -> LogIndex:
    index = LogIndex(source_from_text(text))
    index.extend()
    return index


@given(st.lists(st.text("ab \u4e2d", max_size=30), min_size=1, max_size=60), st.integers(1, 70), st.integers(1, 20))
def test_each_line_is_found_whatever_the_block_size(lines: list[str], first: int, count: int) -> None:
    old = log_index.BLOCK, log_index.READ
    log_index.BLOCK, log_index.READ = 16, 64
    try:
        text = "\n".join(lines)
        if not text:
            return
        index = index_of(text)
        expected = text.removesuffix("\n").split("\n")
        assert index.count == len(expected)
        assert list(index.lines(first, count)) == expected[first - 1 : first - 1 + count]
        for number in range(1, len(expected) + 1):
            assert index.line(number) == expected[number - 1]
    finally:
        log_index.BLOCK, log_index.READ = old


def test_a_long_line_is_cut_and_the_next_one_found() -> None:
    index = index_of("a\n" + "x" * 3_000_000 + "\nend\n")
    assert index.count == 3
    assert index.line(2).endswith("(2,995,904 bytes more)")
    assert list(index.lines(2, 2))[1] == "end"
    assert index.line(3) == "end"


def test_of_a_progress_bar_the_last_state_is_shown() -> None:
    assert index_of("a\r 10%\r 20%\r\nb").line(1) == " 20%"


@pytest.mark.parametrize(
    ("start", "backwards", "found"),
    [(0, False, 3), (3, False, 7), (7, False, None), (8, True, 7), (7, True, 3), (3, True, None)],
)
def test_search_goes_both_ways(start: int, backwards: bool, found: int | None) -> None:
    text = "\n".join(["x", "y", "a Needle", "y", "y", "y", "needle", "z"])
    assert index_of(text).find("NEEDLE", start, backwards, lambda: True) == found


def test_a_hit_across_two_blocks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_index, "BLOCK", 16)
    monkeypatch.setattr(log_index, "READ", 16)
    text = "0123456789abc\nneedle\nend\n"
    assert index_of(text).find("needle", 0, False, lambda: True) == 2


def test_a_large_log_is_indexed_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.log"
    block = b"".join(b"step %07d loss 1.0\n" % n for n in range(50_000))
    with path.open("wb") as file:
        for _ in range(60):
            file.write(block)
    with open_source([str(path)], None) as source:
        index = LogIndex(source)
        index.extend()
        assert index.count == 3_000_000
        assert index.line(2_999_999) == "step 0049998 loss 1.0"
        assert len(index._before) * 8 < 1 << 20


def test_extending_can_be_stopped() -> None:
    index = LogIndex(source_from_text("a\n" * 10))
    index.extend(lambda done: False)
    assert index.complete


def test_folding_keeps_what_is_near() -> None:
    rows = folded(100, [50])
    assert rows.at(0) == -41
    assert rows.at(1) == 42
    assert rows.at(rows.count(100) - 1) == -42
    assert rows.row_of(50) == 9
    assert Rows().at(4) == 5


