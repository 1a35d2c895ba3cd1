"""Secrets that become known late."""

from __future__ import annotations

import base64
import errno
import itertools
import json
import os
from pathlib import Path
from typing import Any

import httpx
import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.emit import dumps
from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.errors import EnvironmentFault
from kit.recording.journal import Journal, read_journal
from kit.recording.late import LateSecrets, late_secrets, rescrubbed
from kit.recording.options import SessionResult
from kit.redaction.frames import readable
from kit.redaction.redactor import Redactor
from tests.fakes.event_streams import EVENT, frame
from tests.fakes.model_server import serving
from tests.fakes.runs import recording, replaying, run

SECRET = "hunter22-tr0ub4dor"
HEADER = Header(scenario="x", start="2026-01-01T00:00:00Z", recorded="2026-01-01T00:00:00Z")


def interaction(number: int, text: str) -> Interaction:
    """One exchange that says something in every place."""
    request = HttpRequest("POST", f"http://h/v1?q={text}", (), f'{{"a":"{text}"}}'.encode())
    answer = HttpResponse(200, (("location", f"/x/{text}"),), f"data {text}".encode(), (5, len(text)), None)
    return Interaction(number, "model", request, answer, 0, 1)


def ask(url: str, text: str, **more: Any) -> str:
    """One question to a model."""
    body = {"model": "stub", "messages": [{"role": "user", "content": text}], **more}
    found: str = httpx.post(url, json=body).json()["choices"][0]["message"]["content"]
    return found


def test_earlier_lines_of_the_journal_are_masked(tmp_path: Path) -> None:
    """As soon as a secret is known, no line shows it, and each interaction is read once."""
    path, redactor = tmp_path / "journal", Redactor()
    journal = Journal(path, late=LateSecrets(redactor))
    journal.start("x", "record")
    journal.interaction(interaction(1, SECRET))
    journal.found("notices", f"said {SECRET}")
    journal.interaction(interaction(2, "plain"))
    assert SECRET in path.read_text()
    redactor.text(f'{{"password": "{SECRET}"}}')
    journal.interaction(interaction(3, "plain"))
    assert SECRET not in path.read_text()
    journal.end(0, 0)
    contents = read_journal(path)
    assert contents.damaged == 0
    assert contents.result.interactions == (
        interaction(1, "<secret-1>"),
        interaction(2, "plain"),
        interaction(3, "plain"),
    )
    assert contents.result.notices == ("said <secret-1>",)


def test_what_is_learnt_after_the_last_interaction_is_masked_too(tmp_path: Path) -> None:
    """The end of a session looks once more."""
    path, redactor = tmp_path / "journal", Redactor()
    journal = Journal(path, late=LateSecrets(redactor))
    journal.start("x", "record")
    journal.interaction(interaction(1, SECRET))
    redactor.expect([SECRET])
    journal.end(0, 0)
    assert SECRET not in path.read_text()


def test_what_a_disk_refused_is_masked_with_the_next_line(tmp_path: Path) -> None:
    """Neither an attempt that failed nor a journal that has no good end leaves the secret there."""
    path, redactor = tmp_path / "journal", Redactor()
    late = LateSecrets(redactor)
    journal = Journal(path, late=late)
    journal.start("x", "record")
    journal.interaction(interaction(1, SECRET))
    redactor.expect([SECRET])

    def full(octets: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), octets)

    with pytest.raises(OSError, match="No space left"):
        late.hide(path, full)
    assert SECRET in path.read_text()
    journal.interaction(interaction(2, "plain"))
    assert SECRET not in path.read_text()
    assert read_journal(path).result.interactions == (interaction(1, "<secret-1>"), interaction(2, "plain"))
    journal.end(0, 0)


