"""Where secrets are found."""

from __future__ import annotations

import json
import time

import pytest

from kit.redaction.rule import DEFAULT_RULES, parse_rules
from kit.redaction.search import Search


def secrets(found: list[object]) -> list[str]:
    """The secrets of spans."""
    return [span.secret for span in found]  # type: ignore[attr-defined]


def test_what_is_known_is_found_everywhere() -> None:
    """The longest of two known secrets wins where one contains the other."""
    search = Search(DEFAULT_RULES)
    assert search.prose("ab12 ab1234") == []
    search.know({"ab12": "ab12", "ab1234": "ab1234"})
    assert secrets([*search.prose("ab12 ab1234")]) == ["ab12", "ab1234"]


def test_fields_reach_their_value_and_its_list_only() -> None:
    """A field's secret ends with its value; the next string is innocent again."""
    text = '{"password": ["a", "b", {"x": "c"}], "note": "d", "secret" : "e", "f": ["g"]}'
    assert secrets([*Search(DEFAULT_RULES).json(text)]) == ["a", "b", "e"]


def test_spans_point_at_the_secret() -> None:
    """In the raw text, through two levels of strings."""
    text = '{"a": "{\\"b\\": \\"{\\\\\\"password\\\\\\": \\\\\\"pw\\\\\\"}\\"}"}'
    [span] = Search(DEFAULT_RULES).text(text)
    assert (text[span.start : span.end], span.secret) == ("pw", "pw")


def test_too_deep_nesting_is_searched_as_prose() -> None:
    """JSON in a string in JSON … ends somewhere; keys known by their look are found all the same."""
    text = "use sk-abcdefgh123456"
    for _ in range(9):
        text = json.dumps([text])
    assert secrets([*Search(DEFAULT_RULES).text(text)]) == ["sk-abcdefgh123456"]


def test_what_is_allowed_is_found_by_no_rule() -> None:
    """Neither by a pattern of the user's own nor as the number of a field; both are told to have matched."""
    search = Search(parse_rules({"patterns": ["B-([0-9]{4})"], "allow": ["1234", "never"]}))
    assert secrets([*search.prose("B-1234 B-5678")]) == ["5678"]
    assert search.matched == {'pattern "B-([0-9]{4})"', 'allow "1234"'}
    assert secrets([*search.json('{"password": 1234, "secret": 567}')]) == ["567"]


@pytest.mark.parametrize(
    "text",
    ["a" * 200_000, "a=" * 50_000, '"' * 100_000, "\\" * 100_000, "://" * 50_000, "eyJ" * 50_000,
     "sk-" * 50_000, '{"a":' * 30_000,
     "Bearer " * 20_000, "-----BEGIN PRIVATE KEY-----" * 300, "'a':'" * 20_000],
)  # fmt: skip
def test_no_text_takes_for_ever(text: str) -> None:
    """Nothing here is worse than proportional to the length of the text by much."""
    begun = time.process_time()
    Search(DEFAULT_RULES).text(text)
    assert time.process_time() - begun < 3
