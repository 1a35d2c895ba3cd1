"""One agent run with a growing history: whole replay against the floor, and the size of its file."""

from __future__ import annotations

import contextlib
import datetime as dt
import itertools
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from rich.table import Table

from kit.cassette import store
from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist
from kit.recording.options import SessionOptions
from kit.recording.patching import installed
from kit.recording.session import start
from kit.redaction.redactor import Redactor

URL = "http://model.test/v1/chat/completions"
TURNS = (20, 50, 100)
_WORDS = (
    *("disk", "log", "error", "warning", "package", "service", "index", "mirror", "config", "retry", "token"),
    *("user", "file", "path", "memory", "tool", "answer", "because", "which", "after", "status", "kernel"),
)


def prose(chance: random.Random, size: int) -> str:
    """Words of about `size` characters."""
    text = ""
    while len(text) < size:
        text += chance.choice(_WORDS) + " "
    return text.strip()


TOOLS = [
    {
        "type": "function",
        "function": {
            "name": f"tool_{number}",
            "description": prose(random.Random(number), 120),
            "parameters": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "absolute path"},
                    "limit": {"type": "integer"},
                },
                "required": ["path"],
            },
        },
    }
    for number in range(8)
]  # fmt: skip


def exchanges(turns: int) -> list[tuple[bytes, bytes]]:
    """Request and answer of each turn: a call of a tool, its result of about 0.7 kB, the history so far."""
    chance = random.Random(7)
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": prose(chance, 600)},
        {"role": "user", "content": prose(chance, 200)},
    ]
    made = []
    for turn in range(turns):
        request = {"model": "bench", "messages": messages, "tools": TOOLS, "temperature": 0}
        call_id = f"call_{chance.getrandbits(96):024x}"
        answer = {
            "role": "assistant",
            "content": prose(chance, 150),
            "tool_calls": [
                {
                    "type": "function",
                    "id": call_id,
                    "function": {
                        "name": f"tool_{turn % 8}",
                        "arguments": json.dumps({"path": f"/var/log/{turn}.log"}),
                    },
                }
            ],
        }
        body = {
            "choices": [{"finish_reason": "tool_calls", "index": 0, "message": answer}],
            "created": 1_790_000_000 + turn,
            "id": f"chatcmpl-{chance.getrandbits(128):032x}",
            "model": "bench",
            "object": "chat.completion",
            "usage": {
                "completion_tokens": 40,
                "prompt_tokens": 300 + 90 * turn,
                "total_tokens": 340 + 90 * turn,
            },
        }
        made.append((compact(request), compact(body)))
        messages = [
            *messages,
            answer,
            {"role": "tool", "tool_call_id": call_id, "content": prose(chance, 700)},
        ]
    return made


