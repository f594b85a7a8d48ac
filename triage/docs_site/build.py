"""Write the reference: a start page with search, a page for each cause and each rule."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from triage.check.mentions import collect_mentions
from triage.docs_site.html import code, english, items, link, page, reference, text
from triage.errors import TriageError
from triage.knowledge.load import Base, Loaded
from triage.knowledge.model import Cause, Recipe, Rule, Seen

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,100}\Z")

SEARCH = """
const entries = JSON.parse(document.getElementById("entries").textContent);
const list = document.getElementById("found"), field = document.getElementById("q");
function show() {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  list.textContent = "";
  let count = 0;
  for (const [href, name, title] of entries) {
    const all = (name + " " + title).toLowerCase();
    if (!words.every(word => all.includes(word))) continue;
    if (++count > 400) break;
    const item = document.createElement("li"), anchor = document.createElement("a");
    anchor.href = href; anchor.textContent = name;
    item.append(anchor, " " + title);
    list.append(item);
  }
}
field.addEventListener("input", show);
"""


def build_site(base: Base, folder: Path) -> int:
    """Write all pages into `folder` and return their number; raises TriageError if that cannot be done."""
    causes = [c for c in base.causes.values() if _NAME.match(c.record.id)]
    rules = [r for r in base.rules.values() if _NAME.match(r.record.id)]
    mentions = collect_mentions(base)
    pages = {"index.html": _start(causes, rules)}
    for cause in causes:
        trees = mentions.tree_causes.get(cause.record.id, [])
        pages[f"causes/{cause.record.id}.html"] = _cause(cause, base, sorted(set(trees)))
    for rule in rules:
        pages[f"rules/{rule.record.id}.html"] = _rule(rule, mentions.seen_as.get(rule.record.id, []))
    try:
        for name in ("causes", "rules"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        for name, content in pages.items():
            (folder / name).write_text(content, encoding="utf-8")
    except OSError as error:
        raise TriageError(f"cannot write {error.filename}: {error.strerror}") from error
    return len(pages)


def _start(causes: Sequence[Loaded[Cause]], rules: Sequence[Loaded[Rule]]) -> str:
    entries = [[f"causes/{c.record.id}.html", c.record.id, _both(c.record.title)] for c in causes]
    entries += [[f"rules/{r.record.id}.html", r.record.id, _both(r.record.says)] for r in rules]
    data = (
        json.dumps(entries, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    )
    families: dict[str, list[str]] = {}
    for cause in causes:
        shown = f"{link(f'causes/{cause.record.id}.html', cause.record.id)} {english(cause.record.title)}"
        families.setdefault(cause.record.id.split(".")[0], []).append(shown)
    listed = "".join(f"<h2>{link('#' + name, name)}</h2>{items(found)}" for name, found in families.items())
    body = (
        f"<h1>triage: {len(causes)} causes, {len(rules)} rules</h1>"
        '<p><input id="q" type="search" placeholder="words of a message, an id, a cause" autofocus></p>'
        '<ul id="found"></ul>'
        f'{listed}<script type="application/json" id="entries">{data}</script><script>{SEARCH}</script>'
    )
    return page("triage reference", body)


def _both(value: object) -> str:
    return value if isinstance(value, str) else f"{value.en} {value.zh}"  # type: ignore[attr-defined]


def _cause(loaded: Loaded[Cause], base: Base, trees: Sequence[str]) -> str:
    cause = loaded.record
    body = f'<h1>{english(cause.title)}</h1><p class="meta"><code>{english(cause.id)}</code>, {cause.status}, '
    body += f"{english(str(loaded.place()))}, layer {english(loaded.layer)}</p>"
    body += text(cause.title, "p") + text(cause.explanation)
    body += "<h2>How it shows</h2>" + items(_seen(seen, base) for seen in cause.seen_as)
    body += items(f"decision tree <code>{english(tree)}</code>" for tree in trees)
    for title, arguments in (("Speaks for it", cause.arguments_for), ("Speaks against it", cause.arguments_against)):
        if arguments:
            body += f"<h2>{title}</h2>" + items(f"{english(a.because)} ({a.weight})" for a in arguments)
    body += "<h2>How to fix it</h2>" + "".join(_recipe(recipe) for recipe in cause.recipes)
    if cause.neighbours:
        body += "<h2>Looks alike</h2>" + items(f"{_to(n.cause, base)}: {english(n.by)}" for n in cause.neighbours)
    if cause.leads_to:
        body += "<h2>Leads to</h2>" + items(_to(name, base) for name in cause.leads_to)
    if cause.references:
        body += "<h2>References</h2>" + items(reference(url) for url in cause.references)
    return page(cause.id, body, 1)


def _to(cause: str, base: Base) -> str:
    return link(f"{cause}.html", cause) if cause in base.causes and _NAME.match(cause) else english(cause)


def _seen(seen: Seen, base: Base) -> str:
    rules = [seen.rule] if isinstance(seen.rule, str) else seen.rule
    shown = []
    for name in rules:
        known = base.rules.get(name)
        says = f" {english(known.record.says)}" if known else ""
        shown.append((link(f"../rules/{name}.html", name) if _NAME.match(name) else english(name)) + says)
    return "; ".join(shown) + f" ({seen.weight}{', under a condition' if seen.when else ''})"


def _recipe(recipe: Recipe) -> str:
    steps = "".join(
        f"<li>{text(step.text)}{code(step.command) if step.command is not None else ''}</li>" for step in recipe.steps
    )
    check = text(recipe.check.text) + (code(recipe.check.command) if recipe.check.command is not None else "")
    undo = "<p><b>Undo</b></p>" + text(recipe.undo) if recipe.undo is not None else ""
    head = f"<h3>{english(recipe.title)} <small>(risk: {recipe.risk})</small></h3>"
    return f"{head}<ol>{steps}</ol><p><b>Check</b></p>{check}{undo}"


def _rule(loaded: Loaded[Rule], causes: Sequence[str]) -> str:
    rule = loaded.record
    body = f"<h1>{english(rule.id)}</h1>" + text(rule.says)
    body += f'<p class="meta">{rule.role}, looked for in: {rule.where}, {rule.status}, {english(str(loaded.place()))}, '
    body += f"layer {english(loaded.layer)}</p><h2>Pattern</h2>{code(rule.pattern)}"
    for title, patterns in (("Unless", rule.unless), ("Unless near", rule.unless_near)):
        if patterns:
            body += f"<h2>{title}</h2>" + "".join(code(pattern) for pattern in patterns)
    if rule.captures:
        rows = (
            f"<code>{english(n)}</code>: {c.type}{f', fact {english(c.fact)}' if c.fact else ''}"
            for n, c in rule.captures.items()
        )
        body += "<h2>Captures</h2>" + items(rows)
    if causes:
        body += "<h2>Speaks for</h2>" + items(
            link(f"../causes/{cause}.html", cause) for cause in causes if _NAME.match(cause)
        )
    body += f"<h2>Source</h2><p>{english(rule.source)}</p><h2>Samples</h2>" + "".join(
        code(s.text) for s in rule.samples
    )
    body += "<h2>Near misses</h2>" + "".join(code(miss) for miss in rule.near_misses)
    return page(rule.id, body, 1)
