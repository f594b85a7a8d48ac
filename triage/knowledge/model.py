"""What the YAML of `rules/` and `knowledge_base/` may say: one frozen struct for each kind of record.

The loader validates against these types, the JSON Schemas for editors are generated from them, and the cache stores
them, so a key exists here or nowhere.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of every record: immutable, keyword-only, unknown keys refused."""


class Bilingual(Record, frozen=True, kw_only=True):
    """A text for people in two languages."""

    en: str
    zh: str


Text = str | Bilingual
"""A text for people: one English string, or English and Chinese side by side."""

Role = Literal["fault", "consequence", "teardown", "benign", "context"]
Where = Literal["any", "exception", "kernel", "native", "block"]
Status = Literal["experimental", "test", "stable"]
Weight = Literal["decisive", "strong", "weak"]
Language = Literal["shell", "python", "config"]
Risk = Literal["none", "environment", "data", "admin", "reboot"]
CaptureType = Literal[
    "text", "word", "int", "float", "bytes", "version", "path", "module", "distribution", "symbol", "device",
    "shape", "dtype", "host", "port", "library", "arch", "url", "env"
]  # fmt: skip
FactType = Literal["string", "version", "int", "float", "bytes", "seconds", "bool", "list", "path"]


class Capture(Record, frozen=True, kw_only=True):
    """What a named group of a rule's pattern holds."""

    type: CaptureType = "text"
    fact: str | None = None
    """Fact that the captured value sets, with provenance `log`."""


class Sample(Record, frozen=True, kw_only=True):
    """A text on which a rule must match."""

    text: str
    captures: dict[str, str] = {}
    """Group name to the exact text it must capture."""
    source: str | None = None
    """Program and version that printed the text, or a link."""


class Rule(Record, frozen=True, kw_only=True):
    """A signature: which text means which observation."""

    id: str
    says: Text
    """The observation in a few words."""
    pattern: str
    """Regular expression, searched in one line, or in the lines around the hit when `where` is `block`."""
    where: Where = "any"
    role: Role = "fault"
    unless: list[str] = []
    """Expressions of which none may match in the same line (the same block for `block`)."""
    unless_near: list[str] = []
    """Expressions of which none may match within 20 lines of the same stream."""
    captures: dict[str, Capture] = {}
    sets: dict[str, str | bool | int | float] = {}
    """Facts that a match sets to constants, with provenance `log`."""
    status: Status = "test"
    source: str
    """Where the text comes from: program and file, a link, or `observed: program version`."""
    samples: list[Sample]
    near_misses: list[str]


class RuleFile(Record, frozen=True, kw_only=True):
    """One file of `rules/`."""

    family: str
    rules: list[Rule]


class Lookup(Record, frozen=True, kw_only=True):
    """An operand that hangs on the fact `of`: the `column` of the row of table `lookup` whose key fits its value, or,
    without a table, its value itself."""

    of: str
    lookup: str = ""
    column: str = ""


Operand = str | int | float | bool | Lookup


class Test(Record, frozen=True, kw_only=True, rename={"is_": "is", "not_": "not", "in_": "in"}):
    """A three-valued test: true, false, or unknown while a fact is not known.

    Exactly one subject (`fact`, `seen`, `all`, `any`, `none`); a fact takes exactly one comparison.
    """

    fact: str | None = None
    seen: str | list[str] | None = None
    """Rule ids; true when one of them has matched in the log. Never unknown."""
    all: list[Test] | None = None
    any: list[Test] | None = None
    none: list[Test] | None = None
    is_: Operand | None = None
    not_: Operand | None = None
    in_: list[str | int | float] | None = None
    lt: Operand | None = None
    le: Operand | None = None
    gt: Operand | None = None
    ge: Operand | None = None
    matches: str | None = None
    """Regular expression searched in the value as text (in each item of a list: any)."""
    contains: Operand | None = None
    """Item of a list, or substring of a text."""
    fits: Operand | None = None
    """Versions only: a requirement (`>=4.40,<5`), one version (`2.4.0`, `3.12`), or several of them (`3.9, 3.10`)."""
    missing: bool | None = None
    """`true`: known to be absent, or a list without items. `false`: known and there."""


