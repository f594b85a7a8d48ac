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
    "undo": Bilingual(en="Undo", zh="回退"),
    "else": Bilingual(en="Or else", zh="其他可能"),
    "asks": Bilingual(en="Decides", zh="可区分"),
    "path": Bilingual(en="Path", zh="判断路径"),
    "line": Bilingual(en="line", zh="第"),
    "sure": Bilingual(en="sure", zh="把握"),
    "consequence": Bilingual(en="a consequence of it", zh="是它的后果"),
    "healthy": Bilingual(en="No fault found.", zh="未发现故障。"),
    "unknown": Bilingual(en="A fault, but its cause is not known to triage.", zh="有故障，但 triage 不知道原因。"),
    "read": Bilingual(en="Read first", zh="先看这里"),
    "raised": Bilingual(en="Raised by", zh="抛出者"),
    "similar": Bilingual(en="Similar only", zh="仅供参考"),
    "search": Bilingual(en="Search for", zh="可搜索"),
    "other_fixes": Bilingual(en="more ways to fix it", zh="种其他办法"),
    "experimental": Bilingual(en="experimental", zh="试验性"),
}

RISKS: dict[str, Text] = {
    "none": Bilingual(en="changes nothing", zh="不改动任何东西"),
    "environment": Bilingual(en="changes this environment or program", zh="会改动当前环境或程序"),
    "data": Bilingual(en="may lose data", zh="可能丢失数据"),
    "admin": Bilingual(en="needs an administrator", zh="需要管理员"),
    "reboot": Bilingual(en="restarts a machine or stops other work", zh="会重启机器或中断其他任务"),
}


PROMPTS = {"shell": "$ ", "python": "| ", "config": "| "}
"""What stands before a command: a prompt only where a shell is meant."""


def word(name: str, language: str) -> str:
    """Return one of the report's own words in a language."""
    return say(WORDS[name], "en" if language == "both" else language)


def risk_word(risk: str, language: str) -> str:
    """Return what a risk means, in words."""
    return say(RISKS[risk], "en" if language == "both" else language)
