"""Take the README's picture of the TUI: the real program on an example, always the same.

python docs/picture.py [FILE]     writes docs/tui.svg
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = "examples/torchrun-flash-attn.log"
SIZE = (120, 36)


async def take(path: Path) -> None:
    """Open the example without probes and save the first screen."""
    from triage.tui.app import TriageApp
    from triage.tui.desk import Desk
    from triage.tui.settings import Settings

    from triage.knowledge.base import Knowledge
    from triage.log.source import Source, open_source
    from triage.probing.target import Target

    def opener(tell: object) -> Source:
        return open_source([LOG], None)

    app = TriageApp(Desk(Knowledge.load(), Target("python3")), Settings(look=False), opener, LOG)
    async with app.run_test(size=SIZE) as pilot:
        for _ in range(3):
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()
        picture = app.export_screenshot(title=f"triage tui {LOG}")
    picture = re.sub(r"terminal-\d+-", "terminal-", picture)  # the number changes from run to run
    path.write_text("\n".join(line.rstrip() for line in picture.splitlines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    os.chdir(ROOT)
    os.environ.update({"TERM": "xterm-256color", "COLORTERM": "truecolor"})
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TRIAGE_RULES", "COLORFGBG"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRIAGE_STATE_DIR"] = folder
        asyncio.run(take(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "tui.svg"))
