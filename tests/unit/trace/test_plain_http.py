"""HTTP that is neither a model's work nor a tool's call."""

from __future__ import annotations

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.trace.plain_http import http_step, unknown_traffic, what_it_is


def other(
    url: str, method: str = "GET", body: bytes = b"", response: HttpResponse | None = None
) -> Interaction:
    """An interaction of lane `other`, answered with 200 where nothing else is said."""
    return Interaction(3, "other", HttpRequest(method, url, (), body), response or HttpResponse(200), 5, 9)


@pytest.mark.parametrize(
    ("interaction", "what"),
    [
        (other("https://h/doc.pdf"), None),
        (other("https://api.openai.com/v1/files", "POST"), "files"),
        (other("https://h/mcp", "POST", b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'), "mcp tools/list"),
    ],
)
def test_a_step_tells_its_address_and_what_it_is(interaction: Interaction, what: str | None) -> None:
    """As far as any dialect knows it."""
    step = http_step(interaction)
    assert step is not None
    assert isinstance(interaction.request, HttpRequest)
    assert step.name == f"{interaction.request.method} {interaction.request.url}"
    assert (step.kind, step.text, step.failure) == ("http", what, None)
    assert (step.started_ms, step.ended_ms, step.interaction) == (5, 9, 3)
    assert what_it_is(interaction.request) == what


@pytest.mark.parametrize(
    ("response", "failure"),
    [
        (HttpResponse(404), "http 404"),
        (HttpResponse(0, failure="ConnectError: refused"), "ConnectError: refused"),
        (HttpResponse(302), None),
    ],
)
def test_a_failure_is_told(response: HttpResponse, failure: str | None) -> None:
    """A redirect is none."""
    step = http_step(other("https://h/", response=response))
    assert step is not None
    assert step.failure == failure


def test_other_lanes_have_steps_of_their_own() -> None:
    """A model call is no plain HTTP."""
    request = HttpRequest("POST", "http://h/v1/chat/completions", (), b"")
    assert http_step(Interaction(1, "model", request, HttpResponse(200), 0, 1)) is None


def test_a_notice_names_what_no_dialect_reads() -> None:
    """Each address once, without its query, the first three."""
    known = other("https://api.openai.com/v1/files", "POST")
    assert unknown_traffic([known]) is None
    assert unknown_traffic([other("https://h/a?key=1")]) == (
        "1 request is plain HTTP, which no dialect reads: GET https://h/a"
    )
    many = [other(f"https://h/{name}") for name in "abcda"]
    assert unknown_traffic([known, *many]) == (
        "5 requests are plain HTTP, which no dialect reads: "
        "GET https://h/a, GET https://h/b, GET https://h/c and 1 more"
    )
