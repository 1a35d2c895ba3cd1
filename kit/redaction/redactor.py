"""Masks secrets before they reach a cassette, by the same rules at record and at match (decision 10)."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from kit.redaction.body import finder, is_binary, is_framed
from kit.redaction.frames import find_in_frames, readable
from kit.redaction.known import Known, secrets_of
from kit.redaction.rule import DEFAULT_RULES, MASK, Rules, is_secret_field
from kit.redaction.search import Search
from kit.redaction.shapes import may_hold_secret
from kit.redaction.span import Span, merged, replaced
from kit.redaction.stream import find_in_stream
from kit.wire.eventframe import closed, opened
from kit.wire.eventstream import is_eventstream

ALLOWED_HEADERS = frozenset(
    {
        # how to read the body
        "content-type", "content-disposition",
        # which protocol was spoken
        "anthropic-version", "anthropic-beta", "openai-beta", "openai-version",
        # what clients act on: retries, redirects, paging, background work
        "retry-after", "retry-after-ms", "x-should-retry", "location", "link", "operation-location",
        # who answered
        "openai-model", "x-model",
    }
)  # fmt: skip
"""All that is recorded of headers: what an agent's code may act on. Dates, request ids, rate limits and
servers change on every call, cookies and keys are secrets, and user agents tell only which SDK was
installed."""

SESSION_HEADERS = frozenset({"mcp-session-id"})
"""Headers that an SDK only hands back, and without which it acts as if there were no session. Who holds such
a value may speak in that session, and it differs in every recording: a word stands for it."""

_ROUNDS = 5


class Redactor:
    """Finds secrets and replaces them by `<secret-1>`, `<secret-2>`, … in order of first appearance.

    One per session, threads may share it: the same secret has the same number wherever it stands, and two
    secrets never look equal. What is masked already stays as it is. A secret that was found by its field is
    masked from then on wherever it stands, if it is long and odd enough not to hit innocent words.

    Attributes:
        generation: grows whenever a secret was learnt that is masked everywhere; who remembers scrubbed text
            (the key's memo) must forget it then.
    """

    def __init__(self, rules: Rules = DEFAULT_RULES) -> None:
        self._rules = rules
        self._search = Search(rules)
        self._known = Known()
        self._lock = threading.RLock()
        self._listens = False
        self.generation = 0
        self._has_learnt = False

    def headers(self, pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """The headers on the allow-list, names in lower case, values scrubbed, in the order of the wire."""
        kept = ((name.lower(), value) for name, value in pairs)
        return tuple(
            (name, "<session>" if name in SESSION_HEADERS else self.text(value))
            for name, value in kept
            if name in ALLOWED_HEADERS or name in SESSION_HEADERS
        )

    def listen(self, environ: Mapping[str, str]) -> None:
        """For a recording: what the environment names as a secret is masked wherever it appears.

        So is, from now on, what stands in headers that are dropped. A replay does neither: it must not hang
        on what its environment happens to hold.
        """
        self._listens = True
        self.expect(secrets_of(environ))

    def expect(self, secrets: Iterable[str]) -> None:
        """Makes secrets known that no text has shown yet, such as the key of the run's endpoint."""
        with self._lock:
            told = [secret for secret in secrets if not self._search.is_allowed(secret)]
            self._relearnt(self._known.expect(told))

    def overhear(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Learns the keys in headers, which are dropped themselves: an answer may repeat one."""
        if not self._listens:
            return
        dropped = [(name.lower(), value) for name, value in pairs if name.lower() not in ALLOWED_HEADERS]
        values = [value for name, value in dropped if name in SESSION_HEADERS or is_secret_field(name)]
        self.expect(part for value in values for part in self._search.of_header(value))

    def url(self, url: str) -> str:
        """An address without password, keys and signatures."""
        return self._scrubbed(url, self._search.url)

    def text(self, text: str) -> str:
        """Prose, or a text that may be JSON."""
        return self._scrubbed(text, self._search.text)

    def body(self, body: bytes, content_type: str, *, is_answer: bool = False) -> bytes:
        """A body of any type; formatting and all else stay byte for byte, binary types are untouched.

        Of an AWS event stream the texts in its frames are searched, and lengths and checksums made anew.

        Args:
            body: after content-decoding.
            content_type: as the header says.
            is_answer: it may be a stream of another type than it says, or one in a JSON array.
        """
        if is_framed(body, content_type):
            return self._frames(body)
        if is_binary(body, content_type):
            return body
        find = finder(self._search, body, content_type, is_answer=is_answer)
        return self._scrubbed_bytes(body, find)

    def stream(self, body: bytes) -> bytes:
        """A whole event stream; a secret in pieces is masked in its first piece and gone from the others."""
        return self._scrubbed_bytes(body, lambda text: find_in_stream(text, self._search))

    def value(self, value: Any) -> Any:
        """A JSON value such as a tool's arguments; the same object if there is nothing to mask."""
        text = json.dumps(value, ensure_ascii=False)
        shown = self._scrubbed(text, self._search.text)
        return value if shown is text else json.loads(shown)

    def fragment(self, json_text: bytes) -> bytes:
        """Compact JSON text of a message or parameter; the same object if there is nothing to mask."""
        if self._is_innocent(json_text):
            return json_text
        return self._scrubbed_bytes(json_text, self._search.text)

    def settled_fragment(self, json_text: bytes) -> bytes | None:
        """Like `fragment`, but None if a secret in it has no number yet.

        Numbers follow the order of the recorded text. Who looks at pieces in another order must have the
        whole scrubbed first.
        """
        if self._is_innocent(json_text):
            return json_text
        spans = self._search.text(json_text.decode("utf-8", "surrogateescape"))
        if any(self._known.number(span.secret) is None for span in merged(spans)):
            return None
        return self._scrubbed_bytes(json_text, self._search.text) if spans else json_text

    def reserve(self, text: str | bytes) -> None:
        """Takes the numbers of the masks in a recorded answer as used.

        Replay calls it with each answer it serves: the next fresh secret then gets the number that it got at
        the recording, where the secret in the answer was counted too.
        """
        if isinstance(text, bytes):
            text = readable(text) if is_eventstream(text) else text.decode("utf-8", "replace")
        if "<secret-" in text:
            with self._lock:
                self._known.take(int(mask[8:-1]) for mask in MASK.findall(text))

    def bind(self, numbers: Mapping[str, int]) -> bool:
        """Replay: these secrets stand behind these masks, as a recorded request shows.

        Returns:
            False, and nothing is learnt, where another secret has one of the numbers.
        """
        with self._lock:
            if not self._known.may_bind(numbers):
                return False
            self._relearnt(self._known.bind(numbers))
            return True

    def may_hold_known(self, octets: bytes) -> bool:
        """Whether a secret that is known by now may still stand in there: True where one look cannot tell."""
        return not self._known.is_absent(octets)

    def behind(self, mask: str) -> str | None:
        """The secret that a mask stands for in this session."""
        return self._known.secret(int(mask[8:-1]))

    def survivors(self, text: str) -> tuple[str, ...]:
        """Masks of the secrets found so far that still stand in the text, for the read-back check."""
        with self._lock:
            left = dict.fromkeys(span.secret for span in self._search.known(text))
            return tuple(f"<secret-{self._known.number(secret) or '?'}>" for secret in left)

    def unmatched(self) -> tuple[str, ...]:
        """The user's rules that never matched so far; a typo in a rule lets its secret pass."""
        return tuple(name for name in self._rules.names() if name not in self._search.matched)

    def _is_innocent(self, json_text: bytes) -> bool:
        if self._rules.patterns or self._rules.fields or not self._known.is_absent(json_text):
            return False
        return b"\\u" not in json_text and b"\\/" not in json_text and not may_hold_secret(json_text)

    def _scrubbed_bytes(self, body: bytes, find: Callable[[str], list[Span]]) -> bytes:
        text = body.decode("utf-8", "surrogateescape")
        shown = self._scrubbed(text, find)
        return body if shown is text else shown.encode("utf-8", "surrogateescape")

    def _frames(self, body: bytes) -> bytes:
        frames = opened(body)
        texts = [text for frame in frames for text in frame.texts]
        return closed(
            frames, self._all_scrubbed(texts, lambda now: find_in_frames(frames, now, self._search))
        )

    def _scrubbed(self, text: str, find: Callable[[str], list[Span]]) -> str:
        return self._all_scrubbed([text], lambda texts: [find(texts[0])])[0]

    def _all_scrubbed(self, texts: list[str], find: Callable[[list[str]], list[list[Span]]]) -> list[str]:
        # Once more after each change: a secret just learnt may stand further up, and a mask sets free the
        # word boundary that the next secret needs.
        for _ in range(_ROUNDS):
            found = [merged(spans) for spans in find(texts)]
            if not any(found):
                break
            with self._lock:
                texts = [
                    replaced(text, spans, self._mask) if spans else text
                    for text, spans in zip(texts, found, strict=True)
                ]
                # Once for all that this look found: what is known becomes one pattern, dear to make.
                self._relearnt(self._has_learnt)
                self._has_learnt = False
        return texts

    def _mask(self, secret: str) -> str:
        number = self._known.number(secret)
        if number is None:
            number, is_learnt = self._known.add(secret)
            self._has_learnt |= is_learnt
        return f"<secret-{number}>"

    def _relearnt(self, is_learnt: bool) -> None:
        if is_learnt:
            self._search.know(self._known.spelled)
            self.generation += 1
