"""A playlist hands out each recorded interaction once."""

from __future__ import annotations

import threading
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, Lane, ToolRequest, ToolResponse
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist, key_of


def recorded(
    number: int, text: str, started_ms: int = 0, *, lane: Lane = "tool", key: bytes | None = None
) -> Interaction:
    """A call of tool `f` with one argument."""
    return Interaction(
        number, lane, ToolRequest("f", {"a": text}), ToolResponse(number), started_ms, started_ms + 5, key
    )


def asked(text: str) -> bytes:
    """The key of the same call."""
    return Keyer().tool("f", {"a": text})


def number(item: Interaction | None) -> int | None:
    """Which interaction it was."""
    return item.number if item else None


def test_equal_requests_play_in_order_of_start() -> None:
    """Identical requests replay in the order they were started, not recorded; then it is a miss."""
    playlist = Playlist([recorded(1, "x", 30), recorded(2, "x", 10), recorded(3, "y", 20)], Keyer())
    assert [number(playlist.take(asked("x"))) for _ in range(3)] == [2, 1, None]
    assert [item.number for item in playlist.leftovers()] == [3]
    assert [item.number for item in playlist.recorded(asked("x"))] == [2, 1]


def test_unknown_requests_miss() -> None:
    """What was never recorded takes nothing away."""
    playlist = Playlist([recorded(1, "x")], Keyer())
    assert playlist.take(asked("z")) is None
    assert playlist.recorded(asked("z")) == ()
    assert len(playlist.leftovers()) == 1


def test_a_key_that_came_along_is_trusted() -> None:
    """The loader of a folded cassette computes keys itself."""
    playlist = Playlist([recorded(1, "x", key=b"own")], Keyer())
    assert playlist.take(asked("x")) is None
    assert number(playlist.take(b"own")) == 1


def test_position_follows_the_play() -> None:
    """A miss can say how far the run got, and sleeps know what they must not pass."""
    playlist = Playlist(
        [recorded(1, "x", 0), recorded(2, "y", 10, lane="model"), recorded(3, "z", 20, lane="model")], Keyer()
    )
    assert playlist.remaining_start_ms() == 0
    assert playlist.take(asked("y")) is not None
    assert (playlist.played(), playlist.played("model"), playlist.played("tool")) == (1, 1, 0)
    assert playlist.remaining_start_ms() == 0
    assert (number(playlist.next_unplayed()), number(playlist.next_unplayed("model"))) == (1, 3)
    assert playlist.take(asked("x")) is not None
    assert playlist.remaining_start_ms() == 20
    assert playlist.take(asked("z")) is not None
    assert playlist.remaining_start_ms() is None
    assert playlist.next_unplayed() is None
    assert playlist.leftovers() == ()


def test_http_requests_are_keyed_with_their_content_type() -> None:
    """A recorded multipart upload matches one with another boundary."""
    sent = [
        HttpRequest(
            "POST", "http://a/up", (("content-type", f"multipart/form-data; boundary={mark}"),), mark.encode()
        )
        for mark in ("aa", "bb")
    ]
    assert key_of(sent[0], Keyer()) == key_of(sent[1], Keyer())
    assert HttpRequest("GET", "http://a/", (), b"").content_type == ""
    playlist = Playlist([Interaction(1, "other", sent[0], HttpResponse(200), 0, 1)], Keyer())
    assert number(playlist.take(key_of(sent[1], Keyer()))) == 1


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=20))
def test_nothing_is_served_twice(tape: list[str], asks: list[str]) -> None:
    """Whatever is asked, each interaction is served at most once and only for its own request."""
    playlist = Playlist([recorded(index, text, index) for index, text in enumerate(tape)], Keyer())
    served = [(text, playlist.take(asked(text))) for text in asks]
    taken = [item for _, item in served if item]
    assert len({item.number for item in taken}) == len(taken)
    assert all(tape[item.number] == text for text, item in served if item)
    assert len(taken) + len(playlist.leftovers()) == len(tape)


def test_threads_share_a_playlist() -> None:
    """Eight threads that ask at once get all answers, each once."""
    playlist = Playlist([recorded(index, "x", index) for index in range(400)], Keyer())
    key, taken = asked("x"), []

    def play() -> None:
        while item := playlist.take(key):
            taken.append(item.number)

    threads = [threading.Thread(target=play) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == list(range(400))


def test_the_first_that_suits_is_taken_in_order_of_start() -> None:
    """Conditional replay goes by position: played ones and other lanes are not looked at."""
    items = [recorded(1, "x"), recorded(2, "y", 10, lane="model"), recorded(3, "z", 20), recorded(4, "z", 30)]
    playlist = Playlist(items, Keyer())
    looked: list[int] = []

    def suits(item: Interaction) -> str | None:
        looked.append(item.number)
        return "found" if item.number > 2 else None

    assert number(playlist.take(asked("x"))) == 1
    assert playlist.take_first("tool", suits) == (items[2], "found")
    assert looked == [3]
    assert number(playlist.take(asked("z"))) == 4
    assert playlist.take_first("tool", suits) is None
    assert [item.number for item in playlist.leftovers()] == [2]


def test_of_equal_requests_a_thread_leaves_their_answers_to_those_ahead() -> None:
    """The last of three threads asks first; the first one was recorded as the last that came to begin."""
    line = [replace(recorded(one, "x", started_ms), under=0) for one, started_ms in ((1, 9), (2, 0), (3, 5))]
    playlist = Playlist(line, Keyer())
    assert [number(playlist.take(asked("x"), 0, ahead)) for ahead in (2, 1, 0)] == [3, 2, 1]


def test_those_ahead_may_ask_something_else() -> None:
    """What is left there is dealt out line by line, whatever it is."""
    texts = ((1, "x"), (2, "y"), (3, "x"), (4, "y"))
    playlist = Playlist([replace(recorded(one, text), under=0) for one, text in texts], Keyer())
    assert [number(playlist.take(asked("y"), 0, ahead)) for ahead in (1, 2)] == [2, 4]
    assert number(playlist.take(asked("x"), 0, 7)) == 3
