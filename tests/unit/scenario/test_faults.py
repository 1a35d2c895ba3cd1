"""What a scenario lets go wrong on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from kit.scenario.faults import Fault

if TYPE_CHECKING:
    from tests.unit.scenario.conftest import Project


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (
            {"on": "model", "nth": 1, "status": 503, "headers": {"retry-after": "2"}},
            "status 503 on model call 1",
        ),
        (
            {"on": "model", "nth": "every", "status": 429, "body": {"error": "slow"}},
            "status 429 on every model call",
        ),
        ({"on": "model", "nth": 2, "close": True}, "close on model call 2"),
        ({"on": "model", "nth": 2, "timeout": True, "delay_ms": 5}, "timeout on model call 2"),
        ({"on": "model", "nth": 2, "cut": "arguments"}, "cut arguments on model call 2"),
        ({"on": "model", "nth": 2, "cut": 0}, "cut 0 on model call 2"),
        ({"on": "model", "nth": 2, "garble": "arguments"}, "garble arguments on model call 2"),
        ({"on": "tool", "nth": 3, "delay_ms": 0}, "delay_ms 0 on call of a tool 3"),
        (
            {"on": "tool", "tool": "rm", "nth": "every", "raise": "OSError: no"},
            "raise OSError: no on every call of rm",
        ),
    ],
)
def test_each_kind_is_read_and_named(written: dict[str, Any], shown: str) -> None:
    """Every kind has its spelling, and a text for people."""
    assert str(Fault.model_validate(written)) == shown


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        ({"on": "model", "nth": 1}, "must say what goes wrong"),
        ({"on": "model", "nth": 1, "close": True, "status": 500}, "says `status` and `close`"),
        (
            {"on": "model", "nth": 0, "close": True},
            "`setup.faults[0].nth`: must be a whole number from 1, or `every`",
        ),
        ({"on": "model", "nth": True, "close": True}, "must be a whole number from 1"),
        ({"on": "model", "close": True}, "`setup.faults[0].nth` is missing"),
        ({"on": "disk", "nth": 1, "close": True}, "`setup.faults[0].on` must be"),
        ({"on": "model", "nth": 1, "close": False}, "must be `true`, or left out"),
        ({"on": "model", "nth": 1, "status": 99}, "`setup.faults[0].status` must be at least 100, is 99"),
        ({"on": "model", "nth": 1, "status": 600}, "`setup.faults[0].status` must be at most 599, is 600"),
        ({"on": "model", "nth": 1, "cut": "middle"}, "must be `arguments` or a number of bytes"),
        ({"on": "model", "nth": 1, "status": 500, "body": 7}, "must be text, or a mapping"),
        ({"on": "model", "nth": 1, "close": True, "body": "x"}, "`headers` and `body` go with `status` only"),
        ({"on": "model", "nth": 1, "raise": "OSError: x"}, "`raise` does not go with `on: model`"),
        ({"on": "model", "tool": "x", "nth": 1, "close": True}, "`tool` goes with `on: tool` only"),
        ({"on": "tool", "nth": 1, "status": 500}, "`status` does not go with `on: tool`"),
        ({"on": "tool", "nth": 1, "raise": "no such thing"}, "must be the name of an exception"),
        ({"on": "tool", "nth": 1, "raised": "OSError: x"}, "(did you mean `raise`?); allowed: body, close,"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(project: Project, fault: dict[str, Any], what: str) -> None:
    """A fault that says nothing, too much, or what its call cannot meet is refused by file and line."""
    project.scenario(setup__faults=[fault])
    (problem,) = project.problems()
    assert what in problem
    assert problem.startswith("scenarios/home/001_x.yaml:")


def test_two_faults_of_one_call_are_refused(project: Project) -> None:
    """Which of the two happens would be a guess; `every` beside a number is not: the first counts."""
    first = {"on": "model", "nth": 1, "close": True}
    project.scenario(setup__faults=[first, {"on": "model", "nth": 1, "status": 500}])
    (problem,) = project.problems()
    assert "`faults` must not name model call 1 twice" in problem
    project.scenario(setup__faults=[first, {"on": "model", "nth": "every", "status": 500}])
    (loaded,) = project.load()
    assert [fault.nth for fault in loaded.scenarios[0].setup.faults] == [1, "every"]


def test_a_fault_never_changes() -> None:
    """Scenarios are values."""
    fault = Fault.model_validate({"on": "model", "nth": 1, "close": True})
    with pytest.raises(ValidationError):
        fault.nth = 2
