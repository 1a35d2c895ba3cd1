"""`kit diff A B`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.fakes.stub_project import StubProject

Kit = Callable[..., Any]


def test_text_json_and_exit_codes(project: StubProject, kit: Kit) -> None:
    """0 without a difference that blocks, 1 with, 2 for what does not exist."""
    project.scenario()
    project.record()
    assert kit("accept", "--reason", "r").code == 0
    same = kit("diff")
    assert (same.code, same.err) == (0, "")
    assert same.out.endswith("1 run compared, 1 the same: 0 block, 0 warn, 0 info\n")
    project.scenario(says="buongiorno")
    project.replay()
    worse = kit("diff", "baseline", "last")
    assert worse.code == 1
    assert "block  verdict         pass → fail: final_response.contains_any" in worse.out
    told = kit("diff", "baseline", "last", "--json")
    assert told.code == 1
    (cell,) = json.loads(told.out)["cells"]
    assert cell["after"]["scenario"] == "001_x"
    assert [(one["kind"], one["severity"]) for one in cell["drift"]] == [("verdict", "block")]
    unknown = kit("diff", "nowhere", "last")
    assert unknown.code == 2
    assert "models stub" in unknown.err
