"""Which files of a folder are logs, in which order, and what a torchrun log tree says about them."""

from __future__ import annotations

import os

from triage.errors import TriageError
from triage.lazy import lazy_pattern

MAX_FILES = 4096
"""More files than this in one folder tree are not read: it is not a folder of logs."""

_LOG_NAME = lazy_pattern(
    r"(?i)(?:\.(?:log|logs|out|err|txt|stdout|stderr|jsonl|ndjson)(?:[.-]?\d{1,10})?|(?:^|[._-])(?:log|stdout|stderr|dmesg)"
    r"(?:[._-][\w.-]{0,40})?|^(?:messages|syslog|kern|journal|slurm)[\w.-]{0,60})(?:\.(?:gz|bz2|xz|zst))?$"
)
_NEVER = lazy_pattern(
    r"(?i)\.(?:py|pyc|ipynb|pt|pth|bin|safetensors|ckpt|so|a|o|npz|npy|pkl|pickle|onnx|engine|plan|whl|tar|tgz|zip|png|jpe?g"
    r"|gif|pdf|mp4|wav|html?|css|js|ya?ml|toml|ini|cfg|csv|tsv|parquet|arrow|md|rst|sh|c|cc|cpp|cu|h|hpp|tfevents.*|pb|db)$"
)
_DIGITS = lazy_pattern(r"(\d+)")
_TORCHRUN = lazy_pattern(r"(?:^|[/\\])attempt_(\d+)[/\\](\d+)[/\\](?:stdout\.log|stderr\.log|error\.json)$")
_WORKER_FILE = lazy_pattern(r"(?i)(?:^|[/\\])(?:(worker|rank|node)[_-]?(\d+)|log_(\d+))\.(?:log|out|err|txt)$")


def natural_key(path: str) -> list[tuple[int, int, str]]:
    """Sort key in which `rank2` comes before `rank10`."""
    return [(0, int(part), "") if part.isdigit() and len(part) < 19 else (1, 0, part) for part in _DIGITS.split(path)]


def find_logs(folder: str) -> list[str]:
    """Return the paths of the log-like files below a folder, in natural order; hidden files and folders are left out.

    Raises TriageError when there are none, or when the folder holds more files than a folder of logs would.
    """
    found: list[str] = []
    seen = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in names:
            seen += 1
            path = os.path.join(parent, name)
            if name.startswith(".") or not os.path.isfile(path):
                continue
            if name == "error.json" or (_LOG_NAME.search(name) and not _NEVER.search(name)):
                found.append(path)
        if seen > 50 * MAX_FILES or len(found) > MAX_FILES:
            raise TriageError(f"{folder} holds more than {MAX_FILES} logs; give the ones to read")
    if not found:
        raise TriageError(f"{folder} holds no log (looked for .log .out .err .txt .jsonl, plain or compressed)")
    return sorted(found, key=natural_key)


def stream_of_path(path: str) -> str:
    """Name the stream that a path tells: `rank3` in torchrun's tree, `worker3` for `worker_3.log`; else nothing."""
    match = _TORCHRUN.search(path) if "attempt_" in path else None
    if match:
        return f"rank{match.group(2)}"
    lowered = path.lower()
    match = _WORKER_FILE.search(path) if any(cue in lowered for cue in ("worker", "rank", "node", "log_")) else None
    if match:
        return f"{(match.group(1) or 'rank').lower()}{match.group(2) or match.group(3)}"
    return ""


def error_json_text(data: bytes) -> str | None:
    """Return the traceback text that torchrun's error.json carries, or None when it is no such file.

    Format: torch/distributed/elastic/multiprocessing/errors/error_handler.py, `{"message": {"message": ...,
    "extraInfo": {"py_callstack": ..., "timestamp": ...}}}` or `{"message": "..."}`.
    """
    import json

    try:
        message = json.loads(data)["message"]
        if isinstance(message, dict):
            stack = message.get("extraInfo", {}).get("py_callstack")
            message = stack if isinstance(stack, str) and stack.strip() else message.get("message")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return message if isinstance(message, str) else None
