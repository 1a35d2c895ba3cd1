"""The oracle models: short forms, limits and money."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from kit.scenario.expected import (
    ArgumentCondition,
    Count,
    Expected,
    FileExpected,
    FinalResponse,
    LlmCritic,
    MemoryExpected,
    ToolCalled,
    ToolsCalled,
    micro_usd,
)


@pytest.mark.parametrize(
    ("written", "text", "inside", "outside"),
    [
        (2, "2", [2], [1, 3]),
        ({"min": 1}, "at least 1", [1, 9], [0]),
        ({"max": 2}, "at most 2", [0, 2], [3]),
        ({"min": 1, "max": 3}, "1 to 3", [1, 3], [0, 4]),
    ],
)
def test_a_count_has_limits_that_belong_to_it(
    written: object, text: str, inside: list[int], outside: list[int]
) -> None:
    """A number alone means exactly so often."""
    count = Count.model_validate(written)
    assert str(count) == text
    assert all(count.holds(number) for number in inside)
    assert not any(count.holds(number) for number in outside)


def test_tools_called_is_a_list_or_a_mapping_with_an_order() -> None:
    """The canonical list means any order; `strict` is written beside `calls`."""
    assert ToolsCalled.model_validate([{"name": "a"}]) == ToolsCalled(calls=(ToolCalled(name="a"),))
    assert ToolsCalled.model_validate({"order": "strict", "calls": [{"name": "a"}]}).order == "strict"


@pytest.mark.parametrize(
    ("written", "condition", "has_equals"),
    [
        (5, ArgumentCondition(equals=5), True),
        (None, ArgumentCondition(equals=None), True),
        ({"contains": "x"}, ArgumentCondition(contains="x"), False),
        ({"regex": "^x"}, ArgumentCondition(regex="^x"), False),
        ({"city": "Roma"}, ArgumentCondition(equals={"city": "Roma"}), True),
        ({}, ArgumentCondition(equals={}), True),
    ],
)
def test_an_argument_is_a_value_or_a_condition(
    written: object, condition: ArgumentCondition, has_equals: bool
) -> None:
    """A value alone means equality, and null is a value."""
    found = ToolCalled.model_validate({"name": "t", "args_match": {"a": written}}).args_match["a"]
    assert (found.equals, found.contains, found.regex) == (
        condition.equals,
        condition.contains,
        condition.regex,
    )
    assert found.has_equals is has_equals


def test_threshold_is_the_older_name_of_accept() -> None:
    """S2-22: one of both, or both alike."""
    assert LlmCritic.model_validate({"prompt": "p", "threshold": "Sì"}).accept == "Sì"
    assert LlmCritic.model_validate({"prompt": "p", "threshold": "Sì", "accept": "Sì"}).accept == "Sì"
    with pytest.raises(ValidationError, match="differ"):
        LlmCritic.model_validate({"prompt": "p", "threshold": "Sì", "accept": "No"})


def test_money_is_whole_micro_usd_as_it_was_written() -> None:
    """0.29 is 290000 and not a float's idea of it; None is not 0 (X-05)."""
    assert micro_usd(0.29) == 290_000
    assert micro_usd(1e-6) == 1
    assert micro_usd(0) == 0
    assert micro_usd(None) is None
    assert Expected(outcome="x").cost_max_micro_usd is None


def test_conditions_on_text_say_whether_there_are_any() -> None:
    """A judge alone is no condition on the text."""
    assert FinalResponse(regex="a").has_text_condition
    assert not FinalResponse(llm_critic=LlmCritic(prompt="p", accept="Sì")).has_text_condition


def test_what_must_not_exist_has_no_content() -> None:
    """A contradiction is found at load."""
    assert FileExpected(path="/a", exists=False).exists is False
    assert MemoryExpected(key="a", content="").content == ""
    with pytest.raises(ValidationError, match="contradicts"):
        MemoryExpected(key="a", exists=False, contains_any=("x",))


def test_models_are_frozen() -> None:
    """Nobody changes an expectation after it was loaded."""
    with pytest.raises(ValidationError):
        Expected(outcome="x").outcome = "y"