def test_a_journal_that_a_disk_refused_is_masked_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no end mark, and stays until it is recovered."""
    path, redactor = tmp_path / "journal", Redactor()
    journal = Journal(path, late=LateSecrets(redactor))
    journal.start("x", "record")
    journal.interaction(interaction(1, SECRET))
    redactor.expect([SECRET])

    def full(fd: int, octets: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched, pytest.raises(EnvironmentFault, match="No space left"):
        patched.setattr(os, "write", full)
        journal.found("notices", "plain")
    with pytest.raises(EnvironmentFault, match="No space left"):
        journal.end(0, 0)
    assert SECRET not in path.read_text()
    assert not read_journal(path).ended


def test_tools_are_scrubbed_again() -> None:
    """Arguments, result and failure."""
    redactor = Redactor()
    redactor.expect([SECRET])
    request = ToolRequest("read", {"path": f"/{SECRET}"})
    one = Interaction(1, "tool", request, ToolResponse({"text": SECRET}, f"Error: {SECRET}"), 0, 1)
    assert rescrubbed(one, redactor) == Interaction(
        1,
        "tool",
        ToolRequest("read", {"path": "/<secret-1>"}),
        ToolResponse({"text": "<secret-1>"}, "Error: <secret-1>"),
        0,
        1,
    )


@pytest.fixture
def recorded(tmp_path: Path) -> SessionResult:
    """A word in prose, and one request later the same word as a password."""
    with serving() as server:

        def program() -> None:
            url = f"{server.url}/v1/chat/completions"
            ask(url, f"try {SECRET} now")
            ask(url, "log in", tools=[{"type": "function", "password": SECRET}])

        return run(recording(tmp_path), program)[1]


def test_a_secret_learnt_late_is_nowhere_in_the_recording(recorded: SessionResult, tmp_path: Path) -> None:
    """Neither in the request nor in the answer that came before it was known."""
    assert len(recorded.interactions) == 2
    assert SECRET not in dumps(Cassette(HEADER, recorded.interactions))
    assert "try <secret-1> now" in dumps(Cassette(HEADER, recorded.interactions))
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert SECRET not in path.read_text(errors="replace"), path


@pytest.mark.parametrize("secret", [SECRET, "another-w0rd", "x"])
def test_replay_needs_no_real_secret(recorded: SessionResult, tmp_path: Path, secret: str) -> None:
    """With the same, another or hardly any password the same requests are found."""

    def program() -> list[str]:
        url = "http://model.test/v1/chat/completions"
        return [
            ask(url, f"try {secret} now"),
            ask(url, "log in", tools=[{"type": "function", "password": secret}]),
        ]

    heard, result = run(replaying(tmp_path, recorded.interactions), program)
    assert heard[0] == "echo try <secret-1> now"
    assert (result.misses, result.leftovers) == ((), ())


def test_the_environment_and_headers_name_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that an answer repeats is masked, though no rule knows its look."""
    monkeypatch.setenv("SOME_API_KEY", "unlikely-key-number-1")
    with serving() as server:

        def program() -> None:
            body = {
                "model": "stub",
                "messages": [{"role": "user", "content": "unlikely-key-number-1 own8tok3n"}],
            }
            headers = {"Authorization": "Bearer own8tok3n"}
            httpx.post(f"{server.url}/v1/chat/completions", json=body, headers=headers)

        options = recording(tmp_path)
        _, result = run(options, program)
    [one] = result.interactions
    assert isinstance(one.request, HttpRequest)
    assert b'"<secret-1> <secret-2>"' in one.request.body
    assert "own8tok3n" not in options.journal.read_text()


def test_replay_listens_to_nothing(tmp_path: Path) -> None:
    """What the environment happens to hold must not decide what matches."""
    assert late_secrets(replaying(tmp_path, ())) is None
    assert late_secrets(recording(tmp_path)) is not None
    assert os.environ


def test_frames_are_opened_again(tmp_path: Path) -> None:
    """A secret that becomes known late stands in base64 in a frame, whose bytes may all be those of text."""
    inner = base64.b64encode(json.dumps({"text": SECRET}).encode()).decode()
    bodies = (
        frame(f'{{"bytes":"{inner}","p":"{chr(97 + number) * length}"}}'.encode(), EVENT)
        for length, number in itertools.product(range(30), range(26))
    )
    body = next(body for body in bodies if body.isascii())
    path, redactor = tmp_path / "journal", Redactor()
    journal = Journal(path, late=LateSecrets(redactor))
    journal.start("x", "record")
    request = HttpRequest("POST", "http://h/", (), b"{}")
    journal.interaction(Interaction(1, "model", request, HttpResponse(200, body=body, chunks=(9, 9)), 0, 1))
    assert b"base64" not in path.read_bytes()
    redactor.text(f'{{"password": "{SECRET}"}}')
    journal.interaction(interaction(2, "plain"))
    journal.end(0, 0)
    (first, _) = read_journal(path).result.interactions
    assert isinstance(first.response, HttpResponse)
    assert SECRET not in readable(first.response.body)
    assert "<secret-1>" in readable(first.response.body)
