"""Run the compiled database over bytes."""

from __future__ import annotations

import hyperscan


class Scanner:
    """A loaded hyperscan database with its scratch space. Not for several threads at once."""

    def __init__(self, database: bytes, rules: int) -> None:
        self._database = hyperscan.loadb(database, mode=hyperscan.HS_MODE_BLOCK)
        self._database.scratch = hyperscan.Scratch(self._database)
        self.rules = rules
        """Ids below this are rules, those from it on are general anchors."""

    def scan(self, data: bytes) -> list[tuple[int, int]]:
        """Return (id, end offset) of each hit in `data`, in the order of their ends; no line break is crossed."""
        hits: list[tuple[int, int]] = []
        add = hits.append

        def on_match(number: int, start: int, end: int, flags: int, context: object) -> None:
            add((number, end))

        self._database.scan(data, match_event_handler=on_match)
        return hits
