"""Configuration files, and where each setting comes from.

Flags go before `TRIAGE_*` variables, these before the project's file (`.triage.toml`, or `[tool.triage]` of
`pyproject.toml`, in the working folder or above it), then the user's `config.toml`, then the system's. A project's file
may choose the language and add rules; it can not choose what is run, reached or masked.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from triage.errors import TriageError
from triage.language import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

SYSTEM = "/etc/triage/config.toml"
PROJECT_KEYS = ("lang", "rules")
"""Settings that a project's file may have."""
COLORS = ("auto", "always", "never")


class Setting(NamedTuple):
    """The value of a setting and where it comes from."""

    value: Any
    origin: str


DEFAULTS: Mapping[str, Any] = {"lang": "", "color": "auto", "rules": [], "probes": True, "top": 5, "keys": {}}
"""Every setting; an empty `lang` follows the locale."""
ENVIRONMENT: Mapping[str, str] = {"lang": "TRIAGE_LANG", "color": "TRIAGE_COLOR", "rules": "TRIAGE_RULES"}


def setting(name: str) -> Setting:
    """Return a setting as environment and files give it; raises TriageError for a faulty file or value."""
    variable = ENVIRONMENT.get(name, "")
    given = os.environ.get(variable) if variable else None
    if given:
        value: Any = [part for part in given.split(os.pathsep) if part] if name == "rules" else given
        return Setting(_checked(name, value, variable), variable)
    for path, table in _files():
        if name in table:
            return Setting(table[name], path)
    return Setting(DEFAULTS[name], "default")


@cache
def _files() -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Return the files that are there, those that count more first, each with its checked table."""
    out = []
    project = _project_file()
    if project is not None:
        out.append((project, _read(project, of_project=True)))
    for path in (os.path.join(_user_folder(), "config.toml"), SYSTEM):
        if os.path.isfile(path):
            out.append((path, _read(path, of_project=False)))
    return tuple(out)


def _user_folder() -> str:
    from triage.settings import config_folder

    return os.environ.get("TRIAGE_CONFIG_DIR") or config_folder()


def _project_file() -> str | None:
    """Return the nearest project file that speaks of triage."""
    try:
        here = os.getcwd()
    except OSError:
        return None
    while True:
        own = os.path.join(here, ".triage.toml")
        if os.path.isfile(own):
            return own
        shared = os.path.join(here, "pyproject.toml")
        if os.path.isfile(shared) and os.access(shared, os.R_OK):
            with open(shared, "rb") as file:
                if b"[tool.triage]" in file.read(1 << 20):
                    return shared
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def _read(path: str, of_project: bool) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        with open(path, "rb") as file:
            table: dict[str, Any] = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise TriageError(f"the configuration file cannot be read: {error}", path) from error
    if os.path.basename(path) == "pyproject.toml":
        table = table.get("tool", {}).get("triage", {})
    for name, value in table.items():
        if name not in DEFAULTS:
            raise TriageError(f"there is no setting {name}; there are: {', '.join(DEFAULTS)}", path)
        if of_project and name not in PROJECT_KEYS:
            raise TriageError(f"a project's file may set {' and '.join(PROJECT_KEYS)} only, not {name}", path)
        table[name] = _checked(name, value, path)
    if "rules" in table:
        table["rules"] = [os.path.join(os.path.dirname(path), folder) for folder in table["rules"]]
    return table


def _checked(name: str, value: Any, place: str) -> Any:
    wanted = {
        "lang": (value in LANGUAGES, f"one of {', '.join(LANGUAGES)}"),
        "color": (value in COLORS, f"one of {', '.join(COLORS)}"),
        "rules": (isinstance(value, list) and all(isinstance(item, str) for item in value), "a list of folders"),
        "probes": (isinstance(value, bool), "true or false"),
        "keys": (
            isinstance(value, dict) and all(isinstance(item, str) for item in value.values()),
            'a table of texts, such as walk = "j"',
        ),
        "top": (isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 50, "a number from 1 to 50"),
    }
    fits, what = wanted[name]
    if not fits:
        raise TriageError(f"{place} sets {name} to {value!r}; it must be {what}")
    return value
