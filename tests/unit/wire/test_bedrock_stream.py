"""Bedrock's event streams."""

from __future__ import annotations

from kit.wire.bedrock_stream import assemble_converse, assemble_invoke
from tests.fakes.eventstream import converse_stream, framed, invoke_stream

START = converse_stream(
    ("messageStart", {"role": "assistant"}),
    ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "so"}}),
)


def test_an_exception_in_the_middle_is_told() -> None:
    """With its type and the server's words; what came before stays."""
    failed = framed("modelStreamErrorException", b'{"message":"boom"}', kind="exception")
    answer = assemble_converse(START + failed)
    assert (answer.text, answer.broken) == ("so", True)
    assert answer.error == "modelStreamErrorException: boom"
    assert assemble_invoke(failed).error == "modelStreamErrorException: boom"


def test_a_stream_that_was_cut_keeps_its_whole_messages() -> None:
    """The tail says nothing."""
    stop = converse_stream(("messageStop", {"stopReason": "end_turn"}))
    answer = assemble_converse(START + stop[:-3])
    assert (answer.text, answer.broken, answer.finish_reason) == ("so", True, None)


def test_a_chunk_that_is_no_base64_is_passed_over() -> None:
    """The others are read."""
    body = framed("chunk", b'{"bytes":"*"}') + invoke_stream({"generation": "hi", "stop_reason": "stop"})
    assert assemble_invoke(body).text == "hi"
