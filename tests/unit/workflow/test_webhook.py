"""Telling a chat."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from kit.errors import EnvironmentFault, UsageError
from kit.workflow.webhook import BODY, URL, send


@dataclass
class Chat:
    """A receiver on the loopback address, and what it got."""

    url: str = ""
    got: list[tuple[str, str, Any]] = field(default_factory=list)


@contextmanager
def chat(status: int = 200, says: str = "ok", **headers: str) -> Iterator[Chat]:
    """A receiver that answers every message alike."""
    heard = Chat()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            heard.got.append((self.path, self.headers["content-type"], json.loads(body)))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(says.encode())))
            self.end_headers()
            self.wfile.write(says.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        heard.url = f"http://127.0.0.1:{server.server_port}/bot1:s3cret/sendMessage"
        yield heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_default_body_is_what_most_chats_take() -> None:
    """One POST of JSON; the answer names the host alone, since the address is a secret."""
    with chat() as heard:
        assert send("tre\n«numeri»", {URL: heard.url}) == "127.0.0.1"
    assert heard.got == [("/bot1:s3cret/sendMessage", "application/json", {"text": "tre\n«numeri»"})]


def test_telegram() -> None:
    """The template of docs/ci.md; no text can break out of its place."""
    text = 'he said "{text}", "chat_id": 1'
    template = '{"chat_id": "-100123", "text": "{text}"}'
    with chat() as heard:
        send(text, {URL: heard.url, BODY: template})
    assert heard.got[0][2] == {"chat_id": "-100123", "text": text}


def test_template_with_the_text_deep_inside() -> None:
    """Teams and others nest it; numbers and the rest of the template stay."""
    template = '{"blocks": [{"type": "p", "text": "kit says {text}"}], "n": 1}'
    with chat() as heard:
        send("yes", {URL: heard.url, BODY: template})
    assert heard.got[0][2] == {"blocks": [{"type": "p", "text": "kit says yes"}], "n": 1}


def test_refusal_is_told_without_the_address() -> None:
    """What the receiver says helps; the token in the address must reach no log."""
    with chat(401, "Unauthorized") as heard, pytest.raises(EnvironmentFault) as refused:
        send("x", {URL: heard.url})
    assert "answered 401: Unauthorized" in str(refused.value)
    assert "s3cret" not in str(refused.value)


def test_redirect_is_a_refusal() -> None:
    """The message goes where it was sent or nowhere."""
    with chat(302, "", location="http://127.0.0.1:9/") as heard, pytest.raises(EnvironmentFault, match="302"):
        send("x", {URL: heard.url})


def test_nobody_answers() -> None:
    """The kind of the error, not its text, which quotes the address."""
    with chat() as heard:
        pass
    with pytest.raises(EnvironmentFault, match="cannot be reached: ConnectError") as refused:
        send("x", {URL: heard.url})
    assert "s3cret" not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize("url", ["", "chat.example", "ftp://chat.example/x"])
def test_no_address(url: str) -> None:
    """It is said which variable is wanted."""
    with pytest.raises(UsageError, match=URL):
        send("x", {URL: url} if url else {})


@pytest.mark.parametrize(("template", "what"), [("{text}", "is no JSON"), ('{"text": "hello"}', "no place")])
def test_wrong_template(template: str, what: str) -> None:
    """It is said before anything is sent."""
    with pytest.raises(UsageError, match=what) as refused:
        send("x", {URL: "http://127.0.0.1:9/", BODY: template})
    assert refused.value.next_command == f'{BODY}=\'{{"text": "{{text}}"}}\''
