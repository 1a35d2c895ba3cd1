"""Events of Gemini."""

from __future__ import annotations

from tests.fakes.event_streams import chunk, edited, gemini, message_of, sse


def test_parts_of_one_kind_add_up() -> None:
    """A thought is not the answer, and two calls are two."""
    message = message_of(sse(*gemini()))
    (candidate,) = message["candidates"]
    assert candidate["finishReason"] == "STOP"
    assert message["usageMetadata"] == {"total": 1}
    thought, text, first, second, end = candidate["content"]["parts"]
    assert thought == {"text": "I think so.", "thought": True}
    assert text == {"text": "Paris"}
    assert (first["functionCall"]["args"], second["functionCall"]["args"]) == (
        {"city": "Paris"},
        {"city": "Rome"},
    )
    assert end["thoughtSignature"] == "ZW5k" * 20


def test_candidates_are_kept_apart() -> None:
    """By their index."""
    message = message_of(
        sse(
            chunk({"text": "a"}, index=1),
            chunk({"text": "b"}, index=0),
            chunk({"text": "c"}, index=1),
        )
    )
    assert [one["content"]["parts"][0]["text"] for one in message["candidates"]] == ["b", "ac"]


def test_an_edit_is_cut_anew() -> None:
    """The pieces take the corrected text."""
    assert b"Rome" in edited(sse(*gemini()), "Paris", "Rome")
