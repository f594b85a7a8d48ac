"""Which line names an exception, and where its message ends."""

from __future__ import annotations

import re

from triage.lazy import lazy_pattern

_NAME = r"(?:[A-Za-z_]\w{0,80}(?:\.(?:<locals>\.)?|::)){0,12}"
_TAIL = r"(?P<of>\([\w.]{1,100}\))?(?::(?: (?P<message>.*))?|\s*)$"
AFTER_FRAMES = lazy_pattern(rf"\s*(?P<type>{_NAME}[A-Za-z_]\w{{0,100}}){_TAIL}", re.S)
"""What stands under the last frame: any name may be an exception there."""

ALONE = lazy_pattern(
    r"\s{0,12}(?P<type>"
    rf"{_NAME}_?[A-Z]\w{{0,100}}?(?:Error|Exception|Unsupported|OutOfResources|TimeoutExpired)(?!\w)"
    r"|KeyboardInterrupt|SystemExit|StopIteration|Exception(?=: )"
    r"|(?:[A-Za-z_]\w{0,80}(?:\.|::)){1,12}(?:Error|Exception)(?!\w)"
    r"|(?:[a-z_]\w{0,80}\.){0,8}(?:exc|errors|exceptions)\.[A-Z]\w{0,100}"
    r")(?P<of>\([\w.]{1,100}\))?(?::(?: (?P<message>.*))?|\s*)$",
    re.S,
)
"""An exception line that needs no frames above it to be recognised."""

_INLINE = lazy_pattern(
    r"(?:^|[\s:(=\[>-])(?P<type>(?:[a-z_]\w{0,80}\.){0,8}[A-Z]\w{0,100}(?:Error|Exception))"
    r"(?:: (?P<message>\S.*)|\((?P<quoted>[\"'].*)\))", re.S,
)  # fmt: skip
_NOT_A_TYPE = frozenset(
    """Killed Aborted Terminated Done True False None Epoch Step Total Loading Failures Time Warning Note Traceback INFO
    DEBUG WARNING ERROR FATAL CRITICAL HINT Hint Usage Process Rank Iteration Train Validation Test""".split()  # noqa: SIM905
)
_NO_SUFFIX = frozenset(("py", "cc", "cpp", "cu", "h", "so", "sh", "json", "yaml", "log", "txt", "com", "org", "io"))
_LOWER_TYPE = frozenset(("error", "timeout", "herror", "gaierror"))  # struct.error, socket.timeout
_STRONG = lazy_pattern(r"Error|Exception|Interrupt|Exit|Warning|Unsupported|Timeout|Failure|Fault|Stop|OutOf")

NEW_RECORD = lazy_pattern(
    r"\s*(?:\d{1,3}%\|)|[$#>] |PS [A-Z]:\\|[A-Za-z]:\\[^>]{0,200}>"
    r"|(?:\([\w.-]{1,40}\) )?[\w.-]{1,40}@[\w.-]{1,60}[:~ ][^$#]{0,200}[$#] "
    r"|\[?(?:(?:global )?(?:step|epoch|iter(?:ation)?|batch))\b[\s:=\[(]{0,12}\d"
    r"|.{0,80}\d{1,3}%\|.{0,60}\||\{'(?:loss|eval_loss|train_)"
    r"|Process \S{1,80}:$|Exception (?:in thread|ignored in)|Exception raised from |frame #\d|terminate called"
    r"|(?:srun|slurmstepd[\w.-]{0,60}|mpirun|make(?:\[\d+\])?|bash|sh|/bin/sh|kernel|torchrun): |\"{3}$"
    r"|C\+\+ Traceback|Fatal Python error|\*\*\* (?:SIG|Aborted|Process received)|Segmentation fault|Aborted|Killed$"
    r"|During handling of the above|The above exception was|The stack trace below excludes"
    r"|\[end of output\]|note: This error originates",
    re.I,
)
"""A line that is no part of the message of the exception above it."""

AFTER_BLANK = lazy_pattern(
    r"\s*(?:from user code|Set TORCH|You can suppress|Compile with|For debugging|CUDA kernel|HIP kernel|Last error"
    r"|Detected at|Node:|Stack trace|Function call stack|The Triton|Inner Message|Type Join|The function call stack"
    r"|-- Process|Original |Please |Note |If you |To |Try |See |Possible |IMPORTANT|Developer note|Explanation|Hint"
    r"|Reproducer|While executing|Traceback of|Hydra|Call using|Arguments:|Additional|Root [Cc]ause|Log file|Error in"
    r"|ptxas|The reason|Reason|Check |- [A-Z\"`]|\(\d\) |\d\. |# \d|[*•] |-{4,}$|\* )"
)
"""What may go on with a message after an empty line."""

ADVICE = lazy_pattern(
    r"\s*(?:(?:CUDA|HIP|NPU) kernel errors might be|For debugging consider passing|Compile with `TORCH_USE_"
    r"|Set TORCHDYNAMO_VERBOSE|Set TORCH_LOGS|You can suppress this exception|Set the environment variable HYDRA_FULL"
    r"|For simplicity, JAX has removed|For even more developer context|If reserved but unallocated"
    r"|Device-side assertion tracking was not enabled)"
)
"""Advice that a framework appends to any message; it says nothing about this failure."""


def match_exception(text: str) -> tuple[str, str] | None:
    """Read a line that stands under frames as (type, message); None when it is no exception line."""
    match = AFTER_FRAMES.match(text)
    if match is None:
        return None
    kind = match["type"]
    last = kind.replace(":", ".").rsplit(".", 1)[-1]
    if last in _NOT_A_TYPE or last in _NO_SUFFIX or (kind == "Error" and match["message"] is None):
        return None
    by_name = _STRONG.search(last) or (any(char.isupper() for char in last) and not kind.isupper())
    if not by_name and ("." not in kind or (match["message"] is None and last not in _LOWER_TYPE)):
        return None
    return kind + (match["of"] or ""), match["message"] or ""


def is_certain(kind: str) -> bool:
    """Whether a type's name alone says that it is an exception."""
    return _STRONG.search(kind) is not None or "." in kind


def match_lone_exception(text: str) -> tuple[str, str] | None:
    """Read a line as (type, message) when it looks like an exception even without frames; never a warning."""
    match = ALONE.match(text)
    return (match["type"] + (match["of"] or ""), match["message"] or "") if match else None


def match_inline_exception(text: str) -> tuple[str, str] | None:
    """Find `Type: message` or `Type('message')` within a line that a logger marked as an error."""
    match = _INLINE.search(text)
    if match is None:
        return None
    message = match["message"] or match["quoted"].rstrip().rstrip(",")
    return match["type"], message.strip("\"'") if match["message"] is None else message
