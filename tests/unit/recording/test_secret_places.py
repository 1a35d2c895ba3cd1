"""Random secrets in random places of random exchanges: none in the cassette, none in the journal."""

from __future__ import annotations

import base64
import itertools
import json
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus, urlencode

# ruff: noqa: E501 - a table of places reads better with one a line
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from kit.cassette.cassette import Cassette
from kit.cassette.emit import dumps
from kit.cassette.header import Header
from kit.cassette.scanned import finds_in
from kit.recording.session import Session, start
from kit.redaction.redactor import Redactor
from kit.redaction.rule import MASK
from tests.fakes.examples import costly
from tests.fakes.planted_secrets import BY_LOOK
from tests.fakes.runs import recording

HEADER = Header(scenario="x", start="2026-01-01T00:00:00Z", recorded="2026-01-01T00:00:00Z")
FIELDS = ("password", "api_key", "clientSecret", "X-Api-Key", "access_token", "db_password")
CALM = st.text("abcdefgh \n{}è€😀", max_size=12)


@dataclass
class Exchange:
    """What crosses the boundary once."""

    url: str = "https://h.example/v1/chat"
    headers: tuple[tuple[str, str], ...] = ()
    content_type: str = "application/json"
    body: bytes = b"{}"
    answer_type: str = "application/json"
    answer: bytes = b"{}"
    tool: tuple[Any, Any] | None = None


def pieces(text: str, chance: random.Random) -> list[str]:
    """The text cut anywhere."""
    cuts = sorted(chance.randint(0, len(text)) for _ in range(chance.randint(0, 6)))
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def streamed(text: str, dialect: str, chance: random.Random) -> tuple[str, bytes]:
    """The text as the deltas of a stream, with its content type."""
    makers: dict[str, Any] = {
        "chat": lambda part: {"choices": [{"index": 0, "delta": {"content": part}}]},
        "chat tool": lambda part: {
            "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": part}}]}}]
        },
        "responses": lambda part: {
            "type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": part,
        },
        "anthropic": lambda part: {
            "type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": part},
        },
        "anthropic tool": lambda part: {
            "type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": part},
        },
        "gemini": lambda part: {"candidates": [{"content": {"parts": [{"text": part}], "role": "model"}}]},
        "ollama": lambda part: {"message": {"role": "assistant", "content": part}, "done": False},
    }  # fmt: skip
    events = [makers[dialect](part) for part in pieces(text, chance)]
    if dialect == "gemini":
        return "application/json", json.dumps(events, indent=chance.choice([None, 2])).encode()
    if dialect == "ollama":
        return "application/x-ndjson", "".join(f"{json.dumps(event)}\n" for event in events).encode()
    lines = "".join(f"event: x\ndata: {json.dumps(event)}\n\n" for event in events)
    return "text/event-stream", lines.encode()


def answered(body: Any, answer: tuple[str, bytes]) -> Exchange:
    """A request that is answered by a stream."""
    return Exchange(body=json.dumps(body).encode(), answer_type=answer[0], answer=answer[1])


def named(secret: str, chance: random.Random) -> str:
    """JSON that names the secret by its field."""
    return json.dumps({"path": "/etc", chance.choice(FIELDS): secret})


