"""Tests are three-valued: an unknown fact is neither true nor false."""

from __future__ import annotations

import msgspec
import pytest

from tests.conftest import Kit
from triage.knowledge.base import Knowledge
from triage.knowledge.model import Test
from triage.reason.book import FactBook, FactValue
from triage.reason.evaluate import Context, Trace, evaluate


def holds(kit: Kit, test: dict[str, object], facts: dict[str, FactValue], seen: set[str] | None = None) -> bool | None:
    book = FactBook(kit.knowledge)
    book.add_all(facts, "file")
    return evaluate(msgspec.convert(test, Test), Context(kit.knowledge, book, seen or set()))


@pytest.mark.parametrize(
    ("test", "facts", "expected"),
    [
        ({"fact": "drv.version", "lt": "525"}, {"drv.version": "470.82.01"}, True),
        ({"fact": "drv.version", "lt": "525"}, {"drv.version": "535.104.05-0ubuntu1"}, False),
        ({"fact": "drv.version", "lt": "525"}, {}, None),
        ({"fact": "drv.version", "lt": "525"}, {"drv.version": None}, False),
        ({"fact": "drv.version", "missing": True}, {"drv.version": None}, True),
        ({"fact": "drv.version", "missing": True}, {"drv.version": "470"}, False),
        ({"fact": "drv.version", "missing": True}, {}, None),
        ({"fact": "drv.version", "missing": False}, {"drv.version": "1"}, True),
        ({"fact": "cuda.wanted", "ge": "12.4"}, {"cuda.wanted": "12.10"}, True),
        ({"fact": "cuda.wanted", "ge": "12.4"}, {"cuda.wanted": "12.3+cu123"}, False),
        ({"fact": "box", "is": "docker"}, {"box": "docker"}, True),
        ({"fact": "box", "not": "docker"}, {"box": "docker"}, False),
        ({"fact": "box", "in": ["docker", "podman"]}, {"box": "podman"}, True),
        ({"fact": "box", "matches": "(?i)^DOCK"}, {"box": "docker"}, True),
        ({"fact": "box", "contains": "ock"}, {"box": "docker"}, True),
        ({"fact": "box", "contains": "sm_90"}, {"box": ["sm_80", "sm_90"]}, True),
        ({"fact": "box", "contains": "sm_9"}, {"box": ["sm_80", "sm_90"]}, False),
        ({"fact": "drv.version", "fits": ">=525,<580"}, {"drv.version": "535.104"}, True),
        ({"fact": "drv.version", "fits": ">=525,<580"}, {"drv.version": "580.65"}, False),
        ({"fact": "drv.version", "fits": {"lookup": "cards", "column": "cc", "of": "gpu.0.name"}}, {"drv.version": "12.0.3", "gpu.0.name": "Card Two"}, True),
        ({"fact": "drv.version", "fits": {"lookup": "cards", "column": "cc", "of": "gpu.0.name"}}, {"drv.version": "12.0.3", "gpu.0.name": "x"}, None),
        ({"fact": "drv.version", "fits": "no version"}, {"drv.version": "12.0.3"}, None),
        ({"fact": "box", "is": True}, {"box": True}, True),
        ({"fact": "box", "is": True}, {"box": "true"}, True),
        ({"fact": "gpu.*.name", "matches": "Two"}, {"gpu.0.name": "Card One", "gpu.1.name": "Card Two"}, True),
        ({"fact": "gpu.*.cc", "ge": "12"}, {"gpu.0.name": "card one", "gpu.1.name": "card two"}, True),
        ({"fact": "gpu.*.cc", "ge": "12"}, {"gpu.0.name": "card one"}, False),
        ({"fact": "gpu.*.cc", "ge": "12"}, {"gpu.0.name": "unheard of"}, None),
        ({"fact": "short", "is": "v12"}, {"cuda.wanted": "12.4"}, True),
        ({"fact": "drv.version", "lt": {"lookup": "cards", "column": "cc", "of": "gpu.0.name"}}, {"drv.version": "7", "gpu.0.name": "Card One"}, True),
        ({"fact": "drv.version", "lt": {"lookup": "cards", "column": "cc", "of": "gpu.0.name"}}, {"drv.version": "7"}, None),
        ({"fact": "drv.version", "lt": {"lookup": "cards", "column": "cc", "of": "gpu.0.name"}}, {"drv.version": "7", "gpu.0.name": "x"}, None),
        ({"all": [{"fact": "box", "is": "a"}, {"fact": "short", "is": "b"}]}, {"box": "z"}, False),
        ({"all": [{"fact": "box", "is": "a"}, {"fact": "short", "is": "b"}]}, {"box": "a"}, None),
        ({"any": [{"fact": "box", "is": "a"}, {"fact": "short", "is": "b"}]}, {"box": "a"}, True),
        ({"any": [{"fact": "box", "is": "a"}, {"fact": "short", "is": "b"}]}, {"box": "z"}, None),
        ({"none": [{"fact": "box", "is": "a"}]}, {}, None),
        ({"none": [{"fact": "box", "is": "a"}]}, {"box": "b"}, True),
    ],
)  # fmt: skip
def test_value(kit: Kit, test: dict[str, object], facts: dict[str, FactValue], expected: bool | None) -> None:
    assert holds(kit, test, facts) is expected


def test_an_observation_is_always_known(kit: Kit) -> None:
    assert holds(kit, {"seen": ["a", "b"]}, {}, {"b"}) is True
    assert holds(kit, {"seen": "c"}, {}, {"b"}) is False


def test_the_trace_names_what_was_used_and_what_is_open(kit: Kit) -> None:
    book = FactBook(kit.knowledge)
    book.add_all({"box": "a"}, "file")
    trace = Trace()
    test = msgspec.convert({"all": [{"fact": "box", "is": "a"}, {"fact": "cuda.wanted", "gt": "1"}]}, Test)
    evaluate(test, Context(kit.knowledge, book, set()), trace)
    assert [known.name for known in trace.used] == ["box"]
    assert trace.open == ["cuda.wanted"]


def test_a_persons_word_goes_before_a_file_the_log_and_a_probe(kit: Kit) -> None:
    book = FactBook(kit.knowledge)
    book.add_all({"box": "probe"}, "probe")
    book.add_all({"box": "log"}, "log")
    known = book.get("box")
    assert known is not None and known.value == "log"
    book.add_all({"box": "person"}, "person")
    book.add_all({"box": "file"}, "file")
    known = book.get("box")
    assert known is not None and known.value == "person"


def test_facts_of_the_vocabulary_follow_from_others(real_knowledge: Knowledge) -> None:
    book = FactBook(real_knowledge)
    book.add_all({"gpu.0.name": "NVIDIA H100 80GB HBM3", "gpu.1.name": "Tesla T4", "pkg.torch": "2.4.1+cu121"}, "file")
    known = {name: book.get(name) for name in ("gpu.0.compute_capability", "torch.version", "torch.cuda_version")}
    assert {name: fact.value for name, fact in known.items() if fact} == {
        "gpu.0.compute_capability": "9.0",
        "torch.version": "2.4.1+cu121",
        "torch.cuda_version": "12.1",
    }
