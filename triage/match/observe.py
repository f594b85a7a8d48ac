"""Confirm candidates: which rules really match, where, and with which captures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import msgspec
import regex

from triage.knowledge.model import Rule
from triage.knowledge.programs import compile_expression
from triage.log.streams import Line
from triage.match.captures import typed_captures
from triage.match.scan import Scanner
from triage.parse.native import NativeTrace
from triage.parse.process import Ending
from triage.parse.traceback import Traceback

TIMEOUT = 0.2
"""Seconds one pattern may take on one candidate; a pattern that needs more does not match."""
LEAST_PATIENCE = 0.01
"""A log on which patterns run out of time gets less and less of it, and such a pattern is not tried again."""
WIDTH = 16 * 1024
"""Characters of a line around the hit that a pattern sees."""
BLOCK_BEFORE, BLOCK_AFTER = 10, 50
NEAR = 20
ATTEMPTS_BLOCK, ATTEMPTS_LINE = 150, 4000
"""Candidates of one rule that are tried in one stream: a common word in a pattern must not cost more."""
MATCHES = 50
"""Matches of one rule in one stream after which candidates are only counted."""
_ALARMS = ("fault", "consequence", "teardown")
_SAMPLE_KEY = regex.compile(
    r"[\"'](?:question|query|answer|instruction|input|output|prompt|completion|response|content|context|conversations|"
    r"messages|chosen|rejected|title|body|text|sentence\d?|document|summary|label|labels|source|target)[\"']\s*:"
)
_REPORT_KEY = regex.compile(
    r"[\"'](?:@?time(?:stamp)?|ts|level|levelname|lvl|severity|logger|msg|message|log|event|errors?|err|detail|details|"
    r"exception|exc_info|traceback|stack\w*|status|code|reason|cause|evalue|ename|type)[\"']\s*:"
)
REPEATS = 3
"""Observations kept of one rule in one stream; more are only counted."""


class Observation(msgspec.Struct, frozen=True):
    """A rule that matched, with its line, its stream and its captures."""

    rule: Rule
    line: int
    """Number of the line in the log, from 1."""
    index: int
    """Position of the line among the lines read."""
    stream: str
    text: str
    """The line as printed."""
    more: tuple[tuple[int, str], ...]
    """Further lines (number, text) of a match that spans several."""
    captures: Mapping[str, str]
    level: str
    traceback: int | None
    """Index of the traceback whose message the line belongs to."""
    count: int
    """How often the rule matched in this stream."""
    start: int = 0
    """Where the match begins in `text`, as far as it stands on that line."""
    span: int = 0
    """Characters that the match covers: of two rules on one line the one that says more is the more exact."""


class ReadLog(msgspec.Struct, frozen=True):
    """A log after reading and parsing: what rules are matched against."""

    lines: Sequence[Line]
    tracebacks: Sequence[Traceback]
    natives: Sequence[NativeTrace]
    endings: Sequence[Ending]


@cache
def compile_pattern(pattern: str) -> regex.Pattern[str]:
    """Return a pattern ready to search; raises regex.error."""
    return compile_expression(pattern)


def observe(
    log: ReadLog,
    rules: Sequence[Rule],
    scanner: Scanner,
    compiled: Callable[[str], regex.Pattern[str]] = compile_pattern,
) -> list[Observation]:
    """Return all observations in the order of their lines; `compiled` makes an expression ready to search."""
    return Observer(log, rules, compiled).run(scanner)


class Observer:
    """Holds the candidates of one log against their rules."""

    def __init__(
        self, log: ReadLog, rules: Sequence[Rule], compiled: Callable[[str], regex.Pattern[str]] = compile_pattern
    ) -> None:
        self.log = log
        self.patience = TIMEOUT
        self.too_slow: set[str] = set()
        self.rules = rules
        self.compiled = compiled
        self.by_stream: dict[str, list[int]] = {}
        self.position: list[int] = []
        for index, line in enumerate(log.lines):
            members = self.by_stream.setdefault(line.stream, [])
            self.position.append(len(members))
            members.append(index)
        self.in_exception = self._exception_lines()
        self.in_native = self._native_lines()

    def _exception_lines(self) -> dict[tuple[str, int], int]:
        """Map (stream, line number) of each exception message line to its traceback's index."""
        out: dict[tuple[str, int], int] = {}
        for index, traceback in enumerate(self.log.tracebacks):
            for number in range(traceback.exception_line, min(traceback.last_line, traceback.exception_line + 200) + 1):
                out.setdefault((traceback.stream, number), index)
        return out

    def _native_lines(self) -> set[tuple[str, int]]:
        out: set[tuple[str, int]] = set()
        for trace in self.log.natives:
            out.update((trace.stream, number) for number in range(trace.first_line - 1, trace.last_line + 1))
        out.update((ending.stream, ending.line) for ending in self.log.endings)
        return out

    def search(self, pattern: str, text: str) -> regex.Match[str] | None:
        if pattern in self.too_slow:
            return None
        try:
            return self.compiled(pattern).search(text, timeout=self.patience)
        except TimeoutError:
            self.too_slow.add(pattern)
            self.patience = max(self.patience / 2, LEAST_PATIENCE)
            return None

    def run(self, scanner: Scanner) -> list[Observation]:
        found: dict[tuple[str, str], list[Observation]] = {}
        counts: dict[tuple[str, str], int] = {}
        tried: dict[tuple[str, str], int] = {}
        benign: set[int] = set()
        for number, index, column in self.candidates(scanner):
            rule = self.rules[number]
            key = (rule.id, self.log.lines[index].stream)
            tried[key] = tried.get(key, 0) + 1
            if counts.get(key, 0) >= MATCHES:
                counts[key] += 1
                continue
            if tried[key] > (ATTEMPTS_BLOCK if rule.where == "block" else ATTEMPTS_LINE):
                continue
            observation = self.confirm(rule, index, column)
            if observation is None:
                continue
            counts[key] = counts.get(key, 0) + 1
            if rule.role == "benign":
                benign.update(self.covered(observation))
            kept = found.setdefault(key, [])
            if len(kept) < REPEATS and all(o.index != observation.index for o in kept):
                kept.append(observation)
        out = []
        for key, kept in found.items():
            for observation in kept:
                if observation.rule.role in _ALARMS and observation.index in benign:
                    continue
                out.append(_with_count(observation, counts[key]))
        return sorted(out, key=lambda o: (o.index, o.rule.id))

    def covered(self, observation: Observation) -> list[int]:
        """Return the positions of the lines that a match spans."""
        numbers = {number for number, _ in observation.more}
        lines = self.log.lines
        return [observation.index] + [
            i
            for i in range(observation.index + 1, min(observation.index + BLOCK_AFTER, len(lines)))
            if lines[i].number in numbers and lines[i].stream == observation.stream
        ]

    def candidates(self, scanner: Scanner) -> list[tuple[int, int, int]]:
        """Return (rule number, line index, end of the hit in its text) of each candidate, one a rule and line."""
        encoded: list[bytes] = []
        owners: list[int] = []
        starts: list[int] = []
        at = 0
        for index, line in enumerate(self.log.lines):
            for text in (line.raw,) if line.raw.endswith(line.text) else (line.raw, line.text):
                encoded.append(text.encode("utf-8", "replace"))
                owners.append(index)
                starts.append(at)
                at += len(encoded[-1]) + 1
        out: dict[tuple[int, int], int] = {}
        entry = 0
        for number, end in scanner.scan(b"\n".join(encoded)):  # in the order of their ends
            while entry + 1 < len(starts) and starts[entry + 1] < end:
                entry += 1
            index = owners[entry]
            if number < scanner.rules and (number, index) not in out:
                from_right = starts[entry] + len(encoded[entry]) - end
                out[number, index] = max(0, len(self.log.lines[index].text) - from_right)
        return [(number, index, column) for (number, index), column in out.items()]

    def confirm(self, rule: Rule, index: int, column: int) -> Observation | None:
        """Return the observation if `rule` matches at the line with this index, None otherwise."""
        line = self.log.lines[index]
        traceback = self.in_exception.get((line.stream, line.number))
        if rule.where == "exception" and traceback is None:
            return None
        if rule.where == "kernel" and not line.kernel:
            return None
        if rule.where == "native" and (line.stream, line.number) not in self.in_native:
            return None
        if rule.role in _ALARMS and is_sample(line.text):
            return None
        chosen = self._neighbours(index, BLOCK_BEFORE, BLOCK_AFTER) if rule.where == "block" else [index]
        text, raw = self._texts(chosen, index, column)
        match = self.search(rule.pattern, text)
        if match is None and raw != text:
            text, match = raw, self.search(rule.pattern, raw)
        if match is None or any(self.search(pattern, shown) for pattern in rule.unless for shown in {text, raw}):
            return None
        if rule.unless_near:
            near = "\n".join(_around(self.log.lines[i].text, 0) for i in self._neighbours(index, NEAR, NEAR))
            if any(self.search(pattern, near) for pattern in rule.unless_near):
                return None
        more: tuple[tuple[int, str], ...] = ()
        if rule.where == "block":
            first = text.count("\n", 0, match.start())
            last = text.count("\n", 0, max(match.start(), match.end() - 1))
            spanned = [self.log.lines[i] for i in chosen[first : min(last + 1, first + 8)]]
            index = chosen[first]
            line = spanned[0]
            more = tuple((other.number, other.raw) for other in spanned[1:])
        return Observation(
            rule=rule,
            line=line.number,
            index=index,
            stream=line.stream,
            text=line.raw,
            more=more,
            captures=typed_captures(rule, match.groupdict()),
            level=line.level,
            traceback=traceback,
            count=1,
            start=_start_in(line.raw, match.start(), text),
            span=match.end() - match.start(),
        )

    def _texts(self, chosen: Sequence[int], hit: int, column: int) -> tuple[str, str]:
        """Return the chosen lines without their prefixes, and as printed."""
        texts, raws = [], []
        for i in chosen:
            line = self.log.lines[i]
            if len(line.raw) <= WIDTH:
                texts.append(line.text)
                raws.append(line.raw)
                continue
            at = column if i == hit else 0
            texts.append(_around(line.text, at))
            raws.append(_around(line.raw, at + len(line.raw) - len(line.text)))
        return "\n".join(texts), "\n".join(raws)

    def _neighbours(self, index: int, before: int, after: int) -> list[int]:
        members = self.by_stream[self.log.lines[index].stream]
        at = self.position[index]
        return members[max(0, at - before) : at + after]


def is_sample(line: str) -> bool:
    """Tell whether a line is a record of a data set, which may quote a fault: texts that report nothing."""
    text = line[:WIDTH].lstrip(" \t[(,")
    if not text.startswith(('{"', "{'")):
        return False
    return _SAMPLE_KEY.search(text) is not None and _REPORT_KEY.search(text) is None


def _start_in(raw: str, begin: int, text: str) -> int:
    """Return where a match begins in the line as printed, of which `text` is a part or which is a part of `text`."""
    head = text.rfind("\n", 0, begin) + 1
    end = text.find("\n", head)
    shown = text[head : end if end >= 0 else len(text)]
    return max(raw.find(shown), 0) + begin - head


def _around(text: str, column: int) -> str:
    if len(text) <= WIDTH:
        return text
    start = max(0, min(column, len(text)) - WIDTH // 2)
    return text[start : start + WIDTH]


def _with_count(observation: Observation, count: int) -> Observation:
    return msgspec.structs.replace(observation, count=count) if count > 1 else observation
