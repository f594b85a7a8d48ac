"""The commands around rules: schemas, reference pages, recorded cases, comparison with a revision."""

from __future__ import annotations

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from tests.check.conftest import SmallLayer
from triage.check.recorded import Answer, RecordedCase, fault_of, read_cases
from triage.check.schema import KINDS, schema_of, schema_text
from triage.cli.rules import command
from triage.docs_site.build import build_site
from triage.errors import TriageError
from triage.knowledge.load import load_base
from triage.knowledge.roots import overlay_root

TOP = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_in_docs_is_the_one_of_the_model(kind: str) -> None:
    text = (TOP / "docs" / "schema" / f"{kind}.json").read_text(encoding="utf-8")
    assert text == schema_text(kind), "run: triage rules schema -o docs/schema"


@pytest.mark.parametrize("kind", ["rules", "causes", "facts", "trees", "tables", "checks"])
def test_a_shipped_file_fits_its_schema(kind: str) -> None:
    folder = TOP / "rules" if kind == "rules" else TOP / "knowledge_base" / kind
    path = min(folder.glob("*.yaml"), key=lambda file: file.stat().st_size)
    jsonschema.validate(yaml.safe_load(path.read_text(encoding="utf-8")), schema_of(kind))


def test_a_schema_refuses_an_unknown_key() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"family": "x", "rules": [], "extra": 1}, schema_of("rules"))


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src") and value]


def test_pages_link_to_each_other_and_take_no_markup_from_knowledge(tmp_path: Path) -> None:
    layer = SmallLayer(tmp_path / "layer")
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    layer.spoil("causes/own.yaml", "en: The scratch disk is full", f"en: '{evil}'")
    layer.spoil("rules/own.yaml", "frobnix 1.2, scratch.c", f"'{evil}'")
    site = tmp_path / "site"
    assert build_site(load_base([overlay_root(layer.folder)]), site) == 3
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        parser = Links()
        parser.feed(text)
        assert "img" not in parser.tags
        assert parser.tags.count("script") == (2 if path.name == "index.html" else 0)
        for link in parser.links:
            assert link.startswith("#") or (path.parent / link).exists(), link
    entries = re.search(r'id="entries">(.*?)</script>', (site / "index.html").read_text(encoding="utf-8"))
    assert entries and evil in json.loads(entries.group(1))[0][2]


CASE = RecordedCase(id="x-1", log="x", cause="a.b", also=["a.c"])


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (Answer("a.b", 0.9, True, True), ""),
        (Answer("a.c", 0.9, True, True), ""),
        (Answer("a.d", 0.9, True, True), "a.d (0.90) instead of a.b"),
        (Answer("unknown", 0.0, False, False), "unknown instead of a.b"),
        (Answer("a.b", 0.9, False, True), "the decisive line is not among the evidence"),
        (Answer("a.b", 0.9, True, False), "the recipes do not say what helps"),
    ],
)
def test_an_answer_to_a_recorded_case_is_judged(answer: Answer, fault: str) -> None:
    assert fault_of(CASE, answer) == fault


def test_a_file_that_is_no_list_of_cases_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cases.yaml"
    path.write_text("cases: [{id: x}]\n", encoding="utf-8")
    with pytest.raises(TriageError, match="a recorded case is not as it should be"):
        read_cases([path])
    path.write_text("- {id: x, log: text}\n", encoding="utf-8")
    with pytest.raises(TriageError, match="is a mapping: cases"):
        read_cases([path])


def invoke(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, list(args), standalone_mode=False)
    return (result.return_value if result.exception is None else -1), result.output + repr(result.exception or "")


@pytest.mark.skipif(shutil.which("git") is None or not (TOP / ".git").exists(), reason="needs a git checkout")
def test_answers_are_compared_with_those_of_a_revision(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text("cases:\n- {id: own-1, log: 'epoch 1 loss 0.5', cause: none}\n", encoding="utf-8")
    status, output = invoke("test", "--no-samples", "--against", "HEAD", str(path))
    if "knowledge" in output or "unknown field" in output:
        pytest.skip("the knowledge at HEAD is of another engine")
    assert (status, "1 recorded cases against HEAD: 0 answers changed" in output) == (0, True), output


def test_an_unknown_revision_is_refused_with_a_sentence() -> None:
    status, output = invoke("test", "--no-samples", "--against", "no-such-revision")
    assert status == -1
    assert "git does not give the rules at no-such-revision" in output


def test_a_list_is_chosen_by_words() -> None:
    _, output = invoke("list", "driver", "too", "old", "torch")
    assert "cuda-driver-too-old-torch" in output
    assert all("driver" in line.lower() for line in output.splitlines() if line.startswith("cuda"))
