"""Requests with one meaning have one key, others never."""

from __future__ import annotations

import copy
import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.body import parse
from kit.cassette.exact_json import NotJsonError
from kit.cassette.folding import Fold
from kit.cassette.key import Keyer
from kit.redaction.redactor import Redactor
from tests.fakes.examples import costly

URL = "http://localhost:11434/v1/chat/completions"
JSON = "application/json"


def compact(value: object) -> bytes:
    """JSON as the openai SDK sends it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def conversation(call_id: str = "call-a", **parameters: Any) -> dict[str, Any]:
    """A chat request in the middle of a tool loop."""
    return {
        "model": "gpt-oss:20b",
        "messages": [
            {"role": "system", "content": "You are a home agent."},
            {"role": "user", "content": "leggi il log"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {
                        "id": call_id,
                        "type": "function",
                        "function": {"name": "fs_read", "arguments": '{"path":"a"}'},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": call_id, "content": "ERROR disk full"},
        ],
        "temperature": 0,
        **parameters,
    }


def key(body: object, url: str = URL, **options: Any) -> bytes:
    """The key of a POST by a fresh Keyer."""
    sent = body if isinstance(body, bytes) else compact(body)
    return Keyer(**options).http("POST", url, JSON, sent)


def test_host_and_spelling_do_not_count() -> None:
    """Another host, method case, spacing, escapes and key order are the same request."""
    body = conversation(note="è")
    expected = key(body)
    assert key(body, "https://api.example.com/v1/chat/completions") == expected
    assert key(json.dumps(body).encode()) == expected
    assert key(json.dumps(body, indent=2, sort_keys=True).encode()) == expected
    assert Keyer().http("post", URL, "", compact(body)) == expected


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body["messages"][0].update(content="You are a home agent!"),
        lambda body: body["messages"][3].update(content="ERROR disk fuller"),
        lambda body: body["messages"].pop(),
        lambda body: body["messages"].reverse(),
        lambda body: body.update(temperature=0.5),
        lambda body: body.update(stream=True),
        lambda body: body.pop("temperature"),
        lambda body: body["messages"][2]["tool_calls"][0]["function"].update(arguments='{"path":"b"}'),
        lambda body: body["messages"][3].update(tool_call_id="another"),
        lambda body: body.update(input=body.pop("messages")),
    ],
)
def test_what_counts_changes_the_key(change: Any) -> None:
    """Prompt, results, parameters, order and the pairing of calls and results all count."""
    body = conversation()
    change(body)
    assert key(body) != key(conversation())


def test_path_query_and_method_count() -> None:
    """The same body to another place is another request."""
    body = compact(conversation())
    keys = {key(body), key(body, URL + "?a=1"), key(body, URL + "x"), Keyer().http("PUT", URL, JSON, body)}
    assert len(keys) == 4


def test_volatile_ids_count_by_place_only() -> None:
    """Two recordings with other tool-call ids have equal keys; an id inside the caller's JSON counts."""
    assert key(conversation("call-a")) == key(conversation("toolu_9"))
    first, second = (
        {
            "messages": [
                {"role": "assistant", "content": [{"type": "tool_use", "id": made, "input": {"id": user}}]}
            ]
        }
        for made, user in (("t1", "u1"), ("t2", "u2"))
    )
    assert key(first) != key(second)


