"""The facts vocabulary: from a fact's name to what is known about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from triage.knowledge.model import Bilingual, Fact, Text


class FactRegistry:
    """All fact names, patterns with `*` included."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._exact: dict[str, Fact] = {}
        self._patterns: list[tuple[list[str], Fact]] = []
        for fact in facts:
            if "*" in fact.name:
                self._patterns.append((fact.name.split("."), fact))
            else:
                self._exact[fact.name] = fact

    def __iter__(self) -> Iterator[Fact]:
        yield from self._exact.values()
        yield from (fact for _, fact in self._patterns)

    def find(self, name: str) -> Fact | None:
        """Return the record of a fact by its full name or by a name with `*`."""
        if name in self._exact:
            return self._exact[name]
        parts = name.split(".")
        for pattern, fact in self._patterns:
            if pattern[-1] == "*" and len(parts) > len(pattern):
                shortened = [*parts[: len(pattern) - 1], ".".join(parts[len(pattern) - 1 :])]
            else:
                shortened = parts
            if len(shortened) == len(pattern) and all(
                p in ("*", part) for p, part in zip(pattern, shortened, strict=True)
            ):
                return fact
        return None

    def label(self, name: str) -> Text:
        """Return what a person calls the fact; its name where the vocabulary has none.

        `*` in the label of a pattern stands for what stands there in the name: "installed version of torch".
        """
        fact = self.find(name)
        if fact is None:
            return name
        before, star, after = fact.name.partition("*")
        label = fact.label
        if not star:
            return label
        part = name[len(before) : len(name) - len(after)]
        if isinstance(label, str):
            return label.replace("*", part)
        return Bilingual(en=label.en.replace("*", part), zh=label.zh.replace("*", part))
