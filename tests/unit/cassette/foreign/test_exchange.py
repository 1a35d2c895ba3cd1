"""One exchange of a foreign file."""

from __future__ import annotations

from kit.cassette.foreign.exchange import Exchange


def test_an_exchange_without_an_answer() -> None:
    """Its status is None, which is not the same as 0 bytes of an answer."""
    one = Exchange(1, "GET", "https://a/b", (), b"", None)
    assert (one.status, one.answer, one.is_answer_value) == (None, b"", False)
