"""Secrets never leave in a report: tokens, keys, passwords and credentials in URLs are masked when it is written.

Matching sees the log as it is; masking happens on output. Hashes, UUIDs, mangled symbols and version numbers stay,
since people need them to compare.
"""

from __future__ import annotations

import os
import re
from typing import Any

from triage.lazy import lazy_pattern

MASK = "***"

_TOKENS = lazy_pattern(
    r"\b(?:hf_[A-Za-z0-9]{20,}|api_org_[A-Za-z0-9]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[\w-]{18,}"
    r"|sk-(?:proj-|ant-|or-)?[A-Za-z0-9_-]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}"
    r"|ya29\.[\w-]{20,}|nvapi-[\w-]{20,}|pypi-[\w-]{30,}|npm_[A-Za-z0-9]{30,}|dckr_pat_[\w-]{20,}|gsk_[A-Za-z0-9]{30,}|r8_[A-Za-z0-9]{30,}"
    r"|(?<=hooks\.slack\.com/services/)[\w/-]{20,}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{8,})"
)
_TOKEN_STARTS = (
    "hf_", "api_org_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk-", "xox", "AKIA", "ASIA",
    "AIza", "ya29.", "nvapi-", "pypi-", "npm_", "dckr_pat_", "eyJ", "gsk_", "r8_", "hooks.slack",
)  # fmt: skip
_NAMES = (
    "passw", "secret", "credential",
    *(f"{kind}{dash}key" for kind in ("api", "access", "private", "account") for dash in ("", "_", "-")),
    *(
        f"{kind}{dash}token"
        for kind in ("auth", "access", "refresh", "hf", "hub", "api", "session", "bearer")
        for dash in ("", "_", "-")
    ),
)  # fmt: skip
"""Words of which one is in each name that `_NAMED` looks for."""
_SCHEMES = tuple(f"{word}{space}" for word in ("bearer", "basic", "token") for space in " \t")
"""What each match of `_BEARER` begins with."""
_URL = lazy_pattern(
    r"(?P<scheme>\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://)(?P<user>[^\s/@:'\"]{0,200}):(?P<password>[^\s/@'\"]{1,400})@"
)
_URL_TOKEN = lazy_pattern(r"(?P<scheme>\b(?:https?|git\+https|ssh)://)(?P<token>[A-Za-z0-9_-]{16,400})@")
_NAMED = lazy_pattern(
    r"(?i)(?P<name>(?:^|(?<=[^A-Za-z]))(?:[\w-]{0,60}?(?:password|passwd|secret|api[_-]?key|apikey|access[_-]?key|secret[_-]?key|private[_-]?key|account[_-]?key"
    r"|(?:auth|access|refresh|hf|hub|api|session|bearer)[_-]?token|wandb[_-]?api[_-]?key|credential|client[_-]?secret)s?)[\"']?\s{0,3}[=:]\s{0,3}[\"']?)"
    r"(?P<value>[^\s\"',;&)}\]]{4,400})"
)
_TOKEN_NAMED = lazy_pattern(
    r"(?P<name>\b[A-Z][A-Z0-9_]{0,60}_(?:TOKEN|PASS)[\"']?\s{0,2}[=:]\s{0,2}[\"']?)(?P<value>[^\s\"',;&)}\]]{8,400})"
)
_OPTION = lazy_pattern(
    r"(?P<name>--(?:(?:[a-z-]{0,40}-)?(?:password|passwd|secret|secret-key|api-key|access-key"
    r"|(?:hf|hub|auth|access|api)-token)|token)[ ])(?P<value>(?![A-Z_]+\b)[^\s\"',;&)}\]\-][^\s\"',;&)}\]]{3,400})"
)
"""What follows an option's name; a word of capitals is the name of the value in a usage line."""
_OPTION_WORDS = ("passw", "secret", "-key", "token")
"""Words of which one is in each name that `_OPTION` looks for."""
_LONE_TOKEN = lazy_pattern(
    r"(?i)(?P<name>(?<![\w-])token(?:=[\"']?|[\"']\s{0,2}:\s{0,2}[\"']))"
    r"(?P<value>(?=[^\s\"']{0,200}\d)[A-Za-z0-9_~+/=-]{16,2000})"
)
_AUTHORIZATION = lazy_pattern(
    r"(?i)(?P<name>authorization[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?:basic|bearer|token|apikey)\s)"
    r"(?P<value>[^\s\"',]{4,2000})"
)
_COOKIE = lazy_pattern(r"(?i)(?P<name>\bcookie[\"']?:\s{0,2}[\"']?)(?P<value>[\w.-]{1,80}=[^\"'\n]{6,4000})")
_BEARER = lazy_pattern(r"(?i)(?P<name>\b(?:bearer|basic|token)[ \t]{1,3})(?P<value>[A-Za-z0-9._~+/=-]{20,2000})")
_SIGNED = lazy_pattern(
    r"(?i)(?P<name>[?&](?:X-Amz-Signature|X-Amz-Credential|X-Amz-Security-Token|Signature|sig|token|access_token|api_key|key)=)(?P<value>[^&\s\"']{6,2000})"
)
_PEM = lazy_pattern(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]{0,20000}-----END [A-Z ]{0,30}PRIVATE KEY-----)?")
_PLAIN = lazy_pattern(r"(?i)none|null|true|false|<.*|\$\{?\w+\}?|\*+|str|string|optional\[.*")


def redact(text: str, home: bool = False) -> str:
    """Return `text` with secrets masked; with `home`, the name in home paths too."""
    if "://" in text:
        if "@" in text:
            text = _URL.sub(lambda m: f"{m['scheme']}{MASK}:{MASK}@", text)
            text = _URL_TOKEN.sub(lambda m: f"{m['scheme']}{MASK}@", text)
        if "=" in text:
            text = _SIGNED.sub(lambda m: m["name"] + MASK, text)
    if "PRIVATE KEY" in text:
        text = _PEM.sub(MASK, text)
    # most texts hold no word that could begin a secret: then no expression is tried, or compiled
    if any(start in text for start in _TOKEN_STARTS):
        text = _TOKENS.sub(MASK, text)
    lowered = text.lower()
    if any(word in lowered for word in _NAMES):
        text = _NAMED.sub(_named, text)
    if "--" in text and any(word in lowered for word in _OPTION_WORDS):
        text = _OPTION.sub(_named, text)
    if "token" in lowered:
        text = _LONE_TOKEN.sub(_named, text)
    if "authorization" in lowered:
        text = _AUTHORIZATION.sub(_named, text)
    if "cookie" in lowered:
        text = _COOKIE.sub(_named, text)
    if "_TOKEN" in text or "_PASS" in text:
        text = _TOKEN_NAMED.sub(_named, text)
    if any(word in lowered for word in _SCHEMES):
        text = _BEARER.sub(_named, text)
    return hide_home(text) if home else text


def hide_home(text: str) -> str:
    """Return `text` with the name in home paths masked."""
    text = re.sub(r"(?<![\w.])(/home/|/Users/|[A-Za-z]:\\Users\\)[^/\\\s:'\"]+", r"\1~", text)
    own = os.path.expanduser("~")
    return text.replace(own, "~") if len(own) > 3 else text


def _named(match: re.Match[str]) -> str:
    value = match["value"]
    return match[0] if _PLAIN.fullmatch(value) else match["name"] + MASK


def redact_value(value: Any, home: bool = False) -> Any:
    """Return JSON data with each text in it redacted."""
    if isinstance(value, str):
        return redact(value, home)
    if isinstance(value, dict):
        return {key: redact_value(item, home) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact_value(item, home) for item in value]
    return value
