"""`kit cassette export`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml

from tests.fakes.stub_project import StubProject

Kit = Callable[..., Any]


def test_a_recording_becomes_vcrpys(project: StubProject, kit: Kit) -> None:
    """The exchanges of the run, in the layout of vcrpy."""
    project.scenario()
    project.record()
    ran = kit("cassette", "export", str(project.cassette()), "--out", "vcr.yaml")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("exported vcr.yaml: 1 exchange")
    tree = yaml.safe_load((project.root / "vcr.yaml").read_text("utf-8"))
    assert tree["version"] == 1
    assert tree["interactions"][0]["request"]["uri"].endswith("/v1/chat/completions")


def test_no_such_cassette(kit: Kit) -> None:
    """Exit code 3."""
    assert kit("cassette", "export", "none.yaml", "--out", "x.yaml").code == 3
