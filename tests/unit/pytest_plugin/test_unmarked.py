"""Tests without the marker; with a real pytest in tests/functional/test_leaks.py."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kit.pytest_plugin import unmarked
from kit.pytest_plugin.options import GOLDEN_MARKER, MARKER

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Config:
    """Of a session in `root`."""

    def __init__(self, root: Path, said: str = "guarded") -> None:
        self.stash = pytest.Stash()
        self.rootpath = root
        self.said = said

    def getoption(self, name: str) -> str:
        """The only option that is asked for."""
        assert name == "kit_unmarked"
        return self.said


def item(config: Config, *fixtures: str) -> Any:
    """A test that asks for these fixtures."""
    return SimpleNamespace(config=config, fixturenames=fixtures)


@pytest.mark.parametrize(
    ("said", "fixtures", "is_guarded"),
    [("guarded", (MARKER,), True), ("guarded", (), False), ("free", (MARKER,), False)],
)
def test_they_are_watched_where_others_have_the_marker(
    said: str, fixtures: tuple[str, ...], is_guarded: bool, tmp_path: Path
) -> None:
    """Without any marked test, or by option, nothing is watched."""
    config = Config(tmp_path, said)
    unmarked.decide(config, [item(config), item(config, *fixtures)])  # type: ignore[arg-type]
    assert config.stash[unmarked.IS_GUARDED] is is_guarded


@pytest.mark.parametrize("marker", [GOLDEN_MARKER, "vcr", "enable_socket"])
def test_a_golden_test_and_one_of_another_recorder_are_not_watched(marker: str, tmp_path: Path) -> None:
    """It has thought of the network; one that has neither is watched."""
    config = Config(tmp_path)
    unmarked.decide(config, [item(config, MARKER)])  # type: ignore[arg-type]
    plain, others = item(config), item(config)
    plain.get_closest_marker = lambda name: None
    others.get_closest_marker = lambda name: name == marker or None
    assert unmarked.is_watched(plain)
    assert not unmarked.is_watched(others)
    assert not unmarked.is_watched(item(config, MARKER))


def connect() -> None:
    """Asks a server that nobody runs."""
    with socket.socket() as sock:
        sock.connect(("127.0.0.1", 9))


def test_what_leads_to_the_network_fails_the_test_even_if_swallowed(tmp_path: Path) -> None:
    """It names line, address, and the ways on."""
    (tmp_path / "pyproject.toml").write_text("[tool.kit]\n")
    with (
        pytest.raises(
            pytest.fail.Exception, match=r"test_unmarked\.py:\d+ would connect to 127\.0\.0\.1:9"
        ) as one,
        unmarked.watching(item(Config(tmp_path))),
    ):
        connect()
    assert f"@pytest.mark.{MARKER}" in str(one.value)
    with (
        pytest.raises(pytest.fail.Exception, match="would connect"),
        unmarked.watching(item(Config(tmp_path))),
        contextlib.suppress(BaseException),
    ):  # what a careless test does
        connect()


def test_what_is_declared_or_outlives_the_test_may_connect(tmp_path: Path) -> None:
    """A rule of `[tool.kit.replay] allow`, and a database of the session."""
    (tmp_path / "pyproject.toml").write_text('[tool.kit.replay]\nallow = ["connect:127.0.0.1:9"]\n')
    with unmarked.watching(item(Config(tmp_path))), pytest.raises(ConnectionRefusedError):
        connect()
    (tmp_path / "pyproject.toml").write_text("[tool.kit]\n")
    with (
        unmarked.watching(item(Config(tmp_path))),
        unmarked.outliving(),
        pytest.raises(ConnectionRefusedError),
    ):
        connect()
