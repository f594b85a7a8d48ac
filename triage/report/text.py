"""A report for a terminal: the cause, the proof, the alternatives, the fix, the check; calm and short."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triage.redact import redact
from triage.report.words import PROMPTS, risk_word, source_word, word
from triage.report.wrap import wrapped
from triage.result import Evidence, Fix, Hypothesis, Report
from triage.sanitize import cut_around

MOST_PROOF = 3
WHY_LINES = 4
MORE = " ..."
WIDEST = 100
LABEL = 9
WIDE_LABEL = 12
"""Columns of the labels: of a cause's report, and of one without a cause, whose labels are longer."""
CUT = 220


def print_report(report: Report, console: Console, verbose: bool = False, language: str = "en") -> None:
    """Print `report`; with `verbose`, all of it."""
    _Printer(console, verbose, language).report(report)


class _Printer:
    def __init__(self, console: Console, verbose: bool, language: str) -> None:
        self.console = console
        self.verbose = verbose
        self.language = language
        self.width = min(console.width, WIDEST)
        self.label = LABEL

    @property
    def room(self) -> int:
        """Columns beside the labels."""
        return self.width - self.label - 3

    def word(self, name: str, *values: object) -> str:
        return word(name, self.language, *values)

    def print(self, item: RenderableType = "") -> None:
        with self.console.capture() as capture:
            self.console.print(item, width=self.width, markup=False, highlight=False, soft_wrap=False)
        lines = capture.get().splitlines()
        self.console.file.write("".join(line.rstrip(" ") + "\n" for line in lines))

    def rows(self, label: str, items: Iterable[Text | str]) -> None:
        """Print items in a column beside a label."""
        grid = Table.grid(padding=(0, 1, 0, 0), expand=False)
        grid.add_column(width=self.label, no_wrap=True)
        grid.add_column(overflow="fold", max_width=self.room)
        for index, item in enumerate(items):
            text = item if isinstance(item, Text) else Text(item)
            lines = wrapped(text, self.room)
            grid.add_row(
                Text(label if index == 0 else "", style="bold"), text if lines is None else Text("\n").join(lines)
            )
        if grid.row_count:
            self.print(Padding(grid, (0, 0, 0, 1), expand=False))

    def paragraph(self, text: str, style: str = "dim") -> None:
        """Print a sentence below the report's parts."""
        whole = Text(f" {text}", style=style)
        for line in wrapped(whole, self.width) or [whole]:
            self.print(line)

    def report(self, report: Report) -> None:
        if report.outcome != "cause":
            self.label = WIDE_LABEL
        if report.outcome == "healthy":
            self.healthy(report)
            return
        if report.outcome == "unknown":
            self.unknown(report)
            return
        best, *others = report.hypotheses
        self.hypothesis(best)
        if self.verbose:
            for other in others:
                self.print()
                self.hypothesis(other)
        else:
            self.others(report, others)
        self.notes(report)
        self.next_step(report, best.id)

    def healthy(self, report: Report) -> None:
        self.print(Text(self.word("healthy"), style="green"))
        info = report.input
        tried = self.word("tried", f"{info.lines:,}", f"{info.bytes:,}", redact(info.name))
        self.paragraph(tried, "")
        for hypothesis in report.hypotheses[:2]:
            self.rows(self.word("similar"), [f"{hypothesis.id} ({hypothesis.confidence:.0%}): {hypothesis.title}"])
        self.notes(report)

    def unknown(self, report: Report) -> None:
        self.print(Text(self.word("unknown"), style="bold yellow"))
        anchor = report.anchor
        if anchor is not None:
            self.rows(self.word("read"), [self.log_line(anchor.line, anchor.stream, anchor.text)])
            if anchor.call:
                owner = anchor.raised_in.replace("library:", "")
                self.rows(self.word("raised"), [redact(self.word("code", owner, anchor.call))])
        for hypothesis in report.hypotheses[:3]:
            text = f"{hypothesis.id} ({hypothesis.confidence:.0%}): {hypothesis.title}"
            self.rows(self.word("similar"), [text])
        for question in report.tells_apart[:2]:
            self.rows(self.word("asks"), [question.question])
        if anchor is not None and anchor.search:
            self.rows(self.word("search"), [Text(redact(anchor.search))])
        self.notes(report)
        name = report.input.name if report.input.name not in ("<stdin>", "<text>") else "LOG"
        first = f"triage explain {report.hypotheses[0].id}" if report.hypotheses else "triage doctor"
        self.paragraph(self.word("next", self.word("or", first, f"triage tui {name}")))

    def hypothesis(self, hypothesis: Hypothesis) -> None:
        head = Text(hypothesis.title, style="bold red")
        head.append(f"   {self.word('sure', f'{hypothesis.confidence:.0%}')}", style="default not bold")
        for line in wrapped(head, self.width) or [head]:
            self.print(line)
        mark = f" ({self.word('experimental')})" if hypothesis.status == "experimental" else ""
        self.print(Text(f" {hypothesis.id}{mark}", style="dim"))
        for_ = [e for e in hypothesis.evidence if e.for_]
        shown = for_ if self.verbose else _best_proof(for_)
        self.rows(self.word("proof"), [self.evidence(e) for e in shown])
        self.rows(self.word("against"), [self.evidence(e) for e in hypothesis.evidence if not e.for_])
        if self.verbose:
            self.rows(self.word("path"), [f"{p.question} {p.answer}" for p in hypothesis.path])
        self.rows(self.word("why"), [self.why(hypothesis.explanation)])
        self.fixes(hypothesis.fix)

    def why(self, text: str) -> Text:
        if self.verbose:
            return Text(text)
        return Text("\n").join(line for part in text.split("\n") for line in self.beginning(part))

    def beginning(self, text: str) -> list[Text]:
        """Return the first lines of a paragraph."""
        width = self.room
        lines = list(wrapped(Text(text), width) or Text(text).wrap(self.console, width))
        if len(lines) <= WHY_LINES:
            return lines
        last = lines[WHY_LINES - 1].plain.rstrip()
        while cell_len(last) > width - len(MORE):
            last = last[:-1]
        return [*lines[: WHY_LINES - 1], Text(last + MORE)]

    def log_line(self, line: int | None, stream: str, text: str, at: int = 0) -> Text:
        out = Text(self.word("line", line) + (f" [{stream}]" if stream else "") + "  ", style="cyan")
        shown = redact(text).strip()
        if not self.verbose and len(shown) > CUT:
            part, start = cut_around(shown, at, at + CUT // 2, CUT)
            shown = ("..." if start < at else "") + part + ("..." if not shown.endswith(part) else "")
        out.append(shown, style="default")
        return out

    def evidence(self, evidence: Evidence) -> Text:
        if evidence.source == "log" and evidence.rule:
            return self.log_line(evidence.line, evidence.stream, evidence.text, evidence.at)
        source = source_word(evidence.source, self.language) + (f" {evidence.probe}" if evidence.probe else "")
        return Text(redact(f"{evidence.text} [{source}]"))

    def fixes(self, fixes: tuple[Fix, ...]) -> None:
        shown = fixes if self.verbose else fixes[:1]
        for fix in shown:
            lines = [Text.assemble((fix.title, "bold green"), f"  ({risk_word(fix.risk, self.language)})")]
            for number, step in enumerate(fix.steps, 1):
                lines.append(Text(f"{number}. {redact(step.text)}"))
                lines += _command(step.command, step.language)
            self.rows(self.word("fix"), lines)
            check = [Text(redact(fix.check.text))]
            check += _command(fix.check.command, fix.check.language)
            self.rows(self.word("check"), check)
            if self.verbose and fix.undo:
                self.rows(self.word("undo"), [Text(fix.undo)])
        more = len(fixes) - len(shown)
        if more:
            said = self.word("other_fix") if more == 1 else self.word("other_fixes", more)
            self.rows("", [Text(f"{said}: -v", style="dim")])

    def others(self, report: Report, others: list[Hypothesis]) -> None:
        rows = []
        for other in [h for h in others if h.explained_by is None and h.confidence >= 0.25][:2]:
            rows.append(Text(f"{other.id} ({other.confidence:.0%}): {other.title}"))
        self.rows(self.word("else"), rows)
        if rows and report.tells_apart:
            question = report.tells_apart[0]
            how = f"  ({question.how})" if question.how else ""
            self.rows(self.word("asks"), [Text(question.question + how)])

    def notes(self, report: Report) -> None:
        if report.probes:
            said = [p.name if p.status == "ok" else f"{p.name} ({p.status})" for p in report.probes]
            self.paragraph(self.word("looked", ", ".join(said)))
        for note in report.notes:
            self.paragraph(self.word("note", redact(note)))

    def next_step(self, report: Report, best: str) -> None:
        name = redact(report.input.name)
        steps = f"triage explain {best}"
        if not name.startswith("<"):
            steps = self.word("or", steps, f"triage tui {name}")
        self.paragraph(self.word("next", steps))


def _best_proof(evidence: list[Evidence]) -> list[Evidence]:
    lines = [e for e in evidence if e.source == "log" and e.rule][:MOST_PROOF]
    facts = [e for e in evidence if not (e.source == "log" and e.rule)][: MOST_PROOF - len(lines) + 1]
    return lines + facts


def _command(command: str | None, language: str) -> list[Text]:
    return [Text(f"   {PROMPTS[language]}{line}", style="cyan") for line in (command or "").splitlines()]