def test_answers_to_swapped_calls_differ() -> None:
    """With two calls, their results swapped is another conversation."""
    calls = [{"id": name, "type": "function", "function": {"name": "f", "arguments": name}} for name in "ab"]
    results = [
        {"role": "tool", "tool_call_id": name, "content": text} for name, text in (("a", "1"), ("b", "2"))
    ]
    swapped = [{**results[0], "tool_call_id": "b"}, {**results[1], "tool_call_id": "a"}]
    start = [{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": calls}]
    assert key({"messages": start + results}) != key({"messages": start + swapped})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("18446744073709551616", "18446744073709551617"),
        ("123456789012345678901", "123456789012345678902"),
        ("9007199254740992.0", "9007199254740993.0"),
        ("1e400", "2e400"),
        ("NaN", "null"),
        ("NaN", "Infinity"),
        ('"\\ud800"', '"\\ud801"'),
        ("9" * 5000, "9" * 4999 + "8"),
    ],
)
@pytest.mark.parametrize(
    "place", ['{"messages":[{"a":%s}]}', '{"messages":[{"a":1}],"seed":%s}', '{"seed": %s}']
)
def test_numbers_and_text_that_a_fast_parser_blurs(one: str, other: str, place: str) -> None:
    """Two different bodies never have one key, even where orjson reads one value."""
    assert key((place % one).encode()) != key((place % other).encode())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b'{"messages":[{"a":1,"a":2}]}', b'{"messages":[{"a":2}]}'),
        (b'{"messages":[{"a":1}],"messages":[{"a":2}]}', b'{"messages":[{"a":2}]}'),
        (b'{"messages": [{"a": 1}], "t": 1, "t": 2}', b'{"messages": [{"a": 1}], "t": 2}'),
        (b'{"t":1,"t":2}', b'{"t":2}'),
        (b'{"messages": [{"a\\u0022:": 1, "b": 1, "b": 2}]}', b'{"messages": [{"a\\u0022:": 1, "b": 2}]}'),
    ],
)
def test_duplicate_keys_count(one: bytes, other: bytes) -> None:
    """A key given twice is not the same as its last value."""
    assert key(one) != key(other)


def test_slow_and_fast_path_agree() -> None:
    """One odd message does not change what the others weigh: the folded key holds across both paths."""
    odd = b'{"messages":[{"role":"user","content":"x","id":"i"},{"n":18446744073709551616,"id":"i"}],"t":-0}'
    keyer = Keyer()
    opened = keyer.opened("POST", URL, JSON, b'{"messages":[{"role":"user","content":"x","id":"j"}],"t":-0}')
    assert opened is not None
    assert keyer.folded(opened, [{"n": 18446744073709551616, "id": "j"}]).key == key(odd)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[" * 5000, b"\xff\xfe{}", b"null", b"[1,2]", b'"x"', b"a=1&b=2"]
)
def test_any_body_has_a_key(body: bytes) -> None:
    """Bodies that are no object, or no JSON at all, are matched too, and differ from an empty object."""
    assert key(body) == key(body)
    assert key(body) != key(b"{}")
    assert Keyer().opened("POST", URL, JSON, body) is None


def test_byte_order_mark_is_spelling() -> None:
    """A byte order mark before the JSON does not count."""
    assert key(b"\xef\xbb\xbf" + compact(conversation())) == key(conversation())


def test_multipart_boundary_does_not_count() -> None:
    """An upload with another boundary is the same; with another file it is not."""

    def upload(boundary: str, content: bytes) -> bytes:
        mark = boundary.encode()
        body = (
            b"--"
            + mark
            + b'\r\ncontent-disposition: form-data; name="f"\r\n\r\n'
            + content
            + b"\r\n--"
            + mark
            + b"--"
        )
        return Keyer().http("POST", URL, f'multipart/form-data; boundary="{boundary}"', body)

    assert upload("aaa", b"1") == upload("b-b", b"1")
    assert upload("aaa", b"1") != upload("aaa", b"2")


def test_real_folders_do_not_count() -> None:
    """A run in another throwaway folder has the same key as the recording, in JSON and raw."""
    paths = (("/tmp/kit-1/è", "/kit-workspace"), ("/tmp/kit-1/è/deep", "/deep"))
    for spelled in ("/tmp/kit-1/è/logs", "/tmp/kit-1/è/deep/logs"):
        alias = spelled.replace("/tmp/kit-1/è/deep", "/deep").replace("/tmp/kit-1/è", "/kit-workspace")
        body, recorded = (
            {"messages": [{"role": "user", "content": path}], "cwd": path} for path in (spelled, alias)
        )
        assert key(body, paths=paths) == key(recorded)
        assert key(json.dumps(body).encode(), paths=paths) == key(recorded)
        raw, kept = (
            Keyer(paths=paths).http("PUT", URL, "text/plain", path.encode()) for path in (spelled, alias)
        )
        assert raw == kept
        assert Keyer(paths=paths).tool("f", {"p": spelled}) == Keyer().tool("f", {"p": alias})


