"""Texts that a rule takes, made from its pattern: one for each alternative and each optional part, as short as can be.

They are recorded, so that a pattern that loses an alternative, or grows looser, is noticed even where no sample needs
it. In a recorded text `‹word›` may be any word, every other word must be this one; `^` before and `$` behind it say
that nothing may stand there. Texts that `unless` or a negative look-around rules out are recorded as well.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import regex

from triage.knowledge.model import Rule
from triage.match.observe import compile_pattern
from triage.match.skeleton import REPEATS

if sys.version_info >= (3, 11):
    from re import _constants as sre
    from re import _parser as sre_parse
else:
    import sre_constants as sre
    import sre_parse

MOST = 120
"""Texts of one rule."""
OTHER = "xyzzy"
"""A word that stands in no pattern."""
TIMEOUT = 0.05
_WORD = re.compile(r"[A-Za-z_]{3,}|[\u4e00-\u9fff]{2,}")
_MARKED = re.compile(r"‹([^›]*)›")
_LETTERS = "a1A ./_-:,='\"(<[>])"
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def forms_of(rule: Rule) -> list[str]:
    """Return what is recorded of a rule: ` = text` for a text that it takes, ` ! text` for one that is ruled out."""
    texts = [text for text in dict.fromkeys(_variants(rule.pattern)) if _takes_text(rule, text)][:MOST]
    out = [f" = {_marked(rule, text)}" for text in texts]
    out += [f" ! {_escaped(text)}" for text in dict.fromkeys(_ruled_out(rule, texts))]
    return [form for form in out if still_holds(rule, form)]


def still_holds(rule: Rule, form: str) -> bool:
    """Return whether a recorded form is still true of a rule."""
    kind, line = form[:3], _unescaped(form[3:])
    if kind == " ! ":
        return not _takes_text(rule, line)
    head, tail = line.startswith("^"), line.endswith("$")
    text = line[head : len(line) - tail]
    plain = _MARKED.sub(r"\1", text)
    if not _takes_text(rule, plain) or not _takes_text(rule, _MARKED.sub(OTHER, text)):
        return False
    if (head and _takes_text(rule, f"{OTHER} {plain}")) or (tail and _takes_text(rule, f"{plain} {OTHER}")):
        return False
    rest = _MARKED.sub(OTHER, text)
    fixed = (word for word in _WORD.finditer(rest) if word[0] != OTHER)
    return not any(_takes_text(rule, _with_other(rest, word)) for word in fixed)


def _marked(rule: Rule, text: str) -> str:
    out = rest = ""
    at = 0
    for word in _WORD.finditer(text):
        between = text[at : word.start()]
        free = _takes_text(rule, f"{rest}{between}{OTHER}{text[word.end() :]}")
        out += between + (f"‹{word[0]}›" if free else word[0])
        rest += between + (OTHER if free else word[0])
        at = word.end()
    out += text[at:]
    head = "" if _takes_text(rule, f"{OTHER} {text}") else "^"
    tail = "" if _takes_text(rule, f"{text} {OTHER}") else "$"
    return _escaped(head + out + tail)


def _with_other(text: str, word: re.Match[str]) -> str:
    return text[: word.start()] + OTHER + text[word.end() :]


def _takes_text(rule: Rule, text: str) -> bool:
    return _found(rule.pattern, text) and not any(_found(p, text) for p in (*rule.unless, *rule.unless_near))


def _found(pattern: str, text: str) -> bool:
    try:
        return compile_pattern(pattern).search(text, timeout=TIMEOUT) is not None
    except TimeoutError:
        return False


def _ruled_out(rule: Rule, texts: list[str]) -> Iterator[str]:
    """Yield texts that nothing but one guard keeps from matching, one for each guard where one is found."""
    for guard in (*rule.unless, *rule.unless_near):
        others = [g for g in (*rule.unless, *rule.unless_near) if g != guard]
        said = [text for text in _variants(guard)[:4] if _found(guard, text)]
        tried = (joined for text in texts[:4] for part in said for joined in (f"{text} {part}", f"{part} {text}"))
        tried = (text for text in tried if _found(rule.pattern, text) and _found(guard, text))
        yield from _first(text for text in tried if not any(_found(other, text) for other in others))
    for number, open_ in enumerate(without_guard(rule.pattern)):
        tried = (text for text in _variants(rule.pattern, number) if _found(open_, text))
        yield from _first(text for text in tried if not _found(rule.pattern, text))


def _first(texts: Iterator[str]) -> Iterator[str]:
    found = next(texts, None)
    if found is not None:
        yield found


def without_guard(pattern: str) -> Iterator[str]:
    """Yield a pattern without each of its negative look-arounds in turn."""
    for match in re.finditer(r"(?<!\\)\(\?<?!", pattern):
        depth, at = 1, match.end()
        while at < len(pattern) and depth:
            char = pattern[at]
            if char == "\\":
                at += 1
            elif char == "[":
                at = class_end(pattern, at)
            depth += (char == "(") - (char == ")")
            at += 1
        open_ = pattern[: match.start()] + pattern[at:]
        try:
            compile_pattern(open_)
        except regex.error:
            open_ = pattern
        yield open_


def class_end(pattern: str, at: int) -> int:
    at += 2 if pattern[at + 1 : at + 2] == "^" else 1
    if pattern[at : at + 1] == "]":
        at += 1
    while at < len(pattern) and pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at


def _variants(pattern: str, guard: int = -1) -> list[str]:
    """Return texts for a pattern; with `guard`, what its negative look-around of that number forbids is written out."""
    items: list[Any] = list(sre_parse.parse(pattern))  # type: ignore[call-overload]
    return _Texts(guard).sequence(items)


class _Texts:
    def __init__(self, guard: int) -> None:
        self._guard = guard
        self._guards = 0

    def sequence(self, items: list[Any]) -> list[str]:
        """Return the shortest text of a sequence, then those in which one place differs."""
        parts = [self._item(op, value) for op, value in items]
        first = [part[0] for part in parts]
        out = ["".join(first)]
        for index, part in enumerate(parts):
            out += ["".join([*first[:index], other, *first[index + 1 :]]) for other in part[1:]]
        return out[: 4 * MOST]

    def _item(self, op: Any, value: Any) -> list[str]:
        if op is sre.LITERAL:
            return [chr(value)]
        if op in (sre.IN, sre.ANY, sre.NOT_LITERAL):
            return [_letter(op, value)]
        if op is sre.SUBPATTERN:
            return self.sequence(list(value[3]))
        if op is sre.BRANCH:
            return [text for branch in value[1] for text in self.sequence(list(branch))]
        if op in REPEATS:
            return self._repeat(*value)
        if op is sre.ASSERT_NOT:
            self._guards += 1
            return self.sequence(list(value[1])) if self._guards - 1 == self._guard else [""]
        return self.sequence(list(value)) if str(op) == "ATOMIC_GROUP" else [""]

    def _repeat(self, low: int, high: int, body: Any) -> list[str]:
        items = list(body)
        texts = self.sequence(items)
        single = len(items) == 1 and items[0][0] in (sre.LITERAL, sre.IN, sre.ANY, sre.NOT_LITERAL)
        if low:
            return [text + texts[0] * (low - 1) for text in texts]
        if single:
            op, value = items[0]
            gap = high > 1 and op is not sre.LITERAL and _takes(op, value, " ")
            return [" " if gap else ""]
        return ["", *texts]


def _letter(op: Any, value: Any) -> str:
    if op is sre.ANY:
        return "-"
    if op is sre.IN and value and value[0][0] is sre.LITERAL:
        return chr(value[0][1])
    return next((letter for letter in _LETTERS if _takes(op, value, letter)), "a")


def _takes(op: Any, value: Any, letter: str) -> bool:
    if op is sre.ANY:
        return True
    if op is sre.NOT_LITERAL:
        return bool(value != ord(letter))
    members = [member for member in value if member[0] is not sre.NEGATE]
    return (len(members) != len(value)) != any(_member(kind, what, letter) for kind, what in members)


def _member(kind: Any, what: Any, letter: str) -> bool:
    if kind is sre.LITERAL:
        return bool(what == ord(letter))
    if kind is sre.RANGE:
        return bool(what[0] <= ord(letter) <= what[1])
    name = str(what)
    held = letter.isdigit() if name.endswith("DIGIT") else letter.isspace()
    if name.endswith("WORD"):
        held = letter.isalnum() or letter == "_"
    return held != ("_NOT_" in name)


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in text)


def _unescaped(text: str) -> str:
    back = {shown[1]: char for char, shown in _ESCAPES.items()}
    return re.sub(r"\\(.)", lambda found: back.get(found[1], found[0]), text)
