"""Model servers that fail: exit code 4 and nothing replaced, unless the agent coped."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler

import pytest

from tests.fakes.model_server import (
    Answer,
    ModelServer,
    completion,
    delta,
    in_turn,
    reply,
    serving,
    stream,
    zipped,
)
from tests.fakes.tiny_project import MODEL, TinyProject, tiny_project

CHAT = "v1_chat_completions"
PATH = "quiz/tiny-1b/001_france.yaml"
PARIS = completion("It is Paris.", model=MODEL)


def hang_up(handler: BaseHTTPRequestHandler, _: bytes) -> None:
    """No answer at all."""
    handler.close_connection = True


FAULTS: dict[str, tuple[Answer, str]] = {
    "500": (reply(500, b'{"error": {"message": "out of memory"}}'), "http 500: out of memory"),
    "429 for ever": (reply(429, b"{}", retry_after="1"), "http 429"),
    "closes in mid-stream": (
        stream(delta("It is ", MODEL), torn=True),
        "RemoteProtocolError: peer closed connection",
    ),
    "hangs up": (hang_up, "RemoteProtocolError: Server disconnected"),
    "invalid JSON": (reply(body=b'{"choices": [{"mess'), "answer is not JSON"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_failing_server_replaces_no_recording(served: TinyProject, model: ModelServer, name: str) -> None:
    """The environment, not the agent: exit code 4, the old cassette intact, the failed run beside it."""
    assert served.kit("record").code == 0
    before = served.cassettes()
    model.answers[CHAT], said = FAULTS[name]
    failed = served.kit("record")
    assert failed.code == 4
    assert f"the model server failed the run: interaction 1 ended with {said}" in failed.out
    assert "tiny_agent.py:" in failed.out
    assert "next: record again when the server answers" in failed.out
    assert f"kept cassettes/{PATH}.partial: the run ended in an error" in failed.out
    after = served.cassettes()
    assert after.pop(f"{PATH}.partial")
    assert after == before
    assert served.kit("replay").code == 0

    model.answers[CHAT] = reply(body=PARIS)
    assert served.kit("record").code == 0
    assert served.cassettes().keys() == before.keys()


def test_another_model_answers(served: TinyProject, model: ModelServer) -> None:
    """Asked one, answered another: not a recording of the model asked, unless declared the same."""
    assert served.kit("record").code == 0
    before = served.cassettes()
    model.answers[CHAT] = reply(body=completion("It is Paris.", model="other:7b"))
    wrong = served.kit("record")
    assert wrong.code == 4
    assert "the model `other:7b` answered interaction 1, asked was `tiny:1b`" in wrong.out
    assert "[tool.kit.aliases]" in wrong.out
    after = served.cassettes()
    assert after.pop(f"{PATH}.partial")
    assert after == before

    settings = (served.root / "pyproject.toml").read_text("utf-8")
    served.write("pyproject.toml", f'{settings}[tool.kit.aliases]\n"{MODEL}" = ["other:7b"]\n')
    assert served.kit("record").code == 0


RETRYING = """
import time
def ask(endpoint, messages):
    body = {"model": endpoint.model, "messages": messages}
    with httpx.Client(verify=False, trust_env=False, timeout=20) as client:
        answer = client.post(f"{endpoint.base_url}/chat/completions", json=body)
        while answer.status_code == 429:
            time.sleep(float(answer.headers["retry-after"]))
            answer = client.post(f"{endpoint.base_url}/chat/completions", json=body)
    return answer.json()["choices"][0]["message"]["content"]
"""


def test_a_retried_429_is_recorded_and_its_pause_costs_replay_nothing(
    served: TinyProject, model: ModelServer
) -> None:
    """An agent that copes is recorded with both calls; its pause is in the latency and costs no real time."""
    served.agent(RETRYING)
    served.scenario(expected={"outcome": "error_handled", "final_response": {"contains_any": ["Paris"]}})
    model.answers[CHAT] = in_turn(reply(429, b"{}", retry_after="1"), reply(body=PARIS))
    recorded = served.kit("record")
    assert recorded.code == 0
    assert "2 model, 0 tool" in recorded.out
    served.suite(time_limit_s=0.9)
    replayed = served.kit("replay")
    assert replayed.code == 0
    assert "success_rate  1/1" in replayed.out
    assert "p95_latency   1.0 s (as recorded)" in replayed.out


def test_a_gzipped_answer_is_kept_as_text(served: TinyProject, model: ModelServer) -> None:
    """A reviewer reads what the model said, and the agent reads the same in replay."""
    model.answers[CHAT] = zipped(PARIS)
    assert served.kit("record").code == 0
    assert "content: It is Paris." in served.cassette(model=MODEL).read_text("utf-8")
    assert served.kit("replay").code == 0


def test_nothing_listens(tiny: TinyProject) -> None:
    """How to start a server stands in the message; nothing is touched, and replay does not mind."""
    with serving(**{CHAT: reply(body=PARIS)}) as server:
        served = tiny_project(tiny.root, server.url)
        assert served.kit("record").code == 0
    before = served.cassettes()
    gone = served.kit("record")
    assert gone.code == 4
    assert gone.out == ""
    for text in (
        f"no model server answers at {server.url}/v1",
        "why:  GET http",
        "next: `ollama serve`, then `ollama pull tiny:1b`",
        "--base-url",
    ):
        assert text in gone.err
    assert served.cassettes() == before
    assert served.kit("replay").code == 0


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (
            reply(body=b'{"object":"list","data":[{"id":"other:7b","owned_by":"library"}]}'),
            "has no model tiny:1b\n  why:  it has other:7b\n  next: ollama pull tiny:1b",
        ),
        (reply(401), "refuses the key"),
        (reply(500), "HTTP 500"),
    ],
)
def test_a_server_that_cannot_serve_the_model_is_found_out_first(
    served: TinyProject, model: ModelServer, answer: Answer, text: str
) -> None:
    """Before any scenario runs: exit code 4, nothing asked, nothing kept."""
    model.answers["v1_models"] = answer
    refused = served.kit("record")
    assert refused.code == 4
    assert text in refused.err
    assert served.cassettes() == {}
    assert all(path != "/v1/chat/completions" for path, _ in model.requests)
