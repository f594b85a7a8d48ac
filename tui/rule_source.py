"""Rules as they stand in their files: the compiled knowledge leaves samples out."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from triage.errors import TriageError
from triage.knowledge.base import Knowledge
from triage.knowledge.convert import convert_document
from triage.knowledge.document import read_document
from triage.knowledge.model import Rule, RuleFile
from triage.knowledge.roots import data_folder


def whole_rule(knowledge: Knowledge, name: str) -> Rule | None:
    """Return a rule with its samples from the file it comes from; None if that cannot be read."""
    file = knowledge.origin("rule", name).rsplit(":", 2)[0]
    for path in (Path(file), data_folder("rules").parent / file, data_folder("rules") / Path(file).name):
        if path.is_file():
            return next((rule for rule in _read_rules(path) if rule.id == name), None)
    return None


@lru_cache(maxsize=8)
def _read_rules(path: Path) -> tuple[Rule, ...]:
    try:
        return tuple(convert_document(read_document(path), RuleFile).rules)
    except (TriageError, OSError):
        return ()
