"""Chinese lines fill the width, and no line begins or ends with the wrong mark."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.text import Text

from triage.report.wrap import NOT_FIRST, NOT_LAST, wrapped

TEXT = (
    "权重、梯度和优化器状态（以及激活值）放不下。torch 每次都会附带“reserved but unallocated”这段建议，"
    "只有那部分很大时才有关；请先看 torch.cuda.memory_summary()，再减小 batch（--max-num-seqs 也可以）。"
)


@pytest.mark.parametrize("width", range(32, 101))
def test_lines_are_full_and_begin_and_end_where_they_may(width: int) -> None:
    lines = [line.plain for line in wrapped(Text(TEXT), width) or []]
    assert "".join(lines).replace(" ", "") == TEXT.replace(" ", "")
    assert all(cell_len(line) <= width for line in lines)
    assert not any(line[0] in NOT_FIRST or line[-1] in NOT_LAST for line in lines)


def test_a_line_ends_between_two_chinese_characters() -> None:
    assert [line.plain for line in wrapped(Text("显存不足时减小批大小"), 9) or []] == ["显存不足", "时减小批", "大小"]


def test_a_word_that_is_wider_than_a_line_is_cut_and_styles_stay() -> None:
    text = Text("路径 ")
    text.append("/very/long/path/without/space", style="cyan")
    lines = wrapped(text, 12) or []
    assert [line.plain for line in lines] == ["路径", "/very/long/p", "ath/without/", "space"]
    assert all(span.style == "cyan" for line in lines[1:] for span in line.spans)


def test_text_without_wide_characters_is_left_to_others() -> None:
    assert wrapped(Text("Lower the batch size."), 10) is None
