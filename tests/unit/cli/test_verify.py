"""`kit verify` through the real command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes.model_server import completion, reply, serving
from tests.fakes.tiny_project import MODEL, tiny_project

CHAT = "v1_chat_completions"


def test_what_drifted_is_said_and_strict_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same question today: the same answer, other words, another end, and a server that is gone."""
    monkeypatch.delenv("CI", raising=False)
    with serving(**{CHAT: reply(body=completion("It is Paris.", model=MODEL))}) as server:
        project = tiny_project(tmp_path, server.url)
        assert project.kit("record", "--model", MODEL).code == 0
        before = project.cassettes()
        asked = len(server.requests)
        same = project.kit("verify")
        assert (same.code, "1/1 answers the same" in same.out) == (0, True), same.said
        assert server.requests[asked:][-1][1] == server.requests[asked - 1][1]
        server.answers[CHAT] = reply(body=completion("It is Lyon.", model="other:1b"))
        told = project.kit("verify", "--strict", "--json")
        assert told.code == 1
        (call,) = json.loads(told.out)["cassettes"][0]["calls"]
        assert call["drift"]["behaviour"] == [f"model {MODEL} -> other:1b"]
        assert call["drift"]["words"] == ["«It is Paris.» -> «It is Lyon.»"]
        assert project.kit("verify").code == 0
    gone = project.kit("verify")
    assert (gone.code, project.cassettes()) == (4, before)
