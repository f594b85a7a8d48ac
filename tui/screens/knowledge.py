"""The knowledge browser: causes, trees, rules; search as you type."""

from __future__ import annotations

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from triage.knowledge.model import Rule
from triage.language import say

from ..keys import bind
from ..knowledge_text import cause_page, rule_page
from ..rule_source import whole_rule
from ..text import ACCENT, MUTED, STRONG, Piece, row, safe
from ..widgets.tree_text import draw_tree
from .base import CaseScreen

KINDS = ("causes", "trees", "rules")
SHOWN = 300
"""Entries listed at most; the search narrows them down."""


class KnowledgeScreen(CaseScreen):
    """A list of one kind, and the page of the chosen entry."""

    HEADING = "knowledge"
    DEFAULT_CSS = """
    KnowledgeScreen {
        & #browser { height: 1fr; }
        & #wanted { height: 1; border: none; padding: 0 1; }
        & #wanted:focus { border: none; }
        & #entries { height: 9; border: none; padding: 0 1; background: $surface; }
        & #entries:focus { border: none; }
        & #entry { height: 1fr; padding: 0 1; border-top: solid $panel; }
        & #entry Static { height: auto; }
        & #list { height: auto; }
        &.-medium #browser, &.-wide #browser { layout: horizontal; }
        &.-medium #list, &.-wide #list { width: 2fr; height: 1fr; }
        &.-medium #entries, &.-wide #entries { height: 1fr; }
        &.-medium #entry, &.-wide #entry { width: 3fr; height: 1fr; border-top: none; border-left: solid $panel; }
    }
    """
    BINDINGS = [  # noqa: RUF012
        bind("knowledge-causes", "kind(0)"),
        bind("knowledge-trees", "kind(1)"),
        bind("knowledge-rules", "kind(2)"),
        bind("knowledge-search", "search"),
        bind("knowledge-new", "add"),
        bind("knowledge-copy", "copy", show=False),
        bind("walk", "walk", show=False),
        bind("page-down", "turn(1)", show=False),
        bind("page-up", "turn(-1)", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.kind = 0
        self.page = Content("")

    def body(self) -> ComposeResult:
        """Search and list; page."""
        with Container(id="browser"):
            with Container(id="list"):
                yield Input(id="wanted", compact=True, placeholder=self.words("search-typing"))
                yield OptionList(id="entries", markup=False)
            with VerticalScroll(id="entry"):
                yield Static(id="page", markup=False)

    def on_mount(self) -> None:
        """List the causes."""
        self.show_entries()
        self.query_one("#entries").focus()

    def _all(self) -> list[tuple[str, str, str]]:
        """Return (id, title, text searched) of the entries of this kind."""
        knowledge = self.desk.knowledge
        if self.kind == 0:
            return [(c.id, self.words.of(c.title), f"{c.id} {say(c.title, 'both')}") for c in knowledge.causes.values()]
        if self.kind == 1:
            return [
                (t.id, self.words.of(t.title), f"{t.id} {say(t.title, 'both')} {say(t.about, 'both')}")
                for t in knowledge.trees
            ]
        return [(r.id, self.words.of(r.says), f"{r.id} {say(r.says, 'both')} {r.pattern}") for r in knowledge.rules]

    def show_entries(self) -> None:
        """List what fits the search."""
        wanted = self.query_one("#wanted", Input).value.lower().split()
        found = sorted(e for e in self._all() if all(word in e[2].lower() for word in wanted))
        entries = self.query_one("#entries", OptionList)
        entries.set_options(
            [Option(row((safe(title), STRONG), (f"\n  {name}", MUTED)), id=name) for name, title, _ in found[:SHOWN]]
        )
        entries.highlighted = 0 if found else None
        kinds: list[Piece] = []
        for number, kind in enumerate(KINDS):
            chosen = number == self.kind
            name = f"{self.words.key(f'knowledge-{kind}')} {self.words(kind)}"
            kinds.append((f"[{name}]" if chosen else f" {name} ", ACCENT if chosen else MUTED))
        count = self.words("entries-more" if len(found) > SHOWN else "entries", count=len(found), shown=SHOWN)
        self.entitle(*kinds, "  " + count)
        if not found:
            self.show_page(row((self.words("nothing-found"), MUTED)))

    def show_page(self, page: Content) -> None:
        """Show a page from its start."""
        self.page = page
        self.query_one("#page", Static).update(page)
        self.query_one("#entry").scroll_home(animate=False)

    @on(OptionList.OptionHighlighted, "#entries")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        name, knowledge = event.option.id or "", self.desk.knowledge
        if self.kind == 0 and name in knowledge.causes:
            self.show_page(cause_page(knowledge, name, self.words))
        elif self.kind == 1:
            tree = next((t for t in knowledge.trees if t.id == name), None)
            if tree is not None:
                title, about = safe(self.words.of(tree.title)), safe(self.words.of(tree.about))
                head = row((title, STRONG), f"\n{about}\n", (self.words("walks-tree") + "\n\n", MUTED))
                self.show_page(row(head, draw_tree(tree, self.words)))
        elif name in knowledge.rules_by_id:
            self.show_page(rule_page(knowledge, knowledge.rules_by_id[name], self.words))
            self.show_samples(name)

    @work(thread=True, exclusive=True, group="samples")
    def show_samples(self, name: str) -> None:
        """Show the rule with its samples, which stand in its file only."""
        rule = whole_rule(self.desk.knowledge, name)
        if rule is not None and not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._show_rule, rule)

    def _show_rule(self, rule: Rule) -> None:
        entries = self.query_one("#entries", OptionList)
        at = entries.highlighted
        if self.kind == 2 and at is not None and entries.get_option_at_index(at).id == rule.id:
            self.show_page(rule_page(self.desk.knowledge, rule, self.words))

    @on(Input.Changed, "#wanted")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.show_entries()

    @on(Input.Submitted, "#wanted")
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one("#entries").focus()

    def action_kind(self, kind: int) -> None:
        """List another kind."""
        self.kind = kind
        self.show_entries()
        self.query_one("#entries").focus()

    def action_search(self) -> None:
        """Search."""
        self.query_one("#wanted").focus()

    def action_turn(self, step: int) -> None:
        """Scroll the page."""
        page = self.query_one("#entry")
        page.scroll_relative(y=step * max(1, page.size.height - 1), animate=False)

    def action_add(self) -> None:
        """Draft a new rule from the log."""
        self.triage.action_new_rule()

    def action_copy(self) -> None:
        """Copy the page."""
        self.tell(self.triage.copy(self.page.plain))

    def action_walk(self) -> None:
        """Walk the tree that is shown."""
        entries = self.query_one("#entries", OptionList)
        if self.kind != 1 or entries.highlighted is None:
            self.tell(self.words("choose-tree"))
            return
        self.triage.open_nothing()
        self.desk.choose(entries.get_option_at_index(entries.highlighted).id)
        self.triage.case_changed()
        self.triage.action_walk()

    def action_leave(self) -> None:
        """Leave the search, or the screen."""
        wanted = self.query_one("#wanted", Input)
        if wanted.has_focus or wanted.value:
            wanted.value = ""
            self.query_one("#entries").focus()
        else:
            super().action_leave()
