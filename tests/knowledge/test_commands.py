"""What a recipe tells a person to type can be read by a shell."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from triage.knowledge.base import Knowledge
from triage.knowledge.model import Cause


def shell_lines(page: Cause) -> str:
    """Return all commands of a cause for a shell, values put in for templates and for gaps such as `<container>`."""
    commands = [s for recipe in page.recipes for s in (*recipe.steps, recipe.check) if s.command and s.language == "shell"]
    text = "\n".join(s.command or "" for s in commands)
    text = re.sub(r"\{%.*?%\}", "", re.sub(r"\{\{.*?\}\}", "value", text, flags=re.S), flags=re.S)
    return re.sub(r"<[^<>|&;\n]{1,80}>", "value", text)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_every_command_of_every_recipe_is_readable_by_bash(real_knowledge: Knowledge) -> None:
    wrong = {}
    for cause in real_knowledge.causes:
        done = subprocess.run(["bash", "-n"], input=shell_lines(real_knowledge.page(cause)), capture_output=True, text=True)
        if done.returncode:
            wrong[cause] = done.stderr
    assert wrong == {}
