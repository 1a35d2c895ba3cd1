"""A redactor that masks one word, for tests which are not about the rules of redaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class PlainRedactor:
    """Masks `s3cret`; lets the headers pass that recording tests look at."""

    generation = 0

    def headers(self, pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """Allow-listed, lower case."""
        allowed = {"content-type", "retry-after", "server"}
        return tuple((name.lower(), value) for name, value in pairs if name.lower() in allowed)

    def url(self, url: str) -> str:
        """As text."""
        return self.text(url)

    def text(self, text: str) -> str:
        """Without the word."""
        return text.replace("s3cret", "<secret-1>")

    def body(self, body: bytes, content_type: str) -> bytes:
        """Without the word."""
        return body.replace(b"s3cret", b"<secret-1>")

    def fragment(self, json_text: bytes) -> bytes:
        """Without the word."""
        return self.body(json_text, "")

    def value(self, value: Any) -> Any:
        """Without the word, in strings at any depth."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {name: self.value(item) for name, item in value.items()}
        return value

    def unmatched(self) -> tuple[str, ...]:
        """No user rules."""
        return ()
