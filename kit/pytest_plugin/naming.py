"""Where the recording of a test lies: `cassettes/tests/<module>/<test>[.<parameters>].yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.canonical import digest
from kit.cassette.paths import FOLDER, SUFFIX, file_name

TESTS = "tests"
_LONGEST = 100
"""Bytes of one part; file systems take 255 for all of them, suffixes and the writer's own among them."""


def cassette_of_test(root: Path, item: pytest.Item, name: str | None = None) -> Path:
    """The cassette of a test; a folder `tests/` that holds everything is not said twice.

    Args:
        root: the project.
        item: the test.
        name: stands for the test's own name; parameters follow it all the same, since each has its recording.
    """
    module = _module(root, item).with_suffix("")
    parts = module.parts[1:] if module.parts[0] == TESTS and len(module.parts) > 1 else module.parts
    own = [*_classes(item), _function(item)] if name is None else [name]
    parameters = _parameters(item)
    stem = ".".join(_safe(part) for part in (*own, *([] if parameters is None else [parameters])))
    return root.joinpath(FOLDER, TESTS, *parts, f"{stem}{SUFFIX}")


def id_of_test(root: Path, item: pytest.Item) -> str:
    """The test's id, from the project's root: `tests/test_agent.py::test_asks[paris]`."""
    return "::".join((_module(root, item).as_posix(), *_classes(item), item.name))


def _module(root: Path, item: pytest.Item) -> Path:
    for above in (root, item.config.rootpath):
        if item.path.is_relative_to(above):
            return item.path.relative_to(above)
    return Path(item.path.name)


def _classes(item: pytest.Item) -> Iterator[str]:
    return (node.name for node in item.listchain() if isinstance(node, pytest.Class))


def _function(item: pytest.Item) -> str:
    return getattr(item, "originalname", None) or item.name


def _parameters(item: pytest.Item) -> str | None:
    callspec = getattr(item, "callspec", None)
    return None if callspec is None else str(callspec.id)


def _safe(text: str) -> str:
    """`text` as part of a file name; a digest keeps apart what would become equal (`a/b` and `a:b`)."""
    name = file_name(text)
    if name == text and len(name.encode()) <= _LONGEST:
        return name
    short = name.encode()[:_LONGEST].decode(errors="ignore").strip("-")
    return f"{short}-{digest(text.encode())[:8]}".removeprefix("-")
