"""What the parts of the screen tell each other."""

from __future__ import annotations

from textual.message import Message


class CaseChanged(Message):
    """Facts, answers or the log changed: the report is another one."""


class ProbeNews(Message):
    """A probe started (`status` empty) or ended; `done` of `planned` have ended, `running` are under way."""

    def __init__(self, name: str, status: str, done: int, planned: int, running: tuple[str, ...]) -> None:
        super().__init__()
        self.name = name
        self.status = status
        self.done = done
        self.planned = planned
        self.running = running


class ReadingNews(Message):
    """Bytes of the log read so far, or a sentence about what is going on."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class HypothesisChosen(Message):
    """Another hypothesis is looked at."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index