def planted(place: str, secret: str, by_field: str, calm: str, chance: random.Random) -> Exchange:
    """An exchange with one secret known by its look and one known by its field, in a place."""
    text = f"{calm} use {secret} {calm}"
    dialects = ("chat", "responses", "anthropic", "gemini", "ollama")
    made: dict[str, Any] = {
        "query": lambda: Exchange(url="https://h.example/x?" + urlencode({"note": text, "api_key": by_field})),
        "path": lambda: Exchange(url=f"https://h.example/bot{quote(f' {secret} ')}/send?token={quote(by_field)}"),
        "userinfo": lambda: Exchange(url=f"https://me:{quote(by_field, safe='')}@h.example/x?q={quote(secret)}"),
        "headers": lambda: Exchange(
            headers=(("Authorization", f"Bearer {by_field}"), ("Cookie", f"sid={quote(secret)}")),
            answer=json.dumps({"echo": f"your key {by_field} {calm}", "other": text}).encode(),
        ),
        "basic": lambda: Exchange(
            headers=(("Authorization", "Basic " + base64.b64encode(f"me:{by_field}".encode()).decode()),),
            body=json.dumps({"said": f"Basic {base64.b64encode(f'me:{by_field}'.encode()).decode()}"}).encode(),
            answer=json.dumps({"error": f"{by_field} is wrong", "note": text}).encode(),
        ),
        "form": lambda: Exchange(
            content_type="application/x-www-form-urlencoded",
            body=urlencode({"text": text, "password": by_field}).encode(),
        ),
        "multipart": lambda: Exchange(
            content_type="multipart/form-data; boundary=b0",
            body=(
                f'--b0\r\nContent-Disposition: form-data; name="password"\r\n\r\n{by_field}\r\n'
                f'--b0\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n'
                f"Content-Type: text/plain\r\n\r\n{text}\r\n--b0--\r\n"
            ).encode(),
        ),
        "json": lambda: Exchange(
            body=json.dumps({"messages": [{"content": text}], "tools": [{"password": by_field}]}).encode()
        ),
        "json in a string": lambda: Exchange(
            answer=json.dumps(
                {"calls": [{"arguments": named(by_field, chance)}, {"arguments": json.dumps({"q": text})}]}
            ).encode()
        ),
        "stream": lambda: answered({"password": by_field}, streamed(text, chance.choice(dialects), chance)),
        "stream of a call": lambda: answered(
            {"text": text},
            streamed(named(by_field, chance), chance.choice(("chat tool", "anthropic tool")), chance),
        ),
        "tool": lambda: Exchange(tool=({"password": by_field, "note": calm}, {"text": [text]})),
        "prose": lambda: Exchange(
            content_type="text/plain", body=f"{calm}\npassword={by_field}\n{text}".encode()
        ),
    }  # fmt: skip
    exchange: Exchange = made[place]()
    return exchange


PLACES = (
    "query", "path", "userinfo", "headers", "basic", "form", "multipart", "json", "json in a string", "stream",
    "stream of a call", "tool", "prose",
)  # fmt: skip


def spellings(secret: str) -> set[str]:
    """In which a secret could be read out of a file; of a key in a block, its first line."""
    core = secret.split("\n")[1] if "\n" in secret else secret
    plain = {core, quote(core, safe=""), quote_plus(core), json.dumps(core)[1:-1]}
    return plain | {base64.b64encode(f"me:{core}".encode()).decode()}


def cross(session: Session, exchange: Exchange, cut: list[int]) -> None:
    """The exchange under a recording, its answer in pieces."""
    if exchange.tool is not None:
        session.begin_tool("look", exchange.tool[0], executed=True).finish(exchange.tool[1])
        return
    headers = [("Content-Type", exchange.content_type), *exchange.headers]
    ticket = session.begin_http("POST", exchange.url, headers, exchange.body, exchange.content_type)
    ticket.head(200, [("content-type", exchange.answer_type)])
    bounds = sorted({0, len(exchange.answer), *(place % (len(exchange.answer) + 1) for place in cut)})
    for begin, end in itertools.pairwise(bounds):
        ticket.chunk(exchange.answer[begin:end])
    ticket.end()


@costly(40, suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(0, 2**32), CALM)
def test_no_secret_reaches_the_disk(data: st.DataObject, seed: int, calm: str) -> None:
    """Two secrets, one known by its look and one by its field, and the second in prose before it is named."""
    chance = random.Random(seed)
    secret = BY_LOOK[data.draw(st.sampled_from(sorted(BY_LOOK)))](chance)
    by_field = "".join(chance.choices("abcdefghjkmnpqrstuvwxyzABCDEFG23456789", k=18)) + "a7Q"
    places = data.draw(st.lists(st.sampled_from(PLACES), min_size=1, max_size=4))
    cut = data.draw(st.lists(st.integers(0, 500), max_size=4))
    early = Exchange(
        body=json.dumps({"messages": [{"role": "user", "content": f"try {by_field} now"}]}).encode()
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        options = recording(folder, redactor=Redactor())
        with start(options) as session:
            for exchange in (early, *(planted(place, secret, by_field, calm, chance) for place in places)):
                cross(session, exchange, cut)
        written = dumps(Cassette(HEADER, session.result.interactions))
        journal = options.journal.read_text("utf-8")
    for spelled in spellings(secret) | spellings(by_field):
        assert spelled not in written, (places, spelled, written)
        assert spelled not in journal, (places, spelled)
    assert finds_in(Cassette(HEADER, session.result.interactions)) == [], places
    assert len(set(MASK.findall(written))) >= 1
