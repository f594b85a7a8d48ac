"""Any text is read without an exception, in linear time, with line numbers that are right."""

from __future__ import annotations

import random
import string
import time

import pytest

from triage.log.clean import clean_chunk, clean_line
from triage.log.source import source_from_text
from triage.log.streams import Line, read_lines
from triage.parse.native import find_native
from triage.parse.process import find_endings
from triage.parse.traceback import find_tracebacks, root_of

hypothesis = pytest.importorskip("hypothesis")
st = hypothesis.strategies

FRAGMENTS = [
    "Traceback (most recent call last):", '  File "a.py", line 3, in f', "    code()", "ValueError: x",
    "ValueError: x:", "",
    "RuntimeError: Caught ValueError in DataLoader worker process 0.", "Original Traceback (most recent call last):",
    "The above exception was the direct cause of the following exception:", '"""',
    "During handling of the above exception, another exception occurred:",
    "ray.exceptions.RayTaskError(ValueError): ray::f() (pid=1)",
    "  + Exception Group Traceback (most recent call last):",
    "  | ExceptionGroup: g (2 sub-exceptions)", "  +-+---------------- 1 ----------------", "    | ValueError: a",
    "    +---------------- 2 ----------------", "    | Exception Group Traceback (most recent call last):",
    "    +------------------------------------", "E       ValueError: x", "x.py:3: ValueError", "x.py:3: ",
    ">       f()",
    "╭──── Traceback (most recent call last) ────╮", "│ /a/b.py:3 in f │", "│ ❱ 3 │ x │", "╰────╯",
    "ValueError                 Traceback (most recent call last)", "Cell In[3], line 1", "----> 1 f()",
    "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ", "=" * 40,
    "  traceback : Traceback (most recent call last):", "Root Cause (first observed failure):",
    "frame #0: f + 0x1 (0x12 in /a.so)", "Fatal Python error: Segmentation fault", "    @   0x12 f", "Killed",
    "exitcode: -9",
    "terminate called after throwing an instance of 'x'", "  what():  m", "multiprocessing.pool.RemoteTraceback: ",
    "ValueError: in user code:", '    File "b.py", line 3, in g', "[rank1]: Traceback (most recent call last):",
    '[rank1]:   File "a.py", line 3, in f', "[rank1]: ValueError: y", "3: ValueError: z", "  ╰─> [3 lines of output]",
    "      x", "  [end of output]", "step 1 loss 2", "ERROR failed: ValueError: x", '  File "a.py", line 3',
    "SyntaxError: x",
    '{"log":"Traceback (most recent call last):\\n  File \\"a\\", line 3, in f\\nValueError: x\\n"}', "a\rb\r\x1b[31mc",
    "10%|#  | 1/9 [00:01<00:02, 1it/s]Traceback (most recent call last):",
]  # fmt: skip
PREFIXES = [
    "",
    "",
    "",
    "[rank3]: ",
    "2026-11-30T12:00:00Z ",
    "ERROR 05-04 10:22:41 [core.py:3] ",
    "(W pid=7) ",
    "3: ",
    "\x1b[31m",
]


def check(texts: list[str]) -> list[Line]:
    """Read lines and hold what must always be true."""
    lines = read_lines(enumerate(texts, 1))
    numbers = [line.number for line in lines]
    assert sorted(set(numbers)) == list(range(1, len(texts) + 1)) and numbers == sorted(numbers)
    for line in lines:
        assert clean_line(line.raw) == line.raw and not set(line.text) & set("\x1b\x00\r\n\b\u202e")
    tracebacks = find_tracebacks(lines)
    assert [t.exception_line for t in tracebacks] == sorted(t.exception_line for t in tracebacks)
    for index, found in enumerate(tracebacks):
        assert 1 <= found.first_line <= found.exception_line <= found.last_line <= len(texts)
        assert (found.previous is None) == (found.relation == "") and found.previous != index
        assert tracebacks[root_of(tracebacks, index)].stream == found.stream
    for trace in find_native(lines):
        assert trace.frames and trace.first_line <= trace.frames[0].line <= trace.last_line
    for ending in find_endings(lines):
        assert 1 <= ending.line <= len(texts)
    return lines


@hypothesis.given(
    st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), max_size=80), max_size=12)
)
@hypothesis.settings(max_examples=300, deadline=None)
def test_any_text_is_read(texts: list[str]) -> None:
    check(texts)


@hypothesis.given(st.lists(st.tuples(st.sampled_from(PREFIXES), st.sampled_from(FRAGMENTS)), max_size=60))
@hypothesis.settings(max_examples=400, deadline=None)
def test_any_mixture_of_real_lines_is_read(pieces: list[tuple[str, str]]) -> None:
    check([prefix + fragment for prefix, fragment in pieces])


@hypothesis.given(st.binary(max_size=3000), st.integers(1, 5000))
@hypothesis.settings(max_examples=300, deadline=None)
def test_any_bytes_are_refused_or_covered_by_chunks(data: bytes, size: int) -> None:
    from triage.errors import TriageError

    try:
        source = source_from_text(data)
    except TriageError:
        return
    chunks = list(source.chunks(size))
    assert b"".join(chunk for _, chunk in chunks) == source.read(0, source.size)
    for offset, chunk in chunks:
        assert clean_chunk(chunk).count(b"\n") == chunk.count(b"\n")
        assert source.read(offset, offset + len(chunk))[:1] == chunk[:1]


def test_random_mixtures_are_the_same_every_time() -> None:
    rng = random.Random(7)
    texts = [rng.choice(PREFIXES) + rng.choice(FRAGMENTS) for _ in range(3000)]
    first, second = read_lines(enumerate(texts, 1)), check(texts)
    assert first == second and find_tracebacks(first) == find_tracebacks(second)


UNITS = ["a.", "A", "((", "[", "[1", "0 ", "1:", " ", "/a(", '"', 'File "', "│ ", "| ", "=", "-", "_",
"exit code ", "0x1 ",
         "a pid=", "a::", "Aa", "Error: ", "a.Error", "Killed ", "a@b:", "signal ", "%", "frame #", "\b", "a\b",
         "\x1b]0;", "\x1b["]  # fmt: skip
HEADS = [
    "",
    "ERROR ",
    "Traceback (most recent call last):",
    '  File "',
    "RuntimeError: ",
    "frame #0: ",
    "#0 0x1 in ",
    "(",
    "E   ",
]


@pytest.mark.parametrize("head", HEADS)
def test_no_line_takes_more_than_a_moment(head: str) -> None:
    for unit in UNITS:
        text = head + unit * (200_000 // len(unit))
        start = time.process_time()
        lines = read_lines([(1, "x"), (2, text), (3, "y")])
        find_tracebacks(lines)
        find_native(lines)
        find_endings(lines)
        assert time.process_time() - start < 1.5, unit


@pytest.mark.parametrize("fragment", [f for f in FRAGMENTS if f])
def test_time_grows_linearly_with_the_lines(fragment: str) -> None:
    def spend(count: int) -> float:
        lines = read_lines(enumerate([fragment, "x"] * count, 1))
        start = time.process_time()
        find_tracebacks(lines)
        find_native(lines)
        find_endings(lines)
        return time.process_time() - start

    small = min(spend(300) for _ in range(3))
    assert min(spend(3000) for _ in range(2)) < 30 * small + 0.1


def test_the_alphabet_of_the_fuzz_covers_what_prefixes_begin_with() -> None:
    begun = {fragment[:1] for fragment in FRAGMENTS} | {prefix[:1] for prefix in PREFIXES}
    assert {"[", "(", "{", " ", "E"} <= begun and any(char in string.digits for char in begun)
