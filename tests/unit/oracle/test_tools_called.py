"""Calls that a run must have made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kit.oracle.tools_called import findings
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace, RequestedCall, Step

USER = Step(0, "user", text="u")


def reasons(scenario: Scenario, trace: ExecutionTrace) -> list[tuple[bool, str]]:
    return [(finding.ok, finding.reason) for finding in findings(scenario, trace)]


@pytest.mark.parametrize(
    ("wanted", "ok"),
    [
        ({"name": "fs_read"}, True),
        ({"name": "fs_write"}, False),
        ({"name": "fs_read", "path_matches": "/tmp/a.log"}, True),
        ({"name": "fs_read", "path_matches": "/tmp/*.log"}, True),
        ({"name": "fs_read", "path_matches": "/tmp/b.log"}, False),
        ({"name": "fs_read", "path_regex": r"a\.log$"}, True),
        ({"name": "fs_read", "path_regex": r"^a\.log$"}, False),
        ({"name": "fs_read", "args_match": {"lines": 5}}, True),
        ({"name": "fs_read", "args_match": {"lines": 6}}, False),
        ({"name": "fs_read", "args_match": {"other": 5}}, False),
        ({"name": "fs_read", "args_match": {"other": None}}, False),
        ({"name": "fs_read", "args_match": {"path": {"contains": "../tmp"}}}, True),
        ({"name": "fs_read", "path_matches": "/tmp/a.log", "args_match": {"lines": 6}}, False),
        ({"name": "fs_read", "times": 1}, True),
        ({"name": "fs_read", "times": 2}, False),
        ({"name": "fs_read", "times": 0}, False),
        ({"name": "fs_write", "times": 0}, True),
        ({"name": "fs_read", "times": {"min": 1, "max": 3}}, True),
    ],
)
def test_one_listed_call(
    wanted: Any,
    ok: bool,
    scenario: Callable[..., Scenario],
    trace: Callable[..., ExecutionTrace],
    call: Callable[..., Step],
) -> None:
    """Name, normalised path, arguments and number all have to fit."""
    [finding] = findings(
        scenario(tools_called=[wanted]), trace(USER, call("fs_read", path="/x/../tmp/a.log", lines=5))
    )
    assert finding.ok is ok


def test_reason_names_what_was_called_instead(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace], call: Callable[..., Step]
) -> None:
    """A person sees the call that came nearest, and its step."""
    wanted = scenario(tools_called=[{"name": "fs_read", "path_matches": "/tmp/b"}])
    run = trace(USER, USER, USER, call("fs_read", path="/tmp/a", lines=1))
    assert reasons(wanted, run) == [
        (False, "tools_called: fs_read was called with path '/tmp/a' (step 3), none matched '/tmp/b'")
    ]
    assert next(iter(findings(wanted, run))).step == 3


def test_reason_where_the_tool_was_never_called(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace], call: Callable[..., Step]
) -> None:
    """Other tools are named, or that there were none."""
    wanted = scenario(tools_called=[{"name": "fs_read", "path_matches": "/tmp/b"}])
    assert reasons(wanted, trace(call("shell"), call("fs_list"))) == [
        (False, "tools_called: fs_read with '/tmp/b' was never called; the agent called fs_list, shell")
    ]
    assert reasons(wanted, trace()) == [
        (False, "tools_called: fs_read with '/tmp/b' was never called; no tool was called")
    ]


def test_reason_where_it_holds_or_the_number_is_wrong(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace], call: Callable[..., Step]
) -> None:
    """Steps are told in both cases."""
    run = trace(USER, call("fs_read", path="/a"), call("fs_read", path="/a"))
    assert reasons(scenario(tools_called=[{"name": "fs_read"}]), run) == [
        (True, "tools_called: fs_read was called (steps 1, 2)")
    ]
    assert reasons(scenario(tools_called=[{"name": "fs_read", "times": 1}]), run) == [
        (False, "tools_called: fs_read was called 2 times (steps 1, 2), expected 1")
    ]


def test_many_near_calls_are_cut(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace], call: Callable[..., Step]
) -> None:
    """A loop of a hundred reads does not fill the screen."""
    calls = [call("fs_read", path=f"/{number}") for number in range(8)]
    [(_, reason)] = reasons(scenario(tools_called=[{"name": "fs_read", "path_regex": "z"}]), trace(*calls))
    assert reason.endswith("path '/4' (step 4) and 3 more, none matched the regex 'z'")


def test_every_listed_call_is_judged(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace], call: Callable[..., Step]
) -> None:
    """The first failure does not hide the second."""
    wanted = scenario(tools_called=[{"name": "a"}, {"name": "b"}, {"name": "c"}])
    assert [ok for ok, _ in reasons(wanted, trace(call("b")))] == [False, True, False]


def test_strict_order(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace], call: Callable[..., Step]
) -> None:
    """Other calls may lie between; a call before those listed before it does not hold."""
    wanted = scenario(
        tools_called={"order": "strict", "calls": [{"name": "a"}, {"name": "b"}, {"name": "a"}]}
    )
    assert all(ok for ok, _ in reasons(wanted, trace(call("a"), call("x"), call("b"), call("a"))))
    swapped = reasons(wanted, trace(call("b"), call("a")))
    assert swapped == [
        (True, "tools_called: a was called (step 1)"),
        (False, "tools_called: b was called (step 0), expected after a (step 1)"),
        (False, "tools_called: a was called (step 1), expected after a (step 1)"),
    ]


def test_any_order_is_the_default(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace], call: Callable[..., Step]
) -> None:
    """A plain list does not speak of order."""
    wanted = scenario(tools_called=[{"name": "a"}, {"name": "b"}])
    assert all(ok for ok, _ in reasons(wanted, trace(call("b"), call("a"))))


def test_strict_order_waits_for_all_times(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace], call: Callable[..., Step]
) -> None:
    """A call listed twice is complete with its second occurrence."""
    calls = [{"name": "a", "times": 2}, {"name": "b"}]
    wanted = scenario(tools_called={"order": "strict", "calls": calls})
    assert [ok for ok, _ in reasons(wanted, trace(call("a"), call("b"), call("a")))] == [True, False]
    assert [ok for ok, _ in reasons(wanted, trace(call("a"), call("a"), call("b")))] == [True, True]


def test_a_failed_call_counts_and_a_requested_one_does_not(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """What matters is what crossed the tool boundary."""
    failed = Step(0, "tool_call", name="fs_read", arguments={"path": "/a"}, failure="FileNotFoundError: /a")
    asked = Step(0, "model_call", requested=(RequestedCall("1", "fs_read", {"path": "/a"}, "{}"),))
    wanted = scenario(tools_called=[{"name": "fs_read", "path_matches": "/a"}])
    assert [ok for ok, _ in reasons(wanted, trace(failed))] == [True]
    assert [ok for ok, _ in reasons(wanted, trace(asked))] == [False]
    assert not reasons(scenario(), trace(failed))
