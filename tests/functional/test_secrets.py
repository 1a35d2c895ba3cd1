"""Secrets through the real command line: none on the disk, none needed in replay, a find refuses the file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.model_server import ModelServer, completion, reply, serving
from tests.fakes.tiny_project import Ran, TinyProject

KEY = "unusual.Key.0f.Nobody.4711"
PROGRAM = """
import os
import httpx

key = os.environ.get("ACME_API_KEY", "none")
url = os.environ["MODEL_URL"] + "/v1/chat/completions"
messages = []
for text in (f"my key is {key}, badge B-4711", "now log in", f"still {key}?"):
    messages.append({"role": "user", "content": text})
    body = {"model": "stub", "messages": messages}
    headers = {"Authorization": f"Bearer {key}", "Cookie": f"sid={key}"}
    answer = httpx.post(url, params={"api_key": key}, json=body, headers=headers, timeout=60)
    said = answer.json()["choices"][0]["message"]
    messages.append({"role": "assistant", "content": said["content"]})
print(len(messages))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one program and no rule of its own."""
    (tmp_path / "pyproject.toml").write_text("[tool.kit]\n")
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A model that echoes."""
    with serving() as server:
        yield server


def kit(project: Path, *words: str, key: str | None = KEY, server: str = "http://127.0.0.1:9") -> Ran:
    """One command with a key in the environment, or with none."""
    environ = {"MODEL_URL": server} | ({} if key is None else {"ACME_API_KEY": key})
    return TinyProject(project, environ).kit_with_program(*words)


TAPE = ("--tape", "mine", "--", sys.executable, "program.py")


def holders(project: Path, secret: str) -> list[Path]:
    """Files below the project that hold a text."""
    files = [path for path in project.rglob("*") if path.is_file()]
    return [path for path in files if secret.encode() in path.read_bytes()]


def test_a_key_stands_nowhere_and_replay_needs_none(project: Path, model: ModelServer) -> None:
    """Recorded with a key that no rule knows, replayed with the same, another and none."""
    recorded = kit(project, "record", *TAPE, server=model.url)
    assert recorded.code == 0, recorded.err
    assert KEY.encode() in b"".join(str(one).encode() for one in model.requests)
    assert holders(project, KEY) == []
    assert "my key is <secret-1>" in (project / "cassettes/tapes/mine.yaml").read_text()
    for key in (KEY, "quite-An0ther.key", None):
        replayed = kit(project, "replay", *TAPE, key=key)
        assert replayed.code == 0, replayed.err + replayed.out
        assert "0 live requests" in replayed.out


def test_own_rules_hold_in_record_replay_and_scan(project: Path, model: ModelServer) -> None:
    """A field and a pattern of the project's own; one that never matched is said."""
    (project / "pyproject.toml").write_text(
        "[tool.kit]\n[tool.kit.redaction]\nfields = [\"staff\"]\npatterns = ['B-[0-9]{4}', 'never-[0-9]+']\n"
    )
    recorded = kit(project, "record", *TAPE, server=model.url)
    assert recorded.code == 0, recorded.err
    assert 'redaction rule pattern "never-[0-9]+" never matched anything' in recorded.out + recorded.err
    assert holders(project, "B-4711") == [project / "program.py"]
    assert kit(project, "replay", *TAPE, key=None).code == 0
    scanned = kit(project, "scan", "program.py", "cassettes")
    assert scanned.code == 1
    assert 'program.py:8: rule pattern "B-[0-9]{4}"' in scanned.out
    assert 'pattern "never-[0-9]+" of [tool.kit.redaction] matched nothing here' in scanned.out
    assert "cassettes" not in scanned.out


def test_a_wrong_rule_stops_every_command(project: Path) -> None:
    """With file and line, before anything is run."""
    (project / "pyproject.toml").write_text(
        "[tool.kit]\n[tool.kit.redaction]\nallow = [\n  'fine',\n  '(',\n]\n"
    )
    for words in (("record", *TAPE), ("replay", *TAPE), ("scan", ".")):
        ran = kit(project, *words)
        assert ran.code == 2
        assert "pyproject.toml:5" in ran.err
        assert "`allow`" in ran.err


def test_a_find_refuses_the_file_until_it_is_allowed(project: Path) -> None:
    """What only a scanner suspects: nothing is written where git would see it, and the way out is told."""
    secret = "Zq8vXr2LmN5tKj7WbYc3HdPf6GsQa9Eu"
    with serving(
        v1_chat_completions=reply(body=completion(f"the password for the door is {secret}"))
    ) as server:
        recorded = kit(project, "record", *TAPE, server=server.url)
    assert recorded.code == 3, recorded.out
    assert "interaction 1, answer.choices[0].message.content: random word behind" in recorded.err
    assert "[tool.kit.redaction]" in recorded.err
    assert secret not in recorded.err
    assert not list((project / "cassettes").rglob("*.yaml*"))
    [kept] = (project / ".kit/refused").glob("*-mine.yaml.partial")
    assert kept.stat().st_mode & 0o077 == 0
    assert (project / ".kit/.gitignore").read_text() == "*\n"
    (project / "pyproject.toml").write_text(
        '[tool.kit]\n[tool.kit.redaction]\nallow = [{ pattern = "Zq8v.*", reason = "the demo door" }]\n'
    )
    scanned = kit(project, "scan", str(kept), key=None)
    assert scanned.code == 0, scanned.out
    target = project / "cassettes/tapes/mine.yaml"
    target.parent.mkdir(parents=True, exist_ok=True)
    kept.rename(target)
    assert kit(project, "replay", *TAPE, key=None).code == 0


def test_scan_for_people_and_programs(project: Path) -> None:
    """Files and folders; place and kind, never the secret; exit code 1, or 0 where all is clean."""
    secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    nested = json.dumps({"arguments": json.dumps({"note": f"use {secret}"})})
    (project / "data.json").write_text(nested)
    (project / "binary.bin").write_bytes(b"\0" + secret.encode())
    ran = kit(project, "scan", "--json", ".")
    assert ran.code == 1
    whole = json.loads(ran.out)
    [found] = whole["found"]
    assert (found["file"], found["kind"]) == ("data.json", "GitHub token")
    assert whole["without_text"] == ["binary.bin"]
    assert secret not in ran.out
    assert kit(project, "scan", "program.py").code == 0
    missing = kit(project, "scan", "nowhere")
    assert (missing.code, "nowhere" in missing.err) == (2, True)
