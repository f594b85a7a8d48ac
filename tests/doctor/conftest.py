"""The shipped knowledge base, loaded once."""

from __future__ import annotations

import pytest

from triage.knowledge.base import Knowledge


@pytest.fixture(scope="session")
def shipped() -> Knowledge:
    """The knowledge base of this working tree."""
    return Knowledge.load()
