"""vcrpy's layouts, read."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.foreign.exchange import Exchange
from kit.cassette.foreign.vcr import left_out, read_exchanges
from kit.errors import CassetteInvalid
from tests.fakes.examples import costly

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def one(request: dict[str, Any] | None = None, response: Any = None, **more: Any) -> Exchange:
    """The one exchange of a file with these halves."""
    asked = {"method": "post", "uri": "https://a/b", **(request or {})}
    item: dict[str, Any] = {"request": asked, **more}
    if response is not None:
        item["response"] = response
    text = yaml.dump({"interactions": [item], "version": 1}, sort_keys=False)
    (found,) = read_exchanges(text.encode(), "x.yaml")
    return found


def refused(content: bytes) -> str:
    with pytest.raises(CassetteInvalid) as caught:
        read_exchanges(content, "x.yaml")
    return str(caught.value)


@given(st.binary())
def test_bytes_of_vcrpy_yaml(content: bytes) -> None:
    """As vcrpy writes them: text where they are UTF-8, else !!binary."""
    try:
        shown: Any = content.decode()
    except UnicodeDecodeError:
        shown = content
    found = one({"body": shown}, {"status": {"code": 200, "message": "OK"}, "body": {"string": shown}})
    assert (found.request, found.answer) == (content, content)
    assert not found.is_request_value


@given(st.text())
def test_bytes_of_vcrpy_json(text: str) -> None:
    """The JSON serializer keeps text only; a lone surrogate stays what it was."""
    document = {
        "version": 1,
        "interactions": [
            {
                "request": {"method": "GET", "uri": "https://a/", "body": text, "headers": {}},
                "response": {
                    "status": {"code": 200, "message": "OK"},
                    "body": {"string": text},
                    "headers": {},
                },
            }
        ],
    }
    (found,) = read_exchanges(json.dumps(document).encode(), "x.json")
    assert found.request == found.answer == text.encode("utf-8", "surrogatepass")


@costly(30)
@given(JSON_VALUES)
def test_parsed_body_is_the_same_value(value: Any) -> None:
    """The layout of pydantic-ai: no bytes in the file, so their value has to be the same."""
    found = one({"parsed_body": value}, {"status": {"code": 200, "message": "OK"}, "parsed_body": value})
    if value is None:
        assert (found.request, found.is_request_value) == (b"", False)
    else:
        assert json.loads(found.request) == json.loads(found.answer) == value
        assert found.is_request_value
        assert found.is_answer_value


def test_numbers_of_a_parsed_body_lose_nothing() -> None:
    """Thirty digits, the sign of zero, a float that is whole."""
    value = {"big": 123456789012345678901234567890, "zero": -0.0, "whole": 1.0, "small": 1e-07}
    found = one({"parsed_body": value})
    assert found.request == b'{"big":123456789012345678901234567890,"zero":-0.0,"whole":1.0,"small":1e-07}'


@pytest.mark.parametrize(
    ("body", "content"),
    [
        ("text", b"text"),
        ({"string": "text"}, b"text"),
        ({"string": b"\xff\x00"}, b"\xff\x00"),
        ({"string": None}, b""),
        ({"base64_string": base64.b64encode(b"\xff").decode()}, b"\xff"),
        ({"string": "é", "encoding": "latin-1"}, b"\xe9"),
        ({"string": "é", "encoding": None}, "é".encode()),
        (None, b""),
        ({}, b""),
        ({"grant_type": "x"}, b'{"grant_type":"x"}'),
        ([1], b"[1]"),
        ({"type": "json", "content": {"a": [1, None]}}, b'{"a":[1,null]}'),
        ({"type": "json", "content": "said"}, b'"said"'),
        ({"type": "json", "content": None}, b"null"),
        ({"type": "json"}, b""),
        ({"type": "text", "content": "data: {}\n\n"}, b"data: {}\n\n"),
        ({"type": "text", "content": ""}, b""),
        ({"type": "binary", "content": "00ff0a"}, b"\x00\xff\n"),
        ({"type": "none"}, b""),
        ({"type": "text"}, b""),
        ({"type": "text", "content": "x", "more": 1}, b'{"type":"text","content":"x","more":1}'),
        ({"type": "image", "content": "x"}, b'{"type":"image","content":"x"}'),
        ({"type": ["json"], "content": 1}, b'{"type":["json"],"content":1}'),
    ],
)
def test_forms_of_a_body(body: Any, content: bytes) -> None:
    """All that versions of vcrpy, betamax, cassetter and serializers of users wrote."""
    assert one({"body": body}).request == content
    assert one(response={"status": 200, "body": body}).answer == content


def test_a_value_of_cassetter_is_told_from_its_bytes() -> None:
    """What it kept as JSON has no bytes in the file; its texts have."""
    found = one(
        {"body": {"type": "json", "content": {}}}, {"status": 200, "body": {"type": "text", "content": "{}"}}
    )
    assert (found.request, found.answer) == (b"{}", b"{}")
    assert (found.is_request_value, found.is_answer_value) == (True, False)


def test_a_file_as_cassetter_writes_it() -> None:
    """Rust writes it: times stand bare, and keys that YAML 1.1 takes for something else."""
    text = b"""version: 1
