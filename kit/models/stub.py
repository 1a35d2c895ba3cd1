"""A model server on loopback whose model is a script: real HTTP, real streams, ids fresh at every call.

It exists so that recording, replay and the demo run through the same doors as with a real model; what it
answers is labelled `stub` everywhere (decision 20).
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kit.errors import ConfigError
from kit.models.stub_completion import Completion, complete, conversation_of, stream_events
from kit.models.stub_script import Answer, Rule, load_scripts, matching_answer

NO_RULE = "(stub: no rule for this conversation)"
_MAX_BODY = 64 * 1024 * 1024


class StubServer:
    """Serves the models that a folder of scripts knows, while the context lasts.

    Args:
        script_dir: folder of `*.yaml` scripts, see `docs/home-agent.md`.
        models: serve only these of them; None serves all.

    Raises:
        ConfigError: a script is wrong, or no script knows a model asked for.
    """

    def __init__(self, script_dir: Path, models: Sequence[str] | None = None) -> None:
        self._rules: dict[str, list[Rule]] = {model: [] for model in models or ()}
        for script in load_scripts(script_dir):
            if models is None or script.model in models:
                self._rules.setdefault(script.model, []).extend(script.rules)
        if empty := [model for model, rules in self._rules.items() if not rules]:
            raise ConfigError(f"no stub script knows {', '.join(empty)}", where=str(script_dir))
        self._server = _Server(self._rules)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="kit-stub", daemon=True
        )

    @property
    def base_url(self) -> str:
        """OpenAI-compatible address, with `/v1`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def models(self) -> tuple[str, ...]:
        """Tags of the models it answers as."""
        return tuple(self._rules)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, rules: dict[str, list[Rule]]) -> None:
        super().__init__(("127.0.0.1", 0), _Door)
        self.rules = rules

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up in the middle is its own business; say nothing on stderr."""


class _Door(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "kit-stub"
    sys_version = ""
    disable_nagle_algorithm = True
    timeout = 60
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        """Quiet."""

    def do_GET(self) -> None:
        """`/v1/models`."""
        if self.path != "/v1/models":
            self._send_error(404, "not_found_error", f"there is nothing at {self.path}")
            return
        models = [
            {"id": model, "object": "model", "created": 0, "owned_by": "kit-stub"}
            for model in self.server.rules
        ]
        self._send_json(200, {"object": "list", "data": models})

    def do_POST(self) -> None:
        """`/v1/chat/completions`."""
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(min(length, _MAX_BODY))
        if self.path != "/v1/chat/completions":
            self._send_error(404, "not_found_error", f"there is nothing at {self.path}")
            return
        request = _parsed(body)
        if request is None:
            self._send_error(
                400, "invalid_request_error", "the body is no JSON object with a list 'messages'"
            )
            return
        model = str(request.get("model"))
        if model not in self.server.rules:
            known = ", ".join(self.server.rules)
            self._send_error(404, "model_not_found", f"there is no model {model!r} here; there is {known}")
            return
        answer = matching_answer(self.server.rules[model], conversation_of(request)) or Answer(text=NO_RULE)
        self._send_completion(complete(model, request, answer, secrets.token_hex), request)

    def _send_completion(self, completion: Completion, request: dict[str, Any]) -> None:
        if not request.get("stream"):
            self._send_json(200, completion.body)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        options = request.get("stream_options") or {}
        for event in stream_events(completion, include_usage=bool(options.get("include_usage"))):
            self.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    def _send_error(self, status: int, kind: str, message: str) -> None:
        self._send_json(status, {"error": {"message": message, "type": kind, "code": status}})

    def _send_json(self, status: int, value: dict[str, Any]) -> None:
        body = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _parsed(body: bytes) -> dict[str, Any] | None:
    try:
        request = json.loads(body)
    except ValueError:
        return None
    if not isinstance(request, dict) or not isinstance(request.get("messages"), list):
        return None
    return request if all(isinstance(message, dict) for message in request["messages"]) else None
