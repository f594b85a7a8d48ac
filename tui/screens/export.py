"""Save the report, the answers and what was run."""

from __future__ import annotations

from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from triage.errors import TriageError

from ..export import ENDINGS, FORMS, report_as_html, report_as_json, report_as_markdown, write_file
from ..keys import bind
from ..session import make_session, save_session
from ..text import MUTED, STRONG, row
from .base import Box


class ExportScreen(Box[None]):
    """Asks for form and file name."""

    DEFAULT_CSS = """
    ExportScreen {
        align: center middle;
        & > Vertical {
            width: 76;
            max-width: 94%;
            height: auto;
            border: solid $primary;
            padding: 0 1;
            background: $surface;
        }
        & Static { height: auto; }
        & OptionList { height: auto; border: none; padding: 0; }
        & OptionList:focus { border: none; }
        & Input { height: 1; border: none; padding: 0; }
        & Input:focus { border: none; }
    }
    """
    BINDINGS = [bind("back", "dismiss"), bind("export-name", "app.focus_next")]  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.form = "json"

    def compose(self) -> ComposeResult:
        """Forms and name."""
        with Vertical():
            yield Static(row((self.words("save-report") + " ", STRONG), (self.words("save-how"), MUTED)), markup=False)
            yield OptionList(*[Option(self.words(f"form-{form}"), id=form) for form in FORMS], markup=False)
            yield Static(row((self.words("file"), MUTED)), markup=False)
            yield Input(compact=True)
            yield Static(id="said", markup=False)
        yield Footer(show_command_palette=False)

    @on(OptionList.OptionHighlighted)
    def _form(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self.form = event.option.id or "json"
        name = Path(self.triage.desk.report().input.name.strip("<>")).name or "report"
        base, number = f"{Path(name).stem or 'report'}-triage", 1
        path = Path(base + ENDINGS[self.form])
        while path.exists():
            number += 1
            path = Path(f"{base}-{number}{ENDINGS[self.form]}")
        self.query_one(Input).value = str(path)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.save()

    @on(Input.Submitted)
    def _named(self, event: Input.Submitted) -> None:
        event.stop()
        self.save()

    def save(self) -> None:
        """Write the file and say where it is."""
        desk, form = self.triage.desk, self.form
        if form == "svg":
            self.app.pop_screen()
            self.call_later(self._picture, self.query_one(Input).value)
            return
        text = {"json": report_as_json, "markdown": report_as_markdown, "html": report_as_html}[form](desk)
        try:
            path = write_file(self.query_one(Input).value, text)
        except TriageError as error:
            self.query_one("#said", Static).update(str(error))
            return
        if form == "json" and (desk.choices or desk.chosen):
            session = make_session(self.triage.source, desk.choices, desk.chosen, desk.knowledge.digest)
            save_session(session, path.with_suffix(".walk.json"))
        self.app.pop_screen()
        self.app.notify(self.words("saved", path=path), markup=False)

    def _picture(self, path: str) -> None:
        try:
            saved = write_file(path, self.app.export_screenshot(title="triage"))
            self.app.notify(self.words("saved", path=saved), markup=False)
        except TriageError as error:
            self.app.notify(str(error), severity="error", markup=False)
