"""The exact command before it runs: read it, edit it, run it or not."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Footer, Static, TextArea

from ..keys import bind
from ..shell import placeholder
from ..text import COMMAND, DOUBT, MUTED, STRONG, block, row, safe
from .base import Box


class ConfirmScreen(Box[str | None]):
    """Gives the text that was confirmed, or None."""

    DEFAULT_CSS = """
    ConfirmScreen {
        align: center middle;
        & > Vertical {
            width: 90%;
            max-width: 110;
            height: auto;
            max-height: 90%;
            border: solid $warning;
            padding: 0 1;
            background: $surface;
        }
        & Static { height: auto; }
        & TextArea { height: 6; display: none; }
        & TextArea.-open { display: block; }
    }
    """
    AUTO_FOCUS = ""
    BINDINGS = [  # noqa: RUF012
        bind("confirm-run", "run"),
        bind("confirm-edit", "edit"),
        bind("confirm-leave", "leave"),
    ]

    def __init__(self, command: str, risk: str, where: str) -> None:
        super().__init__()
        self.command = command
        self.risk = risk
        self.where = where

    def compose(self) -> ComposeResult:
        """The command, what it may change, where it runs."""
        with Vertical():
            yield Static(row((self.words("run-this"), STRONG)), markup=False)
            yield Static(id="command", markup=False)
            yield TextArea(self.command, id="edit", disabled=True)
            does = self.words("what-it-does", risk=self.risk, place=safe(self.where))
            yield Static(row("\n" + does, ("\n" + self.words("no-typing"), MUTED)), markup=False)
            yield Static(id="warning", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show the command."""
        self._show()

    def _show(self) -> None:
        self.query_one("#command", Static).update(block("\n$ " + self.command.replace("\n", "\n  "), COMMAND))
        missing = placeholder(self.command)
        warning = self.words("gap", gap=missing) if missing else ""
        self.query_one("#warning", Static).update(row(("\n" + safe(warning) if warning else "", DOUBT)))

    def action_edit(self) -> None:
        """Change the text; Esc ends that."""
        edit = self.query_one("#edit", TextArea)
        edit.disabled = False
        edit.add_class("-open")
        edit.focus()
        self.query_one("#warning", Static).update(row(("\n" + self.words("end-edit"), MUTED)))

    def action_leave(self) -> None:
        """End editing, or leave without running."""
        edit = self.query_one("#edit", TextArea)
        if not edit.has_class("-open"):
            self.dismiss(None)
            return
        edit.remove_class("-open")
        edit.disabled = True
        self.set_focus(None)
        self.command = edit.text.strip()
        self._show()

    def action_run(self) -> None:
        """Run what is shown."""
        if self.command and not placeholder(self.command):
            self.dismiss(self.command)
