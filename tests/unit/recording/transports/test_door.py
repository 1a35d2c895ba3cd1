"""The way in that all stubs share."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.recording.guard.passing import inside_stub
from kit.recording.session import start
from kit.recording.transports import door
from tests.fakes.runs import recording, replaying


@pytest.mark.parametrize(
    ("parts", "address"),
    [
        (("http", "localhost", 11434, "/v1"), "http://localhost:11434/v1"),
        (("https", "api.example", 443, "/v1?a=b://c"), "https://api.example/v1?a=b://c"),
        (("http", "::1", 80, "/"), "http://[::1]/"),
        (("http", "proxy", 3128, "http://api.example/x"), "http://api.example/x"),
        (("http", "api.example", None, "/x"), "http://api.example/x"),
    ],
)
def test_an_address_is_put_together_as_httpx_writes_it(
    parts: tuple[str, str, int | None, str], address: str
) -> None:
    """Default ports are left out, IPv6 stands in brackets, what a proxy is asked for is absolute already."""
    assert door.absolute(*parts) == address


def test_the_door_is_closed_outside_a_run_and_inside_a_real_call(tmp_path: Path) -> None:
    """Only a request of the program itself is looked at."""
    assert not door.is_open()
    with start(recording(tmp_path)):
        assert door.is_open()
        assert not door.is_replay()
        with inside_stub():
            assert not door.is_open()
    with start(replaying(tmp_path, ())):
        assert door.is_replay()


def test_a_request_outside_a_run_gets_no_ticket() -> None:
    """Then the client makes the real call."""
    assert door.begin("GET", "http://x/", lambda: (), b"") is None


def test_headers_of_any_type_are_text() -> None:
    """Botocore puts bytes and numbers into its headers."""
    headers = {"a": b"caf\xe9", b"Content-Type": "text/plain", "n": 3}
    assert list(door.plain_pairs(headers)) == [("a", "café"), ("Content-Type", "text/plain"), ("n", "3")]
    assert door.content_type_of(headers) == "text/plain"
    assert door.content_type_of({}) == ""
