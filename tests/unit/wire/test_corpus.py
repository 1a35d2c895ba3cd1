"""Every exchange of the corpus, real answers of real providers: its dialect, and what is read from it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kit.wire.dialect import MODEL_KINDS, Dialect, ModelAnswer
from kit.wire.mcp import tool_calls, tool_result
from kit.wire.model_name import is_same_model
from kit.wire.registry import recognise
from kit.wire.responses import RESPONSES
from tests.fakes.corpus import Exchange, corpus, each_exchange

KINDS = (
    (r"/chat/completions|/responses(/|$|\?)|/v1/messages\?|enerateContent|/converse|/v2/chat$", "chat"),
    (r"/embed(dings)?$|mbedContents?$|embed[^/]*/invoke$", "embedding"),
    (r"count-tokens$|:countTokens$|/tokenize$", "count"),
    (r"/v1/files|/fileSearchStores|/cachedContents", "files"),
    (r"/realtime/", "realtime"),
    (r"mcp\.deepwiki\.com/mcp", "mcp"),
    (r"huggingface\.co/api/models/", "catalogue"),
)
"""Ends of addresses, as a person tells them apart who knows these providers, and what they are for."""
FINISH = re.compile(r'"(?:finish_reason|stop_reason|stopReason|finishReason|blockReason)": ?"(\w+)"')
PROVIDERS = re.compile(
    r"//[^/]*(?:openai|anthropic|generativelanguage|aiplatform|bedrock|cohere|mistral|groq|deepseek|cerebras"
    r"|openrouter|router\.huggingface|voyageai|snowflakecomputing|crusoecloud|z\.ai|ollama)[^/]*/"
)
STREAMS = ("text/event-stream", "application/vnd.amazon")


def known(exchange: Exchange) -> Dialect | None:
    """The dialect of an exchange."""
    return recognise(exchange.method, exchange.url, exchange.sent)


def answer_of(exchange: Exchange) -> tuple[Dialect, ModelAnswer]:
    """The dialect of a model's exchange and what it reads from the answer."""
    dialect = known(exchange)
    assert dialect is not None
    return dialect, dialect.read_response(exchange.body, exchange.content_type)


def values(exchange: Exchange) -> list[Any]:
    """Every JSON value in the answer, found without any reader of kit: whole, by line, or between braces."""
    whole = exchange.json()
    if whole is not None:
        return [whole]
    decoder, text = json.JSONDecoder(), exchange.body.decode("utf-8", "replace")
    found, place = [], text.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(text, place)
        except ValueError:
            end = place + 1
        else:
            found.append(value)
        place = text.find("{", end)
    return found


def numbers(value: Any, *names: str) -> Iterator[int]:
    """Every count under one of some names, wherever it stands."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name in names and isinstance(item, int):
                yield item
            yield from numbers(item, *names)
    elif isinstance(value, list):
        for item in value:
            yield from numbers(item, *names)


def usages(exchange: Exchange) -> list[dict[str, Any]]:
    """The objects that count an answer's tokens, the last word last."""
    found = []
    for value in values(exchange):
        for holder in (value, value.get("message"), value.get("response"), value.get("x_groq")):
            places = (
                [holder.get(name) for name in ("usage", "usageMetadata")] if isinstance(holder, dict) else []
            )
            found += [place for place in places if isinstance(place, dict)]
        delta = value.get("delta")
        if isinstance(delta, dict) and isinstance(delta.get("usage"), dict):
            found.append(delta["usage"])
    return found


def those(holds: Callable[[Exchange, Dialect], bool]) -> list[Any]:
    """The exchanges for which something holds, as parameters; without a corpus one that is skipped."""
    return [
        one
        for one in each_exchange()
        if (exchange := one.values[0]) is None
        or ((dialect := known(exchange)) is not None and holds(exchange, dialect))
    ]


def models() -> list[Any]:
    """The exchanges in which a model spoke."""
    return those(lambda exchange, dialect: exchange.status == 200 and dialect.kind == "chat")


@pytest.mark.parametrize("exchange", each_exchange())
def test_each_exchange_is_known_for_what_it_is(exchange: Exchange) -> None:
    """The kind is the one that a person tells from the address; what is no provider's stays unknown."""
    wanted = next((kind for pattern, kind in KINDS if re.search(pattern, exchange.url.split("#")[0])), None)
    dialect = known(exchange)
    if wanted is None:
        assert dialect is None or dialect.kind != "chat"
    else:
        assert dialect is not None
        assert dialect.kind == wanted


def test_what_no_dialect_knows_is_no_providers(record_property: Callable[[str, object], None]) -> None:
    """Downloads, search engines, tokens: all are listed, and no address of a provider is among them."""
    unknown = sorted({f"{one.method} {one.url.split('?')[0]}" for one in corpus() if known(one) is None})
    record_property("unknown", unknown)
    assert [address for address in unknown if PROVIDERS.search(address)] == []
    assert len(unknown) <= len(corpus()) / 10


