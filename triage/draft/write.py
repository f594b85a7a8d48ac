"""Write drafted records into a layer: new files, or the end of those that are there; all or nothing."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from triage.draft.yaml_text import new_file, with_observation, with_record
from triage.errors import TriageError
from triage.knowledge.document import parse_document, read_document
from triage.knowledge.load import Base
from triage.knowledge.roots import data_folder


@dataclass(slots=True)
class Layer:
    """The layer that drafts go into, and the texts that its files are to have."""

    folder: Path
    texts: dict[Path, str] = field(default_factory=dict)

    @property
    def is_checkout(self) -> bool:
        """Whether this is the checkout that triage itself runs from."""
        return self.folder.resolve() == data_folder("rules").parent.resolve()

    def file(self, kind: str, family: str) -> Path:
        """Return the file of a family's rules or causes."""
        if kind == "rules":
            return self.folder / "rules" / f"{family}.yaml"
        base = self.folder / "knowledge_base"
        return (base if base.is_dir() else self.folder) / kind / f"{family}.yaml"

    def add(self, kind: str, family: str, record: dict[str, Any]) -> None:
        """Add a record to the family's file."""
        path = self.file(kind, family)
        text = self._text(path)
        if text is None:
            self.texts[path] = new_file(kind, family, [record], self._schema(path, kind))
        else:
            self.texts[path] = with_record(text, record)

    def speak_for(self, base: Base, cause: str, rule: str, weight: str) -> None:
        """Let a rule speak for a cause that is there: in its file, or in a copy that covers the one below."""
        loaded = base.causes[cause]
        family = cause.split(".")[0]
        path = self.file("causes", family)
        text = self._text(path)
        if text is not None:
            document = parse_document(text, str(path))
            for index, record in enumerate(document.data.get("causes") or []):
                if record.get("id") == cause:
                    self.texts[path] = with_observation(text, document, index, rule, weight)
                    return
        data = loaded.document.data["causes"][loaded.path[1]]
        entry = {"rule": rule, "weight": weight}
        self.add("causes", family, {**data, "seen_as": [entry, *(data.get("seen_as") or [])]})

    def _text(self, path: Path) -> str | None:
        if path in self.texts:
            return self.texts[path]
        if not path.exists():
            return None
        read_document(path)
        return path.read_text(encoding="utf-8")

    def _schema(self, path: Path, kind: str) -> str:
        """Return the path to the schema as the file names it; a layer outside of a checkout gets one of its own."""
        schema = self.folder / "docs" / "schema" / f"{kind}.json"
        if not schema.is_file():
            schema = self.folder / "schema" / f"{kind}.json"
            if schema not in self.texts and not schema.exists():
                from triage.check.schema import schema_text

                self.texts[schema] = schema_text(kind)
        return Path(os.path.relpath(schema, path.parent)).as_posix()

    def save(self) -> list[Path]:
        """Write all files, after each text has been read back; raises TriageError and leaves all as it was."""
        for path, text in self.texts.items():
            if path.suffix == ".yaml":
                parse_document(text, str(path))
        before = {path: path.read_bytes() if path.exists() else None for path in self.texts}
        try:
            for path, text in self.texts.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        except OSError as error:
            restore(before)
            raise TriageError(f"cannot write {error.filename}: {error.strerror}") from error
        return [path for path in self.texts if path.suffix == ".yaml"]


def restore(before: dict[Path, bytes | None]) -> None:
    """Give files their former content back; those that were not there are removed."""
    for path, content in before.items():
        if content is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(content)
