"""vcrpy's YAML, written."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
import vcr
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.foreign.exchange import Exchange
from kit.cassette.foreign.vcr import read_exchanges
from kit.cassette.foreign.write import write_vcr
from tests.fakes.examples import costly

ODD = ['{"a": "\ufffe\u2028 \x00"}'.encode(), b"\xff\xfe", "two\r\nlines\n é 😀".encode(), b"", b"x" * 200]


def exchange(number: int, request: bytes, answer: bytes) -> Exchange:
    kind = (("content-type", "application/json"),)
    return Exchange(
        number, "POST", f"http://none.invalid/{number}", kind, request, 200 + number, kind, answer
    )


@costly(30)
@given(st.lists(st.tuples(st.binary(), st.binary()), max_size=4))
def test_what_is_written_is_read(bodies: list[tuple[bytes, bytes]]) -> None:
    """Byte for byte, by kit's own reader."""
    exchanges = tuple(exchange(number, *both) for number, both in enumerate(bodies, 1))
    assert read_exchanges(write_vcr(exchanges).encode(), "x.yaml") == exchanges


def test_vcrpy_replays_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real vcrpy loads the file and gives httpx the same bytes, with no server anywhere."""

    def refuse(*_args: Any, **_named: Any) -> None:
        raise AssertionError("vcrpy went to the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    path = tmp_path / "x.yaml"
    exchanges = [exchange(number, body, body) for number, body in enumerate(ODD, 1)]
    path.write_text(write_vcr(exchanges), "utf-8")
    strict = ("method", "uri", "raw_body")
    with (
        vcr.use_cassette(str(path), record_mode="none", match_on=strict) as cassette,
        httpx.Client() as client,
    ):
        for one in exchanges:
            answer = client.post(one.url, content=one.request, headers={"content-type": "application/json"})
            assert (answer.status_code, answer.content) == (one.status, one.answer)
            assert answer.headers["content-type"] == "application/json"
        assert cassette.all_played


def test_a_status_without_a_name() -> None:
    """Some servers invent their own."""
    text = write_vcr([Exchange(1, "GET", "http://a/", (), b"", 529, (), b"")])
    assert "code: 529" in text
    assert "message: ''" in text