def test_every_family_of_providers_is_in_the_corpus() -> None:
    """The tests of this file are no empty ones."""
    names = Counter(dialect.name for one in corpus() if (dialect := known(one)) is not None)
    assert names["openai_chat"] > 40
    assert {"openai_responses", "anthropic", "gemini", "bedrock_converse", "cohere", "mcp"} <= names.keys()
    assert {"embeddings", "files", "count_tokens", "realtime", "models"} <= names.keys()


@pytest.mark.parametrize("exchange", models())
def test_a_model_that_spoke_is_heard(exchange: Exchange) -> None:
    """Text, calls or a refusal, and why it stopped, wherever the raw body tells one."""
    _, answer = answer_of(exchange)
    raw = exchange.body.decode("utf-8", "replace")
    if "hatcmpl" not in raw and exchange.url.startswith("https://demo-endpoints"):
        assert answer.error is not None
        return
    heard = (
        answer.text,
        answer.tool_calls,
        answer.refusal,
        answer.error,
        answer.server_calls,
        answer.thinking,
    )
    assert any(heard) or answer.pending or "data" in raw
    reasons = [reason for reason in FINISH.findall(raw) if reason != "null"]
    if reasons and known(exchange) is not RESPONSES:
        assert answer.finish_reason in reasons
    elif answer.finish_reason is not None:
        assert f'"{answer.finish_reason}"' in raw
    assert not answer.broken or answer.error


@pytest.mark.parametrize("exchange", models())
def test_tokens_are_those_of_the_raw_answer(exchange: Exchange) -> None:
    """Counted from the raw JSON by another way: the prompt with its caches, the answer with its thoughts."""
    _, answer = answer_of(exchange)
    counted = usages(exchange)
    if exchange.content_type.startswith("application/vnd.amazon"):
        read = [int(count) for count in re.findall(rb'"(?:input|cache\w+Input)Tokens":(\d+)', exchange.body)]
        written = [int(count) for count in re.findall(rb'"outputTokens":(\d+)', exchange.body)]
        assert (answer.prompt_tokens, answer.completion_tokens) == (sum(read), sum(written))
        return
    merged: dict[str, Any] = {}
    for usage in counted:
        merged.update({name: value for name, value in usage.items() if value is not None})
    last = merged if "input_tokens" in merged else (counted[-1] if counted else {})
    last = last.get("tokens", last)
    asked = ("prompt_tokens", "input_tokens", "inputTokens", "promptTokenCount", "toolUsePromptTokenCount")
    cached = (
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
        "cacheReadInputTokens",
        "cacheWriteInputTokens",
    )
    said = (
        "completion_tokens",
        "output_tokens",
        "outputTokens",
        "candidatesTokenCount",
        "thoughtsTokenCount",
    )
    prompt = [last[name] for name in (*asked, *cached) if isinstance(last.get(name), int)]
    written = [last[name] for name in said if isinstance(last.get(name), int)]
    assert answer.prompt_tokens == (sum(prompt) if prompt else None)
    if not written and prompt and "totalTokenCount" in last:
        written = [last["totalTokenCount"] - sum(prompt)]
    assert answer.completion_tokens == (sum(written) if written else None)


@pytest.mark.parametrize(
    "exchange",
    those(lambda one, dialect: dialect.kind == "chat" and one.content_type.startswith(STREAMS)),
)
def test_a_stream_becomes_the_text_of_its_pieces(exchange: Exchange) -> None:
    """Each letter that the model said is in the stream's pieces, in the same order."""
    _, answer = answer_of(exchange)
    said = re.sub(r"\s", "", answer.text or "")
    if not said:
        assert answer.tool_calls
        return
    pieces = "".join(
        piece for value in values(exchange) for piece in _pieces(value) if isinstance(piece, str)
    )
    assert not pieces or said in re.sub(r"\s", "", pieces)


def _pieces(value: Any) -> Iterator[Any]:
    """What a value of a stream adds to the text, for each provider's shape."""
    if not isinstance(value, dict):
        return
    for choice in value.get("choices") or []:
        content = (choice.get("delta") or {}).get("content")
        yield content if isinstance(content, str) else None
        for part in content if isinstance(content, list) else []:
            yield part.get("text")
    for candidate in value.get("candidates") or []:
        for part in candidate["content"]["parts"]:
            yield None if part.get("thought") else part.get("text")
    delta = value.get("delta")
    if isinstance(delta, str) and value.get("type") == "response.output_text.delta":
        yield delta
    if isinstance(delta, dict) and "text" in delta:
        yield delta["text"]


