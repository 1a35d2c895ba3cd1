"""A request taken apart; how requests compare is tested with explanations and divergences."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kit.cassette.interaction import HttpRequest, ToolRequest
from kit.cassette.outline import Outline, class_of


def posted(body: Any) -> Outline:
    """The outline of a request with this JSON body."""
    return Outline.of(HttpRequest("post", "http://h/v1/x?b=1", (), json.dumps(body).encode()))


def test_the_conversation_starts_behind_the_opening_prompt() -> None:
    """A system message in the middle may carry anything, so it is something said."""
    system, user, developer = ({"role": role, "content": "x"} for role in ("system", "user", "developer"))
    assert posted({"messages": [system, developer, user, system]}).said == [user, system]
    assert posted({"messages": [system]}).said == []
    assert posted({"messages": []}).said == []


def test_what_is_called_and_how() -> None:
    """Method and path, the model, and whether the answer comes in pieces."""
    outline = posted({"model": "m", "messages": [], "stream": True})
    assert (outline.kind, outline.call, outline.query, outline.model) == ("chat", "POST /v1/x", "b=1", "m")
    assert outline.is_streamed
    assert not posted({"messages": [], "stream": False}).is_streamed
    assert not posted([1]).is_streamed
    tool = Outline.of(ToolRequest("f", {"model": "no model"}))
    assert (tool.kind, tool.call, tool.model) == ("tool", "f", None)


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("messages[0].content", "system prompt"),
        ("messages[1].content", "conversation"),
        ("messages[2].content", "tool result"),
        ("messages[1].tool_calls[0].function.arguments.p", "tool arguments"),
        ("tools[0].function", "tool schema"),
        ("system", "system prompt"),
        ("temperature", "parameters"),
    ],
)
def test_each_place_has_a_class(path: str, change: str) -> None:
    """What changed is told in words of the trade."""
    messages = [{"role": role} for role in ("system", "user", "tool")]
    outline = posted({"messages": messages, "tools": []})
    assert class_of(path, outline, outline) == change
