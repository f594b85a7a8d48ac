"""When triage itself fails: a redacted report file, and one sentence."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback

from triage.redact import redact
from triage.version import VERSION


def write_crash_report(error: BaseException) -> str:
    """Write the traceback to a file in the temporary folder; return the sentence that tells the user."""
    text = "".join(traceback.format_exception(error))
    head = f"triage {VERSION}, Python {platform.python_version()}, {platform.platform()}\n\n"
    what = f"triage: a fault in triage itself ({type(error).__name__})"
    try:
        handle, name = tempfile.mkstemp(prefix="triage-crash-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(redact(head + text, home=True))
    except OSError:
        return f"{what}; its report could not be written"
    return f"{what}; please send {name} with your report (secrets are masked, no log text is in it)"
