"""Log records written as JSON, one object a line: what they say, as the lines their program would have printed."""

from __future__ import annotations

from typing import Any

import msgspec

from triage.log.prefixes import LEVELS

JSON_LIMIT = 1 << 20
"""Characters of a JSON line that are decoded; a longer one is left as it is."""

_MESSAGE_KEYS = ("log", "message", "msg", "event", "text", "textPayload", "MESSAGE", "short_message")
_TRACE_KEYS = (
    "exc_info", "exception", "exc_text", "traceback", "stack_trace", "stacktrace", "stack", "exception.stacktrace",
    "error.stack_trace", "full_message",
)  # fmt: skip
_LEVEL_KEYS = ("level", "levelname", "severity", "log_level", "lvl", "log.level", "loglevel", "PRIORITY")
_TIME_KEYS = ("time", "timestamp", "ts", "@timestamp", "asctime", "datetime", "date", "__REALTIME_TIMESTAMP")
_STREAM_KEYS = ("pod", "pod_name", "container_name", "rank", "hostname", "host", "node", "worker", "_HOSTNAME")
_PRIORITIES = {  # syslog's, as journalctl -o json prints them
    "0": "FATAL", "1": "FATAL", "2": "FATAL", "3": "ERROR", "4": "WARNING", "5": "INFO", "6": "INFO", "7": "DEBUG",
}  # fmt: skip


class Record(msgspec.Struct, frozen=True):
    """One JSON log record."""

    text: str
    """Message, then the traceback if there is one; may hold line ends."""
    level: str
    time: str
    stream: str


def read_record(line: str) -> Record | None:
    """Read a line as a JSON log record; None when it is none (metrics and server answers are not). Never raises."""
    if len(line) > JSON_LIMIT:
        return None
    import json  # few logs hold records

    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    inner = value.get("record")
    if isinstance(inner, dict) and isinstance(value.get("text"), str):
        return _loguru(value["text"], inner)
    nested = next((value[key] for key in ("fields", "jsonPayload") if isinstance(value.get(key), dict)), None)
    if nested is not None:  # tracing, Google Cloud
        value = {**nested, **value}
    key = next((key for key in _MESSAGE_KEYS if isinstance(value.get(key), str)), "")
    error = value.get("error")
    traces = [value[key] for key in _TRACE_KEYS if isinstance(value.get(key), str)]
    if isinstance(error, dict):
        traces += [error[key] for key in ("stack_trace", "stack") if isinstance(error.get(key), str)]
    if not key and not traces:
        return None
    level, time = _first(value, _LEVEL_KEYS), _first(value, _TIME_KEYS)
    if key in ("text", "event", "message") and not (level or time or traces) and len(value) > 1:
        return None
    text = value[key] if key else ""
    for trace in traces:
        if trace.strip() and trace.strip() not in text:
            text = f"{text.rstrip()}\n{trace}" if text else trace
    if isinstance(error, str) and error and error not in text:
        text = f"{text.rstrip()}\n{error}" if text else error
    return Record(text, _level(level), time, _stream(value))


def _loguru(text: str, record: dict[str, Any]) -> Record:
    level, time = record.get("level"), record.get("time")
    name = level.get("name") if isinstance(level, dict) else level
    stamp = time.get("repr") if isinstance(time, dict) else time
    message = record.get("message")
    # `text` repeats the header before the message, and carries the formatted traceback after it
    if isinstance(message, str) and message and message in text:
        text = text[text.index(message) :]
    return Record(text, _level(str(name or "")), str(stamp or ""), "")


def _first(value: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next((str(value[key]) for key in keys if isinstance(value.get(key), str | int | float)), "")


def _level(name: str) -> str:
    number = _PRIORITIES.get(name)
    if number:
        return number
    if name.isdigit():  # bunyan, pino, Python's levelno
        return "FATAL" if int(name) >= 60 else "ERROR" if int(name) >= 40 else "WARNING" if int(name) >= 30 else "INFO"
    return LEVELS.get(name.upper(), "")


def _stream(value: dict[str, Any]) -> str:
    kubernetes = value.get("kubernetes")
    if isinstance(kubernetes, dict):
        return _first(kubernetes, ("pod_name", "container_name"))
    for key in _STREAM_KEYS:
        if isinstance(value.get(key), str | int) and not isinstance(value[key], bool):
            return f"{key}{value[key]}" if key in ("rank", "worker") and str(value[key]).isdigit() else str(value[key])
    return ""
