"""The exact command before it runs: read it, edit it, run it or not."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Footer, Static, TextArea

from ..shell import placeholder
from ..text import COMMAND, DOUBT, MUTED, STRONG, block, row, safe


class ConfirmScreen(ModalScreen[str | None]):
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
        Binding("y", "run", "Run exactly this"),
        Binding("e", "edit", "Edit"),
        Binding("escape,n", "leave", "Do not run"),
    ]

    def __init__(self, command: str, risk: str, where: str) -> None:
        super().__init__()
        self.command = command
        self.risk = risk
        self.where = where

    def compose(self) -> ComposeResult:
        """The command, what it may change, where it runs."""
        with Vertical():
            yield Static(row(("Run this command?", STRONG)), markup=False)
            yield Static(id="command", markup=False)
            yield TextArea(self.command, id="edit", disabled=True)
            yield Static(row(f"\nIt {self.risk}. It runs in {safe(self.where)}; its output goes into the report.",
                             ("\nNothing can be typed into it while it runs.", MUTED)), markup=False)  # fmt: skip
            yield Static(id="warning", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show the command."""
        self._show()

    def _show(self) -> None:
        self.query_one("#command", Static).update(block("\n$ " + self.command.replace("\n", "\n  "), COMMAND))
        missing = placeholder(self.command)
        warning = f"\n{missing} must be replaced first: press e" if missing else ""
        self.query_one("#warning", Static).update(row((safe(warning), DOUBT)))

    def action_edit(self) -> None:
        """Change the text; Esc ends that."""
        edit = self.query_one("#edit", TextArea)
        edit.disabled = False
        edit.add_class("-open")
        edit.focus()

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
