"""What changes on every call."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.volatile import is_hidden, join_headers, put_back, split_headers, take_out
from tests.fakes.cassettes import answer, asking
from tests.fakes.examples import costly

NAMES = st.sampled_from(
    ["id", "created", "usage", "model", "total_time", "cached_tokens", "choices", "timings"]
)
ENVELOPES = st.recursive(st.integers(), lambda inner: st.dictionaries(NAMES, inner), max_leaves=10)


@costly(30)
@given(ENVELOPES)
def test_what_is_taken_out_goes_back_to_its_place(tree: Any) -> None:
    """The order of keys is that of the body again."""
    text = json.dumps(tree)
    slim, put = take_out(tree)
    assert json.dumps(put_back(slim, put)) == text


def test_what_a_reviewer_must_see_stays() -> None:
    """Finish reason, counts of tokens, tool names and the model that answered are never hidden."""
    slim, put = take_out(json.loads(answer(asking("a"), finish="tool_calls")))
    assert list(slim) == ["choices", "model", "usage"]
    assert slim["usage"] == {"completion_tokens": 8, "prompt_tokens": 39, "total_tokens": 47}
    assert slim["choices"][0]["finish_reason"] == "tool_calls"
    assert set(put) == {
        "id", "created", "object", "system_fingerprint", "timings", "usage.prompt_tokens_details"
    }  # fmt: skip


def test_an_id_that_comes_back_stays() -> None:
    """An answer's id that a later request names is part of the conversation."""
    assert take_out({"id": "resp_1", "created": 1}, frozenset({"id"})) == (
        {"id": "resp_1"},
        {"created": [1, 1]},
    )


def test_a_path_that_leads_nowhere_is_refused() -> None:
    """A row that was edited wrongly is said."""
    with pytest.raises(ValueError, match=r"usage\.x"):
        put_back({}, {"usage.x": [0, 1]})


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["content-type", "date", "retry-after", "x-request-id", "x-odd"]),
            st.sampled_from(["application/json", "application/json; charset=utf-8", "text/html", "1", ""]),
        )
    ).map(tuple),
    st.sampled_from([None, "application/json"]),
)
def test_headers_come_back_in_their_order(headers: tuple[tuple[str, str], ...], usual: str | None) -> None:
    """Repeated and hidden headers stand where they stood."""
    shown, order = split_headers(headers, usual)
    assert join_headers(shown, order, usual) == headers


def test_only_telling_headers_are_shown() -> None:
    """The usual content type goes without saying, a Retry-After does not."""
    headers = (("content-type", "application/json"), ("retry-after", "1"))
    assert split_headers(headers, "application/json") == ({"retry-after": "1"}, None)
    assert is_hidden("x-ratelimit-remaining")
    assert is_hidden("openai-processing-ms")
    assert not is_hidden("location")


@pytest.mark.parametrize("order", [["x-gone"], [["a"]], [[1, 2]], [5]])
def test_a_wrong_order_of_headers_is_refused(order: list[Any]) -> None:
    """A row that names a header which the call does not show is said."""
    with pytest.raises(ValueError, match="not shown"):
        join_headers({}, order, None)


def test_an_id_of_json_rpc_is_the_clients() -> None:
    """The request gave it, so it does not change by itself."""
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert take_out(answer) == (answer, {})


def test_what_other_apis_change_on_every_call() -> None:
    """Latencies, cached tokens and averages of probabilities, wherever they stand; not the counts."""
    tree = {
        "candidates": [{"content": {}, "avgLogprobs": -0.1, "index": 0}, {"avgLogprobs": -0.2}, "odd"],
        "usageMetadata": {"cachedContentTokenCount": 3, "totalTokenCount": 9},
        "usage": {"inputTokens": 1, "cacheReadInputTokens": 2, "totalTokens": 3},
        "metrics": {"latencyMs": 41, "calls": 1},
    }
    text = json.dumps(tree)
    slim, put = take_out(tree)
    assert slim == {
        "candidates": [{"content": {}, "index": 0}, {}, "odd"],
        "usageMetadata": {"totalTokenCount": 9},
        "usage": {"inputTokens": 1, "totalTokens": 3},
        "metrics": {"calls": 1},
    }
    assert json.dumps(put_back(slim, put)) == text


@pytest.mark.parametrize("path", ["candidates[7].x", "candidates[x].x", "nothing[0].x", "model.x"])
def test_odd_paths_are_refused(path: str) -> None:
    """Whoever edits the row gets no answer that nobody gave."""
    with pytest.raises(ValueError, match=r"cannot be put back|invalid literal"):
        put_back({"candidates": [{}], "model": "m"}, {path: [0, 1]})
