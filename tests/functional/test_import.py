"""From a recording of vcrpy to a replay by kit, and back to vcrpy, with no server anywhere."""

from __future__ import annotations

import sys
from pathlib import Path

import httpx
import pytest
import vcr

from tests.fakes.model_server import ModelServer, completion, reply, serving
from tests.fakes.tiny_project import Ran, TinyProject

NAME = "v1_chat_completions"
PROGRAM = """
import httpx, sys
for question in ("one", "two"):
    body = {"model": "stub", "messages": [{"role": "user", "content": question}]}
    answer = httpx.post(sys.argv[1] + "/v1/chat/completions", json=body)
    print(answer.json()["choices"][0]["message"]["content"], flush=True)
"""


def kit(project: Path, *words: str) -> Ran:
    return TinyProject(project).kit_with_program(*words)


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A project with a program, and vcrpy's recording of it against a server that is gone."""
    (tmp_path / "pyproject.toml").write_text("[tool.kit]\n", "utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    with serving(**{NAME: reply(body=completion("It is Paris.", model="m-1"))}) as server:
        _record(tmp_path, server)
    return tmp_path


def _record(project: Path, server: ModelServer) -> None:
    (project / "address").write_text(server.url, "utf-8")
    with vcr.use_cassette(str(project / "old.yaml")), httpx.Client() as client:
        for question in ("one", "two"):
            body = {"model": "stub", "messages": [{"role": "user", "content": question}]}
            client.post(f"{server.url}/v1/chat/completions", json=body)


def test_a_recording_of_vcrpy_is_replayed_by_kit(recorded: Path) -> None:
    """The unmodified program gets the recorded answers; the replay says that kit did not record them."""
    address = (recorded / "address").read_text("utf-8")
    done = kit(recorded, "cassette", "import", "old.yaml", "--out", "cassettes/tapes/mine.yaml")
    assert (done.code, done.err) == (0, "")
    assert "2 exchanges, 2 of a model" in done.out
    assert "model     m-1" in kit(recorded, "show", "cassettes/tapes/mine.yaml").out
    played = kit(recorded, "replay", "--tape", "mine", "--", sys.executable, "program.py", address)
    assert played.code == 0, played.out + played.err
    assert played.out.startswith("It is Paris.\nIt is Paris.\n")
    assert "0 live requests" in played.out
    assert "imported from old.yaml, not recorded by kit" in played.out


def test_and_back_to_vcrpy(recorded: Path) -> None:
    """The real vcrpy loads the export and plays it, matching bodies too."""
    address = (recorded / "address").read_text("utf-8")
    assert kit(recorded, "cassette", "import", "old.yaml", "--out", "x.yaml").code == 0
    assert kit(recorded, "cassette", "export", "x.yaml", "--out", "new.yaml").code == 0
    match = ("method", "uri", "raw_body")
    with vcr.use_cassette(str(recorded / "new.yaml"), record_mode="none", match_on=match) as cassette:
        body = {"model": "stub", "messages": [{"role": "user", "content": "two"}]}
        answer = httpx.post(f"{address}/v1/chat/completions", json=body)
        assert answer.json()["choices"][0]["message"]["content"] == "It is Paris."
        assert cassette.play_count == 1
