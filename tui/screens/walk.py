"""The walk-through: one question after the other, the one that tells most for its cost first."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option as Entry

from triage.reason.walkthrough import Ask, Choice, Option, read_value

from ..keys import bind
from ..messages import CaseChanged
from ..text import ACCENT, COMMAND, GOOD, MUTED, STRONG, row, safe
from ..walk_text import about_known, about_path, about_standing, describe_value
from ..widgets.tree_text import draw_tree
from .base import CaseScreen

CLEAR = 0.8
"""Confidence from which the screen says that the answer is found, where no other cause comes near."""
NEAR = 0.3
"""Confidence by which others must stay behind for that."""
BETWEEN = 3
"""Causes named that a question tells apart."""
ELSEWHERE = "the log comes from another machine"


class WalkScreen(CaseScreen):
    """A question with its answers on the left; what follows from them on the right."""

    HEADING = "walk"
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
        bind("walk-probe", "probe"),
        bind("walk-unknown", "unknown"),
        bind("walk-value", "value"),
        bind("walk-back", "back"),
        bind("walk-fix", "fix"),
        bind("help-f1", "keys"),
        bind("walk-symptom", "symptom", show=False),
        bind("walk-yes", "bool(True)", show=False),
        bind("walk-no", "bool(False)", show=False),
        bind("walk-copy", "copy", show=False),
        *(Binding(str(n), f"pick({n})", show=False) for n in range(1, 10)),
        bind("back", "leave"),
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
                yield Input(id="value", compact=True, placeholder=self.words("value-here"))
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
        elif self.ask is not None and self.ask.options:
            self.tell(self.words("choose-answer"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Name only keys that do something at this question."""
        ask = self.ask
        if action == "probe":
            return ask is not None and ask.probe is not None
        if action == "value":
            return self._typable
        if action == "back":
            return bool(self.desk.choices) or self.desk.chosen is not None
        return ask is not None or action not in ("unknown", "keys")

    @property
    def _typable(self) -> bool:
        """Whether a person can type the value that the question asks."""
        return self.ask is not None and self.ask.record is not None and "*" not in (self.ask.fact or "*")

    def action_keys(self) -> None:
        """Name the keys; while a question is asked, the key that does so elsewhere is an answer."""
        self.triage.action_help()

    def on_case_changed(self, event: CaseChanged | None = None) -> None:
        """Show the next question and what is known by now."""
        asks = self.desk.questions()
        self.ask = asks[0] if asks else None
        tree = next((t for t in self.desk.knowledge.trees if t.id == self.desk.chosen), None)
        about = safe(self.words.of(tree.title)) if tree else safe(self.desk.report().input.name, 60)
        self.entitle(about, ("  " + self.words("answered", answered=len(self.desk.choices), open=len(asks)), MUTED))
        self._show_question()
        self.refresh_bindings()
        self.query_one("#known", Static).update(about_known(self.desk, self.ask, self.words))
        self.query_one("#standing", Static).update(about_standing(self.desk, self.words))
        self.query_one("#path", Static).update(about_path(self.desk, self.words))
        self._show_tree()

    def _show_question(self) -> None:
        ask, options = self.ask, self.query_one("#options", OptionList)
        options.clear_options()
        if ask is None:
            self.query_one("#question", Static).update(self._end())
            return
        found = [h.confidence for h in self.desk.report().hypotheses if not h.explained_by]
        rows = []
        if found and found[0] >= CLEAR and all(found[0] - other >= NEAR for other in found[1:]):
            rows.append(row((self.words("clear-enough", share=f"{found[0]:.0%}") + "\n", GOOD)))
        rows += [row((self.words("question") + "  ", MUTED), (safe(self.words.of(ask.question)), ACCENT))]
        if ask.why:
            rows.append(row((self.words("why") + "  ", MUTED), safe(self.words.of(ask.why))))
        rows.append(row((self.words("tells-apart") + "  ", MUTED), self._between(ask)))
        if ask.probe:
            rows.append(
                row((self.words.key("walk-probe") + "  ", STRONG), self.words("probe-can", probe=safe(ask.probe)))
            )
        if ask.record is not None and ask.record.how:
            how = (f"$ {safe(ask.record.how)}", COMMAND)
            rows.append(row((self.words("how") + "  ", MUTED), how, ("  " + self.words("copies"), MUTED)))
        if not ask.options and self._typable:
            rows.append(row((self.words.key("walk-value") + "  ", STRONG), self.words("type-value")))
        self.query_one("#question", Static).update(Content("\n").join([*rows, Content("")]))
        options.add_options([Entry(self._entry(n, o), id=str(n)) for n, o in enumerate(ask.options, 1)])
        options.highlighted = 0 if ask.options else None
        options.focus()

    def _between(self, ask: Ask) -> str:
        titles = [self.words.of(self.desk.knowledge.causes[cause].title) for cause in ask.between[:BETWEEN]]
        more = len(ask.between) - BETWEEN
        return safe(" | ".join(titles) + (f" | {self.words('and-more', count=more)}" if more > 0 else ""))

    def _entry(self, number: int, option: Option) -> Content:
        key = " y" if option.value is True else " n" if option.value is False else "  "
        return row((f"{number}{key if option.fact else '  '}  ", STRONG), safe(self.words.of(option.answer)))

    def _end(self) -> Content:
        report = self.desk.report()
        if not report.hypotheses:
            return row((self.words("nothing-fits") + "\n", STRONG), self.words("nothing-fits-then"))
        best = report.hypotheses[0]
        sure = self.words("the-answer" if best.confidence >= 0.5 else "best-left", share=f"{best.confidence:.0%}")
        head = row((sure + "\n", MUTED), (safe(best.title), GOOD), f"\n{safe(best.explanation)}\n")
        if best.fix:
            recipe = (safe(best.fix[0].title), STRONG)
            head = row(head, (f"\n{self.words('recipe')}  ", MUTED), recipe, f"\n{self.words('opens-recipe')}\n")
        return row(head, (self.words("no-question") + "\n", MUTED))

    def _show_tree(self) -> None:
        ask, shown = self.ask, self.query_one("#tree", Static)
        name = ask.tree.id if ask and ask.tree else self.desk.chosen
        tree = next((t for t in self.desk.knowledge.trees if t.id == name), None)
        if tree is None:
            shown.update("")
            return
        parts = [(c.key.partition("/")[2], c.branch) for c in self.desk.choices if c.key.startswith(f"{tree.id}/")]
        taken = {node: branch for node, branch in parts if branch is not None}
        drawn = draw_tree(tree, self.words, ask.node if ask else "", taken)
        shown.update(row((f"\n{self.words('tree')}  {safe(self.words.of(tree.title))}\n", MUTED), drawn))

    def _take(self, answer: str, option: Option | None = None) -> None:
        """Take an answer and go on."""
        ask = self.ask
        if ask is None:
            return
        choice = Choice(ask.key, self.words.of(ask.question), answer)
        if option is not None:
            choice = Choice(choice.key, choice.question, answer, option.branch, option.fact, option.value)
        self.desk.answer(choice)
        self.triage.case_changed()
        self.tell(self.words("taken", question=choice.question, answer=answer))

    def action_pick(self, number: int) -> None:
        """Take an answer by its number."""
        if self.ask is not None and 1 <= number <= len(self.ask.options):
            option = self.ask.options[number - 1]
            self._take(self.words.of(option.answer), option)

    @on(OptionList.OptionSelected, "#options")
    def _picked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_pick(event.option_index + 1)

    def action_bool(self, value: bool) -> None:
        """Take yes or no, where an answer stands for it."""
        options = self.ask.options if self.ask else ()
        number = next((n for n, o in enumerate(options, 1) if o.fact and o.value is value), None)
        if number is None:
            self.tell(self.words("not-yes-no"))
        else:
            self.action_pick(number)

    def action_unknown(self) -> None:
        """Leave the question open and go on with the next."""
        self._take(self.words("unknown"))

    def action_value(self) -> None:
        """Type the value of the fact."""
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
        self._take(describe_value(value, self.words), Option("", None, ask.fact, value))

    def action_probe(self) -> None:
        """Let the probe of this question answer it."""
        if self.ask is not None and self.ask.probe is not None:
            elsewhere = any(note.startswith(ELSEWHERE) for note in self.desk.notes)
            if elsewhere and not self.warned:
                self.warned = True
                self.tell(self.words("elsewhere"))
                return
            self.triage.run_probe(self.ask.probe)

    def action_back(self) -> None:
        """Take the last answer back."""
        last = self.desk.back()
        self.triage.case_changed()
        self.tell(self.words("taken-back", question=last.question) if last else self.words("symptom-left"))

    def action_copy(self) -> None:
        """Copy the command that finds out."""
        how = self.ask.record.how if self.ask and self.ask.record else None
        self.tell(self.triage.copy(how) if how else self.words("no-command"))

    def action_fix(self) -> None:
        """Open the recipe of the best hypothesis."""
        report = self.desk.report()
        if report.hypotheses:
            self.triage.open_fix(report.hypotheses[0].id)
        else:
            self.tell(self.words("no-hypothesis"))

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
