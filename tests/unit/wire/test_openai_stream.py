"""An OpenAI chat stream as the message it amounts to."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.dialect import WireCall
from kit.wire.openai_stream import assemble, join_chunks
from tests.fakes.eventstream import sse
from tests.fakes.examples import costly


def stream(*chunks: Any, done: bool = True) -> bytes:
    """An event stream of JSON chunks."""
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return "".join([*lines, "data: [DONE]\n\n" if done else ""]).encode()


def delta(finish_reason: str | None = None, **fields: Any) -> dict[str, Any]:
    """One chunk of the first choice."""
    return {"model": "m", "choices": [{"index": 0, "finish_reason": finish_reason, "delta": fields}]}


def piece(
    arguments: str, index: int | None = 0, call_id: str | None = None, name: str | None = None
) -> dict[str, Any]:
    """A piece of a tool call."""
    return {"index": index, "id": call_id, "function": {"name": name, "arguments": arguments}}


USAGE = {"choices": [], "usage": {"prompt_tokens": 39, "completion_tokens": 2}}


def test_a_stream_is_the_message_it_amounts_to() -> None:
    """Text, reason, model and counts come out as if the answer had come in one piece."""
    answer = assemble(
        stream(
            delta(role="assistant", content=None),
            delta(content="The "),
            delta(content="end"),
            delta("stop"),
            USAGE,
        )
    )
    assert (answer.model, answer.text, answer.finish_reason) == ("m", "The end", "stop")
    assert (answer.prompt_tokens, answer.completion_tokens) == (39, 2)
    assert not answer.broken
    assert answer.error is None


def test_parallel_tool_calls_grow_side_by_side() -> None:
    """Pieces belong to the call of their index."""
    answer = assemble(
        stream(
            delta(tool_calls=[piece('{"a"', 0, "c0", "f"), piece("{", 1, "c1", "g")]),
            delta(tool_calls=[piece("}", 1)]),
            delta(tool_calls=[piece(":1}", 0)]),
            delta("tool_calls"),
        )
    )
    assert answer.tool_calls == (WireCall("c0", "f", {"a": 1}, '{"a":1}'), WireCall("c1", "g", {}, "{}"))


def test_calls_without_index_are_told_apart_by_id() -> None:
    """Some servers send whole calls without an index."""
    answer = assemble(
        stream(
            delta(tool_calls=[piece('{"a":', None, "c0", "f")]),
            delta(tool_calls=[piece("1}", None)]),
            delta("tool_calls", tool_calls=[piece("{}", None, "c1", "g")]),
        )
    )
    assert [(call.id, call.arguments) for call in answer.tool_calls] == [("c0", {"a": 1}), ("c1", {})]


def test_a_stream_cut_in_the_middle_is_broken() -> None:
    """The half answer is kept, the arguments are unknown, and no reason is invented."""
    body = stream(delta(content="Hal"), delta(tool_calls=[piece('{"path": "/t', 0, "c", "f")]), done=False)
    answer = assemble(body + b'data: {"choices":[{"del')
    assert answer.broken
    assert answer.finish_reason is None
    assert answer.text == "Hal"
    assert answer.tool_calls == (WireCall("c", "f", None, '{"path": "/t'),)


def test_a_call_cut_before_its_arguments_has_none() -> None:
    """No arguments yet is not the empty object."""
    answer = assemble(stream(delta(tool_calls=[piece("", 0, "c", "f")]), done=False))
    assert answer.tool_calls == (WireCall("c", "f", None, ""),)


def test_a_stream_without_end_mark_is_whole_once_the_model_finished() -> None:
    """The model's reason decides, not the mark that some servers forget."""
    assert not assemble(stream(delta("stop", content="x"), done=False)).broken


def test_a_stream_with_an_end_mark_is_whole_without_a_reason() -> None:
    """Snowflake never says why its models finish."""
    answer = assemble(stream(delta(content="x"), done=True))
    assert not answer.broken
    assert answer.finish_reason is None


def test_an_error_of_a_choice_is_kept() -> None:
    """A router says there that the server behind it died."""
    died = {"index": 0, "finish_reason": "error", "error": {"code": 502, "message": "upstream died"}}
    answer = assemble(stream(delta(content="pa"), {"choices": [died]}))
    assert (answer.text, answer.error, answer.finish_reason) == ("pa", "upstream died", "error")


def test_an_error_inside_a_stream_is_kept() -> None:
    """A server that fails on the way says so in a chunk."""
    answer = assemble(stream(delta(content="a"), {"error": {"message": "out of memory"}}, done=False))
    assert (answer.error, answer.text, answer.broken) == ("out of memory", "a", True)


