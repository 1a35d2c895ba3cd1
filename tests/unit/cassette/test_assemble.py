"""The message that a stream adds up to."""

from __future__ import annotations

from typing import Any

from kit.cassette.assemble import assemble, find, is_piece, leaves, place_of


def chunk(delta: dict[str, Any], index: int = 0, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": index, "delta": delta, "finish_reason": finish}], "model": "m"}


def test_texts_add_up_and_names_do_not() -> None:
    """A role that some servers repeat in each chunk is said once."""
    merged = assemble(
        [
            chunk({"role": "assistant", "content": None}),
            chunk({"role": "assistant", "content": "Par"}),
            chunk({"content": "is"}, finish="stop"),
            {"choices": [], "usage": {"total_tokens": 3}},
            "no event",
        ]
    )
    assert merged == {
        "choices": [
            {"index": 0, "delta": {"role": "assistant", "content": "Paris"}, "finish_reason": "stop"}
        ],
        "model": "m",
        "usage": {"total_tokens": 3},
    }


def test_parallel_calls_do_not_interleave() -> None:
    """Pieces of arguments go to the call whose index they say."""
    pieces = [(0, '{"a'), (1, "{"), (0, '":1}'), (1, "}")]
    merged = assemble(
        chunk({"tool_calls": [{"index": index, "function": {"arguments": text}}]}) for index, text in pieces
    )
    calls = merged["choices"][0]["delta"]["tool_calls"]
    assert calls == [{"function": {"arguments": '{"a":1}'}}, {"function": {"arguments": "{}"}}]


def test_blocks_are_kept_apart_by_their_own_index() -> None:
    """Content blocks of one message are shown as such."""
    merged = assemble(
        [
            {"type": "start", "message": {"role": "assistant"}},
            {"index": 0, "delta": {"text": "a"}},
            {"index": 1, "delta": {"text": "x"}},
            {"index": 0, "delta": {"text": "b"}},
        ]
    )
    assert merged["blocks"] == [{"index": 0, "delta": {"text": "ab"}}, {"index": 1, "delta": {"text": "x"}}]
    assert merged["message"] == {"role": "assistant"}


def test_leaves_have_the_place_that_they_get() -> None:
    """A piece is found again in the merged message, although its index is gone."""
    event = chunk({"tool_calls": [{"index": 1, "function": {"arguments": "x"}}]}, index=2)
    path = ("choices", 2, "delta", "tool_calls", 1, "function", "arguments")
    assert (path, "x") in list(leaves(event))
    first = chunk({"tool_calls": [{"index": 0, "function": {"arguments": ""}}]}, index=2)
    assert find(assemble([first, event]), path) == "x"
    assert place_of({"index": 3}) == ("blocks", 3)
    assert place_of("text") == ()
    assert find({"a": 1}, ("a", 0)) is None
    assert is_piece(("choices", 0, "delta", "content"))
    assert not is_piece(("choices", 0, "delta", "role"))
