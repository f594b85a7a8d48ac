"""What stands before the message of a log line: who printed it, when, and how serious it was meant.

Each form is one compiled pattern, filed under the characters it can begin with. Named groups: `s` stream, `s2` a second
part of it, `lv` level, `t` time stamp. The forms are those that the programs print by default; where a form is not
obvious, a comment names the program.
"""

from __future__ import annotations

import re

import msgspec

from triage.lazy import lazy_pattern

LEVELS = {
    "TRACE": "DEBUG", "DEBUG": "DEBUG", "VERBOSE": "DEBUG", "V": "DEBUG", "D": "DEBUG", "DBG": "DEBUG", "EVENT": "INFO",
    "INFO": "INFO", "NOTICE": "INFO", "NOTE": "INFO", "SUCCESS": "INFO", "I": "INFO", "INF": "INFO", "SPAM": "DEBUG",
    "WARNING": "WARNING", "WARN": "WARNING", "W": "WARNING", "WRN": "WARNING",
    "ERROR": "ERROR", "ERR": "ERROR", "E": "ERROR", "SEVERE": "ERROR", "EXCEPTION": "ERROR",
    "FATAL": "FATAL", "CRITICAL": "FATAL", "F": "FATAL", "C": "FATAL", "CRIT": "FATAL", "PANIC": "FATAL",
    "ALERT": "FATAL", "EMERG": "FATAL",
    "调试": "DEBUG", "信息": "INFO", "提示": "INFO", "警告": "WARNING", "错误": "ERROR", "致命": "FATAL",
}  # fmt: skip
"""Level as printed (upper case) to one of DEBUG, INFO, WARNING, ERROR, FATAL."""

HEADER_LIMIT = 16 << 10
"""Characters of a line within which prefixes are looked for."""

_LV = r"(?P<lv>TRACE|DEBUG|VERBOSE|INFO|NOTICE|SUCCESS|WARNING|WARN|ERROR|ERR|SEVERE|CRITICAL|FATAL|EVENT)"
_ANY_LEVEL = lazy_pattern(_LV)
_ANY_CLOCK = lazy_pattern(r"\d\d:\d\d:", re.ASCII)
_NO_LV = _LV.replace("?P<lv>", "?:")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DAY = "Mon|Tue|Wed|Thu|Fri|Sat|Sun"
_CLOCK = r"\d\d:\d\d:\d\d(?:[.,:]\d{1,9})?"
_SYSLOG = (  # syslog; journalctl -o short-precise; -o short-full
    rf"(?:{_MONTH} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|(?:{_DAY}) \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [A-Z]{{2,5}})"
)
_DATE = r"(?:\d{4}[-/]\d\d[-/]\d\d|\d\d/\d\d/\d{4}|\d\d/\d\d/\d\d|\d\d[-/]\d\d)"
_STAMP = rf"(?P<t>\d{{4}}[-/]\d\d[-/]\d\d[T -]{_CLOCK}(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)"
_ANY_STAMP = rf"(?P<t>{_DATE}[T -]{_CLOCK}(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?|\d\d:\d\d:\d\d(?:[.,-]\d{{1,9}})?)"


class Form(msgspec.Struct, frozen=True):
    """One kind of prefix."""

    pattern: re.Pattern[str]
    kernel: bool = False
    after_time: bool = False
    """Only tried right after a time stamp."""
    cue: str = ""
    """What the line must hold."""
    leveled: bool = False
    """Whether the line must hold a level."""
    clocked: bool = False
    """Whether the line must hold a time of day."""


class Peeled(msgspec.Struct, frozen=True):
    """The outcome of taking prefixes off one line."""

    end: int
    """Where the message begins in the line."""
    stream: str
    level: str
    time: str
    kernel: bool


def _form(pattern: str, cue: str = "", kernel: bool = False, after_time: bool = False) -> Form:
    leveled, clocked = _LV in pattern, r"\d\d:\d\d:" in pattern
    return Form(lazy_pattern(pattern, re.ASCII), kernel, after_time, cue, leveled, clocked)


