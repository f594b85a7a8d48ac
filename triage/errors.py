"""The one exception for what a user can cause and mend."""

from __future__ import annotations


class TriageError(Exception):
    """A fault in what the user gave: input, option, rule file, facts file.

    The message is one plain sentence that says what is wrong and what to do; `place` is `file:line:column` where the
    fault has one. The command line prints both and ends with exit status 2.
    """

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message
