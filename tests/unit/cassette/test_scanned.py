"""A cassette's texts as a scanner sees them."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.cassette.scanned import finds_in, project_rules, with_clean_header
from kit.cassette.store import read, write, write_partial
from kit.errors import CassetteRefused, ConfigError
from kit.redaction.rule import DEFAULT_RULES, parse_rules
from tests.fakes.event_streams import EVENT, frame

SECRET = "Zq8vXr2LmN5tKj7WbYc3HdPf6GsQa9Eu"
TEXT = f"the password is {SECRET}"
HEADER = Header(scenario="x", start="2026-01-01T00:00:00Z", recorded="2026-01-01T00:00:00Z")


def cassette(
    url: str = "http://h/",
    headers: tuple[tuple[str, str], ...] = (),
    body: bytes = b"",
    answer: bytes = b"",
    answer_headers: tuple[tuple[str, str], ...] = (),
    failure: str | None = None,
) -> Cassette:
    """One exchange."""
    response = HttpResponse(200, answer_headers, answer, (), failure)
    return Cassette(
        HEADER, (Interaction(1, "model", HttpRequest("POST", url, headers, body), response, 0, 1),)
    )


def stream(*pieces: str) -> bytes:
    """An event stream of OpenAI."""
    events = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode()


@pytest.mark.parametrize(
    ("given", "place"),
    [
        (cassette(url=f"http://h/x?api_key={SECRET}"), "interaction 1, url"),
        (cassette(url=f"http://h/a%20password%20{SECRET}/x"), "interaction 1, url"),
        (cassette(headers=(("x-note", TEXT),)), "interaction 1, request, header x-note"),
        (cassette(body=json.dumps({"a": [TEXT]}).encode()), "interaction 1, request.a[0]"),
        (cassette(body=f"a=1&api_key={SECRET}".encode()), "interaction 1, request, api_key"),
        (cassette(answer=stream(TEXT[:20], TEXT[20:30], TEXT[30:])), "interaction 1, answer, stream"),
        (cassette(answer=json.dumps({"s": json.dumps({"t": TEXT})}).encode()), "interaction 1, answer.s"),
        (cassette(answer=b"\x00\x01" + TEXT.encode() + b"\xff\xfe"), "interaction 1, answer"),
        (cassette(answer=TEXT.encode()), "interaction 1, answer"),
        (cassette(failure=f"ReadError: {TEXT}"), "interaction 1, failure"),
        (
            cassette(
                answer=json.dumps(
                    [{"parts": [{"text": TEXT[:25]}]}, {"parts": [{"text": TEXT[25:]}]}]
                ).encode()
            ),
            "interaction 1, answer, joined",
        ),
    ],
)
def test_every_place_is_seen(given: Cassette, place: str) -> None:
    """Unfolded, joined, decoded; the place says where."""
    found = finds_in(given)
    assert found
    assert found[0].place.startswith(place)
    assert SECRET not in repr(found)


def test_tools_are_seen() -> None:
    """Arguments and results."""
    one = Interaction(1, "tool", ToolRequest("t", {"q": TEXT}), ToolResponse({"r": 1}, None, True), 0, 1)
    two = Interaction(2, "tool", ToolRequest("t", {}), ToolResponse({"r": f"{TEXT}x"}, None, True), 0, 1)
    assert [find.place for find in finds_in(Cassette(HEADER, (one,)))] == ["interaction 1, arguments of t.q"]
    assert [find.place for find in finds_in(Cassette(HEADER, (two,)))] == ["interaction 2, result.r"]


def test_a_find_refuses_the_file(tmp_path: Path) -> None:
    """The old recording stays; the new one is kept where git does not look; the text names the place only."""
    path = tmp_path / "cassettes" / "s" / "m" / "x.yaml"
    write(path, cassette(answer=b"fine"))
    before = path.read_bytes()
    for refused in (
        lambda: write(path, cassette(answer=TEXT.encode())),
        lambda: write_partial(path, cassette(answer=TEXT.encode())),
    ):
        with pytest.raises(CassetteRefused) as caught:
            refused()
        assert "interaction 1, answer" in str(caught.value)
        assert "[tool.kit.redaction]" in str(caught.value)
        assert SECRET not in str(caught.value)
    assert path.read_bytes() == before
    assert [found.name for found in path.parent.iterdir()] == ["x.yaml"]
    [kept] = (tmp_path / ".kit" / "refused").iterdir()
    assert kept.name.endswith("-x.yaml.partial")
    assert kept.stat().st_mode & 0o077 == 0
    assert read(kept).interactions == cassette(answer=TEXT.encode()).interactions


def test_refused_recordings_do_not_overwrite_each_other(tmp_path: Path) -> None:
    """Two models refused on the same scenario: each is kept, and its own file is named."""
    for model in ("m1", "m2"):
        given = cassette(answer=f"{model}: {TEXT}".encode())
        with pytest.raises(CassetteRefused) as caught:
            write(tmp_path / "cassettes" / "s" / model / "x.yaml", given)
        named = re.search(r"mv (\S+) cassettes/s/\w+/x\.yaml", str(caught.value))
        assert named is not None
        assert read(tmp_path / named[1]).interactions == given.interactions
    assert len(list((tmp_path / ".kit" / "refused").iterdir())) == 2


def test_the_project_s_rules_hold(tmp_path: Path) -> None:
    """What is allowed there is written; a rule that is wrong is an error."""
    path = tmp_path / "cassettes" / "x.yaml"
    settings = tmp_path / "pyproject.toml"
    assert project_rules(tmp_path) == DEFAULT_RULES
    settings.write_text("[tool.kit.redaction]\nallow = ['Zq8v.*']\n")
    assert write(path, cassette(answer=TEXT.encode())).changed
    settings.write_text("[tool.kit.redaction]\npatterns = ['fine']\n")
    with pytest.raises(CassetteRefused):
        write(path, cassette(answer=b"fine"))
    settings.write_text("[tool.kit.redaction]\npatterns = ['(']\n")
    with pytest.raises(ConfigError):
        write(path, cassette())
    settings.write_text("[tool.other]\nredaction = 1\n[tool.kit]\n")
    assert project_rules(tmp_path) == DEFAULT_RULES


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"[tool.kit.redaction]\npatterns = ['fine'\n", "is not TOML"),
        (b"[tool.kit.redaction]\npatterns = ['f\xff']\n", "is not TOML"),
        (b"[tool.kit]\nredaction = 1\n", "`tool.kit.redaction` must be a table"),
        (b"[tool]\nkit = 1\n", "`tool.kit` must be a table"),
        (b"tool = 1\n", "`tool` must be a table"),
        (None, "cannot be read"),
    ],
)
def test_rules_that_nobody_can_read_are_not_dropped(tmp_path: Path, content: bytes | None, what: str) -> None:
    """Nothing is written without them, and the text says which file to mend."""
    settings = tmp_path / "pyproject.toml"
    settings.mkdir() if content is None else settings.write_bytes(content)
    with pytest.raises(ConfigError, match=what) as caught:
        write(tmp_path / "cassettes" / "x.yaml", cassette(answer=b"fine"))
    assert caught.value.where == str(settings)
    assert "kit cassette recover" in str(caught.value)
    assert not (tmp_path / "cassettes").exists()


def test_the_header_is_masked() -> None:
    """A key on the command line of a tape is masked by a number of its own."""
    header = Header(
        scenario="x",
        start="2026-01-01T00:00:00Z",
        recorded="2026-01-01T00:00:00Z",
        agent="python a.py --api-key sk-abcdefgh123456",
        base_url="http://me:tr0ubador@h/v1",
    )
    given = Cassette(header, cassette(answer=b"<secret-1>").interactions)
    clean = with_clean_header(given, parse_rules({}), "<secret-1>")
    assert clean.header.agent == "python a.py --api-key <secret-2>"
    assert clean.header.base_url == "http://me:<secret-3>@h/v1"
    assert with_clean_header(cassette(), DEFAULT_RULES, "").header is HEADER


@pytest.mark.parametrize(
    "events",
    [
        [{"delta": {"text": TEXT}}],
        [{"delta": {"text": TEXT[:18]}}, {"delta": {"text": TEXT[18:25]}}, {"delta": {"text": TEXT[25:]}}],
    ],
)
@pytest.mark.parametrize("is_inside", [False, True])
def test_frames_are_opened(events: list[Any], is_inside: bool) -> None:
    """What an AWS event stream carries, also in base64 and in pieces."""
    payloads = [json.dumps(event).encode() for event in events]
    if is_inside:
        payloads = [json.dumps({"bytes": base64.b64encode(one).decode()}).encode() for one in payloads]
    body = b"".join(frame(payload, EVENT) for payload in payloads)
    assert finds_in(cassette(answer=body))
    assert not finds_in(cassette(answer=frame(b"{}", EVENT) + b"tail"))


def test_headers_of_frames_are_seen() -> None:
    """By their name, and payloads that are no JSON."""
    found = finds_in(cassette(answer=frame(b"{}", (":api-key", SECRET))))
    assert [find.place for find in found] == ["interaction 1, answer, header :api-key"]
    assert finds_in(cassette(answer=frame(b"\xff" + TEXT.encode() + b"\xff", EVENT)))
