"""A record of a data set may quote a fault; a log record reports one."""

import pytest

from triage.match.observe import is_sample


@pytest.mark.parametrize(
    "line",
    [
        '{"question": "Why CUDA error: out of memory?", "answer": "The batch is too big."}',
        "  {'instruction': 'explain Segmentation fault', 'output': 'a bad pointer'}",
        '[{"role": "user", "content": "CUDA error: out of memory"}]',
    ],
)
def test_texts_of_a_data_set_are_samples(line: str) -> None:
    assert is_sample(line)


@pytest.mark.parametrize(
    "line",
    [
        '{"level": "ERROR", "text": "CUDA error: out of memory"}',
        '{"error": {"message": "CUDA out of memory"}, "input": "hi"}',
        '{"detail": "CUDA error: out of memory"}',
        '{"loss": 2.1, "epoch": 1}',
        "RuntimeError: CUDA error: out of memory",
    ],
)
def test_reports_are_none(line: str) -> None:
    assert not is_sample(line)
