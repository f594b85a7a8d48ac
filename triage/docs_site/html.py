"""HTML from knowledge: every text is escaped, links are checked, templates stay as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from triage.knowledge.model import Text

_SAFE_LINK = re.compile(r"https?://[^\s\"'<>]+\Z")

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 56rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem } h3 { font-size: 1rem }
pre, code { font: 14px/1.45 ui-monospace, monospace } code { background: var(--soft); padding: 0 .25em }
pre { background: var(--soft); padding: .7rem; white-space: pre-wrap; overflow-wrap: anywhere }
.zh { opacity: .75 } .meta { opacity: .8; font-size: .9rem }
input { font: inherit; width: 100%; padding: .5rem; box-sizing: border-box }
li { margin: .25rem 0 } nav { border-bottom: 1px solid var(--line) }
"""
CSP = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(title: str, body: str, depth: int = 0) -> str:
    """Return a whole page; `depth` folders below the start page."""
    up = "../" * depth
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{CSP}">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>"
        f'<nav><a href="{up}index.html">triage reference</a></nav>\n{body}\n</body></html>\n'
    )


def text(value: Text | None, tag: str = "p") -> str:
    """Return a text for people, the Chinese one after the English one."""
    if value is None or value == "":
        return ""
    if isinstance(value, str):
        return f"<{tag}>{escape(value)}</{tag}>"
    return f'<{tag}>{escape(value.en)}</{tag}><{tag} class="zh" lang="zh">{escape(value.zh)}</{tag}>'


def english(value: Text) -> str:
    """Return the English text, escaped."""
    return escape(value if isinstance(value, str) else value.en)


def code(value: str) -> str:
    """Return text in a code block."""
    return f"<pre>{escape(value)}</pre>"


def items(entries: Iterable[str]) -> str:
    """Return a list of pieces of HTML; nothing if there are none."""
    inside = "".join(f"<li>{entry}</li>" for entry in entries)
    return f"<ul>{inside}</ul>" if inside else ""


def link(href: str, label: str) -> str:
    """Return a link within the site."""
    return f'<a href="{escape(href, quote=True)}">{escape(label)}</a>'


def reference(url: str) -> str:
    """Return a link to another site; anything but http and https stays plain text."""
    if _SAFE_LINK.match(url):
        return f'<a rel="noopener noreferrer" href="{escape(url, quote=True)}">{escape(url)}</a>'
    return escape(url)
