"""Every text that the screens say themselves, in the languages of reports; keys in them are named by their bindings.

`<<fix>>` in a text becomes the key that the binding `fix` has now.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from triage.knowledge.model import Bilingual, Text
from triage.language import say
from triage.report.words import risk_word, source_word, weight_word, word

from .keys import KEYS, first_key

_KEY = re.compile("<<([a-z0-9-]+)>>")


def _text(en: str, zh: str) -> Bilingual:
    return Bilingual(en=en, zh=zh)


WORDS: Mapping[str, Text] = {
    # titles
    "diagnosis": _text("Diagnosis", "诊断"),
    "walk": _text("Walk-through", "逐步问答"),
    "fix": _text("Fix", "解决"),
    "machine": _text("Machine", "本机"),
    "knowledge": _text("Knowledge", "知识库"),
    "start": _text("Start", "开始"),
    "draft": _text("New rule", "新规则"),
    # news
    "reading": _text("reading ...", "正在读取 ..."),
    "reading-bytes": _text("reading: {done:,} bytes so far", "正在读取：已读 {done:,} 字节"),
    "diagnosing": _text("diagnosing: {share} %", "正在诊断：{share} %"),
    "still-reading": _text("the log is still being read", "日志还在读取中"),
    "taken-up": _text(
        "answers of an earlier walk-through were taken up ({count}); <<walk>>, then <<walk-back>>, goes back",
        "已沿用上次问答的回答（{count} 个）；按 <<walk>> 再按 <<walk-back>> 可撤回",
    ),
    "first-steps": _text(
        "<<fix>> opens the fix, <<walk>> asks what is still open, <<evidence>> goes to the next evidence",
        "<<fix>> 打开解决方案，<<walk>> 逐个询问未知项，<<evidence>> 跳到下一条证据",
    ),
    "looking": _text(
        "looking at this machine, {done} of {planned} probes done", "正在检查本机，探针完成 {done}/{planned}"
    ),
    "looked": _text("looked at this machine: {probes}", "已检查本机：{probes}"),
    "quits": _text("<<quit>> quits", "<<quit>> 退出"),
    "nothing-to-copy": _text("there is nothing to copy yet", "还没有可复制的内容"),
    "no-recipe": _text("triage: there is no recipe yet", "triage：还没有解决方案"),
    "enter-goes-back": _text("(Enter goes back to triage)", "（按 Enter 回到 triage）"),
    "cannot-leave": _text("this screen cannot be left here", "此处无法离开全屏界面"),
    "key-taken": _text(
        "{key} has two meanings here and does {one}; {other} needs another key in the configuration",
        "{key} 在此有两个含义，现在执行“{one}”；请在配置中为“{other}”换一个键",
    ),
    # copying
    "copied": _text("copied by {ways}", "已复制：{ways}"),
    "copied-to": _text("; also in {file}", "；也保存在 {file}"),
    "way-tmux": _text("tmux buffer (prefix ])", "tmux 缓冲区（前缀键 ]）"),
    "way-terminal": _text("the terminal (OSC 52)", "终端（OSC 52）"),
    # command palette
    "do-walk": _text("Questions that tell the causes apart", "用问题区分各个原因"),
    "do-machine": _text("Devices, versions, facts, probes", "设备、版本、事实、探针"),
    "do-knowledge": _text("Causes, trees, rules", "原因、决策树、规则"),
    "do-export": _text("JSON, Markdown, HTML, picture of the screen", "JSON、Markdown、HTML、屏幕图片"),
    "do-open": _text("A file, pasted text, or a symptom", "文件、粘贴的文本或现象"),
    "do-plain": _text("Leaves the screen for a moment", "暂时离开全屏界面"),
    "do-quit": _text("Leave triage", "离开 triage"),
    "do-help": _text("All keys of this screen", "本屏幕的全部按键"),
    "theme": _text("Colours", "配色"),
    "do-theme": _text("Choose light, dark or other colours", "选择浅色、深色或其他配色"),
    # diagnosis
    "outcome-cause": _text("cause found", "已找到原因"),
    "outcome-unknown": _text("fault of unknown cause", "有故障，原因未知"),
    "outcome-healthy": _text("no fault", "无故障"),
    "lines": _text("{count:,} lines", "{count:,} 行"),
    "streams": _text("{count} streams", "{count} 个数据流"),
    "no-cause": _text(
        "there is no cause to fix yet; press <<walk>> to find one by questions",
        "还没有可解决的原因；按 <<walk>> 用问答查找",
    ),
    "follows": _text("(follows)", "（后果）"),
    "follows-from": _text("follows from {cause}", "由 {cause} 引起"),
    "ask-these": _text("press <<walk>>: the walk-through asks these one by one", "按 <<walk>>：逐步问答会一一询问"),
    "leads-to": _text("leads to: {causes}", "会导致：{causes}"),
    "place": _text("line {line}", "第 {line} 行"),
    "times": _text("({count} times)", "（{count} 次）"),
    "more-fixes": _text("Other ways to fix it: {count} (press <<fix>>)", "另有 {count} 种办法（按 <<fix>>）"),
    "was-read": _text(
        "{lines:,} lines, {bytes:,} bytes of {name} were read; all rules were tried.",
        "已读取 {name} 的 {lines:,} 行、{bytes:,} 字节；已试过全部规则。",
    ),
    "raised-by": _text("{who} code, {call}", "{who} 代码，{call}"),
    "next": _text("Next", "下一步"),
    "next-walk": _text(
        "<<walk>>  start from what you see: choose a symptom and answer questions",
        "<<walk>>  从现象开始：选择现象并回答问题",
    ),
    "next-machine": _text(
        "<<machine>>  examine this machine: driver, GPU, Python, packages",
        "<<machine>>  检查本机：驱动、GPU、Python、软件包",
    ),
    "next-open": _text("<<open>>  open another log", "<<open>>  打开其他日志"),
    "next-knowledge": _text(
        "<<knowledge>>  browse what triage knows; <<knowledge-new>> starts a new rule from this log",
        "<<knowledge>>  浏览知识库；<<knowledge-new>> 由此日志新建规则",
    ),
    "not-looked": _text(
        "What was not looked at: whether the results are right, and how fast it ran.",
        "未检查：结果是否正确，运行速度如何。",
    ),
    "note": _text("note: {text}", "注：{text}"),
    # the log
    "log": _text("LOG", "日志"),
    "no-log": _text("no log", "没有日志"),
    "log-reading": _text("reading {share} %", "读取中 {share} %"),
    "log-evidence": _text("evidence {first}", "证据 {first}"),
    "log-evidences": _text("evidence {first}-{last}", "证据 {first}-{last}"),
    "log-stream": _text("only stream {name}", "仅数据流 {name}"),
    "log-folded": _text("noise folded (<<fold>> unfolds)", "无关行已折叠（<<fold>> 展开）"),
    "log-fold": _text("... {count:,} lines folded ...", "... 折叠了 {count:,} 行 ..."),
    "log-one-stream": _text("one stream only", "只有一个数据流"),
    "log-search": _text("search the log; Enter finds, Esc leaves", "搜索日志；Enter 查找，Esc 离开"),
    "log-searching": _text("searching {text} ...", "正在搜索 {text} ..."),
    "log-none": _text("no {text}", "没有 {text}"),
    "log-hit": _text("{text} in line {line}", "{text} 在第 {line} 行"),
    "log-wrapped": _text("(from the start)", "（从头开始）"),
    "log-at": _text("evidence [{number}] of {count}, line {line}", "证据 [{number}]，共 {count} 条，第 {line} 行"),
    # walk-through
    "answered": _text("{answered} answered, {open} open", "已答 {answered}，未答 {open}"),
    "question": _text("QUESTION", "问题"),
    "why": _text("why", "为何问"),
    "tells-apart": _text("tells apart", "可区分"),
    "how": _text("how to find out", "如何查明"),
    "copies": _text("(<<walk-copy>> copies)", "（<<walk-copy>> 复制）"),
    "probe-can": _text("the probe {probe} can find out on this machine", "探针 {probe} 可在本机查明"),
    "type-value": _text("type the value; type none where there is no such thing", "输入值；没有此项则输入 none"),
    "value-here": _text("type the value, Enter takes it, Esc leaves", "输入值，Enter 确定，Esc 离开"),
    "choose-answer": _text(
        "Answer by its number; <<walk-unknown>> if you do not know", "按编号回答；不知道按 <<walk-unknown>>"
    ),
    "clear-enough": _text(
        "Clear enough ({share}): <<walk-fix>> opens the recipe. Or go on:",
        "已足够明确（{share}）：<<walk-fix>> 打开方案。也可继续：",
    ),
    "nothing-fits": _text("Nothing fits what is known so far.", "没有原因符合目前已知的情况。"),
    "nothing-fits-then": _text(
        "<<walk-symptom>> chooses a symptom, <<walk-back>> takes an answer back.",
        "<<walk-symptom>> 选择现象，<<walk-back>> 撤回回答。",
    ),
    "the-answer": _text("The answer ({share})", "答案（{share}）"),
    "best-left": _text("The best that is left, not sure ({share})", "剩下的最可能原因，不确定（{share}）"),
    "recipe": _text("Recipe", "方案"),
    "opens-recipe": _text("<<walk-fix>> opens it step by step.", "<<walk-fix>> 逐步打开。"),
    "no-question": _text("No open question would change this.", "没有问题能改变此结论。"),
    "tree": _text("TREE", "决策树"),
    "taken": _text(
        "taken: {answer}  (<<walk-back>> takes it back): {question}",
        "已记录：{answer}（<<walk-back>> 撤回）：{question}",
    ),
    "not-yes-no": _text("this question is not one for yes or no; choose a number", "此问题不能用是或否回答；请按编号"),
    "unknown": _text("I do not know", "不知道"),
    "elsewhere": _text(
        "the log comes from another machine; press <<walk-probe>> again to look at this one all the same",
        "日志来自另一台机器；再按 <<walk-probe>> 仍检查本机",
    ),
    "taken-back": _text("taken back: {question}", "已撤回：{question}"),
    "symptom-left": _text("the symptom is left; the log alone counts", "已离开所选现象，只以日志为准"),
    "no-command": _text("there is no command here", "此处没有命令"),
    "no-hypothesis": _text("there is no hypothesis yet", "还没有假设"),
    "none": _text("none", "无"),
    "yes": _text("yes", "是"),
    "no": _text("no", "否"),
    "known-from-log": _text("the log: {text}", "日志：{text}"),
    "probe-silent": _text(
        "the probe {probe} was run ({status}) and did not tell", "探针 {probe} 已运行（{status}），未能回答"
    ),
    "known": _text("KNOWN", "已知"),
    "known-already": _text("KNOWN ALREADY", "已知情况"),
    "known-nothing": _text("nothing that answers it", "没有能回答它的信息"),
    "hypotheses": _text("HYPOTHESES", "假设"),
    "none-yet": _text("none yet", "还没有"),
    "and-more": _text("and {count} more", "另有 {count} 个"),
    "path": _text("PATH SO FAR", "已走路径"),
    "nothing-answered": _text("nothing answered yet", "还没有回答"),
    "state-open": _text("open", "未答"),
    "state-known": _text("known", "已知"),
    "state-you": _text("you", "您"),
    "symptom": _text("What do you see?", "您看到了什么？"),
    "symptom-how": _text("Type to narrow down, Enter or arrows choose.", "输入以缩小范围，用 Enter 或方向键选择。"),
    "symptom-example": _text("for example: nan, import, gpu memory, hang", "例如：nan、import、gpu、卡住"),
    "see-above": _text("(see above)", "（见上）"),
    # fix
    "no-longer": _text("{cause} is no longer among the hypotheses", "{cause} 已不在假设之中"),
    "risk": _text("Risk", "风险"),
    "which-recipe": _text("recipe {number} of {count}", "方案 {number}/{count}"),
    "next-recipe": _text("<<fix-other>> shows the next: {title}", "<<fix-other>> 显示下一个：{title}"),
    "applies": _text("made for what is known here", "适用于此处已知的情况"),
    "may-apply": _text("may apply; not all that decides it is known", "可能适用；尚有未知的判断条件"),
    "undo": _text("Undo", "回退"),
    "check": _text("Check", "验证"),
    "one-recipe": _text("there is one recipe only", "只有一个方案"),
    "no-step-command": _text(
        "this step has no command; <<fix-copy-all>> copies the whole recipe",
        "此步骤没有命令；<<fix-copy-all>> 复制整个方案",
    ),
    "no-commands": _text("there is no command in this recipe", "此方案没有命令"),
    "into-code": _text(
        "this goes into the program's code, not into a shell; <<fix-copy>> copies it",
        "这应写入程序代码，不是 shell 命令；<<fix-copy>> 复制",
    ),
    "into-config": _text(
        "this goes into a configuration file, not into a shell; <<fix-copy>> copies it",
        "这应写入配置文件，不是 shell 命令；<<fix-copy>> 复制",
    ),
    "for-you": _text("this step is for you to do; it has no command", "此步骤需您自己完成；没有命令"),
    "is-running": _text("a command is running; <<back>> stops it", "有命令正在运行；<<back>> 停止它"),
    "not-run": _text("not run", "未运行"),
    "running": _text("running; <<back>> stops it", "正在运行；<<back>> 停止"),
    "stopped": _text("stopped", "已停止"),
    "ended": _text("ended with status {status}", "已结束，状态码 {status}"),
    "ended-ok": _text("ended with status 0 (ok)", "已结束，状态码 0（成功）"),
    "then-check": _text(
        "{said}; <<fix-check>> checks whether it helped, <<export>> saves the report with this output",
        "{said}；<<fix-check>> 验证是否有效，<<export>> 保存含此输出的报告",
    ),
    "check-for-you": _text("the check is for you to do; it has no command", "验证需您自己完成；没有命令"),
    "looking-again": _text("looking again: {probe} ...", "重新检查：{probe} ..."),
    "fixed": _text("fixed", "已解决"),
    "not-fixed": _text("not fixed yet", "尚未解决"),
    "cannot-tell": _text("cannot be told", "无法判断"),
    "checked": _text("Checked", "已验证"),
    "checked-probe": _text("probe {probe}: {status}", "探针 {probe}：{status}"),
    "before-after": _text(
        "{fact}  before: {before}   after: {after}   wanted: {wanted}",
        "{fact}  之前：{before}   之后：{after}   期望：{wanted}",
    ),
    "cause-before-after": _text(
        "this cause  before: {before}   after: {after}", "此原因  之前：{before}   之后：{after}"
    ),
    "checked-said": _text("checked: {word}", "验证结果：{word}"),
    "may-not-run": _text(
        "commands are not run here (--readonly or TRIAGE_READONLY); copy it instead",
        "此处不运行命令（--readonly 或 TRIAGE_READONLY）；请复制",
    ),
    "remote": _text(
        "the failure is on another machine (--via); copy the command and run it there",
        "故障在另一台机器上（--via）；请复制命令到那里运行",
    ),
    "too-risky": _text(
        "a step that {risk} is never run from here; copy it and run it yourself",
        "风险为“{risk}”的步骤不会在此运行；请复制后自己运行",
    ),
    "for-admin": _text(
        "a command for an administrator is never run from here; copy it and run it yourself",
        "管理员命令不会在此运行；请复制后自己运行",
    ),
    # confirmation
    "run-this": _text("Run this command?", "运行此命令？"),
    "what-it-does": _text(
        "It {risk}. It runs in {place}; its output goes into the report.",
        "它{risk}。运行目录：{place}；输出会写入报告。",
    ),
    "no-typing": _text("Nothing can be typed into it while it runs.", "运行时无法向它输入。"),
    "gap": _text("{gap} must be replaced first: press <<confirm-edit>>", "须先替换 {gap}：按 <<confirm-edit>>"),
    "end-edit": _text("Esc ends the editing and shows the command again", "Esc 结束编辑并重新显示命令"),
    # machine
    "wrong": _text("{count} wrong", "{count} 项错误"),
    "doubtful": _text("{count} doubtful", "{count} 项存疑"),
    "nothing-wrong": _text("nothing found wrong", "未发现错误"),
    "not-looked-yet": _text(
        "not looked at yet: <<machine-all>> runs all probes", "尚未检查：<<machine-all>> 运行全部探针"
    ),
    "not-run-yet": _text("not run", "未运行"),
    "runs": _text("running ...", "运行中 ..."),
    "devices": _text("DEVICES", "设备"),
    "used-of": _text("{used} of {total} used", "已用 {used}，共 {total}"),
    "no-device": _text("no device is known", "没有已知设备"),
    "devices-only": _text("{count} devices, no details", "{count} 个设备，无详情"),
    "checks": _text("CHECKS", "检查项"),
    "state-ok": _text("ok", "正常"),
    "state-bad": _text("BAD", "错误"),
    "state-doubtful": _text("doubtful", "存疑"),
    "state-denied": _text("denied", "无权限"),
    "state-timeout": _text("timeout", "超时"),
    "state-absent": _text("absent", "没有"),
    "state-crashed": _text("crashed", "崩溃"),
    "state-garbled": _text("garbled", "输出混乱"),
    "fix-of": _text("fix: {title}  (<<machine-fix>> opens it)", "解决：{title}  （<<machine-fix>> 打开）"),
    "nothing-checked": _text(
        "nothing is known that could be checked; <<machine-all>> runs all probes",
        "还没有可检查的信息；<<machine-all>> 运行全部探针",
    ),
    "not-applicable": _text(
        "{count} checks do not apply, or nothing is known for them", "{count} 项检查不适用，或缺少信息"
    ),
    "facts": _text("{count} FACTS", "{count} 条事实"),
    "search-facts": _text("search facts by name, label or value", "按名称、说明或值搜索事实"),
    "no-fault-fix": _text("no fault with a known fix was found here", "此处没有发现有解决方案的错误"),
    "which-fault": _text("Which fault?", "哪个错误？"),
    "which-how": _text("Arrows and Enter choose, Esc goes back.", "方向键和 Enter 选择，Esc 返回。"),
    # knowledge
    "causes": _text("causes", "原因"),
    "trees": _text("trees", "决策树"),
    "rules": _text("rules", "规则"),
    "search-typing": _text("search as you type; Esc leaves", "边输入边搜索；Esc 离开"),
    "entries": _text("{count} found", "找到 {count} 条"),
    "entries-more": _text("{count} found, the first {shown} are listed", "找到 {count} 条，列出前 {shown} 条"),
    "nothing-found": _text("nothing fits this search", "没有符合的条目"),
    "walks-tree": _text("<<walk>> walks this tree", "<<walk>> 用此树问答"),
    "choose-tree": _text("choose a tree first: press <<knowledge-trees>>", "请先选择一棵树：按 <<knowledge-trees>>"),
    "seen-as": _text("Seen as", "表现为"),
    "speaks-for": _text("Speaks for it", "支持的事实"),
    "speaks-against": _text("Speaks against it", "反对的事实"),
    "looks-alike": _text("Looks alike", "相似原因"),
    "leads": _text("Leads to", "会导致"),
    "pattern": _text("Pattern", "模式"),
    "must-match": _text("Must match", "必须匹配"),
    "must-not-match": _text("Must not match", "不得匹配"),
    "captures": _text("Captures", "捕获"),
    "rule-for": _text("Speaks for", "支持"),
    "rule-about": _text("{role}, stands in: {where}, {status}", "{role}，位置：{where}，{status}"),
    "source": _text("source: {source}", "来源：{source}"),
    # new rule
    "draft-ask": _text(
        "Enter takes the answer, <<back>> leaves without writing", "Enter 确定，<<back>> 放弃，不写文件"
    ),
    "draft-into": _text(
        "A rule, and if need be its cause, for {folder}. Nothing is written before the last answer.",
        "将在 {folder} 新建规则（需要时连同原因）。回答完最后一问才写文件。",
    ),
    "draft-empty": _text("type an answer, or press Esc to leave", "请输入回答，或按 Esc 离开"),
    "draft-works": _text("working; after the last answer the draft is checked", "处理中；最后一问之后会检查草稿"),
    "draft-done": _text("done; <<back>> goes back", "完成；<<back>> 返回"),
    "draft-no-log": _text(
        "open a log first: a rule is drafted from what a program printed", "请先打开日志：规则由程序的输出生成"
    ),
    "draft-failed": _text("{what}; <<back>> goes back", "{what}；<<back>> 返回"),
    # start
    "begin": _text("Why did it fail? Begin with:", "为什么失败？从这里开始："),
    "begin-how": _text("choose with the arrows and Enter, or by number", "用方向键和 Enter 选择，或按编号"),
    "way-file": _text("Open a log file", "打开日志文件"),
    "way-file-more": _text("type its name, right arrow completes", "输入文件名，右方向键补全"),
    "way-paste": _text("Paste a log", "粘贴日志"),
    "way-paste-more": _text(
        "the text from your terminal or chat; <<start-diagnose>> diagnoses it",
        "来自终端或聊天的文本；<<start-diagnose>> 开始诊断",
    ),
    "way-symptom": _text("Start from what you see", "从现象开始"),
    "way-symptom-more": _text(
        "choose a symptom and answer questions; no log is needed", "选择现象并回答问题；不需要日志"
    ),
    "way-machine": _text("Examine this machine", "检查本机"),
    "way-machine-more": _text("devices, driver, versions that must agree", "设备、驱动、必须一致的版本"),
    "way-knowledge": _text("Browse what triage knows", "浏览知识库"),
    "way-knowledge-more": _text("causes, decision trees, rules", "原因、决策树、规则"),
    "path-of-log": _text("path of the log", "日志路径"),
    "no-network": _text(
        "Nothing leaves this machine: triage needs no network and sends nothing.",
        "数据不离开本机：triage 不需要网络，也不发送任何内容。",
    ),
    "enter-opens": _text("Enter opens it", "Enter 打开"),
    "paste-then": _text("paste, then <<start-diagnose>> diagnoses", "粘贴后按 <<start-diagnose>> 诊断"),
    "paste-first": _text("paste a log first (way 2)", "请先粘贴日志（方式 2）"),
    "no-file": _text("there is no file {path}", "没有文件 {path}"),
    "pasted": _text("pasted text", "粘贴的文本"),
    # export
    "save-report": _text("Save the report", "保存报告"),
    "save-how": _text("Secrets are masked. Enter saves.", "敏感信息已遮盖。Enter 保存。"),
    "file": _text("file", "文件"),
    "form-json": _text(
        "JSON, schema 1, for programs; the walk-through beside it", "JSON，schema 1，供程序使用；另存问答"
    ),
    "form-markdown": _text("Markdown, for a bug report", "Markdown，用于问题报告"),
    "form-html": _text("HTML, one page to send", "HTML，可发送的单页"),
    "form-svg": _text("SVG, a picture of the screen", "SVG，屏幕图片"),
    "saved": _text("saved {path}", "已保存 {path}"),
    # help
    "help": _text("Keys on this screen", "本屏幕的按键"),
    "help-how": _text("type to filter, Enter runs", "输入以筛选，Enter 执行"),
    "filter": _text("filter", "筛选"),
}


class Words:
    """Says texts in one language, with the keys that are in force."""

    def __init__(self, language: str = "en", keymap: Mapping[str, str] | None = None) -> None:
        self.language = language
        """Language of texts from the knowledge base; `both` shows them twice, the screen's own in English."""
        self.own = "en" if language == "both" else language
        self.keymap = keymap or {}

    def __call__(self, name: str, /, **values: Any) -> str:
        """Return a text of the screen."""

        def key(found: re.Match[str]) -> str:
            return self.key(found[1]).replace("{", "{{").replace("}", "}}")

        return _KEY.sub(key, say(WORDS[name], self.own)).format(**values)

    def of(self, text: Text) -> str:
        """Return a text of the knowledge base."""
        return say(text, self.language)

    def key(self, name: str) -> str:
        """Return the key of a binding as it is written on the screen."""
        return first_key(name, self.keymap)

    def does(self, name: str) -> str:
        """Return what a binding does."""
        return say(KEYS[name].says, self.own)

    def report(self, name: str, *values: object) -> str:
        """Return a word that reports use as well."""
        return word(name, self.language, *values)

    def source(self, source: str) -> str:
        """Return where a fact comes from."""
        return source_word(source, self.language)

    def weight(self, weight: str) -> str:
        """Return how much a piece of evidence says."""
        return weight_word(weight, self.language)

    def risk(self, risk: str) -> str:
        """Return what a risk means."""
        return risk_word(risk, self.language)
