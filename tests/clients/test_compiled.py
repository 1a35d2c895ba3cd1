"""gRPC and uvloop: their sockets are made by compiled code, and are met at their Python side."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kit.errors import SideEffect
from tests.fakes.model_server import serving, stream
from tests.fakes.runs import recording, replaying, run


def call_grpc(grpc: Any) -> Any:
    """One call over a synchronous channel."""
    with grpc.insecure_channel("127.0.0.1:9") as channel:
        try:
            return channel.unary_unary("/pkg.Service/Method")(b"x", timeout=1)
        except grpc.RpcError as error:
            return error.code().name


async def call_grpc_aio(grpc: Any) -> Any:
    """One call over an asynchronous channel."""
    aio: Any = pytest.importorskip("grpc.aio")
    async with aio.insecure_channel("dns:///127.0.0.1:9") as channel:
        try:
            return await channel.unary_unary("/pkg.Service/Method")(b"x", timeout=1)
        except grpc.RpcError as error:
            return error.code().name


@pytest.mark.parametrize("call", [call_grpc, call_grpc_aio])
def test_grpc_is_stopped_in_replay_and_an_escape_in_record(call: Any, tmp_path: Path) -> None:
    """No byte leaves, and line, server and method are named."""
    grpc: Any = pytest.importorskip("grpc", reason="run `make test-clients`")
    seen, result = run(recording(tmp_path), lambda: call(grpc))
    assert seen in {"UNAVAILABLE", "DEADLINE_EXCEEDED"}
    assert (
        "connected to 127.0.0.1:9 over gRPC, which kit cannot record: /pkg.Service/Method"
        in result.escapes[0]
    )
    with pytest.raises(SideEffect, match=r"test_compiled\.py:\d+ would connect to 127\.0\.0\.1:9 over gRPC"):
        run(replaying(tmp_path, ()), lambda: call(grpc))


def test_clients_on_uvloop_are_recorded_and_replayed(tmp_path: Path) -> None:
    """Streams through aiohttp and httpx; the replay runs on asyncio's own loop and sees the same."""
    uvloop: Any = pytest.importorskip("uvloop", reason="run `make test-clients`")
    import aiohttp
    import httpx

    def program(url: str) -> Any:
        async def main() -> Any:
            await asyncio.sleep(0.01)
            async with aiohttp.ClientSession() as session, session.get(url) as answer:
                seen = [piece async for piece in answer.content.iter_any()]
            async with httpx.AsyncClient() as client:
                return seen, (await client.get(url)).content

        return uvloop.run(main())

    with serving(sse=stream(b"one", b"two")) as server:
        url = f"{server.url}/sse"
        seen, recorded = run(recording(tmp_path), lambda: program(url))
    again, result = run(replaying(tmp_path, recorded.interactions), lambda: program(url))
    assert again == seen == ([b"one", b"two"], b"onetwo")
    assert not (recorded.escapes or result.misses or result.leftovers or result.live_requests)


def test_an_unknown_client_on_uvloop_is_stopped_in_replay(tmp_path: Path) -> None:
    """A connection of its own is named with its line; in record it is an escape."""
    uvloop: Any = pytest.importorskip("uvloop", reason="run `make test-clients`")

    async def main() -> None:
        await asyncio.open_connection("127.0.0.1", 9)

    with pytest.raises(SideEffect, match=r"test_compiled\.py:\d+ would connect to 127\.0\.0\.1:9"):
        run(replaying(tmp_path, ()), lambda: uvloop.run(main()))