def compact(value: Any) -> bytes:
    """A JSON value as most clients send it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def news(turns: int) -> int:
    """Bytes of a run that says each thing once: the first request, then answers and new messages."""
    made = exchanges(turns)
    total = len(made[0][0]) + sum(len(answer) for _, answer in made)
    for (before, _), (after, _) in itertools.pairwise(made):
        old, new = json.loads(before)["messages"], json.loads(after)["messages"]
        # The assistant's message came as the answer already.
        total += sum(len(compact(message)) for message in new[len(old) + 1 :])
    return total


def _agent(client: httpx.Client, made: list[tuple[bytes, bytes]]) -> None:
    for request, _ in made:
        response = client.post(URL, json=json.loads(request))
        response.json()


def _record(made: list[tuple[bytes, bytes]], path: Path) -> None:
    answers = dict(made)
    transport = httpx.MockTransport(
        lambda request: httpx.Response(
            200, content=answers[request.content], headers={"content-type": "application/json"}
        )
    )
    options = SessionOptions(
        mode="record",
        name="bench",
        start=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        seed=1,
        journal=path.with_suffix(".journal"),
        redactor=Redactor(),
    )
    with start(options) as session, httpx.Client(transport=transport) as client:
        _agent(client, made)
    header = Header(
        scenario="bench", start="2026-01-01T00:00:00Z", recorded="2026-01-01T00:00:00Z", model="bench"
    )
    store.write(path, Cassette(header, session.result.interactions))


def loaded(path: Path) -> tuple[Cassette, Keyer]:
    """A cassette with its keys, ready to play."""
    keyer = Keyer()
    return store.read(path, keyer=keyer), keyer


def replay(
    made: list[tuple[bytes, bytes]], path: Path, client: httpx.Client, known: tuple[Cassette, Keyer]
) -> None:
    """Play all of a cassette that is loaded."""
    cassette, keyer = known
    options = SessionOptions(
        mode="replay",
        name="bench",
        start=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        seed=1,
        journal=path.with_name(f"{time.monotonic_ns()}.journal"),
        redactor=Redactor(),
        playlist=Playlist(cassette.interactions, keyer),
    )
    with start(options) as session:
        _agent(client, made)
    assert len(session.result.interactions) == len(made)


def floor_of(made: list[tuple[bytes, bytes]]) -> None:
    """The same requests against a mock and a dictionary: what no recording can be quicker than."""
    answers = dict(made)
    transport = httpx.MockTransport(
        lambda request: httpx.Response(
            200, content=answers[request.content], headers={"content-type": "application/json"}
        )
    )
    with httpx.Client(transport=transport) as client:
        _agent(client, made)


def vcr_recording(made: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    """The same exchanges as vcrpy keeps them in memory."""
    from vcr.request import Request

    return {
        "requests": [
            Request("POST", URL, request, {"content-type": "application/json"}) for request, _ in made
        ],
        "responses": [
            {
                "status": {"code": 200, "message": "OK"},
                "headers": {"content-type": ["application/json"]},
                "body": {"string": answer},
            }
            for _, answer in made
        ],
    }


@contextlib.contextmanager
def _vcr_cassette(made: list[tuple[bytes, bytes]], path: Path) -> Iterator[Callable[[], None]]:
    import yaml
    from vcr import VCR
    from vcr.serialize import serialize
    from vcr.serializers import yamlserializer

    path.write_text(serialize(vcr_recording(made), yamlserializer), encoding="utf-8")
    assert yaml.__with_libyaml__
    vcr = VCR(match_on=["method", "uri", "body"], record_mode="none")

    def play() -> None:
        with vcr.use_cassette(str(path)), httpx.Client() as client:
            _agent(client, made)

    yield play


def smallest(call: Callable[[], object], runs: int) -> float:
    """CPU seconds of the quickest of `runs` calls."""
    best = float("inf")
    for _ in range(runs):
        before = time.process_time()
        call()
        best = min(best, time.process_time() - before)
    return best


def table(runs: int, *, with_vcrpy: bool) -> Table:
    """Replays, loading beside them and inside vcrpy's, and file sizes."""
    shown = Table(title="one agent run, history growing, 8 tools: replay (CPU) and file size")
    columns = (
        *("turns", "floor", "replay", "/ floor", "load", "both / floor", "vcrpy on body", "/ floor"),
        *("kit file", "/ news", "vcrpy file"),
    )
    for column in columns:
        shown.add_column(column, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        for turns in TURNS:
            made = exchanges(turns)
            path = Path(folder) / f"{turns}.yaml"
            _record(made, path)
            floor = smallest(partial(floor_of, made), runs)
            # The client is made beforehand: loading the CA bundle is httpx's own cost, which a mock spares.
            # Patches are in already, as for every cell but the first of a `kit replay`.
            with httpx.Client() as client, installed(virtual_time=True):
                known = loaded(path)
                load = smallest(partial(loaded, path), runs)
                kit = smallest(partial(replay, made, path, client, known), runs)
            vcr_path = Path(folder) / f"vcr-{turns}.yaml"
            with _vcr_cassette(made, vcr_path) as play:
                vcr = smallest(play, 1) if with_vcrpy else None
            shown.add_row(
                str(turns),
                f"{floor * 1000:.0f} ms",
                f"{kit * 1000:.0f} ms",
                f"{kit / floor:.2f}x",
                f"{load * 1000:.0f} ms",
                f"{(kit + load) / floor:.2f}x",
                f"{vcr * 1000:.0f} ms" if vcr else "-",
                f"{vcr / floor:.0f}x" if vcr else "-",
                f"{path.stat().st_size / 1000:.0f} kB",
                f"{path.stat().st_size / news(turns):.2f}x",
                f"{vcr_path.stat().st_size / 1000:.0f} kB",
            )
    return shown
