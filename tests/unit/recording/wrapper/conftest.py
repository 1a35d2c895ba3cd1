from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.model_server import ModelServer, serving
from tests.fakes.wrapped_program import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """An empty project to run programs in."""
    folder = tmp_path / "project"
    folder.mkdir()
    return Stage(folder)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A model that echoes; programs find it by MODEL_URL."""
    with serving() as server:
        monkeypatch.setenv("MODEL_URL", server.url)
        yield server
