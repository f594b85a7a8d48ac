"""What a run asks of the knowledge: rules, causes, trees, facts and tables by name, decoded when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import overload

import msgspec

from triage.errors import TriageError
from triage.knowledge.facts import FactRegistry
from triage.knowledge.model import Cause, MachineCheck, Rule, Table, Tree
from triage.knowledge.roots import all_roots
from triage.knowledge.store import CauseIndex, Compiled, load_compiled
from triage.knowledge.tables import TableIndex
from triage.rendering import Piece, tree_names


class Rules(Sequence[Rule]):
    """All rules in a fixed order, decoded when looked at."""

    def __init__(self, compiled: Compiled) -> None:
        self.ids = compiled.rule_ids
        self._raw = compiled.rules
        self._decoded: dict[int, Rule] = {}
        self._decoder = msgspec.msgpack.Decoder(Rule)

    def __len__(self) -> int:
        return len(self._raw)

    @overload
    def __getitem__(self, index: int) -> Rule: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Rule]: ...

    def __getitem__(self, index: int | slice) -> Rule | Sequence[Rule]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        found = self._decoded.get(index)
        if found is None:
            found = self._decoded[index] = self._decoder.decode(self._raw[index])
        return found

    def get(self, rule: str) -> Rule | None:
        """Return the rule with this id."""
        return self[self.ids.index(rule)] if rule in self.ids else None


class Knowledge:
    """The knowledge base of a run."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._tables: dict[str, TableIndex] = {}
        self.digest = compiled.digest
        self.rules = Rules(compiled)
        self.causes: Mapping[str, CauseIndex] = {cause.id: cause for cause in compiled.causes}
        self.trees: Sequence[Tree] = compiled.trees
        self.causes_by_rule: Mapping[str, Sequence[str]] = compiled.causes_by_rule

    @classmethod
    def load(cls, overlays: Sequence[Path] = (), notice: Callable[[], None] | None = None) -> Knowledge:
        """Load the shipped knowledge with private folders over it; raises TriageError for faulty files."""
        return cls(load_compiled(all_roots(overlays), notice))

    @cached_property
    def facts(self) -> FactRegistry:
        """The facts vocabulary."""
        return FactRegistry(self._compiled.facts)

    @cached_property
    def rules_by_id(self) -> Mapping[str, Rule]:
        """Rules by id."""
        return dict(zip(self.rules.ids, self.rules, strict=True))

    def page(self, cause: str) -> Cause:
        """Return the whole record of a cause; raises TriageError for an id that is not there."""
        raw = self._compiled.pages.get(cause)
        if raw is None:
            raise TriageError(f"there is no cause {cause}; `triage explain` lists all")
        return msgspec.msgpack.decode(raw, type=Cause)

    def templates(self, cause: str) -> dict[str, list[Piece]]:
        """Return the trees of a cause's templates by their text; texts without anything to fill in have none."""
        return msgspec.msgpack.decode(self._compiled.templates[cause], type=dict[str, list[Piece]])

    def names_in_recipes(self, cause: str) -> set[str]:
        """Return the dotted names of captures and facts that a cause's texts want to show."""
        return {name for tree in self.templates(cause).values() for name in tree_names(tree)}

    @cached_property
    def checks(self) -> Sequence[MachineCheck]:
        """What `triage doctor` looks at."""
        return [msgspec.msgpack.decode(raw, type=MachineCheck) for raw in self._compiled.checks.values()]

    @cached_property
    def check_templates(self) -> dict[str, list[Piece]]:
        """Trees of the templates in what checks show, by their text."""
        return msgspec.msgpack.decode(self._compiled.check_templates, type=dict[str, list[Piece]])

    def origin(self, kind: str, name: str) -> str:
        """Return `file:line:column` of a record; kind is `rule`, `cause` or `tree`."""
        return self._compiled.origins.get(f"{kind}:{name}", "")

    def table(self, name: str) -> TableIndex:
        """Return a table; one that is not there (which `triage rules check` rules out) has no rows."""
        if name not in self._compiled.tables:
            return TableIndex(Table(table=name, about="", key="", columns={}, sources=[], rows=[]))
        if name not in self._tables:
            self._tables[name] = TableIndex(msgspec.msgpack.decode(self._compiled.tables[name], type=Table))
        return self._tables[name]

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of all tables."""
        return tuple(self._compiled.tables)
