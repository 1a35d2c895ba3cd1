"""`kit cassette import`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fakes.stub_project import StubProject

Kit = Callable[..., Any]
OLD = """
interactions:
- request: {method: GET, uri: 'https://a.org/', headers: {}, body: null}
  response: {status: {code: 200, message: OK}, headers: {}, body: {string: hello}}
version: 1
"""


def test_a_file_becomes_a_cassette(project: StubProject, kit: Kit) -> None:
    """And `kit show` says that kit did not record it."""
    project.write("old.yaml", OLD)
    ran = kit("cassette", "import", "old.yaml", "--out", "cassettes/imported/new.yaml")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("imported cassettes/imported/new.yaml: 1 exchange, 0 of a model")
    assert "is spoken in no dialect that kit knows" in ran.out
    shown = kit("show", "cassettes/imported/new.yaml")
    assert shown.code == 0
    assert "not by kit: imported from old.yaml" in shown.out


def test_a_file_that_is_none(project: StubProject, kit: Kit) -> None:
    """Exit code 3, with file and line."""
    project.write("old.yaml", "a: [")
    ran = kit("cassette", "import", "old.yaml", "--out", "new.yaml")
    assert ran.code == 3
    assert "not imported  old.yaml:" in ran.out
    assert not (project.root / "new.yaml").exists()
    assert kit("cassette", "import", "old.yaml").code == 2
