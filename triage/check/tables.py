"""Tables are whole: each row has the key and only known columns, keys are unique, sources are listed."""

from __future__ import annotations

from collections.abc import Iterator

from triage.check.finding import Finding, at
from triage.check.languages import NAMES
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Table
from triage.knowledge.tables import PARTS
from triage.knowledge.versions import version_key, version_prefix


def check_tables(base: Base) -> Iterator[Finding]:
    """Yield a finding for each fault of a table."""
    for loaded in base.tables.values():
        yield from _table(loaded)
        yield from _languages(loaded)


def _table(loaded: Loaded[Table]) -> Iterator[Finding]:
    table = loaded.record
    sources = {source.id for source in table.sources}
    if not table.rows:
        yield at(loaded, ("rows",), f"{table.table} has no rows", "fill it, or remove it")
    if not sources:
        yield at(loaded, ("sources",), f"{table.table} names no source", "say where its rows come from")
    for index, source in enumerate(table.sources):
        if any(source.id == other.id for other in table.sources[:index]):
            yield at(loaded, ("sources", index), f"{table.table}: the source {source.id} stands twice", "remove one")
    for index, column in enumerate(table.also):
        if column not in table.columns:
            fix = f"one of {', '.join(table.columns)}"
            yield at(loaded, ("also", index), f"{table.table}: there is no column {column}", fix)
        if table.match in ("range", "product"):
            what = f"{table.table}: rows of a table with match {table.match} are found by their key only"
            yield at(loaded, ("also", index), what, "remove also")
    known: dict[str, int] = {}
    for index, row in enumerate(table.rows):
        key = row.get(table.key)
        if key is None:
            yield at(loaded, ("rows", index), f"{table.table}: this row has no {table.key}", "give it its key")
            continue
        for column in sorted(set(row) - set(table.columns) - {"src", table.key}):
            fix = f"one of {', '.join(table.columns)}"
            yield at(loaded, ("rows", index, column), f"{table.table}: there is no column {column}", fix)
        given = row.get("src")
        for source_id in given if isinstance(given, list) else [given]:
            if source_id not in sources:
                fix = f"one of {', '.join(sorted(sources))}"
                yield at(loaded, ("rows", index, "src"), f"{table.table}: the source {source_id} is not listed", fix)
        if table.match == "range":
            try:
                version_key(str(key))
            except ValueError:
                yield at(loaded, ("rows", index, table.key), f"{table.table}: {key} is no version", "quote a version")
        name = _key(table, key)
        if name in known:
            what = f"{table.table}: {key} is already the key of row {known[name] + 1}"
            yield at(loaded, ("rows", index, table.key), what, "a look-up finds the first row only; remove one")
        known.setdefault(name, index)


def _languages(loaded: Loaded[Table]) -> Iterator[Finding]:
    table = loaded.record
    stands = set()
    for column in table.texts:
        if column not in table.columns:
            fix = f"one of {', '.join(table.columns)}"
            yield at(loaded, ("texts",), f"{table.table}: there is no column {column}", fix)
        for index, row in enumerate(table.rows):
            cell = row.get(column)
            if isinstance(cell, str):
                stands.add(cell)
                if cell not in table.zh:
                    what = f"{table.table}: there is no Chinese for {cell!r}"
                    yield at(loaded, ("rows", index, column), what, "put it under zh")
    for text in table.zh:
        if text not in stands:
            what = f"{table.table}: no row says {text!r}"
            yield at(loaded, ("zh", text), what, "correct it, or remove its Chinese")
        else:
            for name in NAMES.findall(text):
                if name not in table.zh[text]:
                    what = f"{table.table}: the Chinese of {text!r} does not name {name}"
                    yield at(loaded, ("zh", text), what, "names, options and versions are the same in both languages")


def _key(table: Table, value: object) -> str:
    text = str(value)
    if table.match in PARTS:
        return version_prefix(text, PARTS[table.match])
    return text.casefold() if table.match == "ignore_case" else text
