"""Tests without the marker, in a session in which others have it: they may not reach the network unseen.

A marker that was forgotten would ask a model in every run of CI. Only the test's own fixtures and its body
are watched: what lives longer (a database of the session) is not one test's doing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Literal

import pytest

from kit.pytest_plugin.options import GOLDEN_MARKER, MARKER

_OF_OTHERS = (GOLDEN_MARKER, "vcr", "enable_socket", "allow_hosts")
"""Markers of a test that is to ask a model, of pytest-recording and of pytest-socket: who has one has thought
of the network."""
IS_GUARDED: pytest.StashKey[bool] = pytest.StashKey()


class Unmarked:
    """What the guard tells of one test."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def report(self, kind: Literal["side_effects", "escapes", "reads", "writes"], text: str) -> None:
        """Keeps what was stopped: a test may swallow the exception."""
        del kind
        self.told.append(text)


_SEEN: ContextVar[Unmarked | None] = ContextVar("kit_unmarked", default=None)


def decide(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Whether tests without the marker are watched: where others have it, unless told otherwise."""
    config.stash[IS_GUARDED] = config.getoption("kit_unmarked") == "guarded" and any(
        is_marked(item) for item in items
    )


def is_marked(item: pytest.Item) -> bool:
    """Whether a test is under the recording."""
    return MARKER in getattr(item, "fixturenames", ())


def is_watched(item: pytest.Item) -> bool:
    """Whether a test has no marker that says it has thought of the network, where others have kit's."""
    if not item.config.stash.get(IS_GUARDED, False) or is_marked(item):
        return False
    return not any(item.get_closest_marker(name) for name in _OF_OTHERS)


@contextlib.contextmanager
def watching(item: pytest.Item) -> Iterator[None]:
    """Stops what leads to the network while the body of the `with` lasts.

    Raises:
        Failed: at the end, the test swallowed what was stopped.
    """
    from kit.errors import KitError, SideEffect
    from kit.pytest_plugin.items import failed
    from kit.pytest_plugin.plan import project_of
    from kit.recording.guard.allow import parse_allow
    from kit.recording.guard.audit import Watch, guarded
    from kit.recording.guard.network import NETWORK_EVENTS

    seen = Unmarked()
    try:
        settings = project_of(item.config).settings
        watch = Watch("replay", seen, parse_allow(settings.replay.allow), current=_SEEN.get)
    except KitError as error:
        raise failed(str(error)) from None
    watch.checks = {event: watch.checks[event] for event in (*NETWORK_EVENTS, "socket.bind")}
    token = _SEEN.set(seen)
    try:
        with guarded(watch):
            yield
    except SideEffect:
        raise failed(_text(seen)) from None
    finally:
        _SEEN.reset(token)
    if seen.told:
        raise failed(_text(seen))


@contextlib.contextmanager
def outliving() -> Iterator[None]:
    """Around the set-up of a fixture that outlives the test: it is not the test's doing."""
    from kit.recording.guard.passing import inside_stub

    with inside_stub():
        yield


def _text(seen: Unmarked) -> str:
    return "\n".join(
        (
            *seen.told,
            f"  or: record it, with @pytest.mark.{MARKER} on the test",
            "  or: --kit-unmarked=free, where tests without that marker may use the network",
        )
    )
