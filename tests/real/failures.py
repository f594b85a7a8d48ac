"""The scripts in `failures/`: each makes one real failure of one library, its first lines say which causes it has.

# causes: shape.matmul shape.broadcast     any of these may come first; `none`: the run is healthy
# needs: torch onnx                        modules that must be importable
# tools: g++                               programs that must be on the path
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
SECONDS = 180


@dataclass(frozen=True)
class Failure:
    """One script and what triage must say of its output."""

    path: Path
    causes: tuple[str, ...]
    needs: tuple[str, ...]
    tools: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def recorded(self) -> Path:
        return FOLDER / "recorded" / f"{self.name}.log"

    def missing(self) -> str:
        """Return the first module or program that is not here, or an empty text."""
        lacking = [need for need in self.needs if not _importable(need)]
        lacking += [tool for tool in self.tools if shutil.which(tool) is None]
        return lacking[0] if lacking else ""

    def run(self) -> str:
        """Run the script in this interpreter and return all it printed."""
        dropped = ("PYTEST", "PYTHONPATH", "COV", "TRIAGE", "PIP_")
        env = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
        env |= {"PYTHONUNBUFFERED": "1", "COLUMNS": "120", "HF_HUB_DISABLE_TELEMETRY": "1", "TERM": "dumb"}
        env |= {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        with tempfile.TemporaryDirectory() as home:
            env["TORCHINDUCTOR_CACHE_DIR"] = home
            done = subprocess.run(
                [sys.executable, str(self.path)],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=home,
                env=env,
                timeout=SECONDS,
            )
        text = done.stdout.decode("utf-8", "replace")
        if done.returncode < 0 and "Segmentation" not in text:
            text += f"Process finished with exit code {done.returncode}\n"
        return text


def _importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package around it is not here
        return False


def anonymous(text: str) -> str:
    """Return output with this machine's folders replaced."""
    replaced = {
        sysconfig.get_paths()["purelib"]: "/opt/venv/lib/python3/site-packages",
        sysconfig.get_paths()["stdlib"]: "/usr/lib/python3",
        sys.prefix: "/opt/venv",
        sys.base_prefix: "/usr",
        str(FOLDER / "failures"): "/home/user/work",
        str(Path.home()) + "/": "/home/user/",
    }
    for folder, name in replaced.items():
        text = text.replace(folder, name)
    return re.sub(r"/tmp/tmp\w+", "/tmp/tmpdir", text)


def all_failures() -> list[Failure]:
    """Return every script with its header."""
    out = []
    for path in sorted((FOLDER / "failures").glob("*.py")):
        header = dict(re.findall(r"^# (\w+): ?(.*)$", path.read_text(encoding="utf-8"), re.M))
        out.append(
            Failure(
                path,
                tuple(header["causes"].split()),
                tuple(header["needs"].split()),
                tuple(header.get("tools", "").split()),
            )
        )
    return out
