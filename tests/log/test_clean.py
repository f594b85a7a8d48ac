"""Cleaning: nothing that a terminal would act on survives, and nothing else goes."""

from __future__ import annotations

import time

import pytest

from triage.log.clean import clean_chunk, clean_line, needs_cleaning, split_carriage_returns


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("\x1b[31mRuntimeError\x1b[0m: x", "RuntimeError: x"),
        ("\x1b[38;2;255;0;0;1mred\x1b[m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;https://x.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;aGk=\x07copied", "copied"),
        ("\x9b31mred\x9b0m", "red"),
        ("\x9d0;title\x9ctext", "text"),
        ("\x1bPq#0;2;0;0;0\x1b\\picture", "picture"),
        ("\x1b(Bplain\x1b=", "plain"),
        ("a\x00b\x07c\x7fd\x85e", "abcde"),
        ("\u202eevil\u202c \u2066x\u2069 \u200fy\u061c", "evil x y"),
        ("ze\u200bro\u2060 wi\ufeffdth", "zero width"),
        ("tab\tstays", "tab\tstays"),
        ("train 50%\b\b\b60%", "train 60%"),
        ("\b\bx", "x"),
        ("^[[31mpaged^[[0m", "paged"),
        ("#033[1;31msyslog#033[0m", "syslog"),
        ("[33m(raylet)[0m A worker died", "(raylet) A worker died"),
        ("中文 é 🚀 ok", "中文 é 🚀 ok"),
        ("[1;36m(APIServer pid=1)[0;0m INFO", "(APIServer pid=1) INFO"),
        ("eta [31m 5s]", "eta [31m 5s]"),
        ("crlf\r", "crlf"),
    ],
)
def test_a_line_loses_exactly_what_a_terminal_would_act_on(dirty: str, clean: str) -> None:
    assert clean_line(dirty) == clean


def test_no_escape_is_put_together_by_removing_another() -> None:
    assert "\x1b" not in clean_line("\x1b\x1b[0m[31mx \x1b[\x1b[0m31my")


def test_an_escape_that_never_ends_does_not_swallow_the_message() -> None:
    assert clean_line("\x1b]0;RuntimeError: CUDA error") == "]0;RuntimeError: CUDA error"


def test_a_progress_bar_is_cut_into_its_states() -> None:
    assert split_carriage_returns("10%\r20%\rTraceback (most recent call last):") == [
        "10%", "20%", "Traceback (most recent call last):",
    ]  # fmt: skip


def test_a_line_end_of_windows_gives_no_empty_piece() -> None:
    assert split_carriage_returns("text\r") == ["text"]
    assert split_carriage_returns("\r\r") == [""]


def test_a_chunk_keeps_every_line_end() -> None:
    chunk = b"\x1b[31ma\x1b[0m\r\n\x1b]0;t\nb\x07\n\x1b[\n31mc\n\x1b\n\xc2\x9b31md\xc2\x9b0m\n"
    assert clean_chunk(chunk).count(b"\n") == chunk.count(b"\n")
    assert clean_chunk(chunk).split(b"\n")[0] == b"a\r"
    assert clean_chunk(chunk).split(b"\n")[6] == b"d"


def test_only_chunks_with_escapes_need_cleaning() -> None:
    assert needs_cleaning(b"a\x1b[0m") and needs_cleaning("\x9b1m".encode())
    assert not needs_cleaning("step 1 | loss 2.0 █ 中".encode())


@pytest.mark.parametrize("unit", ["\x1b[", "\x1b]", "\x1b]0;", "\x1b", "\x1bP", "a\b", "\b", "\x9b", "\x1b[1;", "\x00"])
def test_cleaning_takes_linear_time(unit: str) -> None:
    def spend(count: int) -> float:
        text = unit * count
        start = time.process_time()
        clean_line(text)
        clean_chunk(text.encode())
        return time.process_time() - start

    small = min(spend(20_000) for _ in range(3))
    assert spend(200_000) < 40 * small + 0.2
