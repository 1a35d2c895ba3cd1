"""What counts as a secret: names of fields, shapes of keys, and the user's own rules (decision 10)."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from kit.errors import ConfigError

MASK = re.compile(r"<secret-\d+>")

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-.\s]+")
_SECRET_FIELD = re.compile(
    r"(?:\A|_)(?:"
    r"authorization|api_?key|x_goog_api_key|password|passwd|passphrase|secret|cookie"
    r"|(?:access|refresh|auth|api|bot|bearer|session|security|secret|id)_?token"
    r"|(?:private|secret|access)_key|secret_access_key"
    r")\Z"
)
_NUMERIC_FIELD = re.compile(r"(?:\A|_)(?:password|passwd|passphrase|secret)\Z")
_QUERY_FIELD = re.compile(
    r"\A(?:key|token|auth|sig|signature|x_amz_(?:signature|credential|security_token))\Z"
)
_SPEAKING = re.compile(r"[*xX.•…]{3,}|\$\{\w+\}|\$[A-Z_]+|<[^<>]*>|%[A-Z_]+%")


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of secret that is known by its look.

    Attributes:
        needles: lower-case texts of which one must stand in the text; without, the pattern is not even tried.
        pattern: group 1 is the secret if there is one, else all of it.
        is_real: second look at the secret, where the pattern alone would take words for keys.
    """

    needles: tuple[str, ...]
    pattern: re.Pattern[str]
    is_real: Callable[[str], bool] = bool


@dataclass(frozen=True, slots=True)
class Rules:
    """The user's rules on top of those built in.

    Attributes:
        fields: further field names whose value is a secret, as `plain_name` writes them, with the user's
        spelling. patterns: further patterns; group 1 is the secret if there is one, else all of it.
    """

    fields: Mapping[str, str]
    patterns: tuple[re.Pattern[str], ...]

    def names(self) -> tuple[str, ...]:
        """Each rule as a person reads it, in order."""
        fields = (f'field "{name}"' for name in self.fields.values())
        return (*fields, *(f'pattern "{pattern.pattern}"' for pattern in self.patterns))


DEFAULT_RULES = Rules({}, ())


def parse_rules(mapping: Mapping[str, object]) -> Rules:
    """The rules of `[tool.kit.redaction]`: `fields = ["badge"]`, `patterns = ["ACME-[0-9]+"]`.

    Raises:
        ConfigError: a rule is invalid; a rule that is dropped in silence lets its secret pass.
    """
    unknown = sorted(set(mapping) - {"fields", "patterns"})
    if unknown:
        raise ConfigError(
            f'unknown key "{unknown[0]}"',
            where="[tool.kit.redaction]",
            why="it knows `fields` and `patterns`",
        )
    fields = {plain_name(name): name for name in _texts(mapping, "fields")}
    return Rules(fields, tuple(_pattern(text) for text in _texts(mapping, "patterns")))


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """A field's name in one spelling: `X-Api-Key`, `xApiKey` and `x_api_key` are the same."""
    return _WORDS.sub("_", name).lower().strip("_")


@lru_cache(maxsize=4096)
def is_secret_field(name: str) -> bool:
    """True for names whose value is a secret whatever it looks like; `max_tokens` and ids are none."""
    return _SECRET_FIELD.search(plain_name(name)) is not None


def is_secret_query(name: str) -> bool:
    """True for names that hold a secret in the query of an address; `key` is one only there."""
    return is_secret_field(name) or _QUERY_FIELD.match(plain_name(name)) is not None


def may_be_number(name: str) -> bool:
    """True for fields in which even a bare number is a secret."""
    return _NUMERIC_FIELD.search(plain_name(name)) is not None


def is_token_field(name: str) -> bool:
    """True for the field `token`: a credential here, a piece of text in log probabilities there."""
    return plain_name(name) in {"token", "auth"}


def is_placeholder(value: str) -> bool:
    """True for what stands where a secret would: masks, `***`, `${API_KEY}`, `<your key>`."""
    return _SPEAKING.fullmatch(value.strip()) is not None


def looks_random(value: str) -> bool:
    """True if it is no word: has a digit, or changes case inside."""
    return any(sign.isdigit() for sign in value) or not (
        value.islower() or value.isupper() or value.istitle()
    )