_BRACKETED = (
    _form(r"\[(?P<s>(?:rank|RANK)\d{1,6})\]:? ?"),  # torch's excepthook
    _form(r"\[(?P<s>default\d{1,6})\]:(?: (?=(?:  )*\S))?", "[default"),  # torchrun --tee
    _form(
        r"\[(?:[\w.@-]{1,99}@)?(?P<s>\d{1,6},[\w:,.-]{1,60})\]<(?:stderr|stdout|stddiag)>:(?: (?=(?:  )*\S))?", "]<std"
    ),  # mpirun
    _form(r"\[(?P<s>(?:Stage|stage|Worker|worker|node|Node|host|gpu|GPU|npu|NPU|pod|TP|PP|DP)[-_ =]?\d{1,6})\]:? "),
    _form(rf"\[{_STAMP}\]\[[\w.<>-]{{1,120}}\]\[{_LV} *\](?: - )?"),  # hydra
    _form(rf"\[{_STAMP}(?: (?P<s>(?:(?:TP|DP|PP|EP|CP)\d+ ?){{1,6}}))?\] ?"),  # sglang; DeepSpeed without its rank
    _form(rf"\[{_STAMP} +{_LV} +[^\]]{{0,160}}\] "),  # env_logger
    _form(r"\[(?P<t>\d\d/\d\d/\d{4}-\d\d:\d\d:\d\d)\] "),  # TensorRT
    _form(r"\[(?P<lv>错误|警告|信息|提示|调试|致命)\] ?"),
    _form(r"(?:\[TRT\] )?\[(?P<lv>[EWIVF])\] (?:\[TRT\] )?"),
    _form(rf"\[TensorRT(?:-LLM)?\] ?\[?{_LV}[\]:] ?"),
    _form(rf"\[(?P<t>{_CLOCK})\] +{_LV} +"),  # rich.logging
    _form(rf"\[(?P<t>{_CLOCK})\] "),
    _form(rf"\[{_LV}\|[^\]|]{{1,160}}\] {_STAMP} >> "),  # transformers
    _form(  # CANN and MindSpore: [ERROR] RUNTIME(4127,ffff,python):2025-03-11-14:20:08.310.552 [file.cc:173] Register]
        rf"\[{_LV}\] ?[A-Za-z_]{{1,40}}\(\d+[^()]{{0,80}}\): ?(?P<t>\d{{4}}-\d\d-\d\d-{_CLOCK}(?:\.\d+)?) "
        r"(?:\[[\w./-]+:\d+\] ?(?:[\w~:<>]{1,120}\] ?)?)?"
    ),
    _form(rf"\[{_LV}\] (?P<t>\d{{4}}-\d\d-\d\d-\d\d:\d\d:\d\d) \(PID:\d+,[^()]{{0,80}}\) "),  # torch_npu
    _form(r"\[(?P<lv>[IWEFV])\d{3,8} (?P<t>\d\d:\d\d:\d\d(?:\.\d+)?) +(?:\d+ )?[^\]\s]+:\d+\] ?"),  # c10
    _form(rf"\[(?P<lv>[DIWECF]) {_ANY_STAMP}(?: [^\]\s]{{1,80}})?\] ?"),  # Optuna, Tornado, Jupyter
    _form(r"\[(?P<lv>[IWEF]) [\w./-]+\.(?:cpp|cc|h|cu|ts):\d+\] ?"),  # c10 before it printed a time
    _form(r"\[(?P<lv>[VIWEF]):onnxruntime:[^\]]{0,400}\] ?", ":onnxruntime:"),
    _form(r"\[ *(?P<t>\d{1,8}\.\d{3,6})\](?:\[ *[TC]\d+\])? ", kernel=True),  # dmesg
    _form(rf"\[(?P<t>(?:{_DAY}) {_MONTH} [ \d]\d \d\d:\d\d:\d\d \d{{4}})\] ", kernel=True),
    _form(
        r"\[(?P<t>\d{10}\.\d{6})\] +\[(?P<s>[\w.-]+:\d+) *:\d+\] +[\w.]+:\d+ +\w+ +(?P<lv>[A-Z]{4,7}) +", "] "
    ),  # UCX
    _form(  # Open MPI, UCX: [node-21:182998], not [core.py:396] and not [step:100]
        r"\[(?![^\]\s]{1,80}\.(?:py|cc|cpp|cu|c|h|hpp|go|rs|ts|java):\d)(?=[^\]:\s]{0,60}[\d.-]|localhost)"
        r"(?P<s>[A-Za-z][\w.-]{0,62}:\d{2,8})(?::\d+:\d+)?\] "
    ),
    _form(r"\[(?P<s>pod/[\w.-]+/[\w.-]+)\] ", "[pod/"),  # kubectl logs --prefix
    _form(rf"\[ *{_LV} *\] ?(?:\[[\w./-]+:\d+(?::[\w<>]+)?\] ?)?"),
    _form(r"\[[\w./-]+:\d+(?::[\w<>]+)?\] ?", after_time=True),
    _form(rf"\[(?:pid |PID[: ]|Thread-)?[\w-]{{1,40}} *\] (?={_NO_LV}|\[)", after_time=True),
    _form(rf"\[[^\]]{{1,60}}\] {_LV} (?:\[[^\]]{{1,80}}:\d+\]: ?)?", after_time=True),
)
_PARENTHESISED = (
    _form(r"\((?P<s>[^()\n]{1,80}? pid=\d+)(?:, (?P<s2>ip=[^()\s]{1,60}))?\) ?", " pid="),  # Ray, vLLM
    _form(r"\((?P<s>pid=\d+)(?:, (?P<s2>ip=[^()\s]{1,60}))?\) ?", "(pid="),
    _form(r"\((?P<s>raylet|gcs_server|autoscaler|scheduler)(?:, (?P<s2>ip=[^()\s]{1,60})| \+[\dhms]{1,20})?\) ?"),
)
_STAMPED = lazy_pattern(_ANY_STAMP, re.ASCII)
_BARE_CLOCK = lazy_pattern(rf" +(?={_NO_LV}\b|\[|\|)")
_AFTER_STAMP: dict[str, tuple[Form, ...]] = {  # by the two characters after the stamp, `a` for any lower-case letter
    ": ": (_form(r": (?P<lv>[IWEF]) [^\]\s]+:\d+\] ?"),),  # TensorFlow
    " -": (_form(rf"(?: - [\w.<>/-]{{1,120}})? - {_LV}(?: -(?: [\w.<>/-]{{1,120}} -)?)(?: |$)"),),
    " |": (
        _form(rf" \| {_LV} *\| [^|\n]{{0,160}}? - "),  # loguru
        _form(rf" \| {_LV} *\| (?:[^|\n]{{1,160}} \| )?"),
    ),
    " [": (  # TorchServe, and many others
        _form(rf" \[{_LV} *\] (?P<s>W-\d+-[\w.-]+?)(?:-std(?:out|err))? MODEL_LOG - "),
        _form(r" (?=\[)"),
    ),
    ", ": (_form(rf", ?\[?{_LV} *\]?:? ?"),),
    " A": (
        _form(rf" {_LV} +[\w./-]+:\d+ -- "),  # Ray
        _form(rf" {_LV}[: ] *\[?[\w./<>-]+:\d+\]:? "),
    ),
    "  ": (_form(rf" {{1,3}}(?={_NO_LV}\b)"),),  # tracing pads its levels on the left
    " a": (
        _form(r" (?:stdout|stderr) [FP] ", " std"),  # Kubernetes CRI
        _form(r" (?P<s>[\w.-]{1,64}) kernel: (?:\[ *\d+\.\d+\] ?)?", kernel=True),
        _form(r" (?P<s>[\w.-]{1,64}) (?P<s2>[\w./@-]{1,64}\[\d+\]): ?"),  # journalctl -o short-iso
        _form(rf" [\w./-]+:\d+ ?: {_LV} *: "),
        _form(rf" [\w./-]+:\d+: {_LV} "),  # Go slog
        _form(rf" [\w.]{{2,120}} \d+ {_LV} +"),  # xinference
        _form(rf" [\w.]{{2,120}}: \[?{_LV}\]?:? "),
    ),
}
_AFTER_DATE = _form(r"(?::| -(?= )|,)? ?")
_AFTER_ISO_DATE = _form(r":? ?")  # a collector's stamp: what follows is the line as it was, a dash included
_LETTER = (
    _form(rf"{_LV}[: ] *{_ANY_STAMP} \[?[\w./<>-]+:\d+\]:? ?"),  # vLLM; each line of a message has the header
    _form(rf"{_LV}[: ] *{_ANY_STAMP}[: ] ?[\w.<>-]+:\d+: ?"),
    _form(rf"{_LV}[: ] *{_STAMP} ?"),
    _form(rf"(?:LAUNCH|[A-Z]{{3,12}}) {_LV} {_STAMP} "),  # Paddle
    _form(rf"{_LV}:[\w.<>-]{{1,120}}(?: \[[^\]\n]{{1,60}}\])?:(?!/)"),  # logging.basicConfig
    _form(r"(?P<lv>[IWEF])\d{4,8} (?P<t>\d\d:\d\d:[\d.]{2,20}) +\d+ [^\]\s]{1,200}:\d+\] ?"),  # glog, absl, torch
    _form(r"(?P<lv>[IWEF]) (?=tensorflow/|external/)[^\]\s]{1,200}:\d+\] ?", "/"),
    _form(rf"(?P<t>{_SYSLOG}) (?P<s>[\w.-]{{1,64}}) kernel: (?:\[ *\d+\.\d+\] ?)?", kernel=True),
    _form(rf"(?P<t>{_SYSLOG}) (?P<s>[\w.-]{{1,64}}) (?P<s2>[\w./@-]{{1,64}}(?:\[\d+\])?): ?"),
    _form(r"kernel: (?:\[ *\d+\.\d+\] ?)?", "kernel: ", kernel=True),
    _form(r"(?=NVRM: )", "NVRM: ", kernel=True),
    _form(r"PyProcess (?P<s>W-\d+-\w+?)-std(?:out|err): ?", "PyProcess ", after_time=True),  # DJL Serving
    _form(
        r"(?P<s>[A-Za-z][\w.-]{0,62}:\d{1,8}):\d{1,8} \[\d{1,3}\] (?=(?:\S{1,80} )?NCCL (?P<lv>[A-Z]{4,7}) )", "NCCL "
    ),
    _form(
        r"time=\"?(?P<t>[\d:TZ.+-]{10,40})\"? level=(?P<lv>[A-Za-z]{3,8}) (?:source=\S{1,120} )?msg=\"?", " level="
    ),  # logfmt
    _form(r"(?P<s>[A-Za-z][\w.-]{0,62}[-_]\d{1,5}) +\| ", " | "),  # docker compose
    _form(rf"{_LV}:(?: +|$)"),
)
_BARE_LEVEL = lazy_pattern(rf"{_LV}( +)(?!ERROR\b|EXCEPTION\b|SUMMARY\b|MESSAGE\b|LOG\b|in \[|[=:|])", re.ASCII)
_OTHER = (
    _form(r"##\[(?P<lv>error|warning|debug)\]", "##["),  # GitHub Actions
    _form(r"::(?P<lv>error|warning|debug|notice)(?: [^:\n]{0,200})?::"),
)
_PYTEST = lazy_pattern(r"E {3}(?: {4}(?=\S))?")
"""pytest's mark of an error line: at the margin for collection errors, 4 further in for those in a function."""
_BOX_EDGE = lazy_pattern(r" *[│┃║](?: |$)")