interactions:
- request:
    method: POST
    uri: https://a/
    headers:
      accept:
      - "*/*"
    body:
      type: json
      content:
        at: 12:30
        on: y
        small: 4.0e-6
        note: >-
          two
          lines
  response:
    status: 204
    headers: {}
    body:
      type: none
  recorded_at: 2026-10-07T07:54:26.197159+00:00
"""
    (found,) = read_exchanges(text, "x.yaml")
    assert json.loads(found.request) == {"at": "12:30", "on": "y", "small": 4e-06, "note": "two lines"}
    assert (found.status, found.answer, found.recorded[:10]) == (204, b"", "2026-10-07")


def test_when_it_was_recorded() -> None:
    """As the file tells it, or nothing."""
    assert one(recorded_at="2026-10-07T07:54:26.197159+00:00").recorded == "2026-10-07T07:54:26.197159+00:00"
    assert one().recorded == ""


def test_other_protocols_of_cassetter() -> None:
    """They are counted, for a notice; a file that holds nothing else is refused."""
    http = b"interactions: [{request: {uri: a, method: GET}, response: {status: 200}}]\n"
    socket = b"ws_interactions: [{uri: wss://a/, frames: []}]\n"
    assert len(read_exchanges(http + socket, "x.yaml")) == 1
    assert (left_out(http + socket, "x.yaml") or "").startswith("1 ws_interactions: ")
    assert left_out(http, "x.yaml") is None
    assert left_out(http + b"ws_interactions: []\n", "x.yaml") is None
    assert left_out(b"[{request: {uri: ws_interactions, method: GET}}]", "x.yaml") is None


def test_the_layout_of_ruby_and_betamax() -> None:
    """Their list has another name."""
    text = b"http_interactions: [{request: {uri: https://a/, method: get}, response: {status: {code: 200}}}]"
    (found,) = read_exchanges(text, "x.yaml")
    assert (found.method, found.url, found.status) == ("GET", "https://a/", 200)


def test_requests_beside_responses() -> None:
    """LangChain's two lists; where they do not fit, it is no recording."""
    asked = b"requests: [{uri: https://a/, method: GET, body: null, headers: {}}]\n"
    (found,) = read_exchanges(asked + b"responses: [{status: {code: 201}, body: {string: x}}]", "x.yaml")
    assert (found.url, found.status, found.answer) == ("https://a/", 201, b"x")
    assert "no recording that kit knows" in refused(asked + b"responses: []")


def test_forms_of_headers() -> None:
    """Lists, single values, bytes, and pairs; a header given twice is two."""
    headers = {"A": ["1", "2"], "b": "3", "C": [b"4"], "d": b"5\xff", "e": 6}
    assert one({"headers": headers}).request_headers == (
        ("A", "1"), ("A", "2"), ("b", "3"), ("C", "4"), ("d", "5?"), ("e", "6"),
    )  # fmt: skip
    assert one({"headers": [["A", "1"]]}).request_headers == (("A", "1"),)
    odd = {"a": True, "b": None, "c": [False, None, "x"]}
    assert one({"headers": odd}).request_headers == (("a", "true"), ("c", "false"), ("c", "x"))
    assert one({"headers": None}).request_headers == ()