@pytest.mark.parametrize(
    "exchange", those(lambda one, dialect: dialect.kind in MODEL_KINDS and bool(one.sent))
)
def test_requests_tell_what_was_asked(exchange: Exchange) -> None:
    """The model from body or address, as many tools and at least as many messages as the raw request has."""
    dialect = known(exchange)
    assert dialect is not None
    request = dialect.read_request(exchange.sent, exchange.url)
    if not exchange.sent.startswith(b"{"):
        return
    raw = json.loads(exchange.sent)
    assert request.error is None
    if exchange.method == "POST":
        assert request.model is not None
        assert request.model in exchange.url.replace("%3A", ":") or request.model == raw["model"]
    listed = raw.get("messages", raw.get("contents"))
    if isinstance(listed, list):
        assert len(request.messages) >= len(listed)
    if isinstance(raw.get("tools"), list) and "contents" not in raw:
        assert len(request.tools) == len(raw["tools"])
    for name in ("temperature", "max_tokens", "generationConfig", "inferenceConfig"):
        assert request.parameters.get(name) == raw.get(name)


@pytest.mark.parametrize("exchange", those(lambda one, dialect: dialect.kind == "chat" and bool(one.sent)))
def test_a_tool_result_follows_the_call_that_asked_for_it(exchange: Exchange) -> None:
    """In every dialect a result is a message of role `tool`, paired with its call by id, else by name."""
    dialect = known(exchange)
    assert dialect is not None
    messages = dialect.read_request(exchange.sent, exchange.url).messages
    if b'"previous_response_id": "' in exchange.sent or b'"conversation": "' in exchange.sent:
        return
    asked: list[tuple[str | None, str]] = []
    for message in messages:
        asked += [(call.id, call.name) for call in message.calls]
        if message.role == "tool":
            assert any(message.call_id == one or message.name == name for one, name in asked)


@pytest.mark.parametrize("exchange", those(lambda one, _: one.status >= 400))
def test_refused_requests_say_why(exchange: Exchange) -> None:
    """The provider's own words, found in the raw body."""
    dialect = known(exchange)
    assert dialect is not None
    answer = dialect.read_response(exchange.body, exchange.content_type)
    assert answer.error is not None
    assert answer.text is None
    message = next(_messages(exchange.json()), "")
    assert message in answer.error


def _messages(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name in ("message", "detail"):
            if isinstance(value.get(name), str):
                yield value[name]
        for item in value.values():
            yield from _messages(item)
    elif isinstance(value, list):
        for item in value:
            yield from _messages(item)


def test_the_model_that_answered_is_the_one_that_was_asked() -> None:
    """But for routers that took another model, and aliases that only their provider knows (decision 7)."""
    pairs = set()
    for exchange in corpus():
        dialect = known(exchange)
        if dialect is None:
            continue
        asked = dialect.read_request(exchange.sent, exchange.url).model
        answered = dialect.read_response(exchange.body, exchange.content_type).model
        if asked and answered:
            pairs.add((asked, answered))
    others = {pair for pair in pairs if not is_same_model(*pair)}
    assert len(others) <= len(pairs) / 10, others


def test_mcp_over_http_gives_tool_calls_with_results() -> None:
    """The call's name, arguments and result, the stream's progress messages passed over."""
    calls = [
        (call, tool_result(call, one.body, one.content_type))
        for one in corpus()
        if (dialect := known(one)) is not None and dialect.kind == "mcp" and one.status == 200
        for call in tool_calls(one.sent)
    ]
    assert calls
    for call, result in calls:
        assert call.name
        assert call.arguments is not None
        assert result is not None
        assert result.failure is not None or result.result is not None
    told = {call.name: result for call, result in calls}
    assert "Pydantic AI is a Python framework" in str(told["ask_question"])


def test_embeddings_tell_their_texts_and_tokens() -> None:
    """Inputs are messages; what an embedding wrote is nothing, where anything is counted."""
    counted = 0
    for exchange in corpus():
        dialect = known(exchange)
        if dialect is None or dialect.kind != "embedding" or exchange.status != 200:
            continue
        assert dialect.read_request(exchange.sent, exchange.url).messages
        answer = dialect.read_response(exchange.body, exchange.content_type)
        names = ("prompt_tokens", "total_tokens", "inputTextTokenCount", "input_tokens", "promptTokenCount")
        raw = list(numbers(exchange.json(), *names))
        assert answer.prompt_tokens == (raw[0] if raw else None)
        assert answer.completion_tokens == (0 if raw else None)
        counted += bool(raw)
    assert counted >= 6


def test_server_side_tools_stand_apart_with_their_results() -> None:
    """Code, searches and editors that the provider ran are no calls for the agent to make."""
    seen = Counter(
        call.name
        for one in corpus()
        if (dialect := known(one)) is not None and dialect.kind == "chat"
        for call in dialect.read_response(one.body, one.content_type).server_calls
        if call.result
    )
    assert {"bash_code_execution", "text_editor_code_execution", "nova_code_interpreter"} <= seen.keys()
    assert {"tool_search", "tool_search_tool_bm25"} <= seen.keys()
