"""One recorded run."""

from __future__ import annotations

from kit.cassette.cassette import Cassette
from tests.fakes.cassettes import header, tool_run


def test_an_edit_is_no_part_of_what_a_cassette_is() -> None:
    """Two cassettes with the same content are equal, whoever wrote the file."""
    items = tool_run().interactions
    assert Cassette(header(), items, edited=True) == Cassette(header(), items)
    assert Cassette(header(seed=2), items) != Cassette(header(), items)
