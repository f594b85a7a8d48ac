"""Look codes and versions up in the tables: `triage explain 719`, `EZ9999`, `Xid 79`, `torch==2.4.1`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Cell, Table

_PAIR = re.compile(r"\s*([A-Za-z][\w.-]*?)\s*={1,2}\s*(\S.*?)\s*")
_WORDS = re.compile(r"\s*(?:(?P<word>xid|sxid|signal|exit|error|code)[ :]+)?(?P<code>\S+)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """A row of a table that a text asks for."""

    table: Table
    row: dict[str, Cell]


def find_rows(knowledge: Knowledge, text: str) -> list[Found]:
    """Return the rows that `text` names.

    `NAME==VALUE` looks in the tables whose key or name is NAME; a bare code, with or without a word such as `Xid`
    before it, in all tables of codes.
    """
    return list(_rows(knowledge, text))


def _rows(knowledge: Knowledge, text: str) -> Iterator[Found]:
    pair = _PAIR.fullmatch(text)
    if pair is not None:
        wanted = _plain(pair[1])
        for name in knowledge.table_names:
            index = knowledge.table(name)
            if wanted in (_plain(index.table.key), _plain(name)):
                row = index.find(pair[2])
                if row is not None:
                    yield Found(index.table, row)
        return
    words = _WORDS.fullmatch(text)
    if words is None:
        return
    for name in knowledge.table_names:
        index = knowledge.table(name)
        if index.table.match not in ("exact", "ignore_case"):
            continue
        if words["word"] and words["word"].lower() not in (name.replace("_", " "), index.table.key, *name.split("_")):
            continue
        for code in dict.fromkeys((words["code"], words["code"].upper(), words["code"].lower())):
            row = index.find(code)
            if row is not None:
                yield Found(index.table, row)
                break


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")
