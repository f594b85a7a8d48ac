"""The recipes of a cause, step by step: copy, run after confirmation, check with before and after."""

from __future__ import annotations

import os
from typing import NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, RichLog, Static
from textual.widgets.option_list import Option

from triage.doctor import CheckResult
from triage.result import Fix, Hypothesis

from ..desk import Ran
from ..keys import bind
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

    HEADING = "fix"
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
        bind("fix-copy", "copy"),
        bind("fix-run", "run"),
        bind("fix-check", "check"),
        bind("fix-other", "other(1)"),
        bind("fix-before", "other(-1)", show=False),
        bind("fix-copy-all", "copy_all", show=False),
        bind("export", "export", show=False),
        bind("back", "leave"),
    ]

    def __init__(self, cause: str, fault: CheckResult | None = None) -> None:
        """`fault`: what doctor found wrong with the machine, where the cause is none of the log's."""
        super().__init__()
        self.cause = cause
        self.fault = fault
        self.chosen = 0
        self.running: Running | None = None
        self.checked = Content("")

    def body(self) -> ComposeResult:
        """Title, steps, check, output."""
        yield Static(id="head", markup=False)
        with Container(id="recipe"), VerticalScroll(can_focus=False):
            yield OptionList(id="steps", markup=False)
            yield Static(id="after", markup=False)
        yield RichLog(id="output", wrap=True, min_width=20, markup=False, highlight=False, max_lines=5000)

    @property
    def hypothesis(self) -> Hypothesis | None:
        """The cause as it stands in the report now."""
        return next((h for h in self.desk.report().hypotheses if h.id == self.cause), None)

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """All recipes."""
        known = self.hypothesis or self.fault
        return known.fix if known else ()

    @property
    def fix(self) -> Fix | None:
        """The recipe shown."""
        return self.fixes[self.chosen % len(self.fixes)] if self.fixes else None

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
        if fix is None:
            self.entitle((self.words("no-longer", cause=safe(self.cause)), MUTED))
            return
        count = len(self.fixes)
        if hypothesis is not None:
            sure = self.words.report("sure", f"{hypothesis.confidence:.0%}")
            self.entitle(sure + "  ", (safe(hypothesis.title), STRONG))
        elif self.fault is not None:
            self.entitle((safe(self.fault.title or self.fault.says), STRONG))
        which = [self.words("which-recipe", number=self.chosen % count + 1, count=count)]
        which += [self.words("applies" if fix.applies else "may-apply")] if fix.applies is not False else []
        following = self.fixes[(self.chosen + 1) % count]
        other = "\n" + self.words("next-recipe", title=safe(following.title, 200)) if count > 1 else ""
        risk = f"\n{self.words('risk')}: {self.words.risk(fix.risk)}\n"
        head = row((safe(fix.title), GOOD), risk, ("; ".join(which), MUTED), other + "\n")
        self.query_one("#head", Static).update(head)
        steps = self.query_one("#steps", OptionList)
        at = steps.highlighted or 0
        steps.set_options(
            [Option(self._step(n, s.text, s.command, s.language), id=str(n)) for n, s in enumerate(fix.steps, 1)]
        )
        steps.add_option(Option(self._step(0, fix.check.text, fix.check.command, fix.check.language), id="check"))
        steps.highlighted = min(at, len(fix.steps))
        rows = [self.checked] if self.checked.plain else []
        if fix.undo:
            rows.append(row((self.words("undo") + "  ", ACCENT), block(fix.undo)))
        self.query_one("#after", Static).update(Content("\n").join(rows))

    def _step(self, number: int, text: str, command: str | None, language: str) -> Content:
        head = row((f"{number}. ", STRONG) if number else (self.words("check") + "  ", ACCENT), safe(text))
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
        if len(self.fixes) > 1:
            self.chosen = (self.chosen + step) % len(self.fixes)
            self.checked = Content("")
            self.query_one("#steps", OptionList).highlighted = 0
            self.show_fix()
        else:
            self.tell(self.words("one-recipe"))

    def action_copy(self) -> None:
        """Copy the command of the step."""
        command = self.step.command
        self.tell(self.triage.copy(command) if command else self.words("no-step-command"))

    def action_copy_all(self) -> None:
        """Copy the recipe."""
        commands = [s.command for s in (self.fix.steps if self.fix else ()) if s.command]
        self.tell(self.triage.copy("\n".join(commands)) if commands else self.words("no-commands"))

    @on(OptionList.OptionSelected, "#steps")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_run()

    def action_run(self) -> None:
        """Ask before running the command of the step."""
        command, risk, language = self.step
        if command is not None and language != "shell":
            self.tell(self.words("into-code" if language == "python" else "into-config"))
            return
        if command is None:
            self.tell(self.words("for-you"))
            return
        refusal = why_not(self.words, command, risk, self.triage.settings.may_run, not self.desk.target.is_local)
        if refusal:
            self.tell(refusal)
            return
        if self.running is not None:
            self.tell(self.words("is-running"))
            return

        def confirmed(text: str | None) -> None:
            again = "" if text is None else why_not(self.words, text, risk, self.triage.settings.may_run, False)
            if text is not None and not again:
                self.run_command(text)
            else:
                self.tell(again or self.words("not-run"))

        self.app.push_screen(
            ConfirmScreen(command, self.words.risk(risk), os.path.basename(os.getcwd()) or "/"), confirmed
        )

    @work(exclusive=True, group="command")
    async def run_command(self, command: str) -> None:
        """Run a confirmed command, its output shown live."""
        output = self.query_one("#output", RichLog)
        output.add_class("-open")
        output.write(f"$ {safe(command)}")
        self.running = Running(command, environment_for(self.desk.target.interpreter))
        self.tell(self.words("running"))

        def show(line: str) -> None:
            output.write(safe(line))

        status: int | None = None
        try:
            status = await self.running.run(show)
        finally:
            self.desk.add_run(Ran(command, status, self.running.output))
            self.running = None
        said = self.words("stopped" if status is None else "ended" if status else "ended-ok", status=status)
        output.write(said)
        self.tell(self.words("then-check", said=said))

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
            self.tell(self.words("check-for-you"))

    @work(thread=True, exclusive=True, group="check")
    def recheck(self, fix: Fix) -> None:
        """Run the probe of the check anew and compare."""
        name, fact = fix.check.probe or "", fix.check.fact
        before, then = self.desk.fact(fact), self.hypothesis
        self.app.call_from_thread(self.tell, self.words("looking-again", probe=name))
        self.desk.probe([name])
        after, now = self.desk.fact(fact), self.hypothesis
        status = self.words(f"state-{self.desk.probes[name].status}")
        holds = self.desk.holds(self.cause, fix)
        key, style = {True: ("fixed", GOOD), False: ("not-fixed", BAD), None: ("cannot-tell", MUTED)}[holds]
        values = {
            "fact": safe(fact or ""), "before": safe(describe_value(before, self.words)),
            "after": safe(describe_value(after, self.words)), "wanted": safe(fix.check.expect or ""),
        }  # fmt: skip
        shares = [f"{h.confidence if h else 0:.0%}" for h in (then, now)]
        probed = self.words("checked-probe", probe=name, status=status)
        rows = [row((self.words("checked") + "  ", ACCENT), probed + "   ", (self.words(key), style)),
                row("  " + self.words("before-after", **values))]  # fmt: skip
        if then is not None or now is not None:
            rows.append(row("  " + self.words("cause-before-after", before=shares[0], after=shares[1])))
        self.checked = Content("\n").join(rows)
        self.app.call_from_thread(self.triage.case_changed)
        self.app.call_from_thread(self.tell, self.words("checked-said", word=self.words(key)))

    def action_export(self) -> None:
        """Save the report."""
        self.triage.action_export()

    def action_leave(self) -> None:
        """Stop what runs, or go back."""
        if self.running is not None:
            self.running.stop()
            return
        super().action_leave()
