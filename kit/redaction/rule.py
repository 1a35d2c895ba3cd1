"""What counts as a secret: names of fields, and the user's own rules (decision 10)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from kit.errors import ConfigError
from kit.redaction.shapes import looks_random

MASK = re.compile(r"<secret-\d+>")
TABLE = "[tool.kit.redaction]"

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-.\s]+")
_SECRET_FIELD = re.compile(
    r"(?:\A|_)(?:"
    r"authorization|api_?keys?|apikey|x_goog_api_key|password|passwd|passphrase|[a-z0-9]+_pwd|secret|cookies?|jwt"
    r"|(?:access|refresh|auth|api|bot|bearer|session|security|secret|id|csrf|xsrf|private|deploy)_?token"
    r"|(?:private|secret|access|account|shared_access|subscription|signing|encryption|master|service|auth)_key"
    r"|secret_access_key|connection_string|conn_str"
    r")\Z"
)
_NUMERIC_FIELD = re.compile(r"(?:\A|_)(?:password|passwd|passphrase|secret)\Z")
_QUERY_FIELD = re.compile(
    r"\A(?:key|token|auth|sig|signature|x_amz_(?:signature|credential|security_token))\Z"
)
_OPAQUE_FIELD = re.compile(
    r"\A(?:signature|thought_?signature|encrypted_content|embeddings?|b64_json|reasoning_opaque)\Z"
)
_VARIABLE = re.compile(
    r"(?!PUBLIC_|PRIMARY_|FOREIGN_)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:TOKEN|KEY|PAT|CREDENTIALS?)"
)
_SPEAKING = re.compile(r"[*xX.•…]{3,}|\$\{\w+\}|\$[A-Z_]+|<[^<>]*>|%[A-Z_]+%")


@dataclass(frozen=True, slots=True)
class Allowed:
    """A false positive: what matches `pattern` as a whole is no secret, because of `reason`."""

    pattern: re.Pattern[str]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """The user's rules on top of those built in.

    Attributes:
        fields: further field names whose value is a secret, as `plain_name` writes them, with the user's
            spelling.
        patterns: further patterns; group 1 is the secret if there is one, else all of it.
        allow: what looks like a secret and is none, with the reason where one is given.
    """

    fields: Mapping[str, str]
    patterns: tuple[re.Pattern[str], ...]
    allow: tuple[Allowed, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Each rule as a person reads it, in order."""
        fields = (f'field "{name}"' for name in self.fields.values())
        patterns = (f'pattern "{pattern.pattern}"' for pattern in self.patterns)
        return (*fields, *patterns, *(f'allow "{one.pattern.pattern}"' for one in self.allow))

    def allowed(self, secret: str) -> Allowed | None:
        """The entry that says that this is no secret."""
        return next((one for one in self.allow if one.pattern.fullmatch(secret)), None)


DEFAULT_RULES = Rules({}, ())


def parse_rules(mapping: Mapping[str, object]) -> Rules:
    """The rules of `[tool.kit.redaction]`.

    `fields = ["badge"]`, `patterns = ["ACME-[0-9]+"]`, `allow = ["sk-learn-.*"]` or, with its reason,
    `allow = [{ pattern = "sk-learn-.*", reason = "a package" }]`.

    Raises:
        RuleError: a rule is invalid; a rule that is dropped in silence lets its secret pass.
    """
    unknown = sorted(set(mapping) - {"fields", "patterns", "allow"})
    if unknown:
        raise RuleError(
            f'unknown key "{unknown[0]}"', unknown[0], why="it knows `fields`, `patterns` and `allow`"
        )
    fields = {plain_name(name): name for name in _texts(mapping, "fields")}
    patterns = tuple(_pattern(text, "patterns") for text in _texts(mapping, "patterns"))
    return Rules(fields, patterns, tuple(map(_allowed, _list(mapping, "allow"))))


class RuleError(ConfigError):
    """A rule of `[tool.kit.redaction]` is invalid.

    Attributes:
        key: `fields`, `patterns`, `allow`, or a key that nobody knows.
        text: the rule as it is written; empty where the whole list is wrong.
    """

    def __init__(self, what: str, key: str, text: str = "", *, why: str | None = None) -> None:
        super().__init__(what, where=f'{TABLE} {key} "{text}"' if text else TABLE, why=why)
        self.key = key
        self.text = text


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
    """True where only the value tells: a `token` may be a credential or a piece of text.

    So are variables of the environment (`SERVICE_TOKEN`); `page_token` and the like are none. A name that
    says what its value is (`OPENAI_API_KEY`) is a secret field, however it is spelled.
    """
    if is_secret_field(name):
        return False
    return plain_name(name) in {"token", "auth"} or _VARIABLE.fullmatch(name) is not None


def is_opaque(name: str) -> bool:
    """True for fields whose value must come back as it is: a signature in base64 looks like anything."""
    return _OPAQUE_FIELD.match(plain_name(name)) is not None


def is_placeholder(value: str) -> bool:
    """True for what stands where a secret would: masks, `***`, `${API_KEY}`, `<your key>`."""
    return _SPEAKING.fullmatch(value.strip()) is not None


def looks_like_token(value: str) -> bool:
    """True for what an unknown service may hand out as a token: one long word that is no word."""
    return len(value) >= 12 and not any(sign.isspace() for sign in value) and looks_random(value)


def is_telling(secret: str) -> bool:
    """True if the secret can be masked wherever it stands without hitting innocent words."""
    return len(secret) >= 8 and looks_random(secret) and not secret.isspace()


def _list(mapping: Mapping[str, object], key: str) -> list[object]:
    value = mapping.get(key, [])
    if not isinstance(value, list):
        raise RuleError(f"`{key}` must be a list of texts, none of them empty", key)
    return value


def _texts(mapping: Mapping[str, object], key: str) -> list[str]:
    return [_text(item, key) for item in _list(mapping, key)]


def _text(item: object, key: str) -> str:
    if not isinstance(item, str) or not item.strip():
        raise RuleError(f"`{key}` must be a list of texts, none of them empty", key)
    return item


def _allowed(item: object) -> Allowed:
    if not isinstance(item, dict):
        return Allowed(_pattern(_text(item, "allow"), "allow"))
    if set(item) - {"pattern", "reason"} or not isinstance(item.get("reason", ""), str):
        raise RuleError("an entry of `allow` is a text, or a table of `pattern` and `reason`", "allow")
    return Allowed(_pattern(_text(item.get("pattern"), "allow"), "allow"), item.get("reason", ""))


def _pattern(text: str, key: str) -> re.Pattern[str]:
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise RuleError(f"is no regular expression: {error}", key, text) from error
    if pattern.search("") is not None:
        raise RuleError(
            "matches the empty text", key, text, why="it would find something everywhere, or nothing"
        )
    return pattern
