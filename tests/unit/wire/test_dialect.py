"""The values every dialect speaks in."""

from __future__ import annotations

import dataclasses
from typing import get_args

import pytest

from kit.wire.dialect import MODEL_KINDS, Dialect, Kind, ModelAnswer, ModelRequest
from kit.wire.dialects import DIALECTS


def test_an_empty_answer_claims_nothing() -> None:
    """What was not said is None, never zero or an empty text (X-05)."""
    answer = ModelAnswer()
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens, answer.finish_reason) == (None,) * 4
    assert not answer.broken


def test_values_cannot_be_changed() -> None:
    """A request that was read is a fact."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        ModelRequest().model = "other"  # type: ignore[misc]


def test_every_registered_dialect_has_a_name_of_its_own() -> None:
    """Reports name dialects, so no two share a name."""
    dialects: tuple[Dialect, ...] = DIALECTS
    names = [dialect.name for dialect in dialects]
    assert len(set(names)) == len(names) > 0


def test_every_kind_of_a_model_has_a_dialect() -> None:
    """The lanes are told by kind, so a kind without dialect would be a dead rule."""
    assert {dialect.kind for dialect in DIALECTS} == set(get_args(Kind))
    assert set(get_args(Kind)) > MODEL_KINDS
