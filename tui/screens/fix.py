"""The recipes of a cause, step by step: copy, run after confirmation, check with before and after."""

from __future__ import annotations

import os
from typing import NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, RichLog, Static
from textual.widgets.option_list import Option

from triage.report.words import risk_word
from triage.result import Fix, Hypothesis

from ..desk import Ran
from ..messages import CaseChanged
from ..shell import Running, environment_for, why_not
from ..text import ACCENT, BAD, GOOD, MUTED, STRONG, block, command_rows, row, safe
from ..walk_text import describe_value
from .base import CaseScreen
from .confirm import ConfirmScreen


class Step(NamedTuple):
    """What a step asks for: its command, the recipe's risk, and where the command belongs."""

    command: str | None
    risk: str
    language: str


class FixScreen(CaseScreen):
    """One recipe of a cause; left and right show the others."""

    HEADING = "Fix"
    DEFAULT_CSS = """
    FixScreen {
        & #recipe { height: 1fr; }
        & #head, & #after { height: auto; padding: 0 1; }
        & #steps { height: auto; border: none; padding: 0 1; background: $background; }
        & #steps:focus { border: none; }
        & #steps > .option-list--option { padding: 0 0 1 0; }
        & #output { height: 40%; border-top: solid $panel; padding: 0 1; display: none; background: $background; }
        & #output.-open { display: block; }
    }
    """
    BINDINGS = [  # noqa: RUF012
        Binding("c", "copy", "Copy command", id="fix.copy"),
        Binding("enter,r", "run", "Run", id="fix.run"),
        Binding("t", "check", "Check", id="fix.check"),
        Binding("o,right_square_bracket", "other(1)", "Other recipe", key_display="o", id="fix.other"),
        Binding("left_square_bracket", "other(-1)", "Recipe before", show=False),
        Binding("a", "copy_all", "Copy all", show=False),
        Binding("x", "export", "Export", show=False),
        Binding("escape", "leave", "Back", id="fix.leave"),
    ]

    def __init__(self, cause: str) -> None:
        super().__init__()
        self.cause = cause
        self.chosen = 0
        self.running: Running | None = None
        self.checked = Content("")

    def body(self) -> ComposeResult:
        """Title, steps, check, output."""
        yield Static(id="head", markup=False)
        with Container(id="recipe"), VerticalScroll(can_focus=False):
            yield OptionList(id="steps", markup=False)
            yield Static(id="after", markup=False)
        yield RichLog(id="output", wrap=True, markup=False, highlight=False, max_lines=5000)

    @property
    def hypothesis(self) -> Hypothesis | None:
        """The cause as it stands in the report now."""
        return next((h for h in self.desk.report().hypotheses if h.id == self.cause), None)

    @property
    def fix(self) -> Fix | None:
        """The recipe shown."""
        fixes = self.hypothesis.fix if self.hypothesis else ()
        return fixes[self.chosen % len(fixes)] if fixes else None

    def on_mount(self) -> None:
        """Show the first recipe."""
        self.show_fix()
        self.query_one("#steps").focus()

    def on_case_changed(self, event: CaseChanged) -> None:
        """Render the recipe with the facts as they are now."""
        self.show_fix()

    def show_fix(self) -> None:
        """Show the recipe."""
        hypothesis, fix = self.hypothesis, self.fix
        if hypothesis is None or fix is None:
            self.entitle((f"{safe(self.cause)} is no longer among the hypotheses", MUTED))
            return
        count = len(hypothesis.fix)
        self.entitle((safe(hypothesis.title), STRONG), f"  {hypothesis.confidence:.0%} sure")
        which = f"recipe {self.chosen % count + 1} of {count}" + ("   o: the next" if count > 1 else "")
        fits = {True: "made for what is known here", None: "may apply; not all that decides it is known"}
        self.query_one("#head", Static).update(
            row(
                (safe(fix.title), GOOD),
                f"\nRisk: {risk_word(fix.risk, self.language)}   ",
                (f"{which}; ", MUTED),
                (fits.get(fix.applies, ""), MUTED),
                "\n",
            )
        )
        steps = self.query_one("#steps", OptionList)
        at = steps.highlighted or 0
        steps.set_options(
            [Option(self._step(n, s.text, s.command, s.language), id=str(n)) for n, s in enumerate(fix.steps, 1)]
        )
        steps.add_option(Option(self._step(0, fix.check.text, fix.check.command, fix.check.language), id="check"))
        steps.highlighted = min(at, len(fix.steps))
        rows = [self.checked] if self.checked.plain else []
        if fix.undo:
            rows.append(row(("Undo  ", ACCENT), block(fix.undo)))
        self.query_one("#after", Static).update(Content("\n").join(rows))

    def _step(self, number: int, text: str, command: str | None, language: str) -> Content:
        head = row((f"{number}. ", STRONG) if number else ("Check  ", ACCENT), safe(text))
        return Content("\n").join([head, *command_rows(command, language)])

    @property
    def step(self) -> Step:
        """What stands under the cursor."""
        fix, at = self.fix, self.query_one("#steps", OptionList).highlighted or 0
        if fix is None:
            return Step(None, "none", "shell")
        if at < len(fix.steps):
            return Step(fix.steps[at].command, fix.risk, fix.steps[at].language)
        risk = "none" if fix.risk in ("none", "environment") else fix.risk
        return Step(fix.check.command, risk, fix.check.language)

    def action_other(self, step: int) -> None:
        """Show another recipe."""
        if self.hypothesis and len(self.hypothesis.fix) > 1:
            self.chosen = (self.chosen + step) % len(self.hypothesis.fix)
            self.checked = Content("")
            self.query_one("#steps", OptionList).highlighted = 0
            self.show_fix()
        else:
            self.tell("there is one recipe only")

    def action_copy(self) -> None:
        """Copy the command of the step."""
        command = self.step.command
        self.tell(self.triage.copy(command) if command else "this step has no command; a copies the whole recipe")

    def action_copy_all(self) -> None:
        """Copy the recipe."""
        commands = [s.command for s in (self.fix.steps if self.fix else ()) if s.command]
        self.tell(self.triage.copy("\n".join(commands)) if commands else "there is no command in this recipe")

    @on(OptionList.OptionSelected, "#steps")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_run()

    def action_run(self) -> None:
        """Ask before running the command of the step."""
        command, risk, language = self.step
        if command is not None and language != "shell":
            place = "the program's code" if language == "python" else "a configuration file"
            self.tell(f"this goes into {place}, not into a shell; c copies it")
            return
        if command is None:
            self.tell("this step is for you to do; it has no command")
            return
        refusal = why_not(command, risk, self.triage.settings.may_run, not self.desk.target.is_local)
        if refusal:
            self.tell(refusal)
            return
        if self.running is not None:
            self.tell("a command is running; Esc stops it")
            return

        def confirmed(text: str | None) -> None:
            again = "" if text is None else why_not(text, risk, self.triage.settings.may_run, False)
            if text is not None and not again:
                self.run_command(text)
            else:
                self.tell(again or "not run")

        words = risk_word(risk, self.language)
        self.app.push_screen(ConfirmScreen(command, words, os.path.basename(os.getcwd()) or "/"), confirmed)

    @work(exclusive=True, group="command")
    async def run_command(self, command: str) -> None:
        """Run a confirmed command, its output shown live."""
        output = self.query_one("#output", RichLog)
        output.add_class("-open")
        output.write(f"$ {safe(command)}")
        self.running = Running(command, environment_for(self.desk.target.interpreter))
        self.tell("running; Esc stops it")

        def show(line: str) -> None:
            output.write(safe(line))

        status: int | None = None
        try:
            status = await self.running.run(show)
        finally:
            self.desk.add_run(Ran(command, status, self.running.output))
            self.running = None
        said = "stopped" if status is None else f"ended with status {status}" + (" (ok)" if status == 0 else "")
        output.write(said)
        self.tell(f"{said}; t checks whether it helped, x saves the report with this output")

    def action_check(self) -> None:
        """Look again whether the fix helped: the probe before and after, or the command of the check."""
        fix = self.fix
        if fix is None:
            return
        if fix.check.probe:
            self.recheck(fix)
            return
        steps = self.query_one("#steps", OptionList)
        steps.highlighted = steps.option_count - 1
        if fix.check.command:
            self.action_run()
        else:
            self.tell("the check is for you to do; it has no command")

    @work(thread=True, exclusive=True, group="check")
    def recheck(self, fix: Fix) -> None:
        """Run the probe of the check anew and compare."""
        name, fact = fix.check.probe or "", fix.check.fact
        before, sure = self.desk.fact(fact), self.hypothesis.confidence if self.hypothesis else 0.0
        self.app.call_from_thread(self.tell, f"looking again: {name} ...")
        self.desk.probe([name])
        after, now = self.desk.fact(fact), self.hypothesis
        status = self.desk.probes[name].status
        holds = self.desk.holds(self.cause, fix)
        word, style = {True: ("fixed", GOOD), False: ("not fixed yet", BAD), None: ("cannot be told", MUTED)}[holds]
        rows = [
            row(("Checked  ", ACCENT), f"probe {name}: {status}   ", (word, style)),
            row(
                f"  {safe(fact or '')}  before: {safe(describe_value(before))}   after: {safe(describe_value(after))}",
                f"   wanted: {safe(fix.check.expect or '')}",
            ),
            row(f"  this cause  before: {sure:.0%}   after: {now.confidence if now else 0:.0%}"),
        ]
        self.checked = Content("\n").join(rows)
        self.app.call_from_thread(self.triage.case_changed)
        self.app.call_from_thread(self.tell, f"checked: {word}")

    def action_export(self) -> None:
        """Save the report."""
        self.triage.action_export()

    def action_leave(self) -> None:
        """Stop what runs, or go back."""
        if self.running is not None:
            self.running.stop()
            return
        super().action_leave()
