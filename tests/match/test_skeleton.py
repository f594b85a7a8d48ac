"""A skeleton finds every text that its pattern matches."""

import re

import hyperscan
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.match.skeleton import skeleton_of


def finds(pattern: str, text: str, across_lines: bool = False) -> bool:
    skeleton = skeleton_of(pattern, across_lines)
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    flags = hyperscan.HS_FLAG_CASELESS if skeleton.ignore_case else 0
    database.compile(expressions=[skeleton.expression], ids=[0], elements=1, flags=[flags])
    hits: list[int] = []
    database.scan(text.encode(), match_event_handler=lambda i, s, e, f, c: hits.append(e))
    return bool(hits)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"tried to allocate (?P<n>[\d.]+ [KMG]iB).{0,80}? free", "tried to allocate 2.00 GiB (GPU 0; 1 GiB free"),
        (r"(?i)cuda error: (?:no kernel|invalid device)", "CUDA ERROR: Invalid Device function"),
        (r"(?:foo bar|baz qux) fails", "x baz qux fails y"),
        (r"权限不够", "打开失败: 权限不够"),
        (r"a(?:bcd)+e", "abcdbcde"),
        (r"\[Errno 13\] Permission denied: '/\.triton'", "[Errno 13] Permission denied: '/.triton'"),
        (r"no C\+\+ (?:one|two)? ?lib at (?P<p>\S+)|no C\+\+ \w+ lib", "no C++ one lib at /x"),
        (r"x(?i:cuda ERROR) (?:is )?here", "xCuda Error here"),
        (r"(?=ahead)ahead of \d+", "ahead of 7"),
        (r"[Tt]ensor (?:size )?mismatch", "tensor mismatch"),
        (r"^  File \"(?P<f>[^\"]+)\"", '  File "x.py"'),
        (r"no room for the whole table(?: at \d+)?: [^\n]{0,80}try again|out (?:of|off) (?P<w>\w{2,20}) here, dear reader",
         "out of paper here, dear reader"),
        (r"too old: (?P<v>[\d.]{1,20}) is installed, but at least [^\n]{1,40} is needed", "too old: 1.2 is installed, but at least 2 is needed"),
    ],
)
def test_what_the_pattern_matches_the_skeleton_finds(pattern: str, text: str) -> None:
    assert re.search(pattern, text)
    assert finds(pattern, text)


def test_a_pattern_over_lines_is_found_by_its_best_single_piece() -> None:
    pattern = r"Caught (?P<e>\w+) in DataLoader worker[^\n]*\n[^\n]*Original Traceback"
    assert finds(pattern, "Caught KeyError in DataLoader worker process 0.\nOriginal Traceback", across_lines=True)


@pytest.mark.parametrize("pattern", [r"\d+", r"[a-z]+x", r".*", r"ab", r"(?:ab|\d+)"])
def test_a_pattern_without_a_fixed_piece_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="fixed piece"):
        skeleton_of(pattern, False)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\d{3,} broken rows in [^']{4}'", "12345 broken rows in 数据文件'"),
        (r"(?:ab)+ is not there (?:\w+ ){2,}", "ababab is not there one two three "),
        (r"x*no luck with [一-龥]+", "no luck with 数据"),
    ],
)
def test_repeats_at_the_ends_are_found_at_their_shortest(pattern: str, text: str) -> None:
    assert re.search(pattern, text) and finds(pattern, text)


def test_only_the_telling_part_of_an_alternative_is_looked_for() -> None:
    skeleton = skeleton_of(r"(?:[a-z]{1,9}: the provided value is not usable \d+|E\d+ [^\n]{0,80} refused by the host)", False)
    assert skeleton.expression == b": the provided value is not usable | refused by the host"


@given(st.lists(st.sampled_from(["CUDA error", " (", ") ", "\\d+", ".{0,9}", "[^ ]*", "(?:one|other)", "错误"]), min_size=1))
def test_random_patterns_never_lose_their_own_matches(parts: list[str]) -> None:
    pattern = "fixed" + "".join(re.escape(p) if p in (" (", ") ") else p for p in parts)
    text = "fixed" + "".join({"\\d+": "42", ".{0,9}": "any", "[^ ]*": "run", "(?:one|other)": "other"}.get(p, p) for p in parts)
    assert re.search(pattern, text)
    assert finds(pattern, text)
