"""Every key binding by its id: the keys it has by default, what it does in words, and keys from the configuration.

Letters, digits, arrows, plain ctrl: keys that terminals do not swallow. Full-width signs work as their twins.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from textual.binding import Binding, BindingType
from textual.keys import Keys

from triage.errors import TriageError
from triage.knowledge.model import Bilingual
from triage.sanitize import clean_text


class Key(NamedTuple):
    """Default keys of a binding, separated by commas, and its words."""

    keys: str
    says: Bilingual


def _key(keys: str, en: str, zh: str) -> Key:
    return Key(keys, Bilingual(en=en, zh=zh))


KEYS: Mapping[str, Key] = {
    # everywhere
    "quit": _key("q", "Quit", "退出"),
    "help": _key("question_mark,？", "Keys", "按键"),
    "help-f1": _key("f1", "Keys", "按键"),
    "plain": _key("ctrl+l", "Recipe as plain text", "以纯文本显示方案"),
    "palette": _key("colon,：", "All commands", "全部命令"),
    "back": _key("escape", "Back", "返回"),
    "list": _key("down", "To the list", "到列表"),
    "page-down": _key("pagedown,space", "Page down", "下一页"),
    "page-up": _key("pageup", "Page up", "上一页"),
    # diagnosis
    "fix": _key("f,enter", "Fix", "解决"),
    "walk": _key("w", "Walk", "问答"),
    "log": _key("l", "Log", "日志"),
    "copy": _key("c", "Copy", "复制"),
    "export": _key("x", "Export", "导出"),
    "machine": _key("m", "Machine", "本机"),
    "knowledge": _key("k", "Knowledge", "知识库"),
    "probe": _key("p", "Look at this machine again", "重新检查本机"),
    "open": _key("o", "Open another log", "打开其他日志"),
    # the log
    "search": _key("slash,／", "Search", "搜索"),
    "next-hit": _key("n", "Next hit", "下一处"),
    "previous-hit": _key("N", "Hit before", "上一处"),
    "evidence": _key("e", "Evidence", "证据"),
    "evidence-before": _key("E", "Evidence before", "上一条证据"),
    "stream": _key("s", "Stream", "数据流"),
    "fold": _key("z", "Fold", "折叠"),
    "line-up": _key("up,k", "Line up", "上一行"),
    "line-down": _key("down,j", "Line down", "下一行"),
    "first-line": _key("home,g", "First line", "首行"),
    "last-line": _key("end,G", "Last line", "末行"),
    "left": _key("left", "Left", "向左"),
    "right": _key("right", "Right", "向右"),
    "whole-line": _key("enter", "Whole line", "整行"),
    "close-line": _key("escape,enter", "Close", "关闭"),
    # walk-through
    "walk-probe": _key("r", "Run probe", "运行探针"),
    "walk-unknown": _key("question_mark,？,u", "Do not know", "不知道"),
    "walk-value": _key("v", "Value", "输入值"),
    "walk-back": _key("b,backspace", "Answer back", "撤回"),
    "walk-fix": _key("f", "Fix", "解决"),
    "walk-symptom": _key("s", "Choose a symptom", "选择现象"),
    "walk-yes": _key("y", "Yes", "是"),
    "walk-no": _key("n", "No", "否"),
    "walk-copy": _key("c", "Copy the command", "复制命令"),
    # fix and check
    "fix-copy": _key("c", "Copy command", "复制命令"),
    "fix-run": _key("enter,r", "Run", "运行"),
    "fix-check": _key("t", "Check", "验证"),
    "fix-other": _key("o,right_square_bracket", "Other recipe", "其他方案"),
    "fix-before": _key("left_square_bracket", "Recipe before", "上一方案"),
    "fix-copy-all": _key("a", "Copy all", "全部复制"),
    "confirm-run": _key("y", "Run exactly this", "就运行它"),
    "confirm-edit": _key("e", "Edit", "编辑"),
    "confirm-leave": _key("escape,n", "Do not run", "不运行"),
    # machine
    "machine-probe": _key("r,enter", "Run this probe", "运行此探针"),
    "machine-all": _key("a", "Run all", "全部运行"),
    "machine-fix": _key("f", "Fix", "解决"),
    "machine-search": _key("slash,／", "Search facts", "搜索事实"),
    "machine-copy": _key("c", "Copy facts", "复制事实"),
    # knowledge
    "knowledge-causes": _key("1", "Causes", "原因"),
    "knowledge-trees": _key("2", "Trees", "决策树"),
    "knowledge-rules": _key("3", "Rules", "规则"),
    "knowledge-search": _key("slash,／", "Search", "搜索"),
    "knowledge-new": _key("a", "New rule", "新规则"),
    "knowledge-copy": _key("c", "Copy", "复制"),
    # start, export
    "start-diagnose": _key("ctrl+d", "Diagnose the text", "诊断文本"),
    "export-name": _key("tab", "To the name", "到文件名"),
}
_NAMES = {
    "escape": "Esc", "enter": "Enter", "pagedown": "PgDn", "pageup": "PgUp", "backspace": "Backspace", "space": "Space",
    "tab": "Tab", "up": "Up", "down": "Down", "left": "Left", "right": "Right", "home": "Home", "end": "End",
    "slash": "/", "left_square_bracket": "[", "right_square_bracket": "]",
}  # fmt: skip
_KNOWN = frozenset(key.value for key in Keys)


def bind(name: str, action: str, show: bool = True, priority: bool = False) -> Binding:
    """Return the binding of an id for an action."""
    key = KEYS[name]
    return Binding(key.keys, action, key.says.en, show=show, priority=priority, id=name)


def key_name(key: str) -> str:
    """Return a key as it is written on the screen, in ASCII."""
    if key in _NAMES or len(key) == 1:
        return _NAMES.get(key, key)
    *modifiers, last = key.split("+")
    try:
        last = _NAMES.get(last) or unicodedata.lookup(last.replace("_", " ").upper())
    except KeyError:
        last = last.upper() if last[1:].isdigit() else last
    return "+".join((*modifiers, last))


def first_key(name: str, keymap: Mapping[str, str]) -> str:
    """Return the key of a binding that the screen names."""
    return key_name((keymap.get(name) or KEYS[name].keys).split(",")[0].strip())


def check_keymap(given: Mapping[str, str], place: str) -> dict[str, str]:
    """Return keys by id as Textual wants them; raises TriageError for an id or a key that there is not."""
    out = {}
    for name, keys in given.items():
        if name not in KEYS:
            near = difflib.get_close_matches(name, KEYS, 3, 0.4)
            hint = f"; near to it: {', '.join(near)}" if near else ""
            raise TriageError(f"{place}: there is no key binding {clean_text(name, 60)}{hint} (all are in docs/tui.md)")
        parts = [part.strip() for part in keys.split(",")] if keys != "," else ["comma"]
        for part in parts:
            if not _is_key(part):
                raise TriageError(
                    f"{place}: {clean_text(part, 40) or 'nothing'} is no key for {name}; "
                    "letters, digits, signs, f1 to f12, up, enter, space and ctrl+letter are"
                )
        out[name] = ",".join(parts)
    return out


def _is_key(key: str) -> bool:
    *modifiers, last = key.split("+") if key != "+" else [key]
    if any(modifier not in ("ctrl", "alt", "shift") for modifier in modifiers):
        return False
    if len(last) == 1:
        return last.isprintable() and not last.isspace()
    if key in _KNOWN or last in _KNOWN:
        return True
    try:
        return unicodedata.lookup(last.replace("_", " ").upper()).isascii()
    except KeyError:
        return False


def clashes(bindings: Iterable[BindingType], keymap: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield each key that the keymap gives to a binding although another one has it: key, taker, loser."""
    keys = {
        name: (keymap.get(name) or KEYS[name].keys).split(",")
        for binding in bindings
        if isinstance(binding, Binding) and (name := binding.id or "") in KEYS
    }
    for taker in keys:
        for loser in keys:
            shared = set(keys[taker]) & set(keys[loser])
            if taker != loser and shared and taker in keymap and (loser not in keymap or taker < loser):
                yield key_name(min(shared)), taker, loser
