"""Where probes run: which interpreter, on this machine or through a command such as `ssh node7`."""

from __future__ import annotations

import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from triage.errors import TriageError

REMOTE_SHELLS = frozenset({"ssh", "autossh", "slogin"})
"""Programs that join their arguments with blanks and hand them to a shell on the other side."""


@dataclass(frozen=True)
class Target:
    """The interpreter under examination and the way to it."""

    interpreter: str = sys.executable
    """Path or command name of the Python that runs the probes, as seen on the machine that it runs on."""

    via: tuple[str, ...] = ()
    """Words of the command that carries a command line elsewhere (`("ssh", "node7")`); empty for this machine."""

    @property
    def is_local(self) -> bool:
        """Whether the probes run on this machine, so that files they name can be opened here."""
        return not self.via

    def command(self, *arguments: str) -> list[str]:
        """The words to start the interpreter with `arguments`, ready for a process on this machine.

        For `ssh` the part for the other side becomes one word, quoted for the shell that will read it there.
        """
        words = [self.interpreter, *arguments]
        if any(Path(word).name in REMOTE_SHELLS for word in self.via):
            return [*self.via, shlex.join(words)]
        return [*self.via, *words]

    def describe(self) -> str:
        """The target in a few words for messages."""
        return f"{self.interpreter} (via {shlex.join(self.via)})" if self.via else self.interpreter


def make_target(python: str | None = None, via: str | None = None) -> Target:
    """Make a target from the options `--python` and `--via`.

    Args:
        python: path or name of an interpreter; by default triage's own here, `python3` elsewhere.
        via: command prefix as a person types it, split like a shell would.

    Returns:
        The target, its local interpreter as a path.

    Raises:
        TriageError: for a prefix with an open quote or an unknown program, and for an interpreter that is not here.
    """
    if via is not None:
        try:
            words = tuple(shlex.split(via))
        except ValueError as error:
            raise TriageError(f"--via {via!r} cannot be split into words ({error}); close the quotes.") from None
        if not words:
            raise TriageError('--via is empty; give a command prefix such as "ssh node7".')
        if shutil.which(words[0]) is None:
            raise TriageError(f"--via starts with {words[0]!r}, which is no program on this machine.")
        return Target(python or "python3", words)
    if python is None:
        return Target(sys.executable)
    wanted = Path(python).expanduser()
    path = shutil.which(wanted if wanted.is_absolute() else python)
    if path is None and wanted.is_dir():
        raise TriageError(f"{python} is a folder; name the interpreter in it, such as {wanted / 'bin' / 'python'}.")
    if path is None:
        raise TriageError(f"There is no interpreter {python} on this machine; give --python a path to a Python.")
    return Target(str(Path(path).absolute()))
