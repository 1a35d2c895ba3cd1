"""Clients whose sockets are made by compiled code; with the real ones in tests/clients."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kit.errors import SideEffect
from kit.recording import compiled
from kit.recording.guard.allow import parse_allow
from tests.fakes.runs import recording, replaying, run


class UnaryUnaryMultiCallable:
    """gRPC's way to call."""

    _target = b"dns:///api.example:443"
    _method = b"/pkg.Service/Method"

    def __call__(self, request: bytes) -> str:
        """Asks."""
        return "asked"

    def future(self, request: bytes) -> str:
        """Asks later."""
        return "asked"


class UnaryUnaryMultiCallableOfChannel:
    """A call that only knows its channel."""

    _method = "/pkg.Service/Method"

    def __init__(self, channel: Any) -> None:
        self._python_channel = channel

    def __call__(self, request: bytes) -> str:
        """Asks."""
        return "asked"


class Channel:
    """gRPC's asynchronous channel."""

    def __init__(self, target: str) -> None:
        self.made = target


class Loop(asyncio.SelectorEventLoop):
    """uvloop's loop: what it would really do is said."""

    async def create_connection(self, *args: Any, **given: Any) -> Any:
        """Connects."""
        return "connected"

    async def create_datagram_endpoint(self, *args: Any, **given: Any) -> Any:
        """Sends."""
        return "sent"

    async def create_unix_connection(self, *args: Any, **given: Any) -> Any:
        """Connects to a file."""
        return "connected"

    async def subprocess_exec(self, *args: Any, **given: Any) -> Any:
        """Starts."""
        return "started"

    async def subprocess_shell(self, *args: Any, **given: Any) -> Any:
        """Starts."""
        return "started"


def new_event_loop() -> Any:
    """As uvloop makes its loop."""
    return Loop()


def run_on_loop(
    main: Any, *, loop_factory: Callable[[], Any] = new_event_loop, debug: bool | None = None
) -> Any:
    """As uvloop runs a program."""
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        assert isinstance(runner.get_loop(), Loop)
        return runner.run(main)


GRPC = SimpleNamespace(UnaryUnaryMultiCallable=UnaryUnaryMultiCallable)
GRPC_AIO = SimpleNamespace(UnaryUnaryMultiCallable=UnaryUnaryMultiCallableOfChannel, Channel=Channel)
UVLOOP = SimpleNamespace(Loop=Loop, run=run_on_loop)


@pytest.fixture(autouse=True)
def _patched() -> Iterator[None]:
    undo = []
    for change in (
        *compiled.grpc_changes(GRPC),  # type: ignore[arg-type]
        *compiled.grpc_aio_changes(GRPC_AIO),  # type: ignore[arg-type]
        *compiled.uvloop_changes(UVLOOP),  # type: ignore[arg-type]
    ):
        owner, name, replacement = change
        undo.append((owner, name, getattr(owner, name)))
        setattr(owner, name, replacement)
    yield
    for owner, name, original in reversed(undo):
        setattr(owner, name, original)


CALLS: list[Callable[[], Any]] = [
    lambda: UnaryUnaryMultiCallable()(b"x"),
    lambda: UnaryUnaryMultiCallable().future(b"x"),
    lambda: UnaryUnaryMultiCallableOfChannel(Channel("api.example:443"))(b"x"),
]


@pytest.mark.parametrize("call", CALLS)
def test_a_call_over_grpc_is_stopped_in_replay_and_an_escape_in_record(
    call: Callable[[], Any], tmp_path: Path
) -> None:
    """Each names the line, the server and the method; outside of a run nothing happens."""
    assert call() == "asked"
    seen, result = run(recording(tmp_path), call)
    assert seen == "asked"
    said = "connected to api.example:443 over gRPC, which kit cannot record: /pkg.Service/Method"
    assert said in result.escapes[0]
    with pytest.raises(
        SideEffect, match=r"test_compiled\.py:\d+ would connect to api\.example:443 over gRPC"
    ):
        run(replaying(tmp_path, ()), call)


def test_a_declared_server_may_be_called_over_grpc(tmp_path: Path) -> None:
    """As any other address."""
    allow = parse_allow(["connect:api.example:443"])
    assert run(replaying(tmp_path, (), allow=allow), CALLS[0])[0] == "asked"


def doing(method: str, *args: Any, **given: Any) -> Callable[[], Any]:
    """A program that asks its loop for one thing, on a loop made before the run."""
    loop = Loop()

    def program() -> Any:
        try:
            return loop.run_until_complete(getattr(loop, method)(*args, **given))
        finally:
            loop.close()

    return program


@pytest.mark.parametrize(
    ("program", "act"),
    [
        (functools.partial(doing, "create_connection", None, "127.0.0.1", 9), "connect to 127.0.0.1:9"),
        (
            functools.partial(doing, "create_datagram_endpoint", None, remote_addr=("10.0.0.1", 53)),
            "connect to 10.0.0.1:53",
        ),
        (
            functools.partial(doing, "create_unix_connection", None, "/run/x.sock"),
            "use the socket /run/x.sock",
        ),
        (functools.partial(doing, "subprocess_exec", None, "git", "push"), "run `git push`"),
        (functools.partial(doing, "subprocess_shell", None, "git push"), "run `git push`"),
    ],
)
def test_what_uvloop_does_by_itself_is_judged(program: Any, act: str, tmp_path: Path) -> None:
    """In replay it is stopped, whatever loop does it."""
    assert program()() in {"connected", "sent", "started"}
    with pytest.raises(SideEffect, match=act):
        run(replaying(tmp_path, ()), program())


def test_a_replay_gets_asyncios_own_loop(tmp_path: Path) -> None:
    """Its time can jump; a recording and everything else gets uvloop's."""

    def program() -> str:
        async def main() -> str:
            await asyncio.sleep(0)
            return type(asyncio.get_running_loop()).__name__

        return str(UVLOOP.run(main()))

    assert program() == "Loop"
    assert run(recording(tmp_path), program)[0] == "Loop"
    assert run(replaying(tmp_path, ()), program)[0] == "_UnixSelectorEventLoop"
    loop = run(replaying(tmp_path, ()), Loop)[0]
    loop.close()
    assert not isinstance(loop, Loop)
