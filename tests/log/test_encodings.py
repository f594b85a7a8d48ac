"""Encodings at the byte level: mending keeps offsets, whatever the cut."""

from __future__ import annotations

import pytest

from triage.log.encodings import mend_utf8, to_utf8


@pytest.mark.parametrize(
    ("data", "mended", "count"),
    [
        (b"plain", b"plain", 0),
        ("中文🚀".encode(), "中文🚀".encode(), 0),
        (b"a\xffb", b"a?b", 1),
        (b"a\xc0\xafb", b"a??b", 2),
        (b"a\xed\xa0\x80b", b"a???b", 3),
        (b"a\xe4\xb8b", b"a??b", 2),
        (b"\x80x\xe4", b"?x?", 2),
    ],
)
def test_each_byte_of_no_character_becomes_one_question_mark(data: bytes, mended: bytes, count: int) -> None:
    assert mend_utf8(data) == (mended, count)


def test_what_may_be_the_rest_of_a_character_stays_where_the_text_was_cut() -> None:
    rest, begin = "中".encode()[1:], "中".encode()[:2]
    assert mend_utf8(rest + b"x\xff", cut_start=True) == (rest + b"x?", 1)
    assert mend_utf8(b"\xffx" + begin, cut_end=True) == (b"?x" + begin, 1)
    assert mend_utf8(rest + b"x" + begin) == (b"??x??", 4)


@pytest.mark.parametrize("step", [1, 2, 3, 5, 64])
def test_conversion_does_not_depend_on_how_the_bytes_arrive(step: int) -> None:
    text = "训练 step 1\n错误 🚀 done\n" * 5
    for encoding, codec in (("utf-16-le", "utf-16-le"), ("gbk", "gb18030")):
        data = text.encode(codec)
        blocks = [data[i : i + step] for i in range(0, len(data), step)]
        assert b"".join(block for block, _ in to_utf8(blocks, encoding)).decode() == text
