"""What a new rule changes: the answer to its own log, and the recorded and healthy logs in which it matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from triage.draft.records import Wish
from triage.knowledge.base import Knowledge


def effects(overlays: Sequence[Path], wish: Wish, log: bytes | None, before: str) -> Iterator[str]:
    """Yield sentences."""
    from triage.check.healthy import healthy_logs
    from triage.check.recorded import answer_case, fault_of, read_cases, shipped_cases
    from triage.diagnosis import open_case, read_text
    from triage.draft.look import known_about
    from triage.log.source import source_from_text
    from triage.match.compile import compile_database
    from triage.match.observe import observe
    from triage.match.scan import Scanner
    from triage.match.skeleton import skeleton_of

    knowledge = Knowledge.load(overlays)
    if log is not None:
        now = known_about(open_case(source_from_text(log.decode("utf-8", "replace")), knowledge)).answer
        yield f"answer to this log: {before} -> {now}" if now != before else f"answer to this log: {now}, as before"
    rule = knowledge.rules_by_id[wish.rule]
    scanner = Scanner(compile_database([skeleton_of(rule.pattern, rule.where == "block")]), 1)
    cases = [case for case in read_cases(shipped_cases()) if observe(read_text(case.log), [rule], scanner)]
    for case in cases:
        fault = fault_of(case, answer_case(case, knowledge))
        yield f"matches in the recorded case {case.id} ({case.cause})" + (f": now {fault}" if fault else "")
    healthy = [p.name for p in healthy_logs() if observe(read_text(p.read_text(errors="replace")), [rule], scanner)]
    for name in healthy:
        yield f"matches in the healthy log {name}"
    if not cases and not healthy:
        yield "no recorded or healthy log has this text"
