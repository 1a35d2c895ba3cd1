"""Loading, saving, size and replay of cassettes of any length, beside vcrpy's and cassetter's own."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import json
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import httpx
from rich.table import Table

from kit.cassette import store
from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.recording.patching import installed
from tests.bench.conversations import (
    URL,
    compact,
    exchanges,
    floor_of,
    loaded,
    prose,
    replay,
    smallest,
    vcr_recording,
)

COUNTS = (10, 100, 1000, 5000)
TURNS = (20, 50, 100)
JSON = (("content-type", "application/json"),)
HEADER = Header(
    scenario="bench", start="2026-01-01T00:00:00Z", recorded="2026-01-01T00:00:00Z", model="bench"
)
MOST_FOR_PEERS = 1_750_000
"""Bytes of requests up to which peers play too: they look through all that they recorded for each request,
which takes minutes beyond."""

Made = list[tuple[bytes, bytes]]


def independent(count: int) -> Made:
    """Exchanges of about 2 kB + 1.5 kB that have nothing in common but the tools' names."""
    chance = random.Random(11)
    made = []
    for number in range(count):
        messages = [
            {"role": "system", "content": prose(chance, 900)},
            {"role": "user", "content": f"{number} {prose(chance, 900)}"},
        ]
        answer = {"role": "assistant", "content": prose(chance, 1200)}
        body = {
            "choices": [{"finish_reason": "stop", "index": 0, "message": answer}],
            "created": 1_790_000_000 + number,
            "id": f"chatcmpl-{chance.getrandbits(128):032x}",
            "model": "bench",
            "object": "chat.completion",
            "usage": {"completion_tokens": 40, "prompt_tokens": 300, "total_tokens": 340},
        }
        made.append((compact({"model": "bench", "messages": messages, "temperature": 0}), compact(body)))
    return made


@dataclasses.dataclass(frozen=True)
class Kept:
    """One kit's file of the same exchanges: what it took to save, how to load and to replay it.

    Attributes:
        name: of the kit and its format.
        path: the file, written once.
        saved: seconds that writing it took.
        load: reads it, ready to play.
        play: replays all of it, loading apart where that can be told apart; None where it takes too long.
        play_loads: whether `play` has to load too.
    """

    name: str
    path: Path
    saved: float
    load: Callable[[], object]
    play: Callable[[], object] | None
    play_loads: bool = False


def _cassette(made: Made) -> Cassette:
    interactions = tuple(
        Interaction(
            number,
            "model",
            HttpRequest("POST", URL, JSON, request),
            HttpResponse(200, JSON, answer),
            number * 10,
            number * 10 + 8,
        )
        for number, (request, answer) in enumerate(made, 1)
    )
    return Cassette(HEADER, interactions)


@contextlib.contextmanager
def _kit(made: Made, folder: Path) -> Iterator[Kept]:
    path = folder / "kit.yaml"
    cassette = _cassette(made)
    # The scanner for secrets is there already, as for all but the first save of a command.
    store.write(folder / "first.yaml", _cassette(made[:1]))
    saved = smallest(partial(store.write, path, cassette), 1)
    # The client and the patches are there already, as for all but the first run of a command.
    with httpx.Client() as client, installed(virtual_time=True):
        known = loaded(path)
        yield Kept(
            "kit",
            path,
            saved,
            partial(loaded, path),
            partial(replay, made, path, client, known),
        )


@contextlib.contextmanager
def _vcrpy(made: Made, folder: Path, form: str, *, plays: bool) -> Iterator[Kept]:
    from vcr import VCR
    from vcr.serialize import deserialize, serialize
    from vcr.serializers import jsonserializer, yamlserializer

    serializer = {"yaml": yamlserializer, "json": jsonserializer}[form]
    path = folder / f"vcr.{form}"
    recording = vcr_recording(made)

    def save() -> None:
        path.write_text(serialize(recording, serializer), encoding="utf-8")

    def load() -> object:
        return deserialize(path.read_text("utf-8"), serializer)

    saved = smallest(save, 1)
    player = VCR(match_on=["method", "uri", "body"], record_mode="none", serializer=form)

    def play() -> None:
        with player.use_cassette(str(path)), httpx.Client() as client:
            for request, _ in made:
                client.post(URL, json=json.loads(request)).json()

    yield Kept(f"vcrpy {form}", path, saved, load, play if plays else None, play_loads=True)


