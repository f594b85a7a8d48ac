"""The few words that reports themselves say."""

from __future__ import annotations

from triage.knowledge.model import Bilingual, Text
from triage.language import say

WORDS: dict[str, Text] = {
    "proof": Bilingual(en="Proof", zh="证据"),
    "against": Bilingual(en="Against", zh="反证"),
    "why": Bilingual(en="Why", zh="原因"),
    "fix": Bilingual(en="Fix", zh="解决"),
    "check": Bilingual(en="Check", zh="验证"),
    "undo": Bilingual(en="Undo", zh="还原"),
    "else": Bilingual(en="Or else", zh="也可能是"),
    "asks": Bilingual(en="Decides", zh="如何区分"),
    "path": Bilingual(en="Path", zh="判断过程"),
    "line": Bilingual(en="line {0}", zh="第 {0} 行"),
    "sure": Bilingual(en="{0} sure", zh="把握 {0}"),
    "healthy": Bilingual(en="No fault found.", zh="未发现故障。"),
    "tried": Bilingual(
        en="lines read of {2}: {0} ({1} bytes); all rules were tried, none that names a fault fits.",
        zh="已读取 {2}，共 {0} 行、{1} 字节；所有规则都已试过，没有发现故障。",
    ),
    "unknown": Bilingual(en="A fault, but its cause is not known to triage.", zh="发现故障，但 triage 不知道其原因。"),
    "read": Bilingual(en="Read first", zh="先看这里"),
    "raised": Bilingual(en="Raised by", zh="出错位置"),
    "code": Bilingual(en="{0} code, {1}", zh="{0} 的代码，{1}"),
    "similar": Bilingual(en="Similar only", zh="仅供参考"),
    "source": Bilingual(en="source", zh="来源"),
    "search": Bilingual(en="Search for", zh="搜索词"),
    "other_fix": Bilingual(en="1 more way to fix it", zh="另有 1 种解决办法"),
    "other_fixes": Bilingual(en="{0} more ways to fix it", zh="另有 {0} 种解决办法"),
    "experimental": Bilingual(en="experimental", zh="试验性"),
    "looked": Bilingual(en="looked at this machine: {0}", zh="已检查本机：{0}"),
    "note": Bilingual(en="note: {0}", zh="注意：{0}"),
    "next": Bilingual(en="next: {0}", zh="下一步：{0}"),
    "or": Bilingual(en="{0}   or   {1}", zh="{0}   或   {1}"),
    "shows": Bilingual(en="How it shows", zh="表现"),
    "trees": Bilingual(en="How the decision trees reach it", zh="决策树中的路径"),
    "speaks_for": Bilingual(en="Speaks for it", zh="支持的证据"),
    "speaks_against": Bilingual(en="Speaks against it", zh="反对的证据"),
    "neighbours": Bilingual(en="Looks like it", zh="容易混淆的原因"),
    "leads_to": Bilingual(en="Leads to", zh="会引起"),
    "references": Bilingual(en="References", zh="参考资料"),
    "titled": Bilingual(en="{0}: {1}", zh="{0}：{1}"),
}

SOURCES: dict[str, Text] = {
    "log": Bilingual(en="log", zh="日志"),
    "probe": Bilingual(en="probe", zh="探针"),
    "file": Bilingual(en="file", zh="文件"),
    "person": Bilingual(en="person", zh="用户"),
    "derived": Bilingual(en="derived", zh="推断"),
}
"""Where a fact comes from."""

WEIGHTS: dict[str, Text] = {
    "decisive": Bilingual(en="decisive", zh="决定性"),
    "strong": Bilingual(en="strong", zh="强"),
    "weak": Bilingual(en="weak", zh="弱"),
}

RISKS: dict[str, Text] = {
    "none": Bilingual(en="changes nothing", zh="只查看，不做改动"),
    "environment": Bilingual(en="changes this environment or program", zh="会改动当前环境或程序"),
    "data": Bilingual(en="may lose data", zh="可能丢失数据"),
    "admin": Bilingual(en="needs an administrator", zh="需要管理员权限"),
    "reboot": Bilingual(en="restarts a machine or stops other work", zh="会重启机器或中断其他任务"),
}


PROMPTS = {"shell": "$ ", "python": "| ", "config": "| "}
"""What stands before a command: a prompt only where a shell is meant."""


def word(name: str, language: str, *values: object) -> str:
    """Return one of the report's own words in a language, with values in it."""
    return _one(WORDS[name], language).format(*values)


def risk_word(risk: str, language: str) -> str:
    """Return what a risk means, in words."""
    return _one(RISKS[risk], language)


def source_word(source: str, language: str) -> str:
    """Return where a fact comes from."""
    return _one(SOURCES[source], language)


def weight_word(weight: str, language: str) -> str:
    """Return how much a piece of evidence says."""
    return _one(WEIGHTS[weight], language)


def _one(text: Text, language: str) -> str:
    return say(text, "en" if language == "both" else language)
