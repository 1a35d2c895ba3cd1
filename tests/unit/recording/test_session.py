"""One run under the recording."""

from __future__ import annotations

import time
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest

import kit.recording.session as recording_session
from kit.cassette.interaction import HttpResponse, ToolRequest, ToolResponse
from kit.errors import Miss, UsageError
from kit.recording.journal import read_journal
from kit.recording.session import Session, current, start
from tests.fakes.model_server import serving
from tests.fakes.runs import recording, replaying, run

CHAT = ("POST", "http://model.test/v1/chat/completions")
JSON = (("content-type", "application/json"), ("authorization", "Bearer s3cret"))


def exchange(session: Session, body: bytes = b'{"messages":[]}', answer: bytes = b"{}") -> None:
    """One whole exchange through a ticket, as a stub would do it."""
    ticket = session.begin_http(*CHAT, JSON, body, "application/json")
    if ticket.recorded is None:
        ticket.head(200, [("Content-Type", "application/json"), ("Content-Length", "2")])
        ticket.chunk(answer)
    ticket.end()


def tool(name: str, result: Any, *, executed: bool = False, **arguments: Any) -> Any:
    """One call of a tool, as `kit.tool` would do it."""
    session = current()
    assert session is not None
    ticket = session.begin_tool(name, arguments, executed=executed)
    if ticket.recorded is not None:
        return ticket.recorded.result
    ticket.finish(result)
    return result


def test_there_is_a_session_only_inside_the_block(tmp_path: Path) -> None:
    """`current` is what everything asks; it is None before and after."""
    assert current() is None
    with start(recording(tmp_path)) as session:
        assert current() is session
        assert (session.now_ms(), session.started()) == (0, 0)
        exchange(session)
        assert session.started() == 1
    assert current() is None


def test_numbers_are_in_order_of_start_and_ends_in_order_of_completion(tmp_path: Path) -> None:
    """What starts first is number 1, even if it ends last; who ends later has a later end."""
    with start(recording(tmp_path)) as session:
        first = session.begin_http(*CHAT, (), b"1")
        second = session.begin_http(*CHAT, (), b"2")
        assert session.started() == 2
        second.end()
        first.end()
    one, two = session.result.interactions
    assert (one.number, two.number) == (1, 2)
    assert one.ended_ms > two.ended_ms
    assert session.result.ended_ms == one.ended_ms


def test_the_answer_is_recorded_without_what_decoding_made_void(tmp_path: Path) -> None:
    """Headers are allow-listed; lengths and encodings of the wire do not belong to the decoded body."""
    with start(recording(tmp_path)) as session:
        exchange(session, answer=b'{"key": "s3cret"}')
    item = session.result.interactions[0]
    assert item.lane == "model"
    assert item.request.headers == (("content-type", "application/json"),)  # type: ignore[union-attr]
    assert item.response == HttpResponse(
        200, (("content-type", "application/json"),), b'{"key": "<secret-1>"}'
    )


def test_what_is_under_way_at_the_end_is_kept(tmp_path: Path) -> None:
    """A stream that nobody closes, and a tool that never returns, are recorded as abandoned."""
    options = recording(tmp_path)
    with start(options) as session:
        ticket = session.begin_http(*CHAT, (), b"x")
        ticket.head(200, [])
        ticket.chunk(b"par")
        session.begin_tool("slow", {}, executed=True)
    answers = [item.response for item in session.result.interactions]
    assert answers == [
        HttpResponse(200, (), b"par", (), "Abandoned"),
        ToolResponse(None, "Abandoned", executed=True),
    ]
    assert read_journal(options.journal).result.interactions == session.result.interactions


def test_an_exception_of_the_program_leaves_a_whole_journal(tmp_path: Path) -> None:
    """The run ends by an exception: result and end mark are there all the same."""
    options = recording(tmp_path)

    def fails() -> None:
        with start(options) as session:
            exchange(session)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    contents = read_journal(options.journal)
    assert contents.ended
    assert len(contents.result.interactions) == 1
    assert current() is None


def test_a_served_tool_is_not_run_again(tmp_path: Path) -> None:
    """Replay hands out the recorded result, a fresh copy of it each time."""
    _, recorded = run(recording(tmp_path), lambda: tool("look", {"found": [1]}, where="here"))
    assert recorded.interactions[0].request == ToolRequest("look", {"where": "here"})
    served, result = run(
        replaying(tmp_path, recorded.interactions), lambda: tool("look", "never used", where="here")
    )
    assert served == {"found": [1]}
    assert served is not recorded.interactions[0].response.result  # type: ignore[union-attr]
    assert (result.leftovers, result.tool_drift) == ((), ())


def test_an_executed_tool_runs_again_and_is_compared(tmp_path: Path) -> None:
    """The agent gets the executed result; a difference is drift that names the tool and both values."""
    _, recorded = run(recording(tmp_path), lambda: tool("read", "old", executed=True))
    again, result = run(
        replaying(tmp_path, recorded.interactions), lambda: tool("read", "new", executed=True)
    )
    assert again == "new"
    assert len(result.tool_drift) == 1
    assert all(part in result.tool_drift[0] for part in ("read", "'old'", "'new'"))
    _, same = run(replaying(tmp_path, recorded.interactions), lambda: tool("read", "old", executed=True))
    assert same.tool_drift == ()


