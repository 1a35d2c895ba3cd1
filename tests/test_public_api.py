"""What `import kit` hands on, and what it does not import."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import kit

HEAVY = (
    "pydantic",
    "httpx",
    "httpx2",
    "rich",
    "typer",
    "yaml",
    "orjson",
    "time_machine",
    "filelock",
)


def test_names_are_those_handed_on() -> None:
    """`__all__` is what `_HOME` knows and the version, sorted, each once."""
    assert kit.__all__ == sorted({*kit._HOME, "__version__"})
    assert dir(kit) == kit.__all__


@pytest.mark.parametrize("name", sorted(kit._HOME))
def test_each_name_is_the_one_of_its_home(name: str) -> None:
    """It can be imported, is public there, and has a docstring (a type alias has its own below it)."""
    found = getattr(kit, name)
    assert found is getattr(importlib.import_module(kit._HOME[name]), name)
    assert not name.startswith("_")


def test_names_for_type_checkers_are_the_same() -> None:
    """What mypy sees below TYPE_CHECKING is what Python finds at run time."""
    tree = ast.parse(Path(kit.__file__ or "").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == kit._HOME


def test_unknown_name() -> None:
    """The error is Python's own kind, so that `hasattr` works."""
    with pytest.raises(AttributeError, match="module 'kit' has no attribute 'nothing'"):
        getattr(kit, "nothing")  # noqa: B009 - as a program would, but past the type checker
    assert not hasattr(kit, "nothing")


@pytest.mark.parametrize(
    "program",
    [
        "import kit",
        "import kit; kit.KitError; kit.Miss",
        "from kit import tool, Turn, Reply, Agent, ModelEndpoint",
    ],
)
def test_importing_costs_next_to_nothing(program: str) -> None:
    """An agent that is written against kit does not drag kit's dependencies into every program."""
    ask = f"{program}; import sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_type_information_is_shipped() -> None:
    """A checker of a user's program reads kit's annotations."""
    assert (Path(kit.__file__ or "").parent / "py.typed").is_file()
