"""All texts of all rules, and healthy logs, read once and held against all rules at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from triage.check.databases import FamilyScanner, scanner_for
from triage.check.patterns import usable_rules
from triage.diagnosis import read_text
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Rule
from triage.match.observe import Observation, Observer, ReadLog

ALARMS = ("fault", "consequence", "teardown")


@dataclass(frozen=True, slots=True)
class Hits:
    """Which rules match in one text."""

    by_rule: dict[str, list[Observation]]
    """Observations of each rule that matches, in the order of lines."""
    calmed: frozenset[int]
    """Positions of lines on which a benign rule matches; fault rules are silent there."""

    def alarms(self) -> Iterator[Observation]:
        """Yield what would count as a fault, a consequence or teardown."""
        for found in self.by_rule.values():
            for observation in found:
                if observation.rule.role in ALARMS and observation.index not in self.calmed:
                    yield observation


@dataclass(slots=True)
class Corpus:
    """A knowledge base with its rules ready to match."""

    base: Base
    _records: list[Rule] = field(default_factory=list)
    _known: dict[str, Hits] = field(default_factory=dict)
    _usable: list[Loaded[Rule]] = field(default_factory=list)
    _scanner: FamilyScanner | None = None

    def prepare(self) -> None:
        """Compile what is needed; done on first use."""
        if self._scanner is None:
            usable = list(usable_rules(self.base))
            self._scanner = scanner_for(usable)
            self._usable = [loaded for loaded, _ in usable]
            self._records = [loaded.record for loaded in self._usable]

    @property
    def rules(self) -> Sequence[Loaded[Rule]]:
        """Rules whose patterns can be used."""
        self.prepare()
        return self._usable

    def hits(self, text: str) -> Hits:
        """Return what matches in a text, which goes the whole way of a log: cleaning, streams, tracebacks, scanning."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._match(read_text(text))
        return known

    def _match(self, log: ReadLog) -> Hits:
        self.prepare()
        assert self._scanner is not None
        observer = Observer(log, self._records)
        by_rule: dict[str, list[Observation]] = {}
        calmed: set[int] = set()
        for number, index, column in observer.candidates(self._scanner):
            rule = self._records[number]
            observation = observer.confirm(rule, index, column)
            if observation is None:
                continue
            found = by_rule.setdefault(rule.id, [])
            if all(known.index != observation.index for known in found):
                found.append(observation)
            if rule.role == "benign":
                calmed.update(observer.covered(observation))
        for found in by_rule.values():
            found.sort(key=lambda o: o.index)
        return Hits(by_rule, frozenset(calmed))

    def matches_as(self, rule: Rule, text: str) -> bool:
        """Return whether a changed copy of a rule matches a text."""
        from triage.match.compile import compile_database
        from triage.match.observe import observe
        from triage.match.scan import Scanner
        from triage.match.skeleton import skeleton_of

        scanner = Scanner(compile_database([skeleton_of(rule.pattern, rule.where == "block")]), 1)
        return bool(observe(read_text(text), [rule], scanner))
