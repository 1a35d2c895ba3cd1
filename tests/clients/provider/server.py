"""The loopback provider: every dialect on one port, hits counted, failures on demand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.clients.provider import (
    anthropic_messages,
    bedrock_converse,
    gemini,
    mcp_http,
    ollama_chat,
    openai_chat,
    openai_responses,
)
from tests.clients.provider.mind import Asked, Said, fresh_id, think
from tests.clients.provider.turns import Turns

Reader = Callable[[str, dict[str, Any]], Asked]
Whole = Callable[[Asked, Said], dict[str, Any]]
Events = Callable[[Asked, Said], list[bytes]]
SSE = "text/event-stream"
DIALECTS: tuple[tuple[str, Any, str], ...] = (
    ("/chat/completions", openai_chat, SSE),
    ("/responses", openai_responses, SSE),
    ("/v1/messages", anthropic_messages, SSE),
    ("/api/chat", ollama_chat, "application/x-ndjson"),
    ("enerateContent", gemini, SSE),
    ("/converse", bedrock_converse, "application/vnd.amazon.eventstream"),
)
"""What a path holds, the dialect, and the type of its streams."""


def is_of_dialect(url: str) -> bool:
    """Whether a model is asked there, in a dialect that the provider speaks."""
    return any(part in url for part, _, _ in DIALECTS)


@dataclass
class Provider:
    """What a test holds of the server.

    Attributes:
        port: on loopback.
        asked: path and body of every request, in order of arrival.
        called: what the MCP server's tool was called with.
        refused: texts that were already turned away once.
        turns: who asks a question with `turned` in it waits for the others; None answers at once.
    """

    port: int
    asked: list[tuple[str, bytes]] = field(default_factory=list)
    called: list[str] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    turns: Turns | None = None
    _stop: Callable[[], None] = lambda: None

    @property
    def url(self) -> str:
        """Base URL, no slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def hits(self) -> int:
        """How many requests came."""
        return len(self.asked)

    def die(self) -> None:
        """From now on nobody listens on the port."""
        self._stop()
        self._stop = lambda: None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is part of many tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    provider: Provider

    def do_POST(self) -> None:
        body = self._body()
        self.provider.asked.append((self.path, body))
        path = self.path.partition("?")[0]
        if path == "/mcp":
            self._mcp(json.loads(body))
            return
        for part, dialect, stream_type in DIALECTS:
            if part in path:
                self._model(dialect, stream_type, json.loads(body))
                return
        self._reply(404, {}, b'{"error":{"message":"File Not Found"}}')

    def do_GET(self) -> None:
        """MCP: no stream of the server's own."""
        self.provider.asked.append((self.path, b""))
        self._reply(405, {"allow": "POST, DELETE"}, b"")

    def do_DELETE(self) -> None:
        """MCP: the end of a session."""
        self.provider.asked.append((self.path, b""))
        self._reply(200, {}, b"")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Says nothing."""

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        pieces = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            pieces.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(pieces)

    def _mcp(self, asked: dict[str, Any]) -> None:
        if self.provider.turns is None or asked.get("method") != "tools/call":
            self._reply(*mcp_http.answer(asked, self.provider.called))
            return
        with self.provider.turns.held() as came:
            told = mcp_http.answer(asked, self.provider.called, f" at {fresh_id('')}")
            self._reply(*(told if came else (400, {}, b"")))

    def _model(self, dialect: Any, stream_type: str, body: dict[str, Any]) -> None:
        asked: Asked = dialect.read(self.path, body)
        if asked.text not in self.provider.refused and ("busy" in asked.text or "broken" in asked.text):
            self.provider.refused.add(asked.text)
            status, head = (429, {"retry-after": "1"}) if "busy" in asked.text else (500, {})
            text = {"error": {"type": "error", "code": status, "message": f"{status} on demand"}}
            self._reply(status, head | {"content-type": "application/json"}, json.dumps(text).encode())
            return
        if "slow" in asked.text:
            time.sleep(0.15)  # so that answers come in another order than they were asked for
        if self.provider.turns is None or "turned" not in asked.text or asked.results:
            self._answer(dialect, stream_type, asked)
            return
        with self.provider.turns.held() as came:
            if came:
                self._answer(dialect, stream_type, asked)
            else:
                self._reply(400, {}, b'{"error":{"message":"the others never asked"}}')

    def _answer(self, dialect: Any, stream_type: str, asked: Asked) -> None:
        said = think(asked)
        if asked.stream:
            self._stream(stream_type, dialect.events(asked, said))
            return
        whole = json.dumps(dialect.whole(asked, said)).encode()
        self._reply(200, {"content-type": "application/json", "x-request-id": "req-1"}, whole)

    def _reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, content_type: str, pieces: list[bytes]) -> None:
        self.send_response(200)
        self.send_header("content-type", content_type)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in pieces:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")


@contextmanager
def serving() -> Iterator[Provider]:
    """The provider, until the `with` ends or somebody lets it `die`."""
    provider = Provider(0)
    handler = type("Handler", (_Handler,), {"provider": provider})
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()

    def stop() -> None:
        server.shutdown()
        server.server_close()

    provider.port = server.server_address[1]
    provider._stop = stop
    try:
        yield provider
    finally:
        provider.die()