def test_no_answer() -> None:
    """An interaction without a response has no status, and none is made up."""
    assert one().status is None
    text = yaml.dump({"interactions": [{"request": {"method": "GET", "uri": "u"}, "response": None}]})
    assert read_exchanges(text.encode(), "x")[0].status is None


@pytest.mark.parametrize("status", [404, {"code": 404, "message": "Not Found"}, {"code": 404}, "404"])
def test_forms_of_a_status(status: Any) -> None:
    """A number, or vcrpy's pair."""
    assert one(response={"status": status}).status == 404


def test_before_version_1() -> None:
    """A bare list, and an address in parts."""
    parts = {"protocol": "https", "host": "api.x.com", "port": 443, "path": "/v1?a=b", "method": "GET"}
    other = {**parts, "port": 8443, "body": None, "headers": {}}
    old = [
        {"request": request, "response": {"status": {"code": 200}, "body": {"string": "a"}}}
        for request in (parts, other)
    ]
    first, second = read_exchanges(json.dumps(old).encode(), "x.json")
    assert (first.url, second.url) == ("https://api.x.com/v1?a=b", "https://api.x.com:8443/v1?a=b")
    assert (first.number, second.number) == (1, 2)


def test_an_empty_recording() -> None:
    """No interaction is a recording of nothing."""
    assert read_exchanges(b"interactions: []\nversion: 1\n", "x.yaml") == ()


def test_a_byte_order_mark_does_not_matter() -> None:
    """Editors of some systems write one."""
    assert read_exchanges(b"\xef\xbb\xbfinteractions: []\n", "x.yaml") == ()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no recording that kit knows"),
        (b"just text", "no recording that kit knows"),
        (b"interactions: 1", "no recording that kit knows"),
        (b"interactions: [1]", "x.yaml, interaction 1: an interaction must be a mapping"),
        (b"interactions: [{request: 1}]", "its `request` is missing, or no mapping"),
        (b"interactions: [{request: {method: GET}}]", "has no `uri`"),
        (b"interactions: [{request: {uri: a}}]", "method: None is no text"),
        (b"interactions: [{request: {uri: a, method: GET}, response: 1}]", "`response` is no mapping"),
        (b"interactions: [{request: {uri: a, method: GET}, response: {status: no}}]", "no HTTP status"),
        (b"interactions: [{request: {uri: a, method: GET, headers: 1}}]", "headers must be a mapping"),
        (b"interactions: [{request: {uri: a, method: GET, headers: [1]}}]", "1 is no header"),
        (b"interactions: [{request: {uri: a, method: GET, body: {base64_string: a}}}]", "is no base64"),
        (
            b"interactions: [{request: {uri: a, method: GET, body: {type: binary, content: '0'}}}]",
            "the body of its request is no hex",
        ),
        (b"interactions: [{direction: sent, data: {}}]", "interaction 1: this is a message of a websocket"),
        (b"interactions: []\nws_interactions: [{uri: a}]", "a recording of websockets or gRPC"),
        (b"responses: [a]\nsample_requests: [a]", "a recording of websockets or gRPC"),
        (
            b'interactions: [{request: {uri: a, method: GET, body: {string: "\xc3\xa9", encoding: ascii}}}]',
            "no text in ascii",
        ),
        (b"\xff\xfe", "x.yaml:1: this is not UTF-8"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "a pointer of git LFS"),
        (b"kit: cassette 1\n", "a cassette of kit already"),
        (b'{"interactions": [', "this is no JSON that can be read"),
    ],
)
def test_what_is_no_recording(content: bytes, said: str) -> None:
    """Says which interaction and what is wrong with it."""
    assert said in refused(content)


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_file_is_read_or_refused(content: bytes) -> None:
    """Never another error than CassetteInvalid."""
    try:
        read_exchanges(content, "x.yaml")
    except CassetteInvalid:
        return
