"""A project with the scripted model, and `kit` called in it as from a shell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kit.cli.main import main
from tests.fakes.parsers import keep_parsers
from tests.fakes.stub_project import StubProject, stub_project


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True, scope="session")
def _one_parser() -> None:
    keep_parsers()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubProject]:
    """A project without scenarios yet."""
    with stub_project(tmp_path, monkeypatch) as made:
        yield made


@pytest.fixture
def kit(project: StubProject, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Calls `kit` in the project."""

    def call(*words: str) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(words)
        captured = capsys.readouterr()
        return Ran(int(stop.value.code or 0), captured.out, captured.err)

    return call
