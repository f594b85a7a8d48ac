"""Everything about the chosen hypothesis: proof, why, path, fix, check."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from triage.result import Evidence, Fix, Hypothesis, Report
from triage.sanitize import cut_around

from ..text import ACCENT, BAD, COMMAND, DOUBT, GOOD, MUTED, STRONG, block, command_rows, row, safe
from ..words import Words

SHOWN = 400
"""Characters of a line that the page shows; the log beside it shows the rest."""


class Detail(VerticalScroll):
    """The page of one hypothesis, or of a log without one."""

    DEFAULT_CSS = """
    Detail {
        padding: 0 1;
        & > Static { height: auto; }
    }
    """

    def __init__(self, words: Words) -> None:
        super().__init__(id="detail")
        self.words = words

    def compose(self) -> ComposeResult:
        """Hold one text."""
        yield Static(id="page", markup=False)

    def show(self, report: Report, index: int) -> None:
        """Show hypothesis `index` of a report."""
        page = Page(report, self.words)
        rows = page.hypothesis(report.hypotheses[index]) if index < len(report.hypotheses) else page.nothing()
        self.query_one("#page", Static).update(Content("\n").join(list(rows)))


class Page:
    """Writes the rows of the page."""

    def __init__(self, report: Report, words: Words) -> None:
        self.report = report
        self.words = words
        self.word = words.report

    def hypothesis(self, hypothesis: Hypothesis) -> Iterator[Content]:
        """Yield the rows about a hypothesis."""
        yield row((safe(hypothesis.title), BAD))
        mark = f"  ({self.word('experimental')})" if hypothesis.status == "experimental" else ""
        sure = self.word("sure", f"{hypothesis.confidence:.0%}")
        yield row((f"{safe(hypothesis.id)}   {sure}{mark}", MUTED))
        if self.report.outcome != "cause":
            yield row((self.word("healthy" if self.report.outcome == "healthy" else "unknown"), DOUBT))
        yield from self.evidence(hypothesis)
        yield from self.fixes(hypothesis.fix)
        yield from self.section("why", [block(hypothesis.explanation)])
        yield from self.section("path", [row(safe(p.question), " ", (safe(p.answer), STRONG)) for p in hypothesis.path])
        asks = [row("- ", safe(q.question), (f"  ({safe(q.how)})" if q.how else "", COMMAND)) for q in
                self.report.tells_apart[:3]]  # fmt: skip
        yield from self.section("asks", [*asks, row((self.words("ask-these"), MUTED))]
                                if asks else [])  # fmt: skip
        if hypothesis.leads_to:
            yield row((self.words("leads-to", causes=safe(", ".join(hypothesis.leads_to))), MUTED))
        yield from self.notes()

    def section(self, name: str, rows: list[Content]) -> Iterator[Content]:
        """Yield a titled part, if there is anything in it."""
        if rows:
            yield Content("")
            yield row((self.word(name), ACCENT))
            yield from rows

    def evidence(self, hypothesis: Hypothesis) -> Iterator[Content]:
        """Yield proof and counter-proof; lines of the log carry the numbers that the log shows."""
        numbers = marks_of(hypothesis)
        for name, wanted in (("proof", True), ("against", False)):
            found = [e for e in hypothesis.evidence if e.for_ is wanted]
            yield from self.section(name, [self.one(e, numbers) for e in found])

    def one(self, evidence: Evidence, numbers: dict[int, int]) -> Content:
        """Return one piece of evidence."""
        if evidence.source == "log" and evidence.rule and evidence.line is not None:
            stream = f" [{safe(evidence.stream, 60)}]" if evidence.stream else ""
            times = " " + self.words("times", count=evidence.count) if evidence.count > 1 else ""
            place = self.words("place", line=evidence.line)
            head = f"[{numbers.get(evidence.line, 0)}] {place}{stream}{times}  "
            return row((head, ACCENT), safe(_around(evidence).strip(), SHOWN))
        source = f"{self.words.source(evidence.source)} {evidence.probe}".strip()
        return row("- ", safe(evidence.text, 400), (f"  [{source}]", MUTED))

    def fixes(self, fixes: tuple[Fix, ...]) -> Iterator[Content]:
        """Yield the first recipe in full and the titles of the others."""
        if not fixes:
            return
        first = fixes[0]
        rows = [row((safe(first.title), GOOD), f"  ({self.words.risk(first.risk)})")]
        for number, step in enumerate(first.steps, 1):
            rows.append(row(f"{number}. ", safe(step.text)))
            rows += command_rows(step.command, step.language)
        yield from self.section("fix", rows)
        check = [block(first.check.text)]
        check += command_rows(first.check.command, first.check.language)
        yield from self.section("check", check)
        others = [row("- ", safe(fix.title), (f"  ({self.words.risk(fix.risk)})", MUTED)) for fix in fixes[1:]]
        if others:
            yield row(("\n" + self.words("more-fixes", count=len(others)), ACCENT))
            yield from others

    def nothing(self) -> Iterator[Content]:
        """Yield the rows for a log without a hypothesis."""
        report, info = self.report, self.report.input
        healthy = report.outcome == "healthy"
        yield row((self.word("healthy" if healthy else "unknown"), GOOD if healthy else DOUBT))
        if info.bytes:
            yield row(self.words("was-read", lines=info.lines, bytes=info.bytes, name=safe(info.name)))
        if report.anchor is not None:
            anchor = report.anchor
            rows = [row((f"[1] {self.words('place', line=anchor.line)}  ", ACCENT), safe(anchor.text, 600))]
            if anchor.call:
                rows.append(
                    row(
                        f"{self.word('raised')}: ",
                        safe(self.words("raised-by", who=anchor.raised_in, call=anchor.call)),
                    )
                )
            if anchor.search:
                rows.append(row(f"{self.word('search')}: ", (safe(anchor.search), COMMAND)))
            yield from self.section("read", rows)
        yield row(("\n" + self.words("next"), ACCENT))
        for name in ("walk", "machine", *(() if healthy else ("knowledge",)), "open"):
            yield row("  " + self.words(f"next-{name}"))
        if healthy:
            yield row((self.words("not-looked"), MUTED))
        yield from self.notes()

    def notes(self) -> Iterator[Content]:
        """Yield the report's notes."""
        if self.report.notes:
            yield Content("")
            for note in self.report.notes:
                yield row((self.words("note", text=safe(note)), MUTED))


def _around(evidence: Evidence) -> str:
    """Return the line, of a long one the part around the match."""
    if len(evidence.text) <= SHOWN:
        return evidence.text
    part, start = cut_around(evidence.text, evidence.at, evidence.at + SHOWN // 2, SHOWN - 3)
    return f"...{part}" if start < evidence.at else part


def marks_of(hypothesis: Hypothesis) -> dict[int, int]:
    """Return the evidence numbers of a hypothesis by line number of the log."""
    found = [e.line for e in hypothesis.evidence if e.source == "log" and e.rule and e.line is not None]
    return {line: number for number, line in enumerate(dict.fromkeys(found), 1)}
