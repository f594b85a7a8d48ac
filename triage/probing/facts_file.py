"""Facts files: one flat JSON object, fact names to values, that another machine's facts travel in."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

from triage.errors import TriageError
from triage.probing.probe_run import is_fact_value
from triage.reason.book import FactValue
from triage.redact import redact_value

SIZE_LIMIT = 16 << 20
"""Bytes that a facts file may have."""


def save_facts(facts: Mapping[str, FactValue], path: str | Path) -> None:
    """Write facts as UTF-8 JSON, sorted, secrets and the names in home paths masked.

    Raises:
        TriageError: when the file cannot be written.
    """
    text = json.dumps(redact_value(dict(facts), home=True), indent=1, sort_keys=True, ensure_ascii=False)
    try:
        Path(path).write_text(text.encode("utf-8", "replace").decode() + "\n", encoding="utf-8")
    except OSError as error:
        raise TriageError(f"The facts cannot be written to {path}: {(error.strerror or str(error)).lower()}.") from None


def load_facts(path: str | Path) -> dict[str, FactValue]:
    """Read a facts file; `null` = known to be absent.

    Returns:
        Fact names to values, in the order of the file.

    Raises:
        TriageError: when the file is missing, too large, no JSON, or no flat object of names and values; the sentence
            says which, and the place where JSON breaks off is `file:line:column`.
    """
    try:
        data = Path(path).read_bytes()[: SIZE_LIMIT + 1]
    except OSError as error:
        raise TriageError(f"The facts file {path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    if len(data) > SIZE_LIMIT:
        raise TriageError(f"The facts file {path} is larger than {SIZE_LIMIT >> 20} MiB; it is no facts file.")
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise TriageError(f"The facts file {path} is not UTF-8 text; save facts with `triage probe --save`.") from None
    except json.JSONDecodeError as error:
        place = f"{path}:{error.lineno}:{error.colno}"
        raise TriageError(f"This is not JSON ({error.msg.lower()}); a facts file is one object.", place) from None
    except RecursionError:
        raise TriageError(f"The facts file {path} is nested too deep; it is a flat object of facts.") from None
    if not isinstance(content, dict):
        raise TriageError(f"The facts file {path} is not a JSON object of fact names and values.")
    for name, value in content.items():
        finite = not isinstance(value, float) or math.isfinite(value)
        if not name or not is_fact_value(value) or not finite:
            kinds = "text, number, truth value, null or list"
            raise TriageError(f"The facts file {path} gives {name!r} a value that is no {kinds}.")
    return content
