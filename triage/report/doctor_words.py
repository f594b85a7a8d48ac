"""The few words that `triage doctor` itself says, in two languages."""

from __future__ import annotations

from triage.knowledge.model import Bilingual, Text
from triage.language import say

MARKS: dict[str, Text] = {
    "ok": Bilingual(en="ok", zh="正常"),
    "bad": Bilingual(en="BAD", zh="故障"),
    "doubtful": Bilingual(en="doubt", zh="存疑"),
    "denied": Bilingual(en="denied", zh="无法看"),
    "timeout": Bilingual(en="timeout", zh="超时"),
    "not applicable": Bilingual(en="n/a", zh="不适用"),
    "unknown": Bilingual(en="unknown", zh="未知"),
}
WORDS: dict[str, Text] = {
    "broken": Bilingual(en="{0} broken, {1} doubtful", zh="故障 {0} 项，存疑 {1} 项"),
    "doubtful": Bilingual(en="Nothing is broken, {1} doubtful", zh="没有故障，存疑 {1} 项"),
    "fine": Bilingual(en="Nothing wrong was found", zh="未发现问题"),
    "counts": Bilingual(en="; checks that are fine: {0}", zh="；正常 {0} 项"),
    "untold": Bilingual(en=", that could not be made: {0}", zh="，无法检查 {0} 项"),
    "beside": Bilingual(en=", that do not apply here: {0}.", zh="，不适用 {0} 项。"),
    "each": Bilingual(en="(-v shows each)", zh="（-v 逐项显示）"),
    "untrue": Bilingual(en="not so: ", zh="不成立："),
    "follows": Bilingual(en="follows from {0}", zh="由 {0} 引起"),
    "again": Bilingual(en="Then look again", zh="之后复查"),
    "silent": Bilingual(en="Probes that gave no answer: {0}.", zh="没有结果的探针：{0}。"),
    "gone": Bilingual(en="The cause is gone.", zh="该原因已消除。"),
    "there": Bilingual(en="The cause is still there.", zh="该原因仍然存在。"),
    "unclear": Bilingual(en="Whether the cause is gone could not be told.", zh="无法判断该原因是否已消除。"),
    "deeper": Bilingual(en=" --deep looks closer.", zh=" --deep 可深入检查。"),
}


def mark(state: str, language: str) -> str:
    """Return the short word for a state."""
    return say(MARKS[state], "en" if language == "both" else language)


def word(name: str, language: str, *values: object) -> str:
    """Return one of the words with values in it."""
    return say(WORDS[name], "en" if language == "both" else language).format(*values)
