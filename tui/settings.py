"""What a person chose on the command line, as the screens need it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """Choices for one run of the TUI."""

    language: str = "en"
    look: bool = True
    """Whether probes may look at this machine without being asked."""
    readonly: bool = False
    """No command is ever run from the screen."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """Keys from the configuration, by the ids of bindings."""
    overlays: tuple[Path, ...] = ()
    """Folders with private knowledge."""

    @property
    def may_run(self) -> bool:
        """Whether commands may be run at all; TRIAGE_READONLY=1 forbids it for a site."""
        return not self.readonly and os.environ.get("TRIAGE_READONLY", "") in ("", "0")