_FORMS: dict[str, tuple[Form, ...]] = {}
for _char in map(chr, range(128)):
    if _char == "[":
        _FORMS[_char] = _BRACKETED
    elif _char == "(":
        _FORMS[_char] = _PARENTHESISED
    elif _char.isdigit():
        continue  # a digit begins a time stamp or nothing
    elif _char.isupper():
        _FORMS[_char] = _LETTER
    elif _char.islower():
        _FORMS[_char] = tuple(
            form for form in _LETTER if form.pattern.pattern.startswith(("kernel", "time", "(?P<s>[A-Za-z]"))
        )
    elif _char in "#:":
        _FORMS[_char] = _OTHER
del _char


def peel(text: str) -> Peeled:
    """Take all prefixes off a cleaned line, however they nest; never raises, looks at the first 16 KiB only."""
    pos = 0
    streams: list[str] = []
    level = time = ""
    kernel = False
    head = text if len(text) <= HEADER_LIMIT else text[:HEADER_LIMIT]
    for _ in range(10):
        first = head[pos : pos + 1]
        if "0" <= first <= "9":
            stamp = _STAMPED.match(head, pos)
            found = _after_stamp(head, stamp) if stamp else None
            if stamp is None or found is None:
                break
            time = time or stamp[1]
            form, match = found
        else:
            found = _first_match(_FORMS.get(first, ()), head, pos, bool(time or level))
            if found is None:
                bare = _BARE_LEVEL.match(head, pos) if "A" <= first <= "Z" else None
                if bare is None:
                    break
                level = LEVELS[bare[1]]
                pos = bare.start(2) + _padding(bare[1], len(bare[2]))
                continue
            form, match = found
        groups = match.groupdict()
        if groups.get("s"):
            name = groups["s"].strip()
            more = groups.get("s2")
            streams.append(name if not more else f"{name} {more}" if more.startswith("ip=") else f"{name}/{more}")
        if groups.get("lv"):
            level = LEVELS.get(groups["lv"].upper(), level)
        time = time or groups.get("t") or ""
        kernel = kernel or form.kernel
        if match.end() == pos:
            break
        pos = match.end()
    return Peeled(pos, "/".join(streams), level, time, kernel)