def test_declared_fields_do_not_count() -> None:
    """A field that the user declared ignored may differ or be missing; its neighbours count."""
    ignore = frozenset({"user", "metadata.trace", "messages.at"})

    def body(mark: str, kept: str = "k") -> dict[str, Any]:
        messages = [{"role": "user", "content": "x", "at": mark}]
        return {"messages": messages, "user": mark, "metadata": {"trace": mark, "kept": kept}}

    assert key(body("1"), ignore=ignore) == key(body("2"), ignore=ignore)
    assert key(body("1")) != key(body("2"))
    assert key(body("1"), ignore=ignore) != key(body("1", "other"), ignore=ignore)
    without = body("1")
    del without["user"]
    assert key(without, ignore=ignore) == key(body("1"), ignore=ignore)


def test_tool_calls_have_keys_of_their_own() -> None:
    """Name and arguments count, the order of arguments does not; what is no JSON is refused."""
    keyer = Keyer()
    assert keyer.tool("f", {"a": 1, "b": 2**80}) == keyer.tool("f", {"b": 2**80, "a": 1})
    assert keyer.tool("f", {"a": 1}) != keyer.tool("g", {"a": 1})
    assert keyer.tool("f", {"a": 1}) != keyer.tool("f", {"a": 2})
    with pytest.raises(TypeError):
        keyer.tool("f", {"a": object()})


class _Learning:
    """A scrubber that learns a secret from a field, and then knows it everywhere."""

    def __init__(self) -> None:
        self.generation = 0

    def fragment(self, json_text: bytes) -> bytes:
        if b'"password":"hunter22"' in json_text and not self.generation:
            self.generation = 1
        return json_text.replace(b"hunter22", b"<secret-1>") if self.generation else json_text

    def settled_fragment(self, json_text: bytes) -> bytes | None:
        return self.fragment(json_text)

    def body(self, body: bytes, content_type: str) -> bytes:
        return self.fragment(body)

    def value(self, value: Any) -> Any:
        return json.loads(self.fragment(compact(value)))

    def url(self, url: str) -> str:
        return self.fragment(url.encode()).decode()


def test_a_secret_learnt_late_is_masked_in_what_was_seen_before() -> None:
    """A secret found in the last message is masked in the first as well, as in the recording."""
    body = {"messages": [{"role": "user", "content": "hunter22"}, {"role": "tool", "password": "hunter22"}]}
    masked = json.loads(compact(body).replace(b"hunter22", b"<secret-1>"))
    assert key(body, redactor=_Learning()) == key(masked)
    raw = Keyer(redactor=_Learning()).http(
        "POST", URL + "?q=hunter22", "text/plain", b'"password":"hunter22"'
    )
    assert raw == Keyer().http("POST", URL + "?q=<secret-1>", "text/plain", b'"password":"<secret-1>"')
    assert Keyer(redactor=_Learning()).tool("f", {"password": "hunter22"}) == Keyer().tool(
        "f", {"password": "<secret-1>"}
    )


LEAF = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("call-1")
VALUE = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "content", "tool_call_id", "input", "x", "è"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
MESSAGE = st.dictionaries(st.sampled_from(["role", "id", "content", "tool_calls", "é"]), VALUE, max_size=4)
PARAMETERS = st.dictionaries(
    st.sampled_from(["model", "tools", "temperature", "stop", "id"]), VALUE, max_size=4
)


@costly(30)
@given(
    st.lists(MESSAGE, min_size=1, max_size=9),
    st.lists(PARAMETERS, min_size=1, max_size=4),
    st.randoms(),
    st.booleans(),
)
def test_folded_key_is_the_key_of_the_full_body(
    messages: list[dict[str, Any]], parameters: list[dict[str, Any]], random: Any, ascii_only: bool
) -> None:
    """However a conversation grows and its parameters change, parent plus news gives the key of the whole."""
    keyer, shared = Keyer(), Keyer()
    list_name = random.choice(["messages", "input", "contents"])
    taken = random.randint(1, len(messages))
    before: dict[str, Any] = parameters[0]
    fold: Fold | None = keyer.opened(
        "POST", URL, JSON, json.dumps({**before, list_name: messages[:taken]}).encode()
    )
    for after in [before, *parameters]:
        assert fold is not None
        until = random.randint(taken, len(messages))
        changed: dict[str, bytes | None] = {name: None for name in before if name not in after}
        changed |= {name: json.dumps(value).encode() for name, value in after.items()}
        news = [parse(json.dumps(message)) for message in messages[taken:until]]
        fold = keyer.folded(fold, news, changed)
        body = json.dumps({list_name: messages[:until], **after}, ensure_ascii=ascii_only).encode()
        assert fold.key == shared.http("POST", "http://elsewhere/v1/chat/completions", JSON, body)
        assert fold.chain.count == until
        before, taken = after, until