def test_an_executed_tool_that_fails_otherwise_drifts(tmp_path: Path) -> None:
    """A failure is compared like a result."""

    def failing(text: str) -> None:
        session = current()
        assert session is not None
        session.begin_tool("read", {}, executed=True).fail(FileNotFoundError(text))

    _, recorded = run(recording(tmp_path), lambda: failing("no a"))
    assert recorded.interactions[0].response.failure == "FileNotFoundError: no a"
    _, same = run(replaying(tmp_path, recorded.interactions), lambda: failing("no a"))
    _, other = run(replaying(tmp_path, recorded.interactions), lambda: failing("no b"))
    assert (len(same.tool_drift), len(other.tool_drift)) == (0, 1)


def test_real_paths_of_tools_are_mapped_both_ways(tmp_path: Path) -> None:
    """The recording knows the alias, the agent the real path, and another folder replays the same."""
    here = {"paths": (("/tmp/one", "/kit-workspace"),)}
    there = {"paths": (("/tmp/two", "/kit-workspace"),)}
    _, recorded = run(recording(tmp_path, **here), lambda: tool("ls", ["/tmp/one/a"], at="/tmp/one"))
    assert recorded.interactions[0].request == ToolRequest("ls", {"at": "/kit-workspace"})
    again, _ = run(
        replaying(tmp_path, recorded.interactions, **there), lambda: tool("ls", None, at="/tmp/two")
    )
    assert again == ["/tmp/two/a"]


def test_an_unknown_tool_call_is_a_miss(tmp_path: Path) -> None:
    """Nothing is served that was not recorded for these arguments."""
    _, recorded = run(recording(tmp_path), lambda: tool("look", 1, where="here"))
    with pytest.raises(Miss):
        run(replaying(tmp_path, recorded.interactions), lambda: tool("look", 1, where="there"))


def test_a_result_that_is_no_json_is_refused_and_recorded_as_failure(tmp_path: Path) -> None:
    """A recording that could not be given back unchanged is not made."""
    options = recording(tmp_path)

    def refused() -> None:
        with start(options) as session:
            ticket = session.begin_tool("look", {}, executed=False)
            with pytest.raises(UsageError, match="result of tool look is a object"):
                ticket.finish(object())

    refused()
    assert "UsageError" in str(read_journal(options.journal).result.interactions[0].response)


def test_what_a_served_tool_does_inside_is_behind_the_boundary(tmp_path: Path) -> None:
    """Its own requests and tools are not recorded: replay does not run it and would have leftovers."""
    with serving() as server:

        def program() -> Any:
            session = current()
            assert session is not None
            ticket = session.begin_tool("ask", {}, executed=False)
            if ticket.recorded is not None:
                ticket.end()
                status = ticket.recorded.result
            else:
                status = httpx.post(f"{server.url}/v1/chat/completions", json={"messages": []}).status_code
                tool("inner", 1)
                ticket.finish(status)
            httpx.post(f"{server.url}/v1/chat/completions", json={"messages": []})
            return status

        seen, recorded = run(recording(tmp_path), program)
    assert [item.lane for item in recorded.interactions] == ["tool", "model"]
    assert recorded.escapes == ()
    again, result = run(replaying(tmp_path, recorded.interactions), program)
    assert again == seen == 200
    assert result.leftovers == ()


def test_the_same_run_draws_the_same_chance_and_time(tmp_path: Path) -> None:
    """Record and replay of a program that prints time, uuid and random numbers are equal."""

    def program() -> list[Any]:
        import random

        tool("tick", 1)
        return [time.time(), random.random(), uuid.uuid4(), uuid.uuid1(), random.choice("abcdef")]

    seen, recorded = run(recording(tmp_path), program)
    again, _ = run(replaying(tmp_path, recorded.interactions), program)
    assert again == seen


def test_a_repeated_violation_is_told_once(tmp_path: Path) -> None:
    """Guards may see the same thing many times."""
    with start(recording(tmp_path)) as session:
        session.report("escapes", "a")
        session.report("escapes", "a")
    assert session.result.escapes == ("a",)


def test_without_virtual_time_the_real_clock_shows(tmp_path: Path) -> None:
    """`virtual_time=False` leaves the program's clock alone."""
    before = time.time()
    seen, _ = run(recording(tmp_path, virtual_time=False), time.time)
    assert before <= seen <= time.time()


def test_current_is_the_context_s(tmp_path: Path) -> None:
    """The session module hands on the context's `current`."""
    assert recording_session.current is current


def test_a_secret_in_an_answer_counts_when_masks_are_numbered(tmp_path: Path) -> None:
    """What is fresh after it has the same number in replay, so that the next request is found."""
    second = b'{"messages": [{"role": "user", "content": "AKIAIOSFODNN7EXAMPLE"}]}'

    def program() -> None:
        session = current()
        assert session is not None
        exchange(session, answer=b'{"token": "s3cret"}')
        exchange(session, second)

    _, recorded = run(recording(tmp_path), program)
    assert b"<secret-2>" in recorded.interactions[1].request.body  # type: ignore[union-attr]
    _, result = run(replaying(tmp_path, recorded.interactions), program)
    assert (len(result.interactions), result.misses) == (2, ())
