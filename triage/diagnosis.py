"""The one function that strings the stages together: read, match, reason, report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Bilingual
from triage.language import say
from triage.log.source import Source
from triage.log.streams import Line, read_lines
from triage.match.database import open_scanner
from triage.match.observe import Observation, ReadLog, observe
from triage.match.regions import survey_log
from triage.parse.native import find_native
from triage.parse.process import find_endings
from triage.parse.traceback import find_tracebacks
from triage.reason.ask import questions
from triage.reason.book import FactBook, FactValue, Provenance
from triage.reason.evaluate import Context
from triage.reason.incident import Incident, add_log_facts, find_incident
from triage.reason.rank import Ranking, rank_causes
from triage.result import InputInfo, ProbeResult, Report
from triage.sanitize import clean_text
from triage.verdict import anchor_of, hypotheses_of, outcome_of, with_exceptions
from triage.version import VERSION

MOST_HYPOTHESES = 5
BROKEN_OFF = Bilingual(
    en="{0} breaks off within its compressed data; what came after is missing",
    zh="{0} 的压缩数据中途中断；其后的内容缺失",
)


class Options(msgspec.Struct, frozen=True):
    """What a caller may choose."""

    top: int = MOST_HYPOTHESES
    """Hypotheses reported at most."""
    language: str = "en"


class Case(msgspec.Struct):
    """A log under diagnosis: what was read and observed, the facts, and the ranking so far.

    Facts may be added at any time; `rank` then gives the causes anew.
    """

    knowledge: Knowledge
    source: Source
    info: InputInfo
    log: ReadLog
    observations: list[Observation]
    incident: Incident
    facts: FactBook
    options: Options

    @property
    def context(self) -> Context:
        """What tests are held against."""
        return Context(self.knowledge, self.facts, {o.rule.id for o in self.observations})

    def rank(self) -> Ranking:
        """Rank the causes with the facts known now."""
        return rank_causes(self.knowledge, self.context, self.observations, self.incident.ends_well)

    def report(self, probes: Sequence[ProbeResult] = (), notes: Sequence[str] = ()) -> Report:
        """Return the report for the facts known now."""
        ranking = self.rank()
        context = self.context
        hypotheses = hypotheses_of(ranking, self.knowledge, context, self.options.top, self.options.language)
        if hypotheses:
            hypotheses = (with_exceptions(hypotheses[0], self.log), *hypotheses[1:])
        outcome = outcome_of(hypotheses, self.log, self.observations, self.incident)
        return Report(
            version=VERSION,
            knowledge=self.knowledge.digest,
            input=self.info,
            outcome=outcome,
            hypotheses=hypotheses,
            tells_apart=questions(ranking, hypotheses, self.knowledge, self.options.language),
            anchor=anchor_of(self.log, self.incident) if outcome == "unknown" else None,
            facts={known.name: known.value for known in self.facts},
            probes=tuple(probes),
            notes=(*self._broken_off(), *notes),
        )

    def _broken_off(self) -> list[str]:
        """Say which compressed files end too early: the fault may stand in what is missing."""
        return [
            say(BROKEN_OFF, self.options.language).format(clean_text(part.name))
            for part in self.source.parts
            if part.broken_off
        ]


def open_case(
    source: Source,
    knowledge: Knowledge,
    facts: Mapping[str, FactValue] | None = None,
    facts_from: Provenance = "file",
    options: Options | None = None,
    progress: Callable[[int], None] | None = None,
) -> Case:
    """Read a log and match all rules against it.

    `facts` are known from elsewhere, by their names; `progress` is told the bytes scanned so far.
    """
    scanner = open_scanner(knowledge)
    survey = survey_log(source, lambda: open_scanner(knowledge, "survey"), progress)
    lines: list[Line] = []
    for region in survey.regions:
        lines.extend(_read_region(source, region.start, region.end, region.first_line))
    log = parse_lines(lines)
    observations = observe(log, knowledge.rules, scanner, knowledge.rules.pattern)
    incident = find_incident(log, observations)
    book = FactBook(knowledge)
    book.add_all(facts or {}, facts_from)
    add_log_facts(book, log, incident, observations)
    streams = tuple(dict.fromkeys(line.stream for line in lines if line.stream))
    info = InputInfo(
        source.name, source.size, survey.lines, source.encoding, streams, source.replaced, len(survey.regions) > 1
    )
    return Case(knowledge, source, info, log, observations, incident, book, options or Options())


def parse_lines(lines: list[Line]) -> ReadLog:
    """Find tracebacks, native frames and process endings in lines."""
    return ReadLog(lines, find_tracebacks(lines), find_native(lines), find_endings(lines))


def read_text(text: str) -> ReadLog:
    """Read and parse a whole text as a log."""
    return parse_lines(read_lines(enumerate(text.removesuffix("\n").split("\n"), 1)))


def _read_region(source: Source, start: int, end: int, first_line: int) -> list[Line]:
    """Read the lines of a region; the lines of each file are judged by themselves."""
    lines: list[Line] = []
    while start < end:
        part = source.part_at(start)
        stop = min(end, part.end)
        texts = source.read(start, stop).decode("utf-8", "replace").split("\n")
        if texts and not texts[-1]:
            texts.pop()
        lines.extend(read_lines(enumerate(texts, first_line), part.stream))
        first_line += len(texts)
        start = stop
    return lines
