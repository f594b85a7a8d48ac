"""What a run asks of the knowledge: rules, causes, trees, facts and tables by name, decoded when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload

import msgspec
import regex

from triage.errors import TriageError
from triage.knowledge.facts import FactRegistry
from triage.knowledge.model import Cause, Fact, MachineCheck, Rule, Table, Tree
from triage.knowledge.programs import compile_expression, expressions_of, pattern_of
from triage.knowledge.roots import all_roots
from triage.knowledge.store import CauseEntry, CauseIndex, Compiled, RuleEntry, load_compiled
from triage.knowledge.tables import TableIndex
from triage.rendering import Piece, tree_names

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Rules(Sequence[Rule]):
    """All rules in a fixed order, decoded when looked at."""

    def __init__(self, compiled: Compiled) -> None:
        self.ids = list(compiled.index.rules)
        self._compiled = compiled
        self._entries: dict[str, RuleEntry] = {}
        self._programs: dict[str, msgspec.Raw] = {}
        self._patterns: dict[str, regex.Pattern[str]] = {}
        self._decoder = msgspec.msgpack.Decoder(RuleEntry)

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> Rule: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Rule]: ...

    def __getitem__(self, index: int | slice) -> Rule | Sequence[Rule]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return self._entry(self.ids[index]).rule

    def _entry(self, name: str) -> RuleEntry:
        found = self._entries.get(name)
        if found is None:
            found = self._decoder.decode(self._compiled.record(self._compiled.index.rules[name]))
            self._entries[name] = found
            self._programs.update(zip(expressions_of(found.rule), found.programs, strict=True))
        return found

    def get(self, rule: str) -> Rule | None:
        """Return the rule with this id."""
        return self._entry(rule).rule if rule in self._compiled.index.rules else None

    def origin(self, rule: str) -> str:
        """Return `file:line:column` of a rule."""
        return self._entry(rule).origin

    def pattern(self, expression: str) -> regex.Pattern[str]:
        """Return an expression ready to search, from its compiled form if it is one of a rule already looked at."""
        found = self._patterns.get(expression)
        if found is None:
            program = self._programs.get(expression)
            found = (pattern_of(program) if program is not None else None) or compile_expression(expression)
            self._patterns[expression] = found
        return found


class Causes(Mapping[str, CauseIndex]):
    """All causes by id, decoded when looked at."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._spans = compiled.index.causes
        self._entries: dict[str, CauseEntry] = {}
        self._decoder = msgspec.msgpack.Decoder(CauseEntry)

    def __len__(self) -> int:
        return len(self._spans)

    def __iter__(self) -> Iterator[str]:
        return iter(self._spans)

    def __contains__(self, name: object) -> bool:
        return name in self._spans

    def __getitem__(self, name: str) -> CauseIndex:
        return self.entry(name).index

    def entry(self, name: str) -> CauseEntry:
        """Return all that is kept of a cause."""
        found = self._entries.get(name)
        if found is None:
            found = self._entries[name] = self._decoder.decode(self._compiled.record(self._spans[name]))
        return found


class Knowledge:
    """The knowledge base of a run."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._index = compiled.index
        self._tables: dict[str, TableIndex] = {}
        self.digest = compiled.index.digest
        self.rules = Rules(compiled)
        self.causes = Causes(compiled)
        self.trees: Sequence[Tree] = msgspec.msgpack.decode(compiled.record(compiled.index.trees), type=list[Tree])
        self.causes_by_rule: Mapping[str, Sequence[str]] = compiled.index.causes_by_rule

    @classmethod
    def load(cls, overlays: Sequence[Path] = (), notice: Callable[[], None] | None = None) -> Knowledge:
        """Load the shipped knowledge with private folders over it; raises TriageError for faulty files."""
        return cls(load_compiled(all_roots(overlays), notice))

    @cached_property
    def facts(self) -> FactRegistry:
        """The facts vocabulary."""
        return FactRegistry(msgspec.msgpack.decode(self._compiled.record(self._index.facts), type=list[Fact]))

    @cached_property
    def rules_by_id(self) -> Mapping[str, Rule]:
        """Rules by id."""
        return dict(zip(self.rules.ids, self.rules, strict=True))

    def page(self, cause: str) -> Cause:
        """Return the whole record of a cause; raises TriageError for an id that is not there."""
        if cause not in self.causes:
            raise TriageError(f"there is no cause {cause}; `triage explain` lists all")
        return msgspec.msgpack.decode(self.causes.entry(cause).page, type=Cause)

    def templates(self, cause: str) -> dict[str, list[Piece]]:
        """Return the trees of a cause's templates by their text; texts without anything to fill in have none."""
        return msgspec.msgpack.decode(self.causes.entry(cause).templates, type=dict[str, list[Piece]])

    def names_in_recipes(self, cause: str) -> set[str]:
        """Return the dotted names of captures and facts that a cause's texts want to show."""
        return {name for tree in self.templates(cause).values() for name in tree_names(tree)}

    @cached_property
    def checks(self) -> Sequence[MachineCheck]:
        """What `triage doctor` looks at."""
        records = (self._compiled.record(span) for span in self._index.checks.values())
        return [msgspec.msgpack.decode(record, type=MachineCheck) for record in records]

    @cached_property
    def check_templates(self) -> dict[str, list[Piece]]:
        """Trees of the templates in what checks show, by their text."""
        record = self._compiled.record(self._index.check_templates)
        return msgspec.msgpack.decode(record, type=dict[str, list[Piece]])

    def origin(self, kind: str, name: str) -> str:
        """Return `file:line:column` of a record; kind is `rule`, `cause` or `tree`."""
        if kind == "rule":
            return self.rules.origin(name) if name in self._index.rules else ""
        if kind == "cause":
            return self.causes.entry(name).origin if name in self.causes else ""
        record = self._compiled.record(self._index.tree_origins)
        return msgspec.msgpack.decode(record, type=dict[str, str]).get(name, "")

    def table(self, name: str) -> TableIndex:
        """Return a table; one that is not there (which `triage rules check` rules out) has no rows."""
        if name not in self._index.tables:
            return TableIndex(Table(table=name, about="", key="", columns={}, sources=[], rows=[]))
        if name not in self._tables:
            record = self._compiled.record(self._index.tables[name])
            self._tables[name] = TableIndex(msgspec.msgpack.decode(record, type=Table))
        return self._tables[name]

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of all tables."""
        return tuple(self._index.tables)
