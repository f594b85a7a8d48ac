"""JSON Schemas for editors, generated from the model that the loader uses."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from triage.knowledge.model import CauseFile, CheckFile, FactFile, Pack, RuleFile, Table, Tree

KINDS: dict[str, type[msgspec.Struct]] = {
    "rules": RuleFile,
    "causes": CauseFile,
    "trees": Tree,
    "facts": FactFile,
    "tables": Table,
    "checks": CheckFile,
    "pack": Pack,
}
"""Kinds of file and their models, by folder name."""


def schema_of(kind: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a kind of file."""
    made = msgspec.json.schema(KINDS[kind])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"triage {kind}", **made}


def schema_text(kind: str) -> str:
    """Return the schema as it stands in `docs/schema/<kind>.json`."""
    return json.dumps(schema_of(kind), indent=2, ensure_ascii=False, sort_keys=True) + "\n"