@contextlib.contextmanager
def _cassetter(made: Made, folder: Path, *, plays: bool) -> Iterator[Kept]:
    from cassetter import Cassette as Theirs
    from cassetter import use_cassette
    from cassetter.recording import RecordMode

    path = folder / "cassetter.yaml"
    headers = {"content-type": ["application/json"]}

    def save() -> None:
        path.unlink(missing_ok=True)
        theirs = Theirs(path, record_mode=RecordMode.ALL)
        theirs.load()
        for request, answer in made:
            theirs.record("POST", URL, dict(headers), request, 200, dict(headers), answer)
        theirs.save()

    def load() -> None:
        Theirs(path, record_mode=RecordMode.NONE).load()

    saved = smallest(save, 1)

    def play() -> None:
        recorded = use_cassette(
            path, record_mode="none", match_on=["method", "uri", "json_body"], intercept=["httpx"]
        )
        with recorded, httpx.Client() as client:
            for request, _ in made:
                client.post(URL, json=json.loads(request)).json()

    yield Kept("cassetter", path, saved, load, play if plays else None, play_loads=True)


def _tried(call: Callable[[], object] | None, runs: int) -> float | str:
    """Seconds, `-` where it is not measured, or why the peer cannot."""
    if call is None:
        return "-"
    try:
        return smallest(call, runs)
    except Exception as error:  # noqa: BLE001 - whatever a peer fails with is its figure
        return type(error).__name__


def _by_turns(made: Made, kits: list[Kept], runs: int) -> tuple[float, float | str, list[float | str]]:
    """Of the floor, kit's own replay and each kit's load the quickest.

    They run in turns: what else the machine does hits all alike.
    """
    calls = [partial(floor_of, made), kits[0].play, *(kept.load for kept in kits)]
    found: list[list[float | str]] = [[] for _ in calls]
    for _ in range(runs):
        for seen, call in zip(found, calls, strict=True):
            seen.append(_tried(call, 1))
    floor, play, *loads = map(_quickest, found)
    if isinstance(floor, str):
        raise RuntimeError(floor)  # noqa: TRY004 - it holds why the floor itself failed
    return floor, play, loads


def _quickest(seen: list[float | str]) -> float | str:
    told = [one for one in seen if isinstance(one, str)]
    return told[0] if told else min(one for one in seen if isinstance(one, float))


def _rows(title: str, made: Made, runs: int, *, with_peers: bool) -> Iterator[list[str]]:
    plays = sum(len(request) for request, _ in made) <= MOST_FOR_PEERS and with_peers
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        kits: list[Kept] = [stack.enter_context(_kit(made, folder))]
        kits += [
            stack.enter_context(_vcrpy(made, folder, form, plays=plays and form == "yaml"))
            for form in ("yaml", "json")
        ]
        has_cassetter = importlib.util.find_spec("cassetter") is not None
        if has_cassetter:
            kits.append(stack.enter_context(_cassetter(made, folder, plays=plays)))
        own = kits[0]
        floor, own_play, loads = _by_turns(made, kits, runs)
        load = loads[0]
        for kept, seconds in zip(kits, loads, strict=True):
            is_own = kept is own
            play = own_play if is_own else _tried(kept.play, 1)
            if kept.play_loads and isinstance(play, float) and isinstance(seconds, float):
                play = max(play - seconds, 0.0)
            size = kept.path.stat().st_size
            yield [
                title if is_own else "",
                kept.name,
                _ms(seconds),
                "" if is_own else _ratio(seconds, load),
                _ms(kept.saved),
                f"{size / 1000:.0f} kB",
                "" if is_own else f"{size / own.path.stat().st_size:.1f}x",
                _ms(play),
                _ratio(play, floor),
            ]
        if not has_cassetter:
            yield ["", "cassetter: not installed"]


def _ms(seconds: float | str) -> str:
    return seconds if isinstance(seconds, str) else f"{seconds * 1000:.1f} ms"


def _ratio(seconds: float | str, of: float | str) -> str:
    if isinstance(seconds, str) or isinstance(of, str):
        return "-"
    return f"{seconds / of:.2f}x"


def table(runs: int, *, with_peers: bool, counts: Sequence[int] = COUNTS) -> Table:
    """Independent exchanges and growing conversations in each kit's own file."""
    shown = Table(title="the same exchanges in each kit's file: CPU of load, save and replay; size")
    columns = ("exchanges", "kit", "load", "/ kit's", "save", "size", "/ kit's", "replay", "/ floor")
    for column in columns:
        shown.add_column(column, justify="left" if column == "kit" else "right")
    cases: list[tuple[str, Made]] = [(str(count), independent(count)) for count in counts]
    cases += [(f"{turns} turns", exchanges(turns)) for turns in TURNS]
    for title, made in cases:
        own_runs = max(1, min(runs, 5000 // len(made) + 1))
        for row in _rows(title, made, own_runs, with_peers=with_peers):
            shown.add_row(*row)
        shown.add_section()
    return shown


def main() -> None:
    """The table alone."""
    from rich.console import Console

    Console(width=130).print(table(5, with_peers=True))


if __name__ == "__main__":
    main()
