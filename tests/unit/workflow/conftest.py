"""A project with the scripted model for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.stub_project import StubProject, stub_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubProject]:
    """A project without scenarios yet."""
    with stub_project(tmp_path, monkeypatch) as made:
        yield made
