"""One frame of a Python stack, and whose code it runs."""

from __future__ import annotations

import re

import msgspec

from triage.lazy import lazy_pattern

FRAME = lazy_pattern(r'\s*(?:[>|] ?)?File "([^"\n]{1,2000})", line (\d{1,9})(?:, in (.*?))?\s*$')
"""A frame as the interpreter prints it; the last one of a SyntaxError has no function."""

HEADER = lazy_pattern(
    r"(?<!C\+\+ )Traceback (?:of TorchScript[^(\n]{0,40})?\((?:most recent call last|innermost last)\):"
    r"(?:\s*$|(?=\s+File \"))"
)
"""What announces frames; other output may stand before it on its line. (`C++ Traceback` is Paddle's native stack.)"""

_PACKAGES = lazy_pattern(r"[/\\](?:site|dist)-packages[/\\]")
_STDLIB = lazy_pattern(
    r"(?i)(?:[/\\]lib(?:64)?[/\\]python\d(?:\.\d+)?[a-z]?[/\\]|[/\\]python\d\d{0,2}[/\\]lib[/\\]"
    r"|[/\\](?:ana|mini)conda\d?[/\\](?:envs[/\\][^/\\]+[/\\])?lib[/\\](?!python))"
)
_SPECIAL = {
    "<__array_function__ internals>": "library:numpy",
    "<eval_with_key>": "library:torch",
    "<decorator-gen": "library:decorator",
    "<attrs generated": "library:attr",
    "<torch_package": "library:torch",
    "<frozen ": "stdlib",
}
_NATIVE = lazy_pattern(r"(?i)\.(?:so[.\d]*|pyx|pxd|pxi|pyd|dll|dylib|c|cc|cpp|cxx|cu|h|hpp|inc)$")


class Frame(msgspec.Struct, frozen=True):
    """One call of a Python stack."""

    file: str
    """Path as printed."""
    line: int | None
    """Line in that file, from 1; None when the form does not tell."""
    function: str
    """Function name as printed; empty when the form does not tell."""
    code: str
    """The source line, stripped; empty when it was not printed."""
    owner: str
    """`user`, `stdlib`, `native`, or `library:` and the top package below site-packages or dist-packages."""


def owner_of(file: str) -> str:
    """Tell whose code a file is, from its path alone; see `Frame.owner`."""
    if file.startswith("<"):
        return next((owner for start, owner in _SPECIAL.items() if file.startswith(start)), "user")
    places = list(_PACKAGES.finditer(file)) if "-packages" in file else []
    if places:
        parts = re.split(r"[/\\]", file[places[-1].end() :])
        top = parts[1] if parts[0].endswith(".egg") and len(parts) > 1 else parts[0]
        return f"library:{top.split('.')[0]}"
    if "torchinductor_" in file:
        return "library:torch"
    if "transformers_modules" in file and re.search(r"[/\\]transformers_modules[/\\]", file):
        return "library:transformers_modules"
    lowered = file.lower()
    if "lib" in lowered and ("python" in lowered or "conda" in lowered) and _STDLIB.search(file):
        return "stdlib"
    return "native" if not file.endswith(".py") and _NATIVE.search(file) else "user"


def make_frame(file: str, line: str | int | None, function: str = "", code: str = "") -> Frame:
    """Build a frame from printed pieces; a line number that is none becomes None."""
    number = int(line) if line is not None and str(line).isdigit() else None
    return Frame(file, number, function.strip(), code.strip(), owner_of(file))