class Seen(Record, frozen=True, kw_only=True):
    """An observation that speaks for a cause: the one-leaf tree."""

    rule: str | list[str]
    weight: Weight = "strong"
    when: Test | None = None
    """Counts only if this is not false; one weight lower while it is unknown."""


class Argument(Record, frozen=True, kw_only=True):
    """A test on facts or other observations that speaks for or against a cause."""

    when: Test
    weight: Weight
    because: Text


class Step(Record, frozen=True, kw_only=True):
    """One thing to do. Both parts are templates; values in commands are typed and shell-quoted."""

    text: Text
    command: str | None = None
    language: Language = "shell"
    """Where `command` belongs: typed into a shell, written into the program's code, or into a configuration file."""
    when: Test | None = None


class Check(Record, frozen=True, kw_only=True):
    """How to know that the recipe worked."""

    text: Text
    command: str | None = None
    language: Language = "shell"
    probe: str | None = None
    """Probe to re-run, with the value that it must then report."""
    expect: Test | None = None


class Recipe(Record, frozen=True, kw_only=True):
    """Steps that fix a cause in one situation."""

    title: Text
    when: Test | None = None
    """Where this is false, the recipe is left out."""
    first_when: Test | None = None
    """Where this is true, the recipe comes before the others."""
    risk: Risk
    steps: list[Step]
    check: Check
    undo: Text | None = None


class Neighbour(Record, frozen=True, kw_only=True):
    """A cause that looks alike, and what tells the two apart."""

    cause: str
    by: Text


class Cause(Record, frozen=True, kw_only=True):
    """A root cause a person acts on."""

    id: str
    title: Text
    explanation: Text
    seen_as: list[Seen] = []
    arguments_for: list[Argument] = []
    arguments_against: list[Argument] = []
    leads_to: list[str] = []
    """Causes whose symptoms this one produces: with this one established they are consequences."""
    neighbours: list[Neighbour] = []
    recipes: list[Recipe]
    references: list[str] = []
    status: Status = "test"


class CauseFile(Record, frozen=True, kw_only=True):
    """One file of `knowledge_base/causes/`."""

    family: str
    causes: list[Cause]


class Branch(Record, frozen=True, kw_only=True):
    """One answer to a node's question, and where it leads: to a node (`go`) or to causes."""

    answer: Text
    when: Test | None = None
    """Absent on the last branch only: everything else that is known."""
    go: str | None = None
    cause: str | None = None
    weight: Weight = "strong"


class Node(Record, frozen=True, kw_only=True):
    """One question of a tree."""

    ask: Text
    why: Text
    """Why the answer matters."""
    fact: str | None = None
    """Fact that settles it; the registry names the probe or the person who can tell."""
    branches: list[Branch]


class Tree(Record, frozen=True, kw_only=True):
    """A decision tree: asks facts, branches, ends in causes."""

    id: str
    title: Text
    about: Text
    enter: Test
    """The tree is walked when this is true."""
    start: str
    nodes: dict[str, Node]
    doctor: bool = False
    """Also walked by `triage doctor`, where no log was given."""


class Reason(Record, frozen=True, kw_only=True):
    """Why a check's sentence is false on this machine: what then differs from the check's own words."""

    when: Test
    cause: str | None = None
    level: Literal["bad", "doubtful"] | None = None