def test_other_choices_are_left_alone() -> None:
    """Only the first choice is the answer."""
    second = {"choices": [{"index": 1, "finish_reason": "stop", "delta": {"content": "no"}}]}
    assert assemble(stream(delta("stop", content="yes"), second)).text == "yes"


def test_chunks_without_a_blank_line_between_are_read() -> None:
    """A careless server's stream is still readable."""
    body = b"".join(
        b"data: " + json.dumps(chunk).encode() + b"\n"
        for chunk in (delta(content="a"), delta("stop", content="b"))
    )
    assert assemble(body).text == "ab"


def test_a_refusal_is_told_apart_from_text() -> None:
    """An empty refusal, as some servers send with each chunk, is none."""
    assert assemble(stream(delta(refusal="I will "), delta("stop", refusal="not"))).refusal == "I will not"
    assert assemble(stream(delta("stop", content="x", refusal=""))).refusal is None


HOSTILE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "delta",
                    "tool_calls",
                    "function",
                    "index",
                    "id",
                    "name",
                    "arguments",
                    "usage",
                    "error",
                    "content",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@costly(30)
@given(st.lists(HOSTILE, max_size=4))
def test_no_chunk_raises(chunks: list[Any]) -> None:
    """Chunks of any shape are read or passed over."""
    assemble(stream(*chunks))
    assemble(stream({"choices": chunks}, {"choices": [{"delta": {"tool_calls": chunks}}]}))


@costly(30)
@given(st.lists(st.text(max_size=20), max_size=8), st.integers(min_value=0, max_value=400))
def test_a_cut_anywhere_gives_a_beginning_of_the_text(tokens: list[str], cut: int) -> None:
    """Losing the end of a stream loses the end of the text and nothing else."""
    body = stream(*(delta(content=token) for token in tokens), delta("stop"))
    assert "".join(tokens).startswith(assemble(body[:cut]).text or "")
    assert (assemble(body).text or "") == "".join(tokens)


@pytest.mark.parametrize(
    "body", [b"data: \xff\xfe\n\n", b"data: [1,\n\n", b"data: 7\n\n", b"\n\n\n", b"data: [DONE]\n\n"]
)
def test_a_stream_without_a_chunk_is_broken(body: bytes) -> None:
    """A stream that never carried a readable chunk is no answer."""
    answer = assemble(body)
    assert answer.broken
    assert answer.text is None
    assert answer.error == "stream holds no answer"


def test_pieces_of_every_habit_are_put_together() -> None:
    """Thoughts, speech, a custom tool, an old-style call, and a count in an odd place."""
    body = sse(
        {"choices": [{"delta": {"reasoning": "h", "audio": {"transcript": "hi"}}}]},
        {"choices": [{"delta": {"content": [{"type": "thinking", "thinking": [{"text": "m"}]}]}}]},
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "custom": {"name": "sql"}}]}}]},
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "custom": {"input": "select 1"}}]}}]},
        {"choices": [{"delta": {}, "finish_reason": "stop"}], "x_groq": {"usage": {"prompt_tokens": 3}}},
    )
    answer = assemble(body)
    assert (answer.text, answer.thinking, answer.prompt_tokens) == ("hi", "hm", 3)
    assert [(call.name, call.arguments) for call in answer.tool_calls] == [("sql", {"input": "select 1"})]
    old = {"choices": [{"delta": {"function_call": {"name": "f", "arguments": "{}"}}, "finish_reason": "x"}]}
    assert [(call.name, call.arguments) for call in assemble(sse(old)).tool_calls] == [("f", {})]


def test_a_message_in_one_piece_is_read() -> None:
    """A server that cannot stream sends it whole."""
    whole = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
    assert assemble(sse(whole, done=True)).text == "hi"
    assert join_chunks([whole]).text == "hi"


def test_a_tool_of_the_server_that_is_told_twice_ran_once() -> None:
    """Groq's compound models: as it is asked, then with what it gave; a later one without a place is new."""
    asked = {"index": 0, "type": "search", "arguments": '{"q": "x"}', "output": None}
    given_back = {"index": 0, "type": "search", "arguments": "", "search_results": {"results": ["y"]}}
    body = stream(
        delta(executed_tools=[asked]),
        delta(executed_tools=[given_back]),
        delta(executed_tools=[{"type": "python", "output": "4", "code_results": [1]}]),
        delta("stop", content="hi"),
    )
    assert assemble(body).server_calls == (
        WireCall(None, "search", {"q": "x"}, '{"q": "x"}', '{"results":["y"]}'),
        WireCall(None, "python", {}, "", "4"),
    )
