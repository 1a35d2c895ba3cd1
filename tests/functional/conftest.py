"""Projects that the functional tests drive the command line on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.model_server import ModelServer, completion, reply, serving
from tests.fakes.parsers import keep_parsers
from tests.fakes.templates import Templates
from tests.fakes.tiny_project import MODEL, TinyProject, tiny_project

CHAT = "v1_chat_completions"


@pytest.fixture(autouse=True, scope="session")
def _one_parser() -> None:
    keep_parsers()


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the machine decides: neither CI nor a key, nor old bytecode of an agent just changed."""
    for name in ("CI", "KIT_MODEL", "KIT_BASE_URL", "KIT_JUDGE", "KIT_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


@pytest.fixture
def tiny(tmp_path: Path) -> TinyProject:
    """A project whose model is the stub."""
    return tiny_project(tmp_path)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A scripted server that answers as `MODEL` and knows the capital of France."""
    with serving(**{CHAT: reply(body=completion("It is Paris.", model=MODEL))}) as server:
        yield server


@pytest.fixture
def served(tmp_path: Path, model: ModelServer) -> TinyProject:
    """A project whose model is the scripted server."""
    return tiny_project(tmp_path, model.url)


@pytest.fixture
def recorded(tmp_path: Path, templates: Templates) -> TinyProject:
    """A project whose one scenario is recorded from the stub."""
    templates.copy("recorded", _record, tmp_path)
    return TinyProject(tmp_path)


def _record(root: Path) -> None:
    assert tiny_project(root).kit("record", "--model", "stub").code == 0
