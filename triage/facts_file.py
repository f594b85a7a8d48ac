"""Facts saved in a file: one flat JSON object of names and values."""

from __future__ import annotations

import json
from pathlib import Path

from triage.errors import TriageError
from triage.reason.book import FactValue

MAX_BYTES = 8 * 1024 * 1024


def load_facts(path: Path) -> dict[str, FactValue]:
    """Read a facts file; raises TriageError if it is missing, no JSON, or no flat object of facts."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise TriageError(f"the facts file {path} is larger than {MAX_BYTES // 2**20} MiB")
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise TriageError(f"cannot read the facts file {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise TriageError(f"the facts file {path} is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise TriageError(f"the facts file {path} must hold one JSON object of names and values")
    for name, value in data.items():
        items = value if isinstance(value, list) else [value]
        if not all(item is None or isinstance(item, (str, int, float, bool)) for item in items):
            raise TriageError(
                f"the facts file {path}: {name} must be a text, a number, true, false, null or a list of these"
            )
    return data