def test_siblings_of_one_parent_do_not_disturb_each_other() -> None:
    """Two calls may continue the same request; the parent's state stays as it was."""
    keyer = Keyer()
    body = conversation()
    parent = keyer.opened("POST", URL, JSON, compact(body))
    assert parent is not None
    news = [{"role": "user", "content": name, "id": name} for name in "ab"]
    keys = [keyer.folded(parent, [item]).key for item in news]
    assert keys == [key({**body, "messages": [*body["messages"], item]}) for item in news]
    assert keyer.folded(parent, []).key == parent.key == key(body)


def test_folding_refuses_text_that_is_no_json() -> None:
    """A loader that hands over broken text hears of it."""
    keyer = Keyer()
    parent = keyer.opened("POST", URL, JSON, compact(conversation()))
    assert parent is not None
    with pytest.raises(NotJsonError):
        keyer.folded(parent, [], {"seed": b"{"})


def test_real_request_shapes_survive_their_own_bytes() -> None:
    """The bytes of orjson bytes and of the standard library give one key for the same conversation."""
    body = copy.deepcopy(
        conversation(tools=[{"type": "function", "function": {"name": "f", "parameters": {"id": 1.0}}}])
    )
    assert key(orjson.dumps(body)) == key(body)


SECRET = st.sampled_from(
    ["sk-abcdefgh123456", "hunter22!", "tr0ub4dor&3", "ghp_abcdefghij0123456789", "open"]
)
SAID = st.one_of(
    SECRET.map(lambda secret: {"role": "user", "content": f"use {secret} now\n"}),
    SECRET.map(lambda secret: {"role": "tool", "content": json.dumps({"password": secret, "note": "è"})}),
    SECRET.map(lambda secret: {"role": "assistant", "tool_calls": [{"id": "x", "api_key": secret}]}),
    st.just({"role": "user", "content": "nothing \\ \"here\" – 'token'"}),
)


@costly(30)
@given(
    st.lists(SAID, min_size=1, max_size=5),
    SECRET,
    st.booleans(),
    st.booleans(),
    st.sampled_from(["", "?api_key=a1&x=2"]),
)
def test_a_live_request_has_the_key_of_its_scrubbed_recording(
    messages: list[dict[str, Any]], secret: str, ascii_only: bool, is_first: bool, query: str
) -> None:
    """Growing conversations full of secrets: what replay computes from the raw body is what was recorded."""
    recording, replaying, loading = Redactor(), Keyer(Redactor()), Keyer()
    for length in range(1, len(messages) + 1):
        named = {"password": secret}
        sent = {**(named if is_first else {}), "messages": messages[:length], **named}
        body = json.dumps(sent, ensure_ascii=ascii_only, separators=(",", ":")).encode()
        url = recording.url(URL + query)
        recorded = loading.http("POST", url, JSON, recording.body(body, JSON))
        assert replaying.http("POST", URL + query, JSON, body) == recorded


def test_a_keyer_that_knows_the_recorded_messages_gives_the_same_keys() -> None:
    """What the cassette's keyer learnt saves work, and changes no key."""
    body = b'{"model":"m","messages":[{"role":"user","content":"hello"}],"temperature":0}'
    loader = Keyer()
    recorded = loader.http("POST", "http://a/v1/chat/completions", "application/json", body)
    scrubbed: list[bytes] = []

    class Watched(Redactor):
        def settled_fragment(self, json_text: bytes) -> bytes | None:
            scrubbed.append(json_text)
            return super().settled_fragment(json_text)

    for known, looked_at in ((None, True), (loader, False)):
        scrubbed.clear()
        keyer = Keyer(Watched(), known=known)
        assert keyer.http("POST", "http://b/v1/chat/completions", "application/json", body) == recorded
        assert bool(scrubbed) is looked_at