def _first_match(forms: tuple[Form, ...], head: str, pos: int, after_time: bool) -> tuple[Form, re.Match[str]] | None:
    level: bool | None = None  # whether there is one; unknown until a form asks
    clock: bool | None = None
    for form in forms:
        # cheap looks that rule most forms out, so that they are neither tried nor compiled
        if (form.after_time and not after_time) or form.cue not in head:
            continue
        if form.leveled:
            level = _ANY_LEVEL.search(head, pos) is not None if level is None else level
            if not level:
                continue
        if form.clocked:
            clock = _ANY_CLOCK.search(head, pos) is not None if clock is None else clock
            if not clock:
                continue
        match = form.pattern.match(head, pos)
        if match is not None:
            return form, match
    return None


def _after_stamp(head: str, stamp: re.Match[str]) -> tuple[Form, re.Match[str]] | None:
    """Match what follows a time stamp; a clock without a date is only a stamp when a header goes on after it."""
    end = stamp.end()
    key = head[end : end + 2]
    if len(key) == 2 and key[0] == " ":
        key = " A" if key[1].isupper() else " a" if key[1].isalnum() or key[1] == "_" else key
    elif key[:1] in ":,":
        key = f"{key[:1]} "
    found = _first_match(_AFTER_STAMP.get(key, ()), head, end, True)
    if found is None and key == " A":
        found = _first_match(_AFTER_STAMP[" a"], head, end, True)
    if found is not None:
        return found
    dated = stamp[1][4:5] in ("-", "/") or stamp[1][6:10].isdigit()
    form = _AFTER_ISO_DATE if stamp[1][10:11] == "T" else _AFTER_DATE
    match = form.pattern.match(head, end) if dated else _BARE_CLOCK.match(head, end)
    return (form, match) if match else None


def _padding(level: str, spaces: int) -> int:
    """How many of the spaces after a level are padding (to 5 or 8 columns), not indentation of the message."""
    narrow, wide = max(1, 6 - len(level)), max(1, 9 - len(level))
    if spaces in (wide, wide + 2, wide + 4):
        return wide
    return narrow if spaces >= narrow else spaces


def unbox(message: str) -> str:
    """Take off what frames a message: pytest's `E   `, or the edges of a box of line characters."""
    first = message[:1]
    if first == "E":
        match = _PYTEST.match(message)
        return message[match.end() :] if match else message
    if first in " │┃║" and message and not message.isascii():
        match = _BOX_EDGE.match(message)
        if match:
            return message[match.end() :].rstrip(" │┃║")
    return message
