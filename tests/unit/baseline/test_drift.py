"""What is other in one run than in another, in sentences."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kit.baseline.drift import Side, drift
from kit.baseline.severity import parse_severities
from kit.baseline.skeleton import Skeleton, skeleton_of
from tests.fakes.examples import costly

SCHEMA = {"type": "function", "function": {"name": "fs_read", "description": "Read a file"}}
OTHER_SCHEMA = {"type": "function", "function": {"name": "fs_read", "description": "Read any file"}}


def request(system: str = "Be brief.", **more: Any) -> dict[str, Any]:
    return {"prompt": [{"role": "system", "text": system}], "tools": [SCHEMA], **more}


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"kind": "tool_call", "name": name, "arguments": arguments, "result": '"ok"'}


def asks(*calls: dict[str, Any], tokens: int = 10) -> dict[str, Any]:
    wanted = [{"name": one["name"], "arguments": one["arguments"]} for one in calls]
    return {
        "kind": "model_call", "name": "m:1b", "calls": wanted, "finish_reason": "tool_calls",
        "prompt_tokens": tokens, "completion_tokens": 2, "request": 1,
    }  # fmt: skip


def says(text: str, tokens: int = 20) -> dict[str, Any]:
    return {
        "kind": "model_call", "name": "m:1b", "text": text, "finish_reason": "stop",
        "prompt_tokens": tokens, "completion_tokens": 5, "request": 1,
    }  # fmt: skip


def run(path: str = "/log", answer: str = "All is well.", **more: Any) -> list[dict[str, Any]]:
    read = call("fs_read", path=path)
    return [
        {"kind": "user", "text": "read the log"},
        asks(read),
        read,
        says(answer),
        {"kind": "answer", "text": answer},
    ]


def skeleton(steps: list[dict[str, Any]], *requests: dict[str, Any]) -> Skeleton:
    return skeleton_of({"requests": list(requests or (request(),)), "steps": steps})


def side(steps: list[dict[str, Any]] | None = None, *requests: dict[str, Any], **more: Any) -> Side:
    known: dict[str, Any] = {
        "model": "m:1b", "verdict": "pass", "outcome": "success", "cost_micro_usd": 100, "latency_ms": 2000,
    }  # fmt: skip
    return Side(**{**known, "skeleton": skeleton(steps or run(), *requests), **more})


def told(before: Side, after: Side) -> list[str]:
    return [f"{one.severity} {one.kind}: {one.sentence}" for one in drift(before, after)]


def test_equal_runs_have_no_drift() -> None:
    """Neither with a skeleton nor without."""
    assert drift(side(), side()) == ()
    assert drift(side(skeleton=None), side()) == ()


def test_a_step_in_front_is_one_difference() -> None:
    """And not one in each step behind it."""
    more = [call("memory_search", query="log"), *run()]
    assert told(side(), side(more)) == [
        'warn trajectory: step 1 is new: tool call memory_search(query="log")',
    ]
    assert told(side(more), side()) == [
        'warn trajectory: step 1 is gone: tool call memory_search(query="log")',
    ]


def test_an_argument_is_told_once() -> None:
    """The model asked for it and the tool got it: one difference, where it happened."""
    found = told(side(), side(run("/var/log/syslog")))
    assert found == ['warn tool_arguments: step 3, fs_read: path: "/log" → "/var/log/syslog"']


def test_a_call_that_was_only_asked_for_is_told_where_it_was_asked() -> None:
    """A call that was blocked has no step of its own."""
    steps = [asks(call("shell", command=["ls"])), says("no")]
    other = [asks(call("shell", command=["ls", "-a"])), says("no")]
    assert told(side(steps), side(other)) == [
        'warn tool_arguments: step 1: the model asks for shell with command[1]: (absent) → "-a"'
    ]


def test_an_answer_is_told_once() -> None:
    """The model's text is the agent's answer; where the agent changes it, both are told."""
    assert told(side(), side(run(answer="All is bad."))) == [
        "info final_answer: the answer: «All is ‹well›.» → «All is ‹bad›.»"
    ]
    other = run()
    other[3] = says("Fine.")
    assert told(side(), side(other)) == [
        "warn trajectory: step 4: the model says «‹All is well›.» → «‹Fine›.»"
    ]


def test_prompt_parameters_and_schemas_are_told_apart() -> None:
    """Once each, though both model calls were asked with them."""
    after = {
        **request("Be curt.", parameters={"temperature": 0.7}),
        "tools": [OTHER_SCHEMA],
    }
    new_tool = request(parameters={"temperature": 0.0})
    new_tool["tools"] = [SCHEMA, {"type": "function", "function": {"name": "shell"}}]
    assert told(side(run(), request(parameters={"temperature": 0.0})), side(run(), after)) == [
        "warn prompt: system prompt: «Be ‹brief›.» → «Be ‹curt›.»",
        "warn prompt: parameter temperature: 0.0 → 0.7",
        'warn tool_schema: tool fs_read: description: "Read a file" → "Read any file"',
    ]
    before = side(run(), request(parameters={"temperature": 0.0}))
    assert told(before, side(run(), new_tool)) == ["warn tool_schema: tool shell is offered anew"]
    assert told(side(run(), new_tool), before) == ["warn tool_schema: tool shell is no longer offered"]


def test_another_way_is_told_with_both() -> None:
    """The model answers where it called a tool before."""
    short = [run()[0], says("I do not know."), {"kind": "answer", "text": "I do not know."}]
    assert told(side(), side(short)) == [
        'warn trajectory: step 2 is gone: model call, which asks for fs_read(path="/log")',
        'warn trajectory: step 3 is gone: tool call fs_read(path="/log")',
        "info final_answer: the answer: «‹All is well›.» → «‹I do not know›.»",
        "info cost: tokens 30 + 7 → 20 + 5",
    ]
    failed = run()
    failed[2] = {**failed[2], "arguments": {}, "failure": "EOF"}
    del failed[2]["result"]
    (sentence,) = (one.sentence for one in drift(side(), side(failed)))
    assert sentence == (
        'step 3: tool call fs_read(), which failed: EOF; before: tool call fs_read(path="/log")'
    )


def test_results_events_and_reasons_to_stop() -> None:
    """What a tool gave, what the agent reported and how a model stopped are part of the way."""
    before, after = run(), run()
    before.insert(2, {"kind": "event", "name": "approval_decided", "arguments": {"approved": True}})
    after.insert(2, {"kind": "event", "name": "approval_decided", "arguments": {"approved": False}})
    after[3] = {**after[3], "result": '"nothing"'}
    after[4] = {**after[4], "finish_reason": "length", "name": "m:2b"}
    assert told(side(before), side(after)) == [
        "warn trajectory: m:2b answers, before m:1b",
        "warn trajectory: step 3, event approval_decided: approved: true → false",
        'warn trajectory: step 4, result of fs_read: «"‹ok›"» → «"‹nothing›"»',
        "warn trajectory: step 5: the model stops with length, before with stop",
    ]


def test_verdicts_weigh_by_their_direction() -> None:
    """Worse blocks, better is told, more failures of what failed before warn."""
    failed = side(verdict="fail", failures=("a", "b"))
    assert told(side(), failed) == ["block verdict: pass → fail: a; b"]
    assert told(failed, side()) == ["info verdict: fail → pass"]
    assert told(failed, side(verdict="fail", failures=("b", "c"), outcome="refused")) == [
        "warn verdict: fails in one more way: c",
        "info verdict: fails no longer in this way: a",
        "warn verdict: outcome success → refused",
    ]


def test_an_error_is_compared_no_further() -> None:
    """Half a run would show steps that are gone, which nobody took away."""
    broken = side([run()[0]], verdict="error", failures=("no cassette",), latency_ms=None)
    assert told(side(), broken) == ["block verdict: pass → error: no cassette"]


def test_cost_and_latency_are_told_with_their_share() -> None:
    """Unknown is not 0, and tokens are the cost of a free model."""
    assert told(side(), side(cost_micro_usd=150, latency_ms=1000)) == [
        "info cost: $0.000100 → $0.000150 (+50 %)",
        "info latency: 2000 ms → 1000 ms (-50 %)",
    ]
    assert told(side(cost_micro_usd=None), side(cost_micro_usd=0, latency_ms=None)) == [
        "info cost: unknown → $0.000000",
        "info latency: 2000 ms → unknown",
    ]
    more = run()
    more[3] = says("All is well.", tokens=40)
    assert told(side(), side(more)) == ["info cost: tokens 30 + 7 → 50 + 7"]


def test_a_cassette_alone_is_compared_by_its_calls() -> None:
    """What the agent reported is not in it and so is not gone."""
    bare = side(
        [step for step in run(answer="All is bad.") if step["kind"] != "user"], verdict=None, is_bare=True
    )
    assert told(side(), bare) == ["info final_answer: the answer: «All is ‹well›.» → «All is ‹bad›.»"]


def test_another_model_is_no_drift_by_its_name() -> None:
    """Who compares two models knows that."""
    other = [{**step, "name": "n:2b"} if step["kind"] == "model_call" else step for step in run()]
    assert drift(side(), side(other, model="n:2b")) == ()


def test_configuration_weighs() -> None:
    """A project may let an argument block; a better verdict never does."""
    weights = parse_severities({"tool-arguments": "block", "verdict": "warn"})
    (one,) = drift(side(), side(run("/x")), weights)
    assert (one.severity, one.step) == ("block", 3)
    assert [one.severity for one in drift(side(), side(verdict="fail", failures=("a",)), weights)] == ["warn"]


STEPS = st.lists(
    st.one_of(
        st.builds(call, st.sampled_from(["f", "g"]), path=st.sampled_from("xyz")),
        st.builds(says, st.sampled_from(["one", "two"])),
        st.just({"kind": "sleep", "ms": 3}),
    ),
    max_size=12,
)


@costly(30)
@given(STEPS, st.integers(0, 5), st.data())
def test_so_many_new_steps_are_so_many_sentences(
    steps: list[dict[str, Any]], count: int, data: st.DataObject
) -> None:
    """And each is told by its step; identity gives nothing."""
    assert drift(side(steps), side(steps)) == ()
    more = list(steps)
    for number in range(count):
        more.insert(data.draw(st.integers(0, len(more))), call("fresh", number=number))
    found = drift(side(steps or [call("f")]), side([*more] if steps else [*more, call("f")]))
    assert [one.kind for one in found] == ["trajectory"] * count
    assert all("is new: tool call fresh(number=" in one.sentence for one in found)
