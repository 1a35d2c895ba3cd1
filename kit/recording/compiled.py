"""Clients whose sockets are made by compiled code, where Python's audit hook sees nothing: gRPC and uvloop.

Their Python side says to the hook what it is about to do, and the guard judges it like any socket: stopped in
replay, an escape in record. In replay a program that asks for uvloop gets asyncio's own loop, whose time can
jump (decision 17).
"""

from __future__ import annotations

import asyncio
import functools
import socket
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from kit.recording import context
from kit.recording.guard.network import GRPC_EVENT

Change = tuple[Any, str, Any]


class _Peer(NamedTuple):
    """Stands for the socket that compiled code is about to connect."""

    family: int
    type: int


def grpc_changes(module: ModuleType) -> list[Change]:
    """What to patch in `grpc._channel`: each way to start a call."""
    kinds = [value for name, value in vars(module).items() if name.endswith("MultiCallable")]
    return [
        (kind, name, _announcing_call(vars(kind)[name]))
        for kind in kinds
        for name in ("__call__", "with_call", "future")
        if name in vars(kind)
    ]


def grpc_aio_changes(module: ModuleType) -> list[Change]:
    """What to patch in `grpc.aio._channel`: channels remember whom they lead to."""
    original = module.Channel.__init__

    @functools.wraps(original)
    def initialise(channel: Any, target: str, *args: Any, **given: Any) -> None:
        channel._kit_target = target  # noqa: SLF001 - aio keeps it nowhere else
        original(channel, target, *args, **given)

    return [(module.Channel, "__init__", initialise), *grpc_changes(module)]


def uvloop_changes(module: ModuleType) -> list[Change]:
    """What to patch in uvloop."""
    loop = module.Loop
    return [
        (loop, "__new__", _new_loop(loop.__new__)),
        (module, "run", _run(module.run)),
        (loop, "create_connection", _connecting(loop.create_connection)),
        (loop, "create_datagram_endpoint", _sending(loop.create_datagram_endpoint)),
        (loop, "create_unix_connection", _connecting_unix(loop.create_unix_connection)),
        (loop, "subprocess_exec", _starting(loop.subprocess_exec)),
        (loop, "subprocess_shell", _starting_shell(loop.subprocess_shell)),
    ]


def _announcing_call(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(callable_: Any, *args: Any, **given: Any) -> Any:
        if context.in_force():
            channel = getattr(callable_, "_python_channel", None)
            target = getattr(callable_, "_target", None) or getattr(channel, "_kit_target", "")
            sys.audit(GRPC_EVENT, _text(target), _text(getattr(callable_, "_method", "")))
        return original(callable_, *args, **given)

    return call


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _is_replay() -> bool:
    return any(session.mode == "replay" for session in context.in_force())


def _new_loop(original: Callable[..., Any]) -> Any:
    def new(kind: type, *args: Any, **given: Any) -> Any:
        # Not of uvloop's class, so that its `__init__` is not called either.
        return asyncio.SelectorEventLoop() if _is_replay() else original(kind, *args, **given)

    return staticmethod(new)


def _run(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def run(main: Any, *args: Any, **given: Any) -> Any:
        if not _is_replay():
            return original(main, *args, **given)
        # The original insists on a loop of uvloop's own.
        with asyncio.Runner(debug=given.get("debug"), loop_factory=asyncio.SelectorEventLoop) as runner:
            return runner.run(main)

    return run


def _connecting(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    async def connect(
        loop: Any, protocol_factory: Any, host: Any = None, port: Any = None, **given: Any
    ) -> Any:
        if host is not None:
            _announce(_Peer(socket.AF_INET, socket.SOCK_STREAM), host, port)
        return await original(loop, protocol_factory, host, port, **given)

    return connect


def _sending(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    async def send(
        loop: Any, protocol_factory: Any, local_addr: Any = None, remote_addr: Any = None, **given: Any
    ) -> Any:
        if remote_addr is not None and not isinstance(remote_addr, str):
            _announce(_Peer(socket.AF_INET, socket.SOCK_DGRAM), *remote_addr[:2])
        return await original(loop, protocol_factory, local_addr, remote_addr, **given)

    return send


def _connecting_unix(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    async def connect(loop: Any, protocol_factory: Any, path: Any = None, **given: Any) -> Any:
        if path is not None and context.in_force():
            sys.audit("socket.connect", _Peer(socket.AF_UNIX, socket.SOCK_STREAM), path)
        return await original(loop, protocol_factory, path, **given)

    return connect


def _starting(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    async def start(loop: Any, protocol_factory: Any, program: Any, *args: Any, **given: Any) -> Any:
        if context.in_force():
            sys.audit("subprocess.Popen", program, [program, *args], given.get("cwd"), given.get("env"))
        return await original(loop, protocol_factory, program, *args, **given)

    return start


def _starting_shell(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    async def start(loop: Any, protocol_factory: Any, cmd: Any, **given: Any) -> Any:
        if context.in_force():
            words = ["sh", "-c", _text(cmd)]
            sys.audit("subprocess.Popen", "sh", words, given.get("cwd"), given.get("env"))
        return await original(loop, protocol_factory, cmd, **given)

    return start


def _announce(peer: _Peer, host: Any, port: Any) -> None:
    if context.in_force():
        sys.audit("socket.connect", peer, (_text(host), int(port or 0)))
