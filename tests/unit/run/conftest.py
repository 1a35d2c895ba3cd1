"""A tiny model server on loopback, and one call that runs an agent against it in record or in replay."""

from __future__ import annotations

import datetime as dt
import http.server
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest

from kit.agent.protocol import Agent, ModelEndpoint, Turn
from kit.cassette.interaction import Interaction
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist
from kit.recording.options import SessionOptions
from kit.redaction.redactor import Redactor
from kit.run.runner import RunResult, RunSpec, run_scenario
from kit.run.workspace import Workspace
from kit.scenario.schema import Scenario
from kit.scenario.suite import Suite

SUITE = Suite(name="home", description="d", categories=("c",))


class _Answers(http.server.BaseHTTPRequestHandler):
    """Repeats the last message; answers as the model `answers_as` of the server, or as the one asked."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        server: Any = self.server
        message = {"role": "assistant", "content": f"you said {asked['messages'][-1]['content']}"}
        answer = {
            "model": server.answers_as or asked["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2},
        }
        status = server.statuses.pop(0) if server.statuses else 200
        body = json.dumps(answer if status == 200 else {"error": {"message": "overloaded"}}).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Be silent."""


def ask(turn: Turn, text: str | None = None) -> str:
    """One model call, as an agent on httpx makes it."""
    reply = httpx.post(f"{turn.endpoint.base_url}/chat/completions", json=_body(turn, text))
    reply.raise_for_status()
    answer: str = reply.json()["choices"][0]["message"]["content"]
    return answer


async def ask_async(turn: Turn, client: httpx.AsyncClient) -> str:
    """The same through an async client."""
    reply = await client.post(f"{turn.endpoint.base_url}/chat/completions", json=_body(turn, None))
    answer: str = reply.json()["choices"][0]["message"]["content"]
    return answer


def _body(turn: Turn, text: str | None) -> dict[str, Any]:
    message = {"role": "user", "content": turn.message if text is None else text}
    return {"model": turn.endpoint.model, "messages": [message]}


@dataclass
class Bench:
    """Runs agents against the server."""

    server: Any
    root: Path
    journals: int = 0
    recorded: tuple[Interaction, ...] = field(default=())

    @property
    def endpoint(self) -> ModelEndpoint:
        """Where the server answers."""
        return ModelEndpoint(f"http://127.0.0.1:{self.server.server_port}/v1", "model-1")

    def run(
        self,
        agent: Agent,
        mode: Literal["record", "replay"] = "record",
        *,
        turns: tuple[str, ...] = ("one",),
        setup: dict[str, Any] | None = None,
        **spec: Any,
    ) -> RunResult:
        """One run; a record keeps its interactions for the replays after it."""
        scenario = Scenario.model_validate(
            {
                "id": "001_x",
                "category": "c",
                "description": "d",
                "setup": {"autonomy": "manual", "available_tools": ["t"]} | (setup or {}),
                "conversation": [{"user": turn} for turn in turns],
                "expected": {"outcome": "success"},
            }
        )
        self.journals += 1
        journal = self.root / f"journal-{self.journals}"

        def options(place: Workspace) -> SessionOptions:
            paths = ((str(place.root), "/kit-workspace"),)
            playlist = Playlist(self.recorded, Keyer(paths=paths)) if mode == "replay" else None
            return SessionOptions(
                mode=mode,
                name="001_x",
                start=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
                seed=1,
                journal=journal,
                redactor=Redactor(),
                playlist=playlist,
                workspace=place.root,
                paths=paths,
            )

        full = RunSpec(
            scenario=scenario, suite=SUITE, model="model-1", mode=mode, project_root=self.root, **spec
        )
        result = run_scenario(full, agent, self.endpoint, options)
        if mode == "record":
            self.recorded = result.session.interactions
        return result


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A server that is there for one test."""
    server: Any = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    server.answers_as = None
    server.statuses = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield Bench(server, tmp_path)
    server.shutdown()
    server.server_close()
    thread.join()
