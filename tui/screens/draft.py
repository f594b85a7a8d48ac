"""A new rule from the log: the questions of `triage rules new`, one after the other."""

from __future__ import annotations

from queue import SimpleQueue

from textual import on, work
from textual.app import ComposeResult
from textual.widgets import Input, RichLog, Static

from triage.errors import TriageError

from ..keys import bind
from ..text import MUTED, STRONG, block, row, safe
from .base import CaseScreen


class Left(Exception):
    """The person left before the end."""


class DraftScreen(CaseScreen):
    """What the drafting says, its question, the answer with a proposal."""

    HEADING = "draft"
    DEFAULT_CSS = """
    DraftScreen {
        & #said { height: 1fr; padding: 0 1; background: $background; }
        & #asked { height: auto; padding: 0 1; border-top: solid $panel; }
        & #answer { height: 3; }
    }
    """
    BINDINGS = [bind("back", "leave")]  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self._answers: SimpleQueue[str | None] = SimpleQueue()
        self._proposal = ""

    def body(self) -> ComposeResult:
        """What was said, the question, the answer."""
        yield RichLog(id="said", wrap=True, min_width=20, markup=False, highlight=False)
        yield Static(id="asked", markup=False)
        yield Input(id="answer")

    def on_mount(self) -> None:
        """Begin."""
        self.entitle(safe(self.desk.report().input.name, 60))
        self.query_one("#answer").focus()
        self.draft()

    @work(thread=True, exclusive=True, group="draft")
    def draft(self) -> None:
        """Draft in the background; each question waits for its answer."""
        from triage.draft.place import draft_folder, holds_knowledge
        from triage.draft.records import Wish
        from triage.draft.session import Session

        case, source = self.desk.case, self.triage.source
        if case is None or source is None:
            return
        folder = draft_folder(None)
        self._say(self.words("draft-into", folder=safe(str(folder))))
        overlays = [path for path in self.triage.settings.overlays if path.resolve() != folder.resolve()]
        if holds_knowledge(folder):
            overlays.append(folder)
        session = Session(self.desk.knowledge, Wish(), folder, overlays, self._ask, self._say, self.words.own)
        try:
            session.look_in(case, source, None)
            while True:
                try:
                    session.complete()
                    break
                except TriageError as error:  # what was answered stays; the rest is asked again
                    self._say(str(error))
            session.write(dry_run=False)
        except TriageError as error:
            self._end(self.words("draft-failed", what=str(error)))
        except Left:
            return
        else:
            self._end(self.words("draft-done"))

    def _say(self, text: str) -> None:
        self.app.call_from_thread(self._write, text)

    def _write(self, text: str) -> None:
        said = self.query_one("#said", RichLog)
        for line in text.splitlines():
            said.write(safe(line))

    def _ask(self, question: str, proposal: str) -> str:
        self.app.call_from_thread(self._show_question, question, proposal)
        answer = self._answers.get()
        if answer is None:
            raise Left
        self._say(f"{question}: {answer}")
        return answer

    def _show_question(self, question: str, proposal: str) -> None:
        self.query_one("#asked", Static).update(row((self.words("question") + "  ", MUTED), (safe(question), STRONG)))
        answer = self.query_one("#answer", Input)
        answer.value = proposal
        answer.focus()
        self.tell(self.words("draft-ask"))

    def _end(self, text: str) -> None:
        self.app.call_from_thread(self._show_end, text)

    def _show_end(self, text: str) -> None:
        self.query_one("#asked", Static).update(block(text, STRONG))
        answer = self.query_one("#answer", Input)
        answer.value = ""
        answer.disabled = True
        self.query_one("#said").focus()
        self.tell(text)

    @on(Input.Submitted, "#answer")
    def _answered(self, event: Input.Submitted) -> None:
        event.stop()
        if not event.value.strip():
            self.tell(self.words("draft-empty"))
            return
        self.tell(self.words("draft-works"))
        self._answers.put(event.value.strip())

    def on_unmount(self) -> None:
        """Let the drafting end."""
        self._answers.put(None)
