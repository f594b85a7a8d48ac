"""The walk-through: one question after the other, the one that tells most for its cost first."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option as Entry

from triage.language import say
from triage.reason.walkthrough import Ask, Choice, Option, read_value

from ..messages import CaseChanged
from ..text import ACCENT, COMMAND, GOOD, MUTED, STRONG, row, safe
from ..walk_text import about_known, about_path, about_standing, describe_value
from ..widgets.tree_text import draw_tree
from .base import CaseScreen

CLEAR = 0.9
"""Confidence from which the screen says that the answer is found."""
ELSEWHERE = "the log comes from another machine"


class WalkScreen(CaseScreen):
    """A question with its answers on the left; what follows from them on the right."""

    HEADING = "Walk-through"
    DEFAULT_CSS = """
    WalkScreen {
        & #walk { height: 1fr; }
        & #ask { height: auto; max-height: 70%; padding: 0 1; }
        & #question, & #around > Static { height: auto; }
        & #options { height: auto; max-height: 12; border: none; padding: 0; background: $background; }
        & #options:focus { border: none; }
        & #value { height: 1; border: none; padding: 0 1; display: none; }
        & #value:focus { border: none; }
        & #value.-open { display: block; }
        & #around { height: 1fr; padding: 0 1; border-top: solid $panel; }
        &.-medium #walk, &.-wide #walk { layout: horizontal; }
        &.-medium #ask, &.-wide #ask { width: 3fr; height: 1fr; max-height: 100%; }
        &.-medium #around, &.-wide #around { width: 2fr; height: 1fr; border-top: none; border-left: solid $panel; }
    }
    """
    BINDINGS = [  # noqa: RUF012
        Binding("r", "probe", "Run the probe", id="walk.probe"),
        Binding("question_mark,？,u", "unknown", "I do not know", key_display="?", id="walk.unknown"),
        Binding("v", "value", "Type a value", id="walk.value"),
        Binding("b,backspace", "back", "Back", id="walk.back"),
        Binding("f", "fix", "Fix", id="walk.fix"),
        Binding("f1", "app.help", "Keys", id="walk.help"),
        Binding("s", "symptom", "Choose a symptom", show=False, id="walk.symptom"),
        Binding("y", "bool(True)", "Yes", show=False),
        Binding("n", "bool(False)", "No", show=False),
        Binding("c", "copy", "Copy the command", show=False),
        *(Binding(str(n), f"pick({n})", f"Answer {n}", show=False) for n in range(1, 10)),
        Binding("escape", "leave", "Leave", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.ask: Ask | None = None
        self.warned = False

    def body(self) -> ComposeResult:
        """Question and answers; standing, path and tree."""
        with Container(id="walk"):
            with VerticalScroll(id="ask", can_focus=False):
                yield Static(id="question", markup=False)
                yield OptionList(id="options", markup=False)
                yield Input(id="value", compact=True, placeholder="type the value, Enter takes it, Esc leaves")
                yield Static(id="known", markup=False)
            with VerticalScroll(id="around", can_focus=False):
                yield Static(id="standing", markup=False)
                yield Static(id="path", markup=False)
                yield Static(id="tree", markup=False)

    def on_mount(self) -> None:
        """Ask the first question; with nothing to ask, begin with the symptoms."""
        self.on_case_changed()
        if self.ask is None and self.desk.chosen is None and not self.desk.report().hypotheses:
            self.action_symptom()

    def on_case_changed(self, event: CaseChanged | None = None) -> None:
        """Show the next question and what is known by now."""
        asks = self.desk.questions()
        self.ask = asks[0] if asks else None
        tree = next((t for t in self.desk.knowledge.trees if t.id == self.desk.chosen), None)
        about = safe(say(tree.title, self.language)) if tree else safe(self.desk.report().input.name, 60)
        self.entitle(about, (f"  {len(self.desk.choices)} answered, {len(asks)} open", MUTED))
        self._show_question()
        self.query_one("#known", Static).update(about_known(self.desk, self.ask, self.language))
        self.query_one("#standing", Static).update(about_standing(self.desk, self.language))
        self.query_one("#path", Static).update(about_path(self.desk, self.language))
        self._show_tree()

    def _show_question(self) -> None:
        ask, options = self.ask, self.query_one("#options", OptionList)
        options.clear_options()
        if ask is None:
            self.query_one("#question", Static).update(self._end())
            return
        best = next(iter(self.desk.report().hypotheses), None)
        rows = []
        if best is not None and best.confidence >= CLEAR:
            rows.append(row((f"Clear enough ({best.confidence:.0%}): f opens the recipe. Or go on:\n", GOOD)))
        rows += [row(("QUESTION  ", MUTED), (safe(say(ask.question, self.language)), ACCENT))]
        if ask.why:
            rows.append(row(("why  ", MUTED), safe(say(ask.why, self.language))))
        rows.append(row(("tells apart  ", MUTED), safe(", ".join(ask.between[:4]))))
        if ask.probe:
            rows.append(row(("r  ", STRONG), f"the probe {safe(ask.probe)} can find out on this machine"))
        if ask.record is not None and ask.record.how:
            rows.append(
                row(("how to find out  ", MUTED), (f"$ {safe(ask.record.how)}", COMMAND), ("  (c copies)", MUTED))
            )
        if not ask.options:
            rows.append(row(("v  ", STRONG), "type the value; type none where there is no such thing"))
        self.query_one("#question", Static).update(Content("\n").join([*rows, Content("")]))
        options.add_options([Entry(self._entry(n, o), id=str(n)) for n, o in enumerate(ask.options, 1)])
        options.highlighted = 0 if ask.options else None
        options.focus()

    def _entry(self, number: int, option: Option) -> Content:
        key = " y" if option.value is True else " n" if option.value is False else "  "
        return row((f"{number}{key if option.fact else '  '}  ", STRONG), safe(say(option.answer, self.language)))

    def _end(self) -> Content:
        report = self.desk.report()
        if not report.hypotheses:
            return row(("Nothing fits what is known so far.\n", STRONG), "s chooses a symptom, b takes an answer back.")
        best = report.hypotheses[0]
        sure = "The answer" if best.confidence >= 0.5 else "The best that is left, not sure"
        head = row(
            (f"{sure} ({best.confidence:.0%})\n", MUTED), (safe(best.title), GOOD), f"\n{safe(best.explanation)}\n"
        )
        if best.fix:
            head = row(head, ("\nRecipe  ", MUTED), (safe(best.fix[0].title), STRONG), "\nf opens it step by step.\n")
        return row(head, ("No open question would change this. b takes an answer back.\n", MUTED))

    def _show_tree(self) -> None:
        ask, shown = self.ask, self.query_one("#tree", Static)
        name = ask.tree.id if ask and ask.tree else self.desk.chosen
        tree = next((t for t in self.desk.knowledge.trees if t.id == name), None)
        if tree is None:
            shown.update("")
            return
        parts = [(c.key.partition("/")[2], c.branch) for c in self.desk.choices if c.key.startswith(f"{tree.id}/")]
        taken = {node: branch for node, branch in parts if branch is not None}
        drawn = draw_tree(tree, self.language, ask.node if ask else "", taken)
        shown.update(row((f"\nTREE  {safe(say(tree.title, self.language))}\n", MUTED), drawn))

    def _take(self, answer: str, option: Option | None = None) -> None:
        """Take an answer and go on."""
        ask = self.ask
        if ask is None:
            return
        choice = Choice(ask.key, say(ask.question, self.language), answer)
        if option is not None:
            choice = Choice(choice.key, choice.question, answer, option.branch, option.fact, option.value)
        self.desk.answer(choice)
        self.triage.case_changed()
        self.tell(f"taken: {choice.question} {answer}   (b takes it back)")

    def action_pick(self, number: int) -> None:
        """Take an answer by its number."""
        if self.ask is not None and 1 <= number <= len(self.ask.options):
            option = self.ask.options[number - 1]
            self._take(say(option.answer, self.language), option)

    @on(OptionList.OptionSelected, "#options")
    def _picked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_pick(event.option_index + 1)

    def action_bool(self, value: bool) -> None:
        """Take yes or no, where an answer stands for it."""
        options = self.ask.options if self.ask else ()
        number = next((n for n, o in enumerate(options, 1) if o.fact and o.value is value), None)
        if number is None:
            self.tell("this question is not one for yes or no; choose a number")
        else:
            self.action_pick(number)

    def action_unknown(self) -> None:
        """Leave the question open and go on with the next."""
        self._take("I do not know")

    def action_value(self) -> None:
        """Type the value of the fact."""
        if self.ask is None or self.ask.record is None or self.ask.fact is None or "*" in self.ask.fact:
            self.tell("there is no value to type here; choose an answer by its number")
            return
        value = self.query_one("#value", Input)
        value.value = ""
        value.add_class("-open")
        value.focus()

    @on(Input.Submitted, "#value")
    def _typed(self, event: Input.Submitted) -> None:
        event.stop()
        ask = self.ask
        if ask is None or ask.record is None:
            return
        try:
            value = read_value(event.value, ask.record)
        except ValueError as error:
            self.tell(str(error))
            return
        event.input.remove_class("-open")
        self._take(describe_value(value), Option("", None, ask.fact, value))

    def action_probe(self) -> None:
        """Let the probe of this question answer it."""
        if self.ask is None or self.ask.probe is None:
            self.tell("no probe can answer this; see how to find out, or answer I do not know")
        else:
            elsewhere = any(note.startswith(ELSEWHERE) for note in self.desk.notes)
            if elsewhere and not self.warned:
                self.warned = True
                self.tell(f"{ELSEWHERE}; press r again to look at this one all the same")
                return
            self.triage.run_probe(self.ask.probe)

    def action_back(self) -> None:
        """Take the last answer back."""
        last = self.desk.back()
        self.triage.case_changed()
        self.tell(f"taken back: {last.question}" if last else "there is no answer to take back")

    def action_copy(self) -> None:
        """Copy the command that finds out."""
        how = self.ask.record.how if self.ask and self.ask.record else None
        self.tell(self.triage.copy(how) if how else "there is no command here")

    def action_fix(self) -> None:
        """Open the recipe of the best hypothesis."""
        report = self.desk.report()
        if report.hypotheses:
            self.triage.open_fix(report.hypotheses[0].id)
        else:
            self.tell("there is no hypothesis yet")

    def action_symptom(self) -> None:
        """Start from what a person sees."""
        self.triage.choose_symptom()

    def action_leave(self) -> None:
        """Close the value, or the screen."""
        value = self.query_one("#value", Input)
        if value.has_class("-open"):
            value.remove_class("-open")
            self.query_one("#options").focus()
        else:
            super().action_leave()
