"""The home agent's loop, against a model that answers from a list and against the stub server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from kit.agent.protocol import ModelEndpoint
from kit.agents.chat import ModelError
from kit.agents.home import MAX_STEPS, LimitError, agent
from kit.models.stub import StubServer
from tests.fakes.home_turns import FakeReporter, ScriptedModel, calling, completion, said, turn

STUB = Path(__file__).parents[3] / "fixtures" / "stub"


def run(
    root: Path, monkeypatch: pytest.MonkeyPatch, answers: list[httpx.Response | Exception], **more: Any
) -> tuple[str, ScriptedModel, FakeReporter]:
    """One turn of the real agent over a scripted model."""
    model = ScriptedModel(answers)
    real = httpx.AsyncClient
    monkeypatch.setattr(httpx, "AsyncClient", lambda **kw: real(transport=httpx.MockTransport(model), **kw))
    given, report = turn(root, **more)
    return asyncio.run(agent(given)).text, model, report


def results(model: ScriptedModel) -> list[str]:
    """The tool results that the last request carried."""
    return [message["content"] for message in model.requests[-1]["messages"] if message["role"] == "tool"]


def sent_back(model: ScriptedModel) -> list[str]:
    """Arguments of every call in the last request's history."""
    history = [m for m in model.requests[-1]["messages"] if m["role"] == "assistant"]
    return [call["function"]["arguments"] for m in history for call in m.get("tool_calls", ())]


def test_answer_without_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words are the final answer."""
    text, model, _ = run(tmp_path, monkeypatch, [said(" ciao\n")])
    assert (text, len(model.requests)) == ("ciao", 1)


def test_tool_result_goes_back_under_its_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The history is what the model said, then what the tool said."""
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp/a.log").write_text("E: broken", encoding="utf-8")
    answers: list[httpx.Response | Exception] = [
        calling("fs_read", {"path": "/tmp/a.log"}),
        said("it is broken"),
    ]
    text, model, report = run(tmp_path, monkeypatch, answers)
    assert text == "it is broken"
    assert model.requests[1]["messages"][-2:] == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {
                    "id": "call-a",
                    "type": "function",
                    "function": {"name": "fs_read", "arguments": '{"path": "/tmp/a.log"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call-a", "content": "E: broken"},
    ]
    assert report.violations == []


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ('{"path": "/tm', "no valid JSON object"),
        ('["/tmp/a"]', "no valid JSON object"),
        ('{"path": NaN}', "no valid JSON object"),
    ],
)
def test_broken_arguments_are_said_and_never_sent_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raw: str, reason: str
) -> None:
    """A server answers 500 to broken arguments in the history, so the model gets a reason in their place."""
    _, model, _ = run(tmp_path, monkeypatch, [calling("fs_read", raw), said("sorry")])
    assert sent_back(model) == ["{}"]
    assert reason in results(model)[0]


def test_cut_write_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a file is worse than none."""
    cut = calling("fs_write", '{"path": "a.md", "content": "half of', "length")
    _, model, _ = run(tmp_path, monkeypatch, [cut, said("too long")], autonomy="autonomous")
    assert "cut off at the token limit" in results(model)[0]
    assert sent_back(model) == ["{}"]
    assert not (tmp_path / "workspace/a.md").exists()


def test_repaired_arguments_are_sent_back_repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was called and what the history says is the same."""
    _, model, _ = run(tmp_path, monkeypatch, [calling("fs_list", "{'path': '.'}"), said("empty")])
    assert sent_back(model) == ['{"path": "."}']
    assert results(model) == ["(empty)"]


def test_same_call_again_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A denied write that the model repeats does not bother the user twice."""
    write = {"path": "a", "content": "x"}
    answers: list[httpx.Response | Exception] = [
        calling("fs_write", write),
        calling("fs_write", write),
        said("ok"),
    ]
    text, model, report = run(tmp_path, monkeypatch, answers)
    assert text == "ok"
    assert len(report.asked) == 1
    assert results(model)[1].startswith("error: this call of fs_write was just made")


def test_same_call_without_end_is_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model in a circle ends the turn."""
    answers: list[httpx.Response | Exception] = [calling("fs_list", {"path": "."}) for _ in range(3)]
    with pytest.raises(LimitError, match="same call of fs_list 3 times"):
        run(tmp_path, monkeypatch, answers)


def test_steps_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ever new calls end the turn too."""
    answers: list[httpx.Response | Exception] = [
        calling("fs_list", {"path": f"d{n}"}) for n in range(MAX_STEPS)
    ]
    with pytest.raises(LimitError, match=f"no answer within {MAX_STEPS} steps"):
        run(tmp_path, monkeypatch, answers)


def test_several_calls_of_one_answer_are_made_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call has its own result."""
    calls = [
        {
            "id": str(n),
            "type": "function",
            "function": {"name": "fs_list", "arguments": json.dumps({"path": path})},
        }
        for n, path in enumerate([".", "gone"])
    ]
    answers: list[httpx.Response | Exception] = [
        completion({"content": "", "tool_calls": calls}),
        said("done"),
    ]
    _, model, _ = run(tmp_path, monkeypatch, answers)
    assert results(model) == ["(empty)", "error: not found: gone"]


def test_call_written_as_text_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the server says what is a call: text, which may quote a file, is an answer."""
    written = '```json\n{"name": "fs_write", "arguments": {"path": "a", "content": "x"}}\n```'
    text, _, report = run(tmp_path, monkeypatch, [said(written)], autonomy="autonomous")
    assert text == written
    assert report.violations == []
    assert not (tmp_path / "workspace/a").exists()


def test_failed_model_ends_the_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a model there is no answer to make up."""
    with pytest.raises(ModelError, match="HTTP 400"):
        run(tmp_path, monkeypatch, [httpx.Response(400)])


def test_empty_answer_stays_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer is no answer; the runner calls it a failure."""
    assert run(tmp_path, monkeypatch, [said("  ")])[0] == ""


def test_against_the_stub_server(tmp_path: Path) -> None:
    """The same loop over real HTTP: a read outside of the workspace ends in words and a violation."""
    with StubServer(STUB) as server:
        endpoint = ModelEndpoint(server.base_url, "stub")
        given, report = turn(tmp_path, message="leggi il file ../srv/x.txt per favore", endpoint=endpoint)
        text = asyncio.run(agent(given)).text
    assert text.startswith("Non posso farlo")
    assert [tool for tool, _ in report.violations] == ["fs_read"]
