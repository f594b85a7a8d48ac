"""How values find their rows, and whether versions fit what a row asks for."""

from __future__ import annotations

import pytest

from triage.knowledge.model import Cell, Table
from triage.knowledge.tables import TableIndex, say_cell
from triage.knowledge.versions import version_fits


def index(match: str, *rows: dict[str, Cell], also: tuple[str, ...] = ()) -> TableIndex:
    key = next(iter(rows[0]))
    table = Table(table="t", about="t", key=key, match=match, also=list(also), columns={}, sources=[], rows=list(rows))  # type: ignore[arg-type]
    return TableIndex(table)


@pytest.mark.parametrize(
    ("match", "value", "found"),
    [
        ("patch", "2.7.1+cpu", "a"),
        ("patch", "2.7.1.post2", "a"),
        ("patch", "2.7.0", None),
        ("minor", "2.7.4+cu121", "a"),
        ("major", "2.99", "a"),
        ("exact", "2.7.1", "a"),
        ("exact", "2.7.1+cpu", None),
        ("range", "2.9", "a"),
        ("range", "2.0", None),
    ],
)
def test_versions_find_rows(match: str, value: str, found: str | None) -> None:
    assert index(match, {"torch": "2.7.1", "x": "a"}).cell(value, "x") == found


def test_a_row_is_found_by_further_columns_where_no_key_fits() -> None:
    table = index(
        "exact",
        {"code": 1, "name": "invalid", "text": ["invalid argument", "bad argument"], "x": "one"},
        {"code": 2, "name": "1", "x": "two"},
        also=("name", "text"),
    )
    assert [table.cell(value, "x") for value in ("1", "2", "invalid", "bad argument", "memory")] == [
        "one", "two", "one", "one", None,
    ]  # fmt: skip


def test_a_cell_of_a_column_in_words_is_said_in_each_language() -> None:
    table = Table(
        table="t", about="t", key="code", columns={}, texts=["x"], zh={"it failed": "失败"}, sources=[], rows=[]
    )
    said = [say_cell(table, "x", "it failed", language) for language in ("en", "zh", "both")]
    assert said == ["it failed", "失败", "it failed / 失败"]
    assert say_cell(table, "name", "it failed", "zh") == "it failed"
    assert say_cell(table, "x", ["it failed", "x"], "zh") == "失败, x"


@pytest.mark.parametrize(
    ("version", "requirement", "expected"),
    [
        ("4.44.0", ">=4.40,<5", True),
        ("5.0.0", ">=4.40,<5", False),
        ("2.4.0+cu121", "2.4.0", True),
        ("2.4.0", "2.4", True),
        ("2.4", "2.4.0", True),
        ("2.5.1", "2.4.0", False),
        ("3.10.12", "3.9, 3.10, 3.11", True),
        ("3.1", "3.9, 3.10, 3.11", False),
        ("0.22.0rc1", ">=0.21,<=0.23.0", True),
        ("CUDA 12.4", "==12.*", True),
        ("2.4.0", "none", None),
        ("unknown", ">=1", None),
        ("9.1", ">=nine", None),
    ],
)
def test_a_version_fits_what_is_asked_for(version: str, requirement: str, expected: bool | None) -> None:
    assert version_fits(version, requirement) is expected
