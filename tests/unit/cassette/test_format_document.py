"""The written specification says what the code does."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.cassette import body, decode, load
from kit.cassette.emit import dumps
from kit.cassette.load import loads
from tests.fakes.cassettes import tool_run

DOCUMENT = (Path(__file__).parents[3] / "docs" / "cassette-format.md").read_text("utf-8")
EXAMPLE = DOCUMENT.partition("```yaml\n")[2].partition("```\n")[0]


def test_the_example_is_written_by_the_code() -> None:
    """A reader of the specification sees a real file, byte for byte."""
    assert dumps(tool_run()) == EXAMPLE
    assert loads(EXAMPLE) == tool_run()
    assert not loads(EXAMPLE).edited


@pytest.mark.parametrize(
    "word",
    [*load.TOP_KEYS, *decode.TOOL_KEYS, *decode.HTTP_KEYS, *decode.ROW_KEYS, *body.SPACINGS, *body.ESCAPINGS],
)
def test_every_word_of_the_format_is_specified(word: str) -> None:
    """A key that the reader allows and the specification does not name would be nobody's."""
    assert f"`{word}`" in DOCUMENT or f"`{word}:" in DOCUMENT
