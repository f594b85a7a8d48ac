"""Small knowledge bases made in tests."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from triage.diagnosis import Case, Options, open_case
from triage.knowledge.base import Knowledge
from triage.knowledge.load import load_base
from triage.knowledge.roots import overlay_root
from triage.knowledge.store import compile_base
from triage.log.source import source_from_text
from triage.reason.book import FactValue

FACTS = """
facts:
  - {name: drv.version, type: version, label: driver version, probe: nvidia, ask: Which driver?, how: nvidia-smi}
  - {name: cuda.wanted, type: version, label: CUDA version wanted}
  - {name: box, type: string, label: kind of container}
  - {name: gpu.*.name, type: string, label: GPU name}
  - {name: gpu.*.cc, type: version, label: compute capability, derive: [{lookup: cards, column: cc, of: gpu.*.name}]}
  - {name: pkg.*, type: version, label: installed version}
  - {name: short, type: version, label: short, derive: [{of: cuda.wanted, pattern: '^(\\d+)', value: 'v\\1'}]}
  - {name: log.success, type: bool, label: success}
  - {name: error.*, type: string, label: error}
  - {name: log.*, type: string, label: log}
  - {name: process.*, type: string, label: process}
"""

TABLES = """
table: cards
about: cards
key: name
match: ignore_case
columns: {name: card, cc: capability}
sources: [{id: s1, what: test}]
rows:
  - {name: Card One, cc: '7.5', src: s1}
  - {name: Card Two, cc: '12.0', src: s1}
"""


class Kit:
    """Writes knowledge files and diagnoses with them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("facts/all.yaml", FACTS)
        self.write("tables/cards.yaml", TABLES)

    def write(self, name: str, text: str) -> None:
        path = self.folder / ("knowledge_base" if not name.startswith("rules/") else ".") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")

    def rules(self, *rules: str) -> None:
        """Each rule as `id | pattern | extra YAML keys`."""
        out = ["family: t", "rules:"]
        for rule in rules:
            name, pattern, extra = [*rule.split(" | "), ""][:3]
            out.append(f"  - {{id: {name}, says: s, pattern: '{pattern}', source: s, samples: [], near_misses: [] {extra and ', ' + extra}}}")
        self.write("rules/t.yaml", "\n".join(out) + "\n")

    def causes(self, text: str) -> None:
        self.write("causes/t.yaml", "family: t\ncauses:\n" + textwrap.indent(textwrap.dedent(text), "  "))

    @property
    def knowledge(self) -> Knowledge:
        return Knowledge(compile_base(load_base([overlay_root(self.folder)])))

    def case(self, log: str, facts: dict[str, FactValue] | None = None) -> Case:
        return open_case(source_from_text(log), self.knowledge, facts or {}, "file", Options())

    def ids(self, log: str, facts: dict[str, FactValue] | None = None) -> list[str]:
        return [h.id for h in self.case(log, facts).report().hypotheses]


CAUSE = """- id: {id}
  title: title of {id}
  explanation: why
  seen_as: [{seen}]
  {extra}
  recipes: [{{title: fix, risk: none, steps: [{{text: do it}}], check: {{text: look}}}}]
"""


def cause(name: str, seen: str, extra: str = "") -> str:
    """Return the YAML of a cause."""
    return CAUSE.format(id=name, seen=seen, extra=extra or "status: test")


@pytest.fixture(scope="session")
def real_knowledge() -> Knowledge:
    """The shipped knowledge base."""
    return Knowledge.load()


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return Kit(tmp_path)


@pytest.fixture
def make_cause() -> Callable[..., str]:
    return cause
