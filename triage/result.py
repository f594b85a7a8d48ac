"""The result of a diagnosis: frozen dataclasses, in the shape of JSON schema 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from triage.reason.book import FactValue

Outcome = Literal["cause", "unknown", "healthy"]


class _Result:
    """What all results do alike; dataclasses would each define it anew, which takes longer than to fill them."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))


@dataclass(frozen=True, repr=False, eq=False)
class InputInfo(_Result):
    """What was read."""

    name: str
    bytes: int
    lines: int
    encoding: str
    streams: tuple[str, ...]
    """Names of the processes told apart by prefix, in order of appearance."""
    replaced: int = 0
    """Bytes that were no text and were replaced."""
    partial: bool = False
    """Only the parts around hits were read line by line (large logs)."""


@dataclass(frozen=True, repr=False, eq=False)
class Evidence(_Result):
    """One thing that speaks for or against a hypothesis: a line of the log, or a fact."""

    for_: bool
    source: str
    """`log`, `probe`, `file`, `person` or `derived`."""
    text: str
    """The line as printed (at most 2,000 characters around the match), or the fact in words."""
    rule: str = ""
    line: int | None = None
    stream: str = ""
    at: int = 0
    """Where the match begins in `text`."""
    count: int = 1
    """How often the rule matched in this stream."""
    probe: str = ""
    fact: str = ""
    value: FactValue = None


@dataclass(frozen=True, repr=False, eq=False)
class PathStep(_Result):
    """One question of a tree and its answer, on the way to a cause."""

    tree: str
    question: str
    answer: str


@dataclass(frozen=True, repr=False, eq=False)
class FixStep(_Result):
    """One thing to do; `command` is ready to paste."""

    text: str
    command: str | None
    language: str = "shell"
    """Where `command` belongs: `shell`, `python` (the program's code) or `config` (a configuration file)."""


@dataclass(frozen=True, repr=False, eq=False)
class FixCheck(_Result):
    """How to know that a fix worked."""

    text: str
    command: str | None
    probe: str | None
    fact: str | None
    expect: str | None
    """Value that the probe must then report, in words such as `>= 525`."""
    language: str = "shell"
    """Where `command` belongs, see `FixStep`."""


@dataclass(frozen=True, repr=False, eq=False)
class Fix(_Result):
    """A recipe rendered for the facts at hand."""

    title: str
    risk: str
    steps: tuple[FixStep, ...]
    check: FixCheck
    undo: str | None
    applies: bool | None
    """True: made for this situation; None: cannot be told from what is known."""


@dataclass(frozen=True, repr=False, eq=False)
class Hypothesis(_Result):
    """A cause put forward for this log."""

    id: str
    title: str
    confidence: float
    explanation: str
    evidence: tuple[Evidence, ...]
    path: tuple[PathStep, ...]
    fix: tuple[Fix, ...]
    leads_to: tuple[str, ...]
    explained_by: str | None = None
    """The better hypothesis whose consequence this one is."""
    status: str = "test"
    origin: str = ""
    """File and place of the cause's record."""


@dataclass(frozen=True, repr=False, eq=False)
class Question(_Result):
    """What would tell the remaining causes apart."""

    question: str
    fact: str
    probe: str | None
    between: tuple[str, ...]
    why: str = ""
    how: str | None = None
    """Command that finds the answer."""


@dataclass(frozen=True, repr=False, eq=False)
class Anchor(_Result):
    """The line worth reading first when no cause is known."""

    line: int
    text: str
    stream: str = ""
    error_type: str = ""
    raised_in: str = ""
    """`user`, `library`, `stdlib` or `native`."""
    call: str = ""
    """The failing call: file, line and function."""
    search: str = ""
    """A search string worth pasting."""


@dataclass(frozen=True, repr=False, eq=False)
class ProbeResult(_Result):
    """How one probe went."""

    name: str
    status: str
    seconds: float
    detail: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class Report(_Result):
    """Everything a diagnosis found."""

    version: str
    knowledge: str
    input: InputInfo
    outcome: Outcome
    hypotheses: tuple[Hypothesis, ...]
    tells_apart: tuple[Question, ...]
    anchor: Anchor | None
    facts: dict[str, FactValue]
    probes: tuple[ProbeResult, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences for people: what was left out, what did not fit."""
