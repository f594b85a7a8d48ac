"""Recipes name the interpreter that failed, in the template and never in what is filled in."""

from __future__ import annotations

import pytest

from tests.conftest import Kit, cause
from triage.interpreter import name_interpreter
from triage.reason.book import FactBook
from triage.reason.evaluate import Context
from triage.recipe import Renderer
from triage.templates import parse_template


@pytest.mark.parametrize(
    ("template", "command"),
    [
        ("python -m pip install torch", "/e/bin/python -m pip install torch"),
        ("python3 -m pip install torch", "/e/bin/python -m pip install torch"),
        ('python -c "import torch"', '/e/bin/python -c "import torch"'),
        ("A=1 B=x python -m pip list", "A=1 B=x /e/bin/python -m pip list"),
        ("cd x && python -m pip install .", "cd x && /e/bin/python -m pip install ."),
        ("x=$(python -c 'print(1)')", "x=$(/e/bin/python -c 'print(1)')"),
        ("python train.py", "python train.py"),
        ("uv pip install python -m x", "uv pip install python -m x"),
        ("ipython -c x", "ipython -c x"),
        ("sudo apt install python -y", "sudo apt install python -y"),
    ],
)
def test_python_becomes_the_interpreter_where_it_is_the_command(template: str, command: str) -> None:
    tree = name_interpreter(parse_template(template), "/e/bin/python", uv=False)
    assert tree == [["text", command]]


@pytest.mark.parametrize(
    ("template", "command"),
    [
        ("python -m pip install torch", "uv pip install --python /e/bin/python torch"),
        ("python -m pip uninstall -y a b", "uv pip uninstall --python /e/bin/python a b"),
        ("python -m pip check && python -c 1", "uv pip check --python /e/bin/python && /e/bin/python -c 1"),
        ("python -m pip download torch", "/e/bin/python -m pip download torch"),
    ],
)
def test_an_environment_of_uv_has_no_pip(template: str, command: str) -> None:
    assert name_interpreter(parse_template(template), "/e/bin/python", uv=True) == [["text", command]]


def test_a_path_is_quoted_and_a_value_is_left_alone(kit: Kit) -> None:
    kit.causes(cause("t.x", ""))
    book = FactBook(kit.knowledge)
    book.add_all({"python.command": "/my env; rm -rf/bin/python", "box": "; python -m pip install evil"}, "log")
    template = "python -m pip install {% if box %}{{ box }}{% endif %}"
    renderer = Renderer(
        kit.knowledge, {template: parse_template(template)}, Context(kit.knowledge, book, set()), {}, "en"
    )
    assert renderer.command(template) == "'/my env; rm -rf/bin/python' -m pip install '; python -m pip install evil'"
    assert renderer.text("python -m pip stays in a text") == "python -m pip stays in a text"


@pytest.mark.parametrize(("value", "word"), [("python", "python"), ("~/env/bin/python", "python"), (None, "python")])
def test_what_is_not_known_or_masked_stays_python(kit: Kit, value: str | None, word: str) -> None:
    kit.causes(cause("t.x", ""))
    book = FactBook(kit.knowledge)
    book.add_all({"python.command": value}, "probe")
    renderer = Renderer(kit.knowledge, {}, Context(kit.knowledge, book, set()), {}, "en")
    assert renderer.command("python -m pip list") == f"{word} -m pip list"
