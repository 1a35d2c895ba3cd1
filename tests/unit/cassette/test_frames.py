"""AWS event streams as text."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.frames import framed, unframed
from tests.fakes.event_streams import EVENT, frame
from tests.fakes.examples import costly


@costly(30)
@given(
    st.lists(
        st.tuples(
            st.text(max_size=20), st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9)), max_size=3)
        )
    ),
    st.binary(max_size=12),
)
def test_frames_come_back(events: list[tuple[str, list[tuple[str, str]]]], tail: bytes) -> None:
    """Headers, payloads and a torn end; or they are not taken for frames."""
    content = b"".join(frame(payload.encode(), *headers) for payload, headers in events) + tail
    texts = unframed(content)
    assert (texts is not None) == bool(events)
    if texts is not None:
        assert framed(texts) == content


@given(st.binary())
def test_any_bytes_are_frames_or_not(content: bytes) -> None:
    """Whatever comes, it comes back or is left alone."""
    texts = unframed(content)
    assert texts is None or framed(texts) == content


def test_a_frame_reads_as_text() -> None:
    """Headers in one line, the payload behind it."""
    assert unframed(frame(b'{"a":1}', EVENT)) == ['[[":event-type", "chunk"]]\n{"a":1}']


def test_an_event_inside_is_shown() -> None:
    """Bedrock hands on events of other APIs in base64."""
    inner = '{"type":"ping","text":"\\u00e9 é"}'
    payload = json.dumps(
        {"bytes": base64.b64encode(inner.encode()).decode(), "p": "abc"}, separators=(",", ":")
    )
    content = frame(payload.encode(), EVENT)
    texts = unframed(content)
    assert texts == [f'[[":event-type", "chunk"]]\n{{"bytes":{inner},"p":"abc"}}']
    assert framed(texts) == content


@pytest.mark.parametrize("inner", ["no json", '{"a":1} ', '{"a":\n1}', "", '{"a":'])
def test_what_is_no_event_inside_stays(inner: str) -> None:
    """Base64 of anything else stays base64."""
    payload = f'{{"bytes":"{base64.b64encode(inner.encode()).decode()}"}}'
    content = frame(payload.encode(), EVENT)
    texts = unframed(content)
    assert texts is not None
    assert texts[0].endswith(payload)
    assert framed(texts) == content


def test_wrong_checksums_and_other_headers_are_left_alone() -> None:
    """What could not be computed anew is no stream for a cassette."""
    good = frame(b"{}", EVENT)
    assert unframed(good[:-1] + b"\0") is None
    assert unframed(frame(b"{}", EVENT, kind=6)) is None
    assert unframed(frame(b"\xff", EVENT)) is None
    assert unframed(b"") is None
    with pytest.raises(ValueError, match="Expecting"):
        framed(["nonsense"])
