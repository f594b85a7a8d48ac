"""Find rows of a table by the value of their key."""

from __future__ import annotations

from triage.knowledge.model import Cell, Table
from triage.knowledge.versions import version_key, version_prefix

PARTS = {"major": 1, "minor": 2, "patch": 3}
"""Numbers of a version that count, for the kinds of `match` that compare so."""


class TableIndex:
    """A table, indexed by its key in the way its `match` says."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._rows: dict[str, dict[str, Cell]] = {}
        for column in (table.key, *table.also):
            for row in table.rows:
                cell = row.get(column)
                for name in cell if isinstance(cell, list) else [] if cell is None else [cell]:
                    self._rows.setdefault(self._key(name), row)

    def _key(self, value: object) -> str:
        text = str(value)
        match = self.table.match
        if match in PARTS:
            return version_prefix(text, PARTS[match])
        if match in ("ignore_case", "product"):
            return text.casefold()
        return text

    def find(self, value: object) -> dict[str, Cell] | None:
        """Return the row for `value`, or None."""
        if self.table.match == "product":
            return self._product(str(value))
        if self.table.match != "range":
            return self._rows.get(self._key(value))
        try:
            wanted = version_key(str(value))
            below = [row for row in self.table.rows if version_key(str(row[self.table.key])) <= wanted]
        except ValueError:
            return None
        return max(below, key=lambda row: version_key(str(row[self.table.key])), default=None)

    def _product(self, value: str) -> dict[str, Cell] | None:
        """Return the row of the longest name that `value` begins with; more words may follow (`H100 80GB HBM3`)."""
        words = value.casefold().removeprefix("nvidia ").removeprefix("amd ").split()
        for end in range(len(words), 0, -1):
            row = self._rows.get(" ".join(words[:end]))
            if row is not None:
                return row
        return None

    def cell(self, value: object, column: str) -> Cell:
        """Return one column of the row for `value`; None where there is no such row or the cell is empty."""
        row = self.find(value)
        return None if row is None else row.get(column)


def say_cell(table: Table, column: str, cell: Cell, language: str = "en") -> str:
    """Return a cell that is not empty as text; what has no Chinese of its own stays as it is."""
    if isinstance(cell, list):
        return ", ".join(say_cell(table, column, item, language) for item in cell)
    text = str(cell)
    chinese = table.zh.get(text) if column in table.texts and language != "en" else None
    if chinese is None:
        return text
    return chinese if language == "zh" else f"{text} / {chinese}"
