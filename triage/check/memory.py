"""What a check learned and need not work out again, kept in the cache folder by digests of what it came from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec

from triage.knowledge.cache import read_checked, write_checked

T = TypeVar("T")
R = TypeVar("R")
MOST = 20_000
ENOUGH = 8
"""So many pieces of work are shared among processes."""


class Memory(Generic[T]):
    """Results by digest, in one cache file."""

    def __init__(self, name: str, kind: type[T]) -> None:
        self._name = f"check-{name}.bin"
        self._known: dict[str, T] = {}
        body = read_checked(self._name)
        if body is not None:
            try:
                self._known = msgspec.msgpack.decode(body, type=dict[str, kind])  # type: ignore[valid-type]
            except (msgspec.DecodeError, msgspec.ValidationError):
                self._known = {}

    def work_out(self, keys: Sequence[str], wanted: Sequence[R], work: Callable[[R], T]) -> list[T]:
        """Return `work(item)` for each of `wanted`, from memory where its key is known; new results are kept."""
        fresh = [index for index, key in enumerate(keys) if key not in self._known]
        results = _shared(work, [wanted[index] for index in fresh])
        for index, result in zip(fresh, results, strict=True):
            self._known[keys[index]] = result
        out = [self._known[key] for key in keys]
        if fresh:
            kept = self._known if len(self._known) <= MOST else dict(zip(keys, out, strict=True))
            write_checked(self._name, msgspec.msgpack.encode(kept))
        return out


def digest_of(*parts: str | bytes | int | bool) -> str:
    """Return a digest of parts."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()[:24]


def _shared(work: Callable[[R], T], items: Sequence[R]) -> list[T]:
    """Work on items, in several processes where that pays."""
    import os

    workers = min(os.cpu_count() or 1, 8)
    if len(items) < ENOUGH or workers < 2:
        return [work(item) for item in items]
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    try:
        with ProcessPoolExecutor(workers) as pool:
            return list(pool.map(work, items, chunksize=max(1, len(items) // (workers * 8))))
    except (OSError, BrokenProcessPool):
        return [work(item) for item in items]
