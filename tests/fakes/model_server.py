"""A real loopback HTTP server whose answers a test scripts; timing is told by events, not by sleeping."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[BaseHTTPRequestHandler, bytes], None]


@dataclass
class ModelServer:
    """What a test holds of the server: its address, the answers by path, what was asked, and whether."""

    port: int
    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[tuple[str, bytes]] = field(default_factory=list)
    was_asked: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """Base URL, no slash at the end."""
        return f"http://127.0.0.1:{self.port}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is part of many tests."""


@contextmanager
def serving(**answers: Answer) -> Iterator[ModelServer]:
    """Serves each answer at `/<name>`; without one it echoes a chat completion."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            known.requests.append((self.path, body))
            known.was_asked.set()
            known.answers.get(self.path.strip("/").partition("?")[0].replace("/", "_"), chat)(self, body)

        do_GET = do_POST  # noqa: N815 - the base class's name

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            """Says nothing."""

    server = _Server(("127.0.0.1", 0), Handler)
    known = ModelServer(server.server_address[1], dict(answers))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield known
    finally:
        server.shutdown()
        server.server_close()


def reply(
    status: int = 200, body: bytes = b"{}", content_type: str = "application/json", **headers: str
) -> Answer:
    """One whole answer."""

    def answer(handler: BaseHTTPRequestHandler, _: bytes) -> None:
        handler.send_response(status)
        handler.send_header("content-type", content_type)
        handler.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def zipped(body: bytes) -> Answer:
    """An answer whose body is gzipped."""
    return reply(body=gzip.compress(body), content_encoding="gzip")


def after(seconds: float, answer: Answer) -> Answer:
    """Takes its time: for latencies, which are what is tested."""

    def late(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        time.sleep(seconds)
        answer(handler, body)

    return late


def in_turn(*answers: Answer) -> Answer:
    """The first request gets the first answer, and so on; the last one stays."""
    waiting = list(answers)
    lock = threading.Lock()

    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        with lock:
            now = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        now(handler, body)

    return answer


def stream(
    *pieces: bytes,
    gate: threading.Event | None = None,
    torn: bool = False,
    content_type: str = "text/event-stream",
) -> Answer:
    """Sends the pieces as chunks; waits for `gate` after the first; `torn` closes in mid-stream."""

    def answer(handler: BaseHTTPRequestHandler, _: bytes) -> None:
        handler.send_response(200)
        handler.send_header("content-type", content_type)
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        for index, piece in enumerate(pieces):
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            handler.wfile.flush()
            if index == 0 and gate is not None:
                gate.wait(5)
            time.sleep(0.005)  # keeps chunks apart on the wire
        if torn:
            handler.close_connection = True
            return
        handler.wfile.write(b"0\r\n\r\n")

    return answer


def completion(text: str, model: str = "stub", **extra: Any) -> bytes:
    """Body of a chat completion in which `model` says `text`."""
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": model,
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": text, **extra},
                }
            ],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
        }
    ).encode()


def delta(text: str, model: str = "stub") -> bytes:
    """One event of a streamed chat completion of `model`."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    event = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [choice]}
    return b"data: " + json.dumps(event).encode() + b"\n\n"


def held(gate: threading.Event, reached: threading.Event, answer: Answer) -> Answer:
    """Tells that a request has come, and answers it when the gate opens."""

    def wait(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        reached.set()
        gate.wait(10)
        answer(handler, body)

    return wait


DONE = b"data: [DONE]\n\n"


def chat(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """Echoes the last message."""
    try:
        said = json.loads(body)["messages"][-1]["content"]
    except (ValueError, LookupError):
        said = body.decode("utf-8", "replace")
    reply(body=completion(f"echo {said}"))(handler, body)
