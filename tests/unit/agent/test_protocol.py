"""The values an agent meets."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from kit.agent.protocol import Message, ModelEndpoint, Reply, Reporter, Turn, Workspace
from kit.run.reporter import RunReporter
from kit.run.workspace import Workspace as RunWorkspace


class _Standing:
    """A clock at its start."""

    def now_ms(self) -> int:
        """Zero."""
        return 0

    def started(self) -> int:
        """None."""
        return 0


def test_a_turn_is_a_value_of_values(tmp_path: Path) -> None:
    """What kit hands in satisfies the protocols, and an agent cannot change it."""
    place: Workspace = RunWorkspace(tmp_path)
    report: Reporter = RunReporter(_Standing())
    turn = Turn(
        message="hi",
        history=(Message("user", "before"),),
        workspace=place,
        tools=("a",),
        autonomy="manual",
        policy="default",
        endpoint=ModelEndpoint("http://h/v1", "m"),
        report=report,
    )
    assert turn.channel == "cli:eval"
    with pytest.raises(AttributeError):
        turn.message = "other"  # type: ignore[misc]


def test_replies_do_not_share_their_detail() -> None:
    """Each reply has a dict of its own, and survives a process boundary."""
    first, second = Reply("a"), Reply("a")
    first.detail["x"] = 1
    assert second.detail == {}
    assert pickle.loads(pickle.dumps(first)) == first  # noqa: S301 - made two lines above
