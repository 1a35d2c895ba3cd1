"""Clients made in a replay: cheap, closed without a word, and whole once the replay is over."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest

from kit.recording.httpx_pools import DeferredPool
from kit.recording.session import start
from tests.fakes.model_server import reply, serving
from tests.fakes.runs import recording, replaying


@pytest.mark.parametrize("library", [httpx, httpx2])
def test_a_replayed_client_reads_no_certificates(
    library: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither made, nor entered, nor closed."""

    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("certificates were read")

    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", refuse)

    async def asynchronous() -> None:
        async with library.AsyncClient():
            pass

    with start(replaying(tmp_path, ())):
        with library.Client():
            pass
        library.Client().close()
        asyncio.run(asynchronous())


def test_a_client_that_outlives_the_replay_asks_for_real(tmp_path: Path) -> None:
    """A module may keep the client it made; after the run it works as httpx made it."""
    with start(replaying(tmp_path, ())):
        client = httpx.Client(trust_env=False)
    assert isinstance(client._transport._pool, DeferredPool)  # type: ignore[attr-defined]
    with serving(hello=reply(body=b'{"said":"hello"}')) as server, client:
        assert client.get(f"{server.url}/hello").json() == {"said": "hello"}


def test_outside_a_replay_a_client_is_httpxs_own(tmp_path: Path) -> None:
    """While recording and without a session the pool is there at once, and wrong arguments fail at once."""
    with start(recording(tmp_path)), httpx.Client() as client:
        assert not isinstance(client._transport._pool, DeferredPool)  # type: ignore[attr-defined]
        with pytest.raises(ValueError, match="scheme"):
            httpx.HTTPTransport(proxy="nonsense://x")
