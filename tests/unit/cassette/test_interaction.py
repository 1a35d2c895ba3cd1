"""What crossed the boundary."""

from __future__ import annotations

import pickle

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction


def test_a_folded_body_is_built_once_and_only_when_asked() -> None:
    """Replay matches on keys; who wants the body pays for it, once."""
    built: list[int] = []

    def build() -> bytes:
        built.append(1)
        return b"body"

    request = HttpRequest("POST", "http://h/v1", (), build)
    assert built == []
    assert request.body == request.body == b"body"
    assert built == [1]


def test_requests_are_equal_by_content() -> None:
    """A built and an unbuilt body are the same request, also in another process."""
    lazy = HttpRequest("POST", "http://h/v1", (), lambda: b"body")
    assert lazy == HttpRequest("POST", "http://h/v1", (), b"body")
    assert hash(lazy) == hash(HttpRequest("POST", "http://h/v1", (), b"other"))
    assert lazy != HttpRequest("POST", "http://h/v1", (), b"other")
    assert lazy != "request"
    assert pickle.loads(pickle.dumps(HttpRequest("GET", "http://h", (), lambda: b""))).body == b""  # noqa: S301
    assert repr(lazy) == "HttpRequest(POST http://h/v1)"


def test_a_key_is_no_part_of_an_interaction() -> None:
    """The same exchange is equal whether somebody computed its key or not."""
    request, response = HttpRequest("GET", "http://h", (), b""), HttpResponse(200)
    assert Interaction(1, "model", request, response, 0, 1, b"key") == Interaction(
        1, "model", request, response, 0, 1
    )


def test_an_answer_tells_the_type_of_its_body() -> None:
    """With its parameters, and empty where the server told none."""
    kind = "text/event-stream; charset=utf-8"
    assert HttpResponse(200, (("x-id", "1"), ("content-type", kind))).content_type == kind
    assert HttpResponse(200).content_type == ""