def looks_like_token(value: str) -> bool:
    """True for what an unknown service may hand out as a token: one long word that is no word."""
    return len(value) >= 12 and not any(sign.isspace() for sign in value) and looks_random(value)


def is_telling(secret: str) -> bool:
    """True if the secret can be masked wherever it stands without hitting innocent words."""
    return len(secret) >= 8 and looks_random(secret) and not secret.isspace()


def _random_or_long(value: str) -> bool:
    return looks_random(value) or len(value) >= 20


def _is_key(value: str) -> bool:
    tail = re.split(r"[-_]", value, maxsplit=1)[-1]
    return any(sign.isdigit() for sign in tail) or len(tail) >= 24


def _is_basic(value: str) -> bool:
    try:
        return b":" in base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return False


_START = r"(?<![A-Za-z0-9])"

SHAPES = (
    Shape(("sk-",), re.compile(_START + r"sk-[A-Za-z0-9_-]{8,}"), _is_key),
    Shape(("_live_", "_test_"), re.compile(_START + r"[srp]k_(?:live|test)_[A-Za-z0-9]{8,}")),
    Shape(
        ("gsk_", "hf_", "npm_", "r8_"),
        re.compile(_START + r"(?:gsk|hf|npm|r8)_[A-Za-z0-9]{16,}"),
        looks_random,
    ),
    Shape(("gh",), re.compile(_START + r"gh[pousr]_[A-Za-z0-9]{16,}")),
    Shape(("github_pat_",), re.compile(_START + r"github_pat_[A-Za-z0-9_]{16,}")),
    Shape(("glpat-",), re.compile(_START + r"glpat-[A-Za-z0-9_-]{12,}")),
    Shape(("xox", "xapp-"), re.compile(_START + r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{8,}"), _is_key),
    Shape(("xai-", "pplx-", "tvly-"), re.compile(_START + r"(?:xai|pplx|tvly)-[A-Za-z0-9_-]{16,}"), _is_key),
    Shape(("akia", "asia"), re.compile(_START + r"A(?:KI|SI)A[A-Z0-9]{16}(?![A-Za-z0-9])")),
    Shape(("aiza",), re.compile(_START + r"AIza[A-Za-z0-9_-]{30,}")),
    Shape(("ya29.",), re.compile(_START + r"ya29\.[A-Za-z0-9_-]{16,}")),
    Shape(("eyj",), re.compile(_START + r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?")),
    Shape(("bearer",), re.compile(r"\bbearer\s+([A-Za-z0-9._~+/=-]{8,})", re.IGNORECASE), _random_or_long),
    Shape(("basic",), re.compile(r"\bbasic\s+([A-Za-z0-9+/]{6,}={0,2})", re.IGNORECASE), _is_basic),
    Shape(
        ("-----begin",),
        re.compile(
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
        ),
    ),
    Shape(("://",), re.compile(r"://[^/\s:@\"'<>\\]*:([^/\s@\"'<>\\]+)@")),
    Shape(("://",), re.compile(r"://([^/\s:@\"'<>\\]{16,}):?@"), looks_random),
)
"""Secrets known by their look, in prose as in values."""


_HINTS = (
    r"key|pass[wp]|secret|s(?:k-|ig)|t(?:oken|vly-)|a(?:uth|kia|sia|iza|mz)|cookie|b(?:earer|asic)|_(?:live|test)_"
    r"|g(?:sk_|h[pousr]_|ithub_pat_|lpat-)|hf_|npm_|r8_|x(?:ox|app-|ai-)|pplx-|ya29\.|eyj|-----begin|://"
)
HINT = re.compile(_HINTS)
"""What stands, in lower case, in each text that holds a secret by the built-in rules: one look for many."""
HINT_BYTES = re.compile((_HINTS + r"|\\[u/]").encode())
"""The same for JSON text, in which an escape may hide it."""


def _texts(mapping: Mapping[str, object], key: str) -> list[str]:
    value = mapping.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        raise ConfigError(
            f"`{key}` must be a list of texts, none of them empty", where="[tool.kit.redaction]"
        )
    return list(value)


def _pattern(text: str) -> re.Pattern[str]:
    where = f'[tool.kit.redaction] pattern "{text}"'
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise ConfigError(f"is no regular expression: {error}", where=where) from error
    if pattern.search("") is not None:
        raise ConfigError("matches the empty text", where=where, why="it would mask everything, or nothing")
    return pattern
