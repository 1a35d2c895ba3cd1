"""What is fuzzed: each target takes bytes and may raise a KitError that says where or why, nothing else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kit.cassette.cassette import Cassette
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.cassette.key import Keyer
from tests.fuzz import seeds

Outcome = tuple[object, ...]
"""What came out, so coarse that two inputs with the same outcome are of one kind."""

URLS = (
    "http://h/v1/chat/completions",
    "http://h/v1/responses",
    "http://h/v1/messages",
    "http://h/api/chat",
    "http://h/v1beta/models/gemini-pro:streamGenerateContent",
    "http://h/model/anthropic.claude/converse-stream",
    "http://h/model/amazon.titan/invoke",
    "http://h/v2/chat",
    "http://h/v1/embeddings",
    "http://h/mcp",
)
TYPES = (
    "application/json",
    "text/event-stream",
    "application/vnd.amazon.eventstream",
    "application/x-ndjson",
    "",
)


_ABOUT = re.compile(rb"^(suite|model|scenario): *['\"]?([\w.:-]{1,60})", re.MULTILINE)
_ID = re.compile(rb"^id: *['\"]?(\w{1,60})", re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """One parser under fire.

    Attributes:
        name: for the report.
        run: takes an input; the outcome says what kind of input it was.
        seeds: gives valid inputs.
    """

    name: str
    run: Callable[[bytes], Outcome]
    seeds: Callable[[], list[bytes]]

    @cached_property
    def pool(self) -> Sequence[bytes]:
        """The seeds, made once."""
        return self.seeds()


def targets(folder: Path) -> tuple[Target, ...]:
    """All targets; an empty folder becomes the project into which they write."""
    project = Project(folder)
    return (
        Target("cassette", project.cassette, seeds.cassettes),
        Target("scenario", project.scenario, seeds.scenarios),
        Target("suite", project.suite, seeds.suites),
        Target("wire", wire, seeds.bodies),
        Target("body", body, seeds.bodies),
        Target("journal", project.journal, seeds.journals),
        Target("baseline", project.baseline, seeds.baselines),
    )


class Project:
    """A throwaway project into which inputs are written, one at a time, as files that kit reads."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._scenario = seeds.scenarios()[0]
        self._suite = seeds.suites()[0]
        for name in ("scenarios/home", "cassettes/home/stub", "baselines/home/stub"):
            (self.root / name).mkdir(parents=True)
        # What scenarios name must be there.
        shutil.copytree(seeds.ROOT / "fixtures", self.root / "fixtures")

    def cassette(self, content: bytes) -> Outcome:
        """Reads it, looks at everything in it, writes it again and reads that."""
        from kit.cassette.store import read

        path = self.root / "cassettes" / "home" / "stub" / "001_x.yaml"
        path.write_bytes(content)
        return _examined(read(path, Keyer()))

    def scenario(self, content: bytes) -> Outcome:
        """Loads a suite with this scenario."""
        return self._load(content, self._suite)

    def suite(self, content: bytes) -> Outcome:
        """Loads a good scenario of this suite."""
        return self._load(self._scenario, content)

    def _load(self, scenario: bytes, suite: bytes) -> Outcome:
        from kit.scenario.load import load_suites

        folder = self.root / "scenarios" / "home"
        for file in folder.iterdir():
            file.unlink()
        found = _ID.search(scenario)
        (folder / f"{found[1].decode() if found else '001_x'}.yaml").write_bytes(scenario)
        (folder / "suite.yaml").write_bytes(suite)
        (loaded,) = load_suites(self.root)
        return ("loaded", len(loaded.warnings), *sorted(loaded.scenarios[0].model_fields_set))

    def journal(self, content: bytes) -> Outcome:
        """Reads what a crash left."""
        from kit.recording.journal import read_journal

        path = self.root / "j.jsonl"
        path.write_bytes(content)
        found = read_journal(path)
        found.replayed(found.result.interactions)
        return (found.started, found.ended, len(found.result.interactions))

    def baseline(self, content: bytes) -> Outcome:
        """Loads what was accepted, from where the file says that it belongs."""
        from kit.baseline.store import FOLDER, load_all
        from kit.cassette.paths import file_name

        shutil.rmtree(self.root / FOLDER)
        told = {key.decode(): value.decode() for key, value in _ABOUT.findall(content)}
        suite, model = (file_name(told.get(name, "x")) for name in ("suite", "model"))
        path = self.root / FOLDER / suite / model / f"{file_name(told.get('scenario', 'x'))}.yaml"
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        found = load_all(self.root).values()
        return ("loaded", *(name for one in found for name in sorted(one.model_fields_set)))


def _examined(cassette: Cassette) -> Outcome:
    """Everything that a command would look at; what is loaded must also be writable, and come back."""
    from kit.cassette.emit import dumps
    from kit.cassette.load import loads
    from kit.cassette.match import Playlist

    playlist = Playlist(cassette.interactions, Keyer())
    playlist.leftovers()
    _understood(cassette.interactions)
    again = loads(dumps(cassette))
    if again.interactions != cassette.interactions:
        raise AssertionError("what was written is not what was loaded")
    if again.header != cassette.header:
        raise AssertionError("the header that was written is not the one that was loaded")
    return ("loaded", cassette.edited, len(cassette.interactions))


def _understood(interactions: Sequence[Interaction]) -> Outcome:
    from kit.trace.build import build_trace
    from kit.trace.conversation import conversation
    from kit.trace.export import to_json_lines
    from kit.trace.model_call import model_calls
    from kit.trace.run_facts import RunFacts

    calls = model_calls(interactions)
    asked = [call.read_request() for call in calls]
    conversation(interactions)
    facts = RunFacts(
        scenario_id="001_x",
        model="m",
        mode="live",
        interactions=tuple(interactions),
        outcome="success",
        ended_ms=0,
    )
    to_json_lines(build_trace(facts))
    return (
        *(
            (call.dialect.name, bool(call.answer.text), len(call.answer.tool_calls))
            for call in calls
            if call.dialect
        ),
        *((one.error, len(one.messages)) for one in asked),
    )


def wire(content: bytes) -> Outcome:
    """Reads bytes as the request and as the answer of every dialect; nothing may be raised at all."""
    from kit.wire.dialects import DIALECTS
    from kit.wire.registry import recognise

    url, kind = URLS[len(content) % len(URLS)], TYPES[sum(content[:9]) % len(TYPES)]
    recognise("POST", url, content)
    for dialect in DIALECTS:
        dialect.read_request(content)
        dialect.read_response(content, kind, streamed=len(content) % 2 == 0)
    return _understood([_exchange(url, kind, content)])


def body(content: bytes) -> Outcome:
    """Puts bytes into a cassette, as request and as answer, and gets the same bytes back."""
    from tests.fakes.cassettes import header

    url, kind = URLS[len(content) % len(URLS)], TYPES[sum(content[:9]) % len(TYPES)]
    one = _exchange(url, kind, content)
    return _examined(Cassette(header(), (one,)))


def _exchange(url: str, kind: str, content: bytes) -> Interaction:
    request = HttpRequest("POST", url, (("content-type", "application/json"),), content)
    chunks = (len(content),) if content and len(content) % 3 == 0 else ()
    return Interaction(
        1, "model", request, HttpResponse(200, (("content-type", kind),), content, chunks), 0, 7
    )
