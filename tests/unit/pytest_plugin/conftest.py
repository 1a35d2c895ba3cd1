"""A project of the user's own, on which pytest runs inside the tests."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import kit
from tests.fakes.model_server import ModelServer, serving

# What inner runs import must outlive them: pytester takes out again what a run has brought, and who holds on
# to it (httpx2 to the exceptions of httpcore2, kit to its own) would meet a second copy later.
for _name in (
    *("anyio._backends._asyncio", "httpcore", "httpcore2", "httpx", "httpx2"),
    *(
        module.name
        for module in pkgutil.walk_packages(kit.__path__, "kit.")
        if "child_path" not in module.name
    ),
):
    importlib.import_module(_name)

PYPROJECT = """
[tool.kit]
[tool.pytest.ini_options]
addopts = ["--strict-markers", "--import-mode=importlib", "-p", "no:hypothesispytest"]
asyncio_default_fixture_loop_scope = "function"
"""
ASKING = """
import asyncio, datetime, os, random
import httpx, kit, pytest

def ask(text, client=httpx):
    body = {"model": "stub", "messages": [{"role": "user", "content": str(text)}]}
    answer = client.post(os.environ["MODEL_URL"], json=body, timeout=20, verify=False)
    return answer.json()["choices"][0]["message"]["content"]

async def ask_async(text, library=httpx):
    body = {"model": "stub", "messages": [{"role": "user", "content": str(text)}]}
    async with library.AsyncClient(verify=False) as client:
        answer = await client.post(os.environ["MODEL_URL"], json=body, timeout=20)
    return answer.json()["choices"][0]["message"]["content"]

@kit.tool
def weather(city):
    return os.environ.get("WEATHER", "sunny") + " in " + city

"""


@dataclass
class Own:
    """A project whose tests ask a model.

    Attributes:
        pytester: runs pytest in this process.
        model: what answers.
        root: the project's folder.
    """

    pytester: pytest.Pytester
    model: ModelServer
    root: Path

    def tests(self, text: str, name: str = "test_own") -> None:
        """A module of tests, below the functions that ask."""
        self.pytester.makepyfile(**{name: ASKING + text})

    def run(self, *words: str, **outcomes: int) -> pytest.RunResult:
        """Runs pytest and compares how the tests ended (`passed=1, errors=2`)."""
        result = self.pytester.runpytest_inprocess(*words)
        if outcomes:
            result.assert_outcomes(**outcomes)
        return result

    def cassettes(self) -> dict[str, str]:
        """Everything below cassettes/tests/ by its path there."""
        folder = self.root / "cassettes" / "tests"
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


@pytest.fixture
def own(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[Own]:
    """A project with nothing but its settings; its model echoes."""
    monkeypatch.delenv("CI", raising=False)
    pytester.makefile(".toml", pyproject=PYPROJECT)
    with serving() as model:
        monkeypatch.setenv("MODEL_URL", f"{model.url}/v1/chat/completions")
        yield Own(pytester, model, pytester.path)
