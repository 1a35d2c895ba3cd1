"""Values of frameworks become JSON and come back."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from kit.agent.frameworks import values
from kit.agent.frameworks.values import TYPE, VALUE, pack, unpack
from kit.errors import UsageError
from tests.fakes.examples import costly

OWN = (__name__.partition(".")[0],)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


class Colour(enum.StrEnum):
    """What a tool may return for a text."""

    RED = "red"


class Picture(BaseModel):
    """A model of a framework."""

    title: str
    taken: dt.date = dt.date(2026, 1, 2)


@dataclasses.dataclass
class Pair:
    """A dataclass of a framework."""

    left: int
    right: str = "r"


@costly(30)
@given(JSON)
def test_json_stays_what_it_is(value: Any) -> None:
    """What is JSON already is neither copied into another shape nor marked."""
    assert unpack(pack(value, OWN, "it"), OWN) == value


@pytest.mark.parametrize(
    "value", [Picture(title="t"), Pair(1), Pair(2, "x"), [Pair(1), {"p": Picture(title="u")}]]
)
def test_objects_of_the_framework_come_back_as_they_were(value: Any) -> None:
    """Class and fields are kept, through real JSON."""
    packed = json.loads(json.dumps(pack(value, OWN, "it")))
    assert unpack(packed, OWN) == value


def test_other_objects_become_their_json() -> None:
    """The agent's own models are read by the model as JSON anyway; nothing of the class is recorded."""
    shown = pack({"when": dt.date(2026, 1, 2), "pair": (1, 2), "p": Picture(title="t")}, ("elsewhere",), "it")
    assert shown == {"when": "2026-01-02", "pair": [1, 2], "p": {"title": "t", "taken": "2026-01-02"}}
    assert type(pack(Colour.RED, ("elsewhere",), "it")) is str


def test_what_cannot_be_written_names_its_place() -> None:
    """An open file or a client is refused before anything is recorded."""
    with pytest.raises(UsageError, match=r"the result of tool x.rows\[1\] is a builtins.object"):
        pack({"rows": [1, object()]}, OWN, "the result of tool x")


@pytest.mark.parametrize(
    "recorded",
    [
        {TYPE: "subprocess:Popen", VALUE: {"args": ["x"]}},
        {TYPE: f"{__name__}:Gone", VALUE: {}},
        {TYPE: f"{__name__}:Pair", VALUE: {"left": "no number"}},
        {TYPE: f"{OWN[0]}.no_such_module:Pair", VALUE: {}},
    ],
)
def test_a_class_that_cannot_be_made_is_an_error(recorded: dict[str, Any]) -> None:
    """A cassette makes objects of the framework only, and says so where the framework has changed."""
    with pytest.raises(UsageError, match="the recorded result is a"):
        unpack(recorded, OWN)


def test_dicts_of_other_keys_are_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the exact pair of keys means an object."""
    monkeypatch.setattr(values, "_made", lambda *_: pytest.fail("made"))
    assert unpack({TYPE: "a:b", VALUE: 1, "more": 2}, OWN) == {TYPE: "a:b", VALUE: 1, "more": 2}
