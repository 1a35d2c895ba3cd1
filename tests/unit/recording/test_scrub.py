"""Requests as they are recorded."""

from __future__ import annotations

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.recording.paths import PathMap
from kit.recording.scrub import reserve_masks, scrubbed_request
from kit.redaction.redactor import Redactor
from tests.fakes.runs import RULES


def test_neither_paths_nor_secrets_are_recorded() -> None:
    """Address, headers and body are scrubbed by the same redactor, so that masks agree."""
    headers = [("Authorization", "Bearer s3cret"), ("Content-Type", "text/plain")]
    request = scrubbed_request(
        Redactor(RULES),
        PathMap((("/home/me/x", "/kit-workspace"),)),
        "POST",
        "http://h/v1?f=/home/me/x/a",
        headers,
        b"s3cret in /home/me/x/a",
        "text/plain",
    )
    assert request == HttpRequest(
        "POST",
        "http://h/v1?f=/kit-workspace/a",
        (("content-type", "text/plain"),),
        b"<secret-1> in /kit-workspace/a",
    )


def test_masks_of_an_answer_are_not_given_again() -> None:
    """A secret met after an answer with <secret-1> is the second one."""
    redactor = Redactor(RULES)
    request = HttpRequest("GET", "http://h/", (), b"")
    reserve_masks(Interaction(1, "model", request, HttpResponse(200, body=b"<secret-1>"), 0, 1), redactor)
    assert redactor.text("s3cret") == "<secret-2>"
