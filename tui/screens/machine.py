"""The machine: devices, versions that must agree, facts to search, probes to run singly."""

from __future__ import annotations

from typing import cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from triage.doctor import CheckResult, choose_checks, judge
from triage.probing.probe_run import ProbeRun, ProbeStatus
from triage.probing.run import find_probes
from triage.recipe import human_bytes

from ..keys import bind
from ..messages import CaseChanged, ProbeNews
from ..text import ACCENT, BAD, DOUBT, GOOD, MUTED, STRONG, command_rows, padded, row, safe
from ..walk_text import describe_value
from .base import CaseScreen
from .choice import ChoiceScreen

STATES = {"ok": GOOD, "absent": MUTED, "denied": DOUBT, "timeout": BAD, "crashed": BAD, "garbled": BAD}
PARTS = ("name", "compute_capability", "memory_used", "memory_total")
ORDER = ("bad", "doubtful", "denied", "timeout", "ok", "not applicable")
CHECKS = {"bad": BAD, "doubtful": DOUBT, "denied": DOUBT, "timeout": DOUBT, "ok": GOOD}
SHOWN = 400
"""Facts listed at most."""


class MachineScreen(CaseScreen):
    """Left what is there and what must agree, right every fact by name."""

    HEADING = "machine"
    DEFAULT_CSS = """
    MachineScreen {
        & #machine { height: 1fr; }
        & #picture { height: 1fr; padding: 0 1; }
        & #picture Static, & #facts Static { height: auto; }
        & #probes { height: auto; max-height: 8; border: none; padding: 0 1; background: $surface; }
        & #probes:focus { border: none; }
        & #facts { height: 1fr; padding: 0 1; border-top: solid $panel; }
        & #filter { height: 1; border: none; padding: 0 1; }
        & #filter:focus { border: none; }
        &.-medium #machine, &.-wide #machine { layout: horizontal; }
        &.-medium #left, &.-wide #left { width: 1fr; height: 1fr; }
        &.-medium #right, &.-wide #right { width: 1fr; height: 1fr; border-left: solid $panel; }
        &.-medium #facts, &.-wide #facts { border-top: none; }
        & #left { height: 3fr; }
        & #right { height: 2fr; }
        &.-medium #probes, &.-wide #probes { max-height: 12; }
    }
    """
    BINDINGS = [  # noqa: RUF012
        bind("machine-probe", "probe"),
        bind("machine-all", "all"),
        bind("machine-fix", "fix"),
        bind("machine-search", "filter"),
        bind("walk", "walk"),
        bind("machine-copy", "copy", show=False),
    ]

    def body(self) -> ComposeResult:
        """Probes and picture; facts."""
        with Container(id="machine"):
            with Container(id="left"):
                yield OptionList(id="probes", markup=False)
                with VerticalScroll(id="picture"):
                    yield Static(id="devices", markup=False)
                    yield Static(id="versions", markup=False)
            with Container(id="right"):
                yield Input(id="filter", compact=True, placeholder=self.words("search-facts"))
                with VerticalScroll(id="facts"):
                    yield Static(id="list", markup=False)

    def on_mount(self) -> None:
        """Show what is known; look at once if nothing was looked at yet."""
        self.running: set[str] = set()
        self.found: list[CheckResult] = []
        self.on_case_changed()
        self.query_one("#probes").focus()
        if self.triage.settings.look and not self.desk.probes and not self.desk.has_log:
            self.action_all()

    def on_case_changed(self, event: CaseChanged | None = None) -> None:
        """Show the facts as they are now."""
        case = self.desk.case
        if case is None:
            return
        found = self.found = self._judge()
        bad = sum(check.state == "bad" for check in found)
        doubtful = sum(check.state == "doubtful" for check in found)
        said = [self.words("wrong", count=bad)] if bad else []
        said += [self.words("doubtful", count=doubtful)] if doubtful else []
        style = BAD if bad else DOUBT if said else MUTED
        none = self.words("nothing-wrong" if self.desk.probes else "not-looked-yet")
        self.entitle(safe(self.desk.target.describe(), 70), "   ", (", ".join(said) or none, style))
        self._show_probes()
        self.query_one("#devices", Static).update(self._devices())
        self.query_one("#versions", Static).update(self._checks(found))
        self._show_facts()

    def _show_probes(self) -> None:
        probes = self.query_one("#probes", OptionList)
        at = probes.highlighted or 0
        entries = []
        for name in find_probes():
            result = self.desk.probes.get(name)
            word = self.words(f"state-{result.status}" if result else "not-run-yet")
            style = STATES[result.status] if result else MUTED
            detail = f"  {result.seconds:.1f} s  {safe(result.detail, 80)}" if result else ""
            if name in self.running:
                word, style, detail = self.words("runs"), DOUBT, ""
            entries.append(Option(row(f"{name:<14} ", (padded(word, 9), style), (detail, MUTED)), id=name))
        probes.set_options(entries)
        probes.highlighted = min(at, len(entries) - 1)

    def _fact(self, name: str) -> str:
        case = self.desk.case
        known = case.facts.get(name) if case else None
        return "" if known is None else safe(describe_value(known.value, self.words), 80)

    def _devices(self) -> Content:
        rows = [row((self.words("devices"), MUTED))]
        for kind in ("gpu", "npu"):
            for index in range(64):
                values = {part: self._fact(f"{kind}.{index}.{part}") for part in PARTS}
                if not any(values.values()):
                    break
                memory = ""
                if values["memory_total"]:
                    used = human_bytes(values["memory_used"]) if values["memory_used"] else ""
                    total = human_bytes(values["memory_total"])
                    memory = self.words("used-of", used=used, total=total) if used else total
                rows.append(
                    row(f"{kind} {index}  ", (values["name"], STRONG), f"  {values['compute_capability']}  {memory}")
                )
        if len(rows) == 1:
            count = self._fact("gpu.count") or self._fact("npu.count")
            rows.append(row((self.words("devices-only" if count else "no-device", count=count), MUTED)))
        for name in ("nvidia.driver_version", "nvidia.cuda_version", "cann.version", "host.kernel", "host.container",
                     "python.version", "torch.version", "torch.cuda_version"):  # fmt: skip
            if self._fact(name):
                label = safe(self.words.of(self.desk.knowledge.facts.label(name)))
                rows.append(row((padded(label, 34) + " ", MUTED), self._fact(name)))
        return Content("\n").join(rows)

    def _judge(self) -> list[CheckResult]:
        """Hold doctor's checks against the facts, what is wrong first."""
        case, knowledge = self.desk.case, self.desk.knowledge
        if case is None:
            return []
        runs = [ProbeRun(p.name, cast(ProbeStatus, p.status), p.seconds, {}) for p in self.desk.probes.values()]
        checks = choose_checks(knowledge, ())
        found = [judge(check, knowledge, case.context, runs, False, self.words.language) for check in checks]
        return sorted(found, key=lambda check: ORDER.index(check.state))

    def _checks(self, found: list[CheckResult]) -> Content:
        rows = [row(("\n" + self.words("checks"), MUTED))]
        for check in found:
            if check.state == "not applicable":
                continue
            word, style = self.words(f"state-{check.state}"), CHECKS[check.state]
            shows = f"  {safe(check.shows, 200)}" if check.shows else ""
            rows.append(row((padded(word, 8) + " ", style), safe(check.says), (shows, MUTED)))
            if check.title:
                rows.append(row(("         " + safe(check.title), DOUBT), (f"  {safe(check.cause or '')}", MUTED)))
            if check.fix:
                rows.append(row(" " * 9, self.words("fix-of", title=safe(check.fix[0].title))))
                for step in check.fix[0].steps[:2]:
                    rows += command_rows(step.command, step.language, " " * 9)
        rest = sum(check.state == "not applicable" for check in found)
        if len(rows) == 1:
            rows.append(row((self.words("nothing-checked"), MUTED)))
        if rest:
            rows.append(row((self.words("not-applicable", count=rest), MUTED)))
        return Content("\n").join(rows)

    def _show_facts(self) -> None:
        case = self.desk.case
        wanted = self.query_one("#filter", Input).value.lower().split()
        rows = []
        for known in case.facts if case else ():
            label = safe(self.words.of(self.desk.knowledge.facts.label(known.name)))
            value = safe(describe_value(known.value, self.words), 200)
            if all(word in f"{known.name} {label} {value}".lower() for word in wanted):
                rows.append(
                    row(
                        (known.name, ACCENT),
                        " = ",
                        (value, STRONG),
                        (f"  {label} [{self.words.source(known.source)}]", MUTED),
                    )
                )
        head = row((self.words("facts", count=len(rows)), MUTED))
        self.query_one("#list", Static).update(Content("\n").join([head, *rows[:SHOWN]]))

    @on(Input.Changed, "#filter")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_facts()

    @on(Input.Submitted, "#filter")
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one("#facts").focus()

    def on_probe_news(self, event: ProbeNews) -> None:
        """Show which probes run."""
        super().on_probe_news(event)
        (self.running.discard if event.status else self.running.add)(event.name)
        self._show_probes()

    @on(OptionList.OptionSelected, "#probes")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_probe()

    def action_probe(self) -> None:
        """Run the probe under the cursor."""
        probes = self.query_one("#probes", OptionList)
        if probes.highlighted is not None:
            self.triage.run_probe(probes.get_option_at_index(probes.highlighted).id or "")

    def action_all(self) -> None:
        """Run all probes."""
        self.triage.run_probe()

    def action_fix(self) -> None:
        """Open the recipes of what is wrong; of several faults a person chooses one."""
        faults = [check for check in self.found if check.cause and check.fix]
        if not faults:
            self.tell(self.words("no-fault-fix"))
        elif len(faults) == 1:
            self._open_fix(0)
        else:
            entries = [row((safe(f.title or f.says), STRONG), (f"\n   {safe(f.says)}", MUTED)) for f in faults]
            self.app.push_screen(ChoiceScreen(self.words("which-fault"), entries), self._open_fix)

    def _open_fix(self, index: int | None) -> None:
        faults = [check for check in self.found if check.cause and check.fix]
        if index is not None and index < len(faults):
            self.triage.open_fix(faults[index].cause or "", faults[index])

    def action_filter(self) -> None:
        """Search the facts."""
        self.query_one("#filter").focus()

    def action_walk(self) -> None:
        """Open the walk-through."""
        self.triage.action_walk()

    def action_copy(self) -> None:
        """Copy the facts as a facts file."""
        import json

        from triage.redact import redact_value

        case = self.desk.case
        facts = {known.name: known.value for known in case.facts} if case else {}
        self.tell(self.triage.copy(json.dumps(redact_value(facts, home=True), indent=1, ensure_ascii=False)))

    def action_leave(self) -> None:
        """Leave the search, or the screen."""
        search = self.query_one("#filter", Input)
        if search.has_focus or search.value:
            search.value = ""
            self.query_one("#probes").focus()
        else:
            super().action_leave()
