"""Where a cassette comes from."""

from __future__ import annotations

from kit.cassette.header import KEY_RULE, Header


def test_a_plain_run_says_little() -> None:
    """Only scenario and instants have no default."""
    header = Header(scenario="001", start="2026-11-29T21:59:34Z", recorded="2026-11-29T21:59:35Z")
    assert (header.kind, header.replicate, header.key_rule) == ("run", 1, KEY_RULE)
    assert header.inputs == {}
    assert header.inputs is not Header(scenario="2", start="", recorded="").inputs
