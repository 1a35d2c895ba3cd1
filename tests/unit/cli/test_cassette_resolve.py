"""`kit cassette resolve`; `tests/functional/test_cassette_conflict.py` drives it in real repositories."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.repository import repository
from tests.fakes.tiny_project import tiny_project


def test_what_is_typed_wrong_is_exit_code_2(tmp_path: Path) -> None:
    """Two sides at once, a side of everything, a file without a conflict, no repository."""
    tiny = tiny_project(tmp_path)
    assert tiny.kit("cassette", "resolve").code == 2
    repository(tmp_path).commit("First")
    assert tiny.kit("cassette", "resolve").code == 0
    for words in (("--ours",), ("x.yaml", "--ours", "--theirs"), ("x.yaml", "--record"), ("x.yaml",)):
        assert tiny.kit("cassette", "resolve", *words).code == 2, words
