"""`http_get` against a scripted network: hosts, redirects, errors, and a replay without any."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from kit.agents.web import MAX_BYTES, MAX_HOPS, web_tool
from tests.fakes.runs import recording, replaying, run

HOSTS = ("wttr.in", "api.test")
Answer = Callable[[httpx.Request], httpx.Response]


class Network:
    """Answers every request with `answer` and remembers who was asked."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        self.asked.append(str(request.url))
        return self.answer(request)

    async def get(self, url: str) -> str:
        """What the tool gives."""
        return await web_tool(HOSTS, httpx.MockTransport(self))["http_get"](url)


def got(network: Network, url: str = "https://wttr.in/Roma") -> str:
    """The tool's text."""
    return asyncio.run(network.get(url))


def to(*targets: str) -> Answer:
    """A redirect by path: `/0` leads to the first target, and so on; behind the last there is a text."""

    def answer(request: httpx.Request) -> httpx.Response:
        step = int(request.url.path.strip("/") or 0)
        if step < len(targets):
            return httpx.Response(302, headers={"location": targets[step]})
        return httpx.Response(200, text="arrived")

    return answer


def test_text_of_a_named_host() -> None:
    """The text comes back without the space around it."""
    network = Network(lambda _: httpx.Response(200, text=" Roma: +18°C\n"))
    assert got(network) == "Roma: +18°C"


def test_other_hosts_are_not_asked() -> None:
    """The tool guards itself, whatever the policy before it said."""
    network = Network(lambda _: httpx.Response(200, text="x"))
    with pytest.raises(PermissionError, match=r"evil\.example is not a host"):
        got(network, "https://evil.example/")
    assert network.asked == []


def test_every_redirect_is_looked_at() -> None:
    """A named host may send on to a named host, and to no other, at whatever hop."""
    good = Network(to("/1", "https://api.test/2"))
    assert got(good, "https://wttr.in/0") == "arrived"
    assert good.asked == ["https://wttr.in/0", "https://wttr.in/1", "https://api.test/2"]
    for bad in (
        "http://169.254.169.254/2",
        "//evil.example/2",
        "file:///etc/passwd",
        "https://wttr.in@x.y/2",
    ):
        network = Network(to("/1", bad))
        with pytest.raises(PermissionError):
            got(network, "https://wttr.in/0")
        assert network.asked == ["https://wttr.in/0", "https://wttr.in/1"]


def test_redirects_end() -> None:
    """A circle is left."""
    network = Network(to(*(["/0"] * 1)))
    with pytest.raises(ConnectionError, match="redirects more than 5 times"):
        got(network, "https://wttr.in/0")
    assert len(network.asked) == MAX_HOPS + 1


@pytest.mark.parametrize(
    ("response", "kind", "text"),
    [
        (httpx.Response(404), ConnectionError, "answered HTTP 404"),
        (
            httpx.Response(200, content=b"x", headers={"content-type": "image/png"}),
            ValueError,
            "is no text but",
        ),
    ],
)
def test_what_is_no_answer_is_an_error(response: httpx.Response, kind: type[Exception], text: str) -> None:
    """The model hears what came instead."""
    with pytest.raises(kind, match=text):
        got(Network(lambda _: response))


@pytest.mark.parametrize(
    ("raised", "kind", "text"),
    [
        (httpx.ReadTimeout("x"), TimeoutError, "no answer from https://wttr.in/Roma within 10 s"),
        (httpx.ConnectError("[Errno -2] Name"), ConnectionError, "cannot be had: ConnectError"),
    ],
)
def test_a_network_that_fails(raised: Exception, kind: type[Exception], text: str) -> None:
    """Failures are those of Python, which replay can raise again."""

    def broken(_: httpx.Request) -> httpx.Response:
        raise raised

    with pytest.raises(kind) as failed:
        got(Network(broken))
    assert text in str(failed.value)


def test_endless_text_is_cut() -> None:
    """A page without end fills no memory."""
    network = Network(lambda _: httpx.Response(200, content=b"x" * (MAX_BYTES + 5)))
    assert "more characters are left out" in got(network)


def test_replay_asks_nobody(tmp_path: Path) -> None:
    """What is behind the tool is not recorded, and does not run again."""
    network = Network(lambda _: httpx.Response(200, text="+18"))
    said, recorded = run(recording(tmp_path), lambda: network.get("https://wttr.in/Roma"))
    assert [interaction.lane for interaction in recorded.interactions] == ["tool"]
    again, replayed = run(
        replaying(tmp_path, recorded.interactions), lambda: network.get("https://wttr.in/Roma")
    )
    assert again == said == "+18"
    assert len(network.asked) == 1
    assert (replayed.misses, replayed.live_requests) == ((), 0)
