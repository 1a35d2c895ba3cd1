"""Real paths and their aliases."""

from __future__ import annotations

import base64
import itertools
import json

from hypothesis import given
from hypothesis import strategies as st

from kit.recording.paths import PathMap
from kit.wire.eventstream import messages
from tests.fakes.event_streams import EVENT, frame

MAP = PathMap((("/tmp/run-1", "/kit-workspace"), ("/tmp", "/kit-tmp")))


def test_the_longest_real_path_wins() -> None:
    """A folder inside another is not taken for the outer one."""
    assert MAP.hide(b"/tmp/run-1/a /tmp/b") == b"/kit-workspace/a /kit-tmp/b"
    assert MAP.show(b"/kit-workspace/a /kit-tmp/b") == b"/tmp/run-1/a /tmp/b"


def test_escaped_slashes_of_json_are_seen() -> None:
    """Some writers of JSON escape the slash."""
    assert MAP.hide(rb'"\/tmp\/run-1\/a"') == rb'"\/kit-workspace\/a"'


def test_values_are_mapped_at_any_depth() -> None:
    """Lists, objects and the names of their fields."""
    value = {"at": ["/tmp/run-1/x", 1, None], "/tmp/run-1": True}
    hidden = {"at": ["/kit-workspace/x", 1, None], "/kit-workspace": True}
    assert MAP.hide_value(value) == hidden
    assert MAP.show_value(hidden) == value


def test_without_paths_nothing_is_copied() -> None:
    """The way of most requests costs nothing."""
    body, value = b"/tmp/run-1", {"a": "/tmp/run-1"}
    empty = PathMap(())
    assert empty.hide(body) is body
    assert empty.show_value(value) is value


def test_a_boundary_inside_a_replaced_piece_moves_behind_it() -> None:
    """Literal pieces keep their own boundaries."""
    before = b"see /tmp/run-1/a and more"
    after = MAP.hide(before)
    assert after == b"see /kit-workspace/a and more"
    assert MAP.realign(before, after, (4, 5, 7, 9)) == (4, 14, 2, 9)


def test_masks_count_as_replaced() -> None:
    """What redaction masked moves boundaries as well."""
    before, after = b"key=s3cret;end", b"key=<secret-1>;end"
    assert MAP.realign(before, after, (6, 8)) == (14, 4)


words = st.sampled_from([b"/tmp/run-1", b"/tmp", b"s3cret", b"/", b"a", b" ", b"\n", b"<secret-", b"\xff"])


@given(st.lists(words, max_size=12).map(b"".join), st.lists(st.integers(0, 9), max_size=5))
def test_moved_boundaries_always_cut_the_whole_body(before: bytes, cuts: list[int]) -> None:
    """Whatever is replaced, the lengths are positive and add up to the new body."""
    ends = sorted({min(end * 3, len(before)) for end in cuts} | {len(before)})
    lengths = tuple(end - start for start, end in itertools.pairwise([0, *ends]))
    after = MAP.hide(before).replace(b"s3cret", b"<secret-1>")
    moved = MAP.realign(before, after, lengths)
    assert sum(moved) == len(after)
    assert after == before or all(length > 0 for length in moved)


def test_frames_stay_frames() -> None:
    """Paths in a binary event stream are replaced in its texts, boundaries move frame by frame."""
    inner = base64.b64encode(b'{"a":"/tmp/run-1/x"}').decode()
    parts = [f'{{"bytes":"{inner}"}}', '{"a":1}', '{"a":"/tmp/run-1"}', "{}"]
    before = b"".join(frame(part.encode(), EVENT) for part in parts)
    after = MAP.hide(before)
    shown = messages(after)
    assert all(one.intact for one in shown)
    assert base64.b64decode(json.loads(shown[0].payload)["bytes"]) == b'{"a":"/kit-workspace/x"}'
    assert shown[2].payload == b'{"a":"/kit-workspace"}'
    assert MAP.show(after) == before
    lengths = [len(one.raw) for one in messages(before)]
    new = [len(one.raw) for one in shown]
    assert MAP.realign(before, after, tuple(lengths)) == tuple(new)
    cut = (lengths[0] + 5, lengths[1] + 5, sum(lengths[2:]) - 10)
    # Inside the third frame, which changed: the boundary moves behind it.
    assert MAP.realign(before, after, cut) == (new[0] + 5, new[1] + new[2] - 5, new[3])


def test_frames_that_were_broken_come_back() -> None:
    """Older recordings have aliases in frames whose lengths are those of the real paths."""
    before = frame(b'{"a":"/tmp/run-1 and more"}', EVENT) + frame(b"{}", EVENT)
    assert MAP.show(before.replace(b"/tmp/run-1", b"/kit-workspace")) == before