class MachineCheck(Record, frozen=True, kw_only=True):
    """One thing that `triage doctor` looks at: a sentence that should be true of a machine."""

    id: str
    says: Text
    """The sentence, e.g. "the driver is new enough for this torch"."""
    probes: list[str]
    """Probes whose facts it needs."""
    applies: Test | None = None
    """Absent: always. While it is false or unknown, the check is not applicable."""
    good: Test
    level: Literal["bad", "doubtful"] = "bad"
    """What it means if `good` is false."""
    cause: str | None = None
    """Cause to name then, with its recipes."""
    reasons: list[Reason] = []
    """Tried in order if `good` is false: the first whose test holds says which cause and level instead."""
    shows: Text | None = None
    """Template: the values at hand."""
    areas: list[str] = []
    """Names for `--for`, e.g. `torch`, `vllm`, `ascend`; without any it always counts."""
    deep: bool = False
    """Needs facts that only deep probes report."""


class CheckFile(Record, frozen=True, kw_only=True):
    """One file of `knowledge_base/checks/`."""

    family: str
    checks: list[MachineCheck]


class Derive(Record, frozen=True, kw_only=True):
    """How a fact follows from another one: by a table (`lookup`, `column`), or by a `pattern` searched in its text,
    whose groups fill `value` (`\\1.\\2`)."""

    of: str
    lookup: str = ""
    column: str = ""
    pattern: str | None = None
    value: str | None = None


class Fact(Record, frozen=True, kw_only=True):
    """A name of the facts vocabulary; `*` stands for one part of a name (`gpu.*.name`, `env.*`)."""

    name: str
    type: FactType
    label: Text
    """What a person calls it: "NVIDIA driver version"."""
    probe: str | None = None
    """Probe that reports it."""
    ask: Text | None = None
    """Question for a person, where a person can answer."""
    how: str | None = None
    """Command that a person can run to find out."""
    derive: list[Derive] = []
    """Tried in order while the fact is unknown."""
    cost: Literal[1, 2, 3] = 1
    """What an answer costs: 1 a look, 2 a command, 3 a re-run of the job."""


class FactFile(Record, frozen=True, kw_only=True):
    """`knowledge_base/facts/`."""

    facts: list[Fact]


class Source(Record, frozen=True, kw_only=True):
    """Where rows of a table come from."""

    id: str
    what: str
    url: str | None = None
    as_of: str | None = None


Cell = str | int | float | bool | list[str | int] | None


class Table(Record, frozen=True, kw_only=True, rename={"for_": "for"}):
    """One file of `knowledge_base/tables/`: rows found by the value of their key column."""

    table: str
    about: Text
    key: str
    match: Literal["exact", "minor", "major", "patch", "ignore_case", "range", "product"] = "exact"
    """How a value finds its row: the whole text, version to its second, first or third part, text without case, or
    for `range` the last row whose key is a version not above the value, for `product` the longest key that the value
    begins with (without case and a leading maker's name)."""
    also: list[str] = []
    """Further columns whose values name a row, where no key does: an error's name and text beside its number."""
    for_: list[Literal["explain"]] = []
    """`explain`: read by people through `triage explain` only, so no record need look anything up in it."""
    columns: dict[str, Text]
    texts: list[str] = []
    """Columns written in words for people; what stands there has its Chinese in `zh`."""
    zh: dict[str, str] = {}
    """The Chinese of each cell of the columns in `texts` by its English: what stands in many rows is given once."""
    sources: list[Source]
    rows: list[dict[str, Cell]]
    """Each row has the key, values, and `src`: the id of its source."""


class Disable(Record, frozen=True, kw_only=True):
    """Ids of records of the layers below that a pack switches off."""

    rules: list[str] = []
    causes: list[str] = []
    trees: list[str] = []
    checks: list[str] = []


class Pack(Record, frozen=True, kw_only=True):
    """`pack.yaml` of a private layer: what it is, what it needs, what it switches off."""

    name: str
    version: str
    requires: str = ""
    """Versions of triage that it works with, e.g. `>=0.1,<2`; empty: any."""
    about: Text = ""
    disable: Disable = Disable()
