"""`kit merge`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.fakes.stub_project import StubProject

Kit = Callable[..., Any]


def test_shards_become_one_report(project: StubProject, kit: Kit) -> None:
    """The same as of one run, in the form asked for."""
    for name in ("001_x", "002_y"):
        project.scenario(name)
    project.record()
    folders = []
    for number in (1, 2):
        ran = kit("replay", "--shard", f"{number}/2")
        assert f"shard {number}/2: " in ran.out
        folders.append(re.findall(r"report.json: (\S+)", ran.out)[0])
    merged = kit("merge", *folders)
    assert merged.code == 0
    assert merged.out.startswith("home on stub, replay\n  success_rate  2/2\n")
    (report,) = json.loads(kit("merge", *folders, "--json").out)
    assert len(report["scenarios"]) == 2
    refused = kit("merge", folders[0], folders[0])
    assert refused.code == 2
    assert kit("merge").code == 2
