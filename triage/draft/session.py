"""The way from a log to files: look, draft, ask for what is missing, write, check, tell what changes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triage.draft.generalise import generalise
from triage.draft.look import distinctive_line, is_exception_line, known_about, rule_words, search_causes
from triage.draft.records import Wish, capture_types, cause_record, missing_of, near_miss_of, rule_record
from triage.draft.write import Layer, restore
from triage.errors import TriageError
from triage.knowledge.base import Knowledge
from triage.knowledge.model import Bilingual, Text
from triage.language import say
from triage.sanitize import clean_text

if TYPE_CHECKING:
    from triage.diagnosis import Case
    from triage.log.source import Source

Ask = Callable[[str, str], str]
"""Asks a person: question and proposal to answer."""


class Session:
    """One run of `triage rules new`."""

    def __init__(
        self,
        knowledge: Knowledge,
        wish: Wish,
        folder: Path,
        overlays: Sequence[Path],
        ask: Ask | None,
        say: Callable[[str], None],
        language: str = "en",
    ) -> None:
        self.knowledge = knowledge
        self.wish = wish
        self.layer = Layer(folder)
        self.overlays = tuple(overlays)
        self.ask = ask
        self._say = say
        self.language = language
        self.log: bytes | None = None
        self.before = ""

    def say(self, text: str) -> None:
        """Tell the person something, made safe to show."""
        self._say("\n".join(clean_text(line) for line in text.splitlines()))

    def look_at(self, log: str, number: int | None) -> None:
        """Read a log file and look at it."""
        from triage.diagnosis import open_case
        from triage.log.source import open_source

        with open_source([] if log == "-" else [log], sys.stdin.buffer if log == "-" else None) as source:
            self.look_in(open_case(source, self.knowledge), source, number)

    def look_in(self, case: Case, source: Source, number: int | None) -> None:
        """Tell what is known about a log that was read, and propose a pattern for its distinctive line."""
        self.log = bytes(source.read(0, min(source.size, 4 * 1024 * 1024)))
        known = known_about(case)
        line = distinctive_line(case, number)
        raised = is_exception_line(case, line)
        self.before = known.answer
        self.say(f"answer now: {known.answer}")
        for rule, at, role, text in known.rules[:8]:
            self.say(f"  line {at}: {rule} ({role}): {text[:90]}")
        if not known.rules:
            self.say("  no rule matches in this log")
        self.say(f"line {line.number} names the failure: {line.text.strip()[:200]}")
        wish = self.wish
        wish.sample = line.text.strip()[:2000]
        proposal = generalise(wish.sample)
        wish.captures = {name: kind for name, (kind, _) in proposal.captures.items()}
        if not wish.pattern:
            wish.pattern = proposal.expression
            self.say(f"pattern made of it: {wish.pattern}")
        if raised and wish.where == "any":
            self.say("it is the message of an exception; the rule looks at any line, since relays print it as well")

    def complete(self) -> None:
        """Fill in what can be proposed, and ask for the rest; raises TriageError for what is still missing."""
        wish = self.wish
        if not wish.sample:
            wish.sample = self._asked("sample", "") if self.ask else ""
        if not wish.sample:
            raise TriageError("there is no log: name one with --from, or write the files by hand (docs/knowledge.md)")
        if not wish.pattern:
            proposal = generalise(wish.sample)
            wish.pattern, wish.captures = proposal.expression, {n: k for n, (k, _) in proposal.captures.items()}
        wish.pattern = self._asked("pattern", wish.pattern)
        wish.captures = capture_types(wish.pattern, wish.captures)
        self._choose_cause()
        family = wish.cause.split(".")[0] if wish.cause else wish.rule.split("-")[0]
        if not wish.rule:
            words = [word for word in rule_words(wish.sample, 6) if word != family][:5] or ["message"]
            proposed = "-".join([family or "own", *words])
            wish.rule = self._asked("id", self._free(proposed))
        if not wish.near_misses:
            wish.near_misses = [self._asked("near_miss", near_miss_of(wish.sample))]
        new_cause = bool(wish.cause) and wish.cause not in self.knowledge.causes
        for option in missing_of(wish, new_cause, self.layer.is_checkout) if self.ask else []:
            while option in missing_of(wish, new_cause, self.layer.is_checkout):
                self._fill(option, "")
        for option in OPTIONAL if self.ask and new_cause else ():
            if not getattr(wish, _field(option)):
                self._fill(option, NONE)
        missing = missing_of(wish, new_cause, self.layer.is_checkout)
        if missing:
            raise TriageError(f"still to be given: {', '.join(missing)}; triage rules new --help says what they are")

    def _fill(self, option: str, proposal: str) -> None:
        name = _field(option)
        answer = self._asked(name, proposal)
        setattr(self.wish, name, "" if answer == NONE else answer)

    def _choose_cause(self) -> None:
        wish = self.wish
        if wish.cause or wish.role in ("benign", "context", "teardown", "consequence"):
            return
        found = search_causes(self.knowledge, f"{wish.sample} {wish.title} {wish.says}")
        self.say("causes that these words fit:" if found else "no cause fits these words")
        for name, title in found:
            self.say(f"  {name:<38} {title}")
        if self.ask is None:
            more = ", ".join(missing_of(wish, False, self.layer.is_checkout))
            both = "--title, --title-zh, --explanation, --explanation-zh, --fix"
            texts = (
                both if self.layer.is_checkout else both.replace("--title-zh, ", "").replace("--explanation-zh, ", "")
            )
            raise TriageError(
                f"still to be given: --cause (one of those above or a new <family>.<name>){more and f', {more}'}; "
                f"a new cause also needs {texts} and --check"
            )
        wish.cause = self._asked("cause", "")

    def _free(self, proposed: str) -> str:
        known = self.knowledge.rules_by_id
        return next(n for n in (proposed, *(f"{proposed}-{i}" for i in range(2, 99))) if n not in known)

    def _asked(self, question: str, proposal: str) -> str:
        return self.ask(say(QUESTIONS[question], self.language), proposal) if self.ask else proposal

    def write(self, dry_run: bool) -> int:
        """Write the files, check them, and tell what changes; faulty drafts stay only where a person can mend them."""
        from triage.draft.yaml_text import record_text
        from triage.knowledge.load import load_base
        from triage.knowledge.roots import all_roots

        wish, layer = self.wish, self.layer
        if wish.rule in self.knowledge.rules_by_id:
            raise TriageError(f"there is a rule {wish.rule} already; choose another id with --id")
        layer.add("rules", wish.rule.split("-")[0], rule_record(wish))
        if wish.cause and wish.cause in self.knowledge.causes:
            layer.speak_for(load_base(all_roots(self.overlays)), wish.cause, wish.rule, wish.weight)
        elif wish.cause:
            layer.add("causes", wish.cause.split(".")[0], cause_record(wish))
        if dry_run:
            self.say(record_text(rule_record(wish)) + (record_text(cause_record(wish)) if wish.title else ""))
            return 0
        before = {path: path.read_bytes() if path.exists() else None for path in layer.texts}
        files = layer.save()
        try:
            return self._report(files)
        except TriageError:
            restore(before)
            raise

    def _report(self, files: Sequence[Path]) -> int:
        from triage.check.run import check_knowledge
        from triage.draft.effect import effects
        from triage.knowledge.roots import all_roots

        overlays = self.overlays
        if not self.layer.is_checkout and self.layer.folder not in overlays:
            overlays = (*overlays, self.layer.folder)
        self.say("checking ...")
        roots = all_roots(overlays)
        labels = {root.label(path) for root in roots for path in files} | {str(path) for path in files}
        _, findings = check_knowledge(roots)
        mine = [f for f in findings if f.file in labels and (self.wish.rule in f.what or self.wish.cause in f.what)]
        for path in files:
            self.say(f"wrote {path}")
        for finding in mine:
            self.say(str(finding))
        for line in effects(overlays, self.wish, self.log, self.before):
            self.say(line)
        errors = sum(finding.level == "error" for finding in mine)
        self.say(f"check: {errors} faults to mend in the files above" if errors else "check: passed")
        if self.layer.is_checkout:
            self.say("once it is as it should be, record it: triage rules record")
        return 2 if errors else 0


QUESTIONS: dict[str, Text] = {
    "sample": Bilingual(en="A line that the program printed", zh="程序输出的一行"),
    "pattern": Bilingual(en="Pattern", zh="模式"),
    "cause": Bilingual(
        en="Cause: an id of those above, or a new <family>.<name>", zh="原因：上面列出的 id，或新的 <family>.<name>"
    ),
    "id": Bilingual(en="Id of the rule", zh="规则的 id"),
    "near_miss": Bilingual(en="A line that looks alike and is something else", zh="看起来相似但不是此故障的一行"),
    "says": Bilingual(en="What the text says, in a few English words", zh="这行文字的意思，用几个英文词"),
    "says_zh": Bilingual(en="The same in Chinese", zh="同样的意思，用中文"),
    "source": Bilingual(en="Program and version that printed it, or a link", zh="输出它的程序和版本，或链接"),
    "title": Bilingual(en="Title of the cause, in English", zh="原因的标题，用英文"),
    "title_zh": Bilingual(en="Title of the cause, in Chinese", zh="原因的标题，用中文"),
    "explanation": Bilingual(
        en="Why it happens, in plain words (80 characters or more)", zh="为什么会发生，用平实的话（80 个字符以上）"
    ),
    "explanation_zh": Bilingual(en="Why it happens, in Chinese", zh="为什么会发生，用中文"),
    "fix": Bilingual(en="What to do", zh="怎么做"),
    "fix_zh": Bilingual(en="What to do, in Chinese", zh="怎么做，用中文"),
    "fix_command": Bilingual(en="Command that does it", zh="执行它的命令"),
    "check": Bilingual(en="How to know that it worked", zh="如何确认已解决"),
    "check_zh": Bilingual(en="How to know that it worked, in Chinese", zh="如何确认已解决，用中文"),
}
OPTIONAL = ("--fix-zh", "--fix-command", "--check-zh")
NONE = "none"
"""Answer to an optional question that leaves it open."""


def _field(option: str) -> str:
    return option[2:].replace("-", "_")
