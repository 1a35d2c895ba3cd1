"""Puts the stubs in while at least one session is in force, and takes them out after the last (decision 2).

Clients are never imported here: what is loaded already is patched at the start, what comes later right after
its import is complete, for a hook in the middle of an import would see half a module.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import random
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kit.recording import chance, context, sleeps
from kit.recording.early_bound import EarlyBound
from kit.recording.guard import audit
from kit.recording.guard.audit import Watch

if TYPE_CHECKING:
    from kit.recording.session import Session

CLIENTS = "httpx, httpx2, urllib3 (requests, boto3), aiohttp and http.client (urllib.request)"
"""What is recorded, as a person is told where nothing was; in brackets what stands on it."""

Change = tuple[Any, str, Any]
"""Owner, attribute, replacement."""

_early_bound = EarlyBound()


def _httpx_changes(library: ModuleType) -> list[Change]:
    from kit.recording import httpx_pools, httpx_stub

    changes: list[Change] = httpx_pools.changes(library)
    for name, method in httpx_stub.TRANSPORTS:
        owner = getattr(library, name)
        changes.append((owner, method, httpx_stub.stand_in(getattr(owner, method), method)))
    return changes


def _pool_changes(module: ModuleType) -> list[Change]:
    pool = module.ThreadPoolExecutor
    return [(pool, "submit", context.submit(pool.submit))]


def _loop_changes(module: ModuleType) -> list[Change]:
    from kit.recording import virtual_loop

    loop = module.base_events.BaseEventLoop
    return [
        (loop, "create_task", context.create_task(loop.create_task)),
        (loop, "_run_once", virtual_loop.run_once(loop._run_once)),  # noqa: SLF001 - no public hook
        *_early_bound.places((virtual_loop.real_async_sleep, sleeps.async_sleep)),
    ]


def _urllib3_changes(module: ModuleType) -> list[Change]:
    from kit.recording.transports import urllib3_stub

    return urllib3_stub.changes(module)


def _aiohttp_changes(library: ModuleType) -> list[Change]:
    from kit.recording.transports import aiohttp_stub

    return aiohttp_stub.changes(library)


def _http_client_changes(module: ModuleType) -> list[Change]:
    from kit.recording.transports import http_client_stub

    return http_client_stub.changes(module)


def _uvloop_changes(module: ModuleType) -> list[Change]:
    from kit.recording import compiled

    return compiled.uvloop_changes(module)


def _grpc_changes(module: ModuleType) -> list[Change]:
    from kit.recording import compiled

    is_async = module.__name__ == "grpc.aio._channel"
    return compiled.grpc_aio_changes(module) if is_async else compiled.grpc_changes(module)


_ON_IMPORT: dict[str, Callable[[ModuleType], list[Change]]] = {
    "aiohttp": _aiohttp_changes,
    "asyncio": _loop_changes,
    "concurrent.futures.thread": _pool_changes,
    "grpc._channel": _grpc_changes,
    "grpc.aio._channel": _grpc_changes,
    "http.client": _http_client_changes,
    "httpx": _httpx_changes,
    "httpx2": _httpx_changes,
    "urllib3.connectionpool": _urllib3_changes,
    "uvloop": _uvloop_changes,
}


def _process_changes() -> list[Change]:
    """What is patched in every process, whatever it imports."""
    generator = random._inst  # noqa: SLF001 - the global stream has no other name
    routed = [
        (getattr(random, name), getattr(chance.RoutedRandom, name).__get__(generator))
        for name in ("random", "getrandbits", "gauss", "seed", "getstate", "setstate")
    ]
    return [
        (generator, "__class__", chance.RoutedRandom),
        (uuid, "os", chance.UuidOs()),
        (uuid, "getnode", chance.getnode),
        (threading.Thread, "start", context.start_thread(threading.Thread.start)),
        *_early_bound.places((sleeps.real_sleep, sleeps.sleep), *routed),
    ]


class _Patches:
    """All patches of the process, counted."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._count = 0
        self._undo: list[Change] = []
        self._finder = _Finder(self.module_loaded)

    def install(self) -> None:
        with self._lock:
            self._count += 1
            if self._count > 1:
                return
            self._apply(_process_changes())
            for name, changes in _ON_IMPORT.items():
                module = sys.modules.get(name)
                if module is not None:
                    self._apply(changes(module))
            sys.meta_path.insert(0, self._finder)

    def uninstall(self) -> None:
        with self._lock:
            self._count -= 1
            if self._count:
                return
            sys.meta_path.remove(self._finder)
            virtual_loop = sys.modules.get("kit.recording.virtual_loop")
            if virtual_loop is not None:
                virtual_loop.release()
            while self._undo:
                owner, attribute, original = self._undo.pop()
                setattr(owner, attribute, original)

    def module_loaded(self, module: ModuleType) -> None:
        with self._lock:
            if self._count:
                self._apply(_ON_IMPORT[module.__name__](module))

    def _apply(self, changes: list[Change]) -> None:
        for owner, attribute, replacement in changes:
            self._undo.append((owner, attribute, getattr(owner, attribute)))
            setattr(owner, attribute, replacement)


class _Finder:
    """Finds nothing itself: asks the others, and tells when a module has been executed to its end."""

    def __init__(self, loaded: Callable[[ModuleType], None]) -> None:
        self._loaded = loaded
        self._asking = threading.local()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in _ON_IMPORT or getattr(self._asking, "name", None) == name:
            return None
        self._asking.name = name
        try:
            for finder in list(sys.meta_path):
                spec = finder.find_spec(name, path, target) if finder is not self else None
                if spec is not None:
                    break
            else:
                return None
        finally:
            self._asking.name = None
        self._watch(spec)
        return spec

    def _watch(self, spec: importlib.machinery.ModuleSpec) -> None:
        loader: Any = spec.loader
        original = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            original(module)
            self._loaded(module)

        # On this one loader, so that resources, source and everything else keep working.
        loader.exec_module = exec_module


_patches = _Patches()


@contextlib.contextmanager
def installed(*, virtual_time: bool) -> Iterator[None]:
    """Keeps the patches in for as long as the `with` lasts; nested and parallel ones are counted."""
    from kit.recording import time_travel

    _patches.install()
    try:
        with time_travel.travelling() if virtual_time else contextlib.nullcontext():
            yield
    finally:
        _patches.uninstall()


@contextlib.contextmanager
def guarded(session: Session) -> Iterator[None]:
    """Keeps socket and side-effect guards in for `session`."""
    options = session.options
    watch = Watch(
        session.mode,
        session,
        options.allow,
        current=context.current,
        workspace=options.workspace,
        inputs=options.project,
    )
    with audit.guarded(watch):
        yield
