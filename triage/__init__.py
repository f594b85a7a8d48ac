"""triage: why an AI program failed, and how to fix it on this machine.

import triage
report = triage.diagnose("error.log")
print(report.hypotheses[0].id, report.hypotheses[0].fix[0].title)
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from triage.errors import TriageError
from triage.version import VERSION as __version__

if TYPE_CHECKING:
    from pathlib import Path

    from triage.knowledge.model import Cause
    from triage.reason.book import FactValue
    from triage.result import Report

_LIKE_A_FILE = re.compile(r"[\w./\\~:-]+\.(?:log|out|err|txt|jsonl?|gz|bz2|xz|zst)")
"""One word with the ending of a log's name: nobody means it as the text of a log."""

__all__ = ["TriageError", "__version__", "diagnose", "explain"]


def diagnose(
    log: str | bytes | Path,
    facts: Mapping[str, FactValue] | None = None,
    *,
    top: int = 5,
    rules: Path | str | None = None,
    language: str = "en",
) -> Report:
    """Diagnose a log.

    Args:
        log: the text itself, or a file or folder. A `str` without a line break that names an existing file is taken
            as that file; one that can only be the name of a file that is not there is an error.
        facts: what is known of the machine, by fact name, e.g. `{"torch.version": "2.4.1+cu121"}`; None as a value
            means known to be absent.
        top: hypotheses to report at most.
        rules: a folder with private rules, laid over the shipped ones.
        language: `en`, `zh` or `both`, for texts of the knowledge base.

    Returns:
        The report, the same that the command line prints. Nothing is probed.

    Raises:
        TriageError: the file cannot be read, or a rule file is faulty.
    """
    from pathlib import Path

    from triage.diagnosis import Options, open_case
    from triage.knowledge.base import Knowledge
    from triage.log.source import open_source, source_from_text

    knowledge = Knowledge.load([Path(rules)] if rules is not None else [])
    if isinstance(log, Path) or (isinstance(log, str) and _names_file(log)):
        source = open_source([str(log)], None)
    else:
        source = source_from_text(log)
    with source:
        return open_case(source, knowledge, facts, "person", Options(top, language)).report()


def explain(cause: str) -> Cause:
    """Return the knowledge base's record of a cause; raises TriageError for an unknown id."""
    from triage.knowledge.base import Knowledge

    return Knowledge.load().page(cause)


def _names_file(text: str) -> bool:
    if "\n" in text or not text or len(text) > 4096:
        return False
    return os.path.exists(text) or _LIKE_A_FILE.fullmatch(text) is not None
