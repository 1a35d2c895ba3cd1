"""Lanes of HTTP requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.cassette.store import read, write
from kit.recording.lanes import lane_of
from tests.builders import header

CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{}}}'


@pytest.mark.parametrize(
    ("method", "url", "body", "lane"),
    [
        ("POST", "http://h/v1/chat/completions", b"{}", "model"),
        ("POST", "http://mine/ask", b"{}", "model"),
        ("POST", "http://h/v1/embeddings", b"{}", "model"),
        ("POST", "http://h/v2/rerank", b"{}", "model"),
        ("GET", "http://h/v1/responses/resp_1", b"", "model"),
        ("POST", "http://h/mcp", CALL, "tool"),
        ("POST", "http://h/mcp", CALL.replace(b"tools/call", b"tools/list"), "other"),
        ("POST", "http://h/v1/messages/count_tokens", b"{}", "other"),
        ("POST", "http://h/v1/files", b"", "other"),
        ("GET", "http://h/v1/models", b"", "other"),
        ("GET", "http://h/prices.json", b"", "other"),
    ],
)
def test_the_work_of_a_model_and_the_call_of_a_tool_have_lanes_of_their_own(
    method: str, url: str, body: bytes, lane: str
) -> None:
    """All other traffic, what stands around models included, is of lane `other`."""
    assert lane_of(HttpRequest(method, url, (), body), ("http://mine/",)) == lane


def test_a_tool_called_over_http_comes_back_from_its_file(tmp_path: Path) -> None:
    """An HTTP exchange of lane `tool` is written and read like any other."""
    request = HttpRequest("POST", "http://h/mcp", (("content-type", "application/json"),), CALL)
    answer = HttpResponse(
        200, (("content-type", "application/json"),), b'{"jsonrpc":"2.0","id":1,"result":{}}'
    )
    called = Interaction(1, "tool", request, answer, 0, 5)
    write(tmp_path / "c.yaml", Cassette(header(), (called,)))
    assert read(tmp_path / "c.yaml").interactions == (called,)
