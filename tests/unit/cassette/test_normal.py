"""Pieces of requests, normalised one by one."""

from __future__ import annotations

import orjson
import pytest

from kit.cassette.exact_json import loads_exact
from kit.cassette.normal import Normaliser, joined


def plain(ignore: tuple[str, ...] = ()) -> Normaliser:
    """A Normaliser without secrets and folders."""
    return Normaliser(None, (), ignore)


def test_ids_are_taken_out_in_an_order_of_their_own() -> None:
    """The order of an object's keys does not change the order of its ids; arguments keep theirs."""
    one = plain().message(
        "messages", b'{"id":"a","tool_calls":[{"id":"b","input":{"id":"c"}}],"call_id":null}'
    )
    two = plain().message(
        "messages", b'{"call_id":null,"tool_calls":[{"input":{"id":"c"},"id":"b"}],"id":"a"}'
    )
    assert (one.record, one.ids) == (two.record, two.ids)
    assert one.ids == ("a", "b")
    assert one.members == 6


def test_a_message_is_normalised_once() -> None:
    """The same text gives the same object back."""
    normal = plain()
    assert normal.message("messages", b'{"a":1}') is normal.message("messages", b'{"a":1}')


def test_odd_numbers_are_flagged() -> None:
    """A message whose number orjson may have rounded says so, by whichever path it comes."""
    assert plain().message("messages", orjson.dumps({"a": 1e20})).odd
    assert not plain().exact_message("messages", loads_exact(b'{"a":1e20}')).odd


@pytest.mark.parametrize(
    ("ignore", "one", "other"),
    [
        (("a.b",), b'{"a":{"b":1,"c":1}}', b'{"a":{"c":1}}'),
        (("a.b",), b'{"a":[{"b":1},{"b":2,"c":3}]}', b'{"a":[{},{"c":3}]}'),
        (("a",), b'{"a":1,"b":2}', b'{"b":2}'),
    ],
)
def test_ignored_fields_are_as_good_as_missing(ignore: tuple[str, ...], one: bytes, other: bytes) -> None:
    """Dotted names reach through objects and lists."""
    assert plain(ignore).parameters(one).record == plain(ignore).parameters(other).record
    assert plain().parameters(one).record != plain().parameters(other).record


def test_parameters_count_in_any_order() -> None:
    """By name, whatever the order; the digest over all is `joined`."""
    parameters = plain().parameters(b'{"b":1,"a":2}')
    assert parameters.record == plain().parameters(b'{"a":2,"b":1}').record == joined(parameters.by_name)
    assert plain().parameter("a", 2) == parameters.by_name["a"]
    assert plain(("a",)).parameter("a", 2) is None
    assert plain().parameter("a", loads_exact(b"1e400")) != plain().parameter("a", loads_exact(b"2e400"))


def test_an_address_is_method_path_and_query() -> None:
    """Scheme, host, user and fragment do not count; an empty path is the root."""
    normal = plain()
    assert normal.head("get", "http://u:p@a:1/x?y#z") == normal.head("GET", "https://b/x?y")
    assert normal.head("GET", "http://a") == normal.head("GET", "http://a/")
    assert normal.head("GET", "http://a/x?y") != normal.head("GET", "http://a/x")
