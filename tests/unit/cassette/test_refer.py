"""References to earlier answers and results."""

from __future__ import annotations

import json
from typing import Any

from kit.cassette.marks import AnswerRef, ResultRef
from kit.cassette.refer import References
from tests.fakes.cassettes import LOG, asking


def marks(references: References, messages: list[Any], row: dict[str, Any]) -> list[AnswerRef | None]:
    texts = [json.dumps(message, ensure_ascii=False, separators=(",", ":")) for message in messages]
    return references.to_answers(messages, texts, row)


def test_a_message_that_comes_back_is_a_reference() -> None:
    """The same bytes need no order of keys, another order is kept once."""
    references = References()
    references.add_answer(1, {"choices": [{"message": asking("a")}]})
    references.add_answer(2, {"choices": [{"message": asking("b")}]})
    row: dict[str, Any] = {}
    assert marks(references, [{"role": "user"}, asking("a")], row) == [None, AnswerRef(1)]
    assert row == {}
    turned = dict(reversed(asking("b").items()))
    assert marks(references, [turned], row) == [AnswerRef(2)]
    assert [name if isinstance(name, str) else next(iter(name)) for name in row["answer-order"]] == list(
        turned
    )
    later: dict[str, Any] = {}
    assert marks(references, [dict(reversed(asking("a").items()))], later) == [AnswerRef(1)]
    assert later == {}


def test_one_request_has_one_order() -> None:
    """A second order in the same request is shown whole: the file keeps one per call."""
    references = References()
    references.add_answer(1, {"choices": [{"message": asking("a")}]})
    turned = dict(reversed(asking("a").items()))
    assert marks(references, [asking("a"), turned], {}) == [AnswerRef(1), None]


def test_results_are_found_as_text_and_as_json() -> None:
    """A tool message that repeats a result points at it; short ones are read faster than looked up."""
    references = References()
    references.add_result(2, LOG)
    references.add_result(4, {"files": ["a.log", "b.log"], "folder": "/workspace/logs"})
    references.add_result(6, "ok")
    assert references.to_result(LOG) == ResultRef(2)
    text = json.dumps({"files": ["a.log", "b.log"], "folder": "/workspace/logs"})
    assert references.to_result(text) == ResultRef(4, "spaced")
    assert references.to_result("ok") == "ok"
