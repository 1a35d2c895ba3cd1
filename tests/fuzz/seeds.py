"""Valid inputs to start from: committed cassettes and scenarios, samples, the corpus where it is there."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from kit.cassette.interaction import HttpRequest, HttpResponse
from kit.cassette.store import read
from kit.recording.journal import Journal
from tests.fakes.cassettes import tool_run

ROOT = Path(__file__).resolve().parent.parent.parent
LARGEST = 100_000
"""Bytes of a seed: larger ones would be mutated too seldom in an hour."""


def cassettes() -> list[bytes]:
    """Committed recordings, and one small one."""
    from kit.cassette.emit import dumps

    files = sorted((ROOT / "cassettes").rglob("*.yaml"))
    return [dumps(tool_run()).encode(), *_small(file.read_bytes() for file in files)]


def scenarios() -> list[bytes]:
    """Committed scenarios."""
    folder = ROOT / "scenarios" / "home"
    return [file.read_bytes() for file in sorted(folder.rglob("*.yaml")) if file.name != "suite.yaml"]


def suites() -> list[bytes]:
    """Committed suites."""
    return [file.read_bytes() for file in sorted((ROOT / "scenarios" / "home").glob("suite.yaml"))]


def baselines() -> list[bytes]:
    """Committed baselines."""
    files = sorted((ROOT / "baselines").rglob("*.yaml"))
    return _small(file.read_bytes() for file in files if not file.name.endswith(".skeleton.yaml"))


def journals() -> list[bytes]:
    """A journal as a run leaves it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "j.jsonl"
        journal = Journal(path)
        journal.start("tape", "record")
        for interaction in tool_run().interactions:
            journal.interaction(interaction)
        journal.found("escapes", "went out")
        journal.played(1)
        journal.end(9, 4)
        return [path.read_bytes()]


def bodies() -> list[bytes]:
    """Bodies of requests and answers: of committed cassettes, of real servers' samples, of the corpus."""
    found = [*_of_cassettes(), *_of_samples(), *_of_corpus()]
    return sorted(set(_small(found)))


def _small(texts: Any) -> list[bytes]:
    return [text for text in texts if 0 < len(text) <= LARGEST]


def _of_cassettes() -> Iterator[bytes]:
    for file in sorted((ROOT / "cassettes").rglob("*.yaml"))[::5]:
        for interaction in read(file).interactions:
            if isinstance(interaction.request, HttpRequest):
                yield interaction.request.body
            if isinstance(interaction.response, HttpResponse):
                yield interaction.response.body


def _of_samples() -> Iterator[bytes]:
    folder = Path(os.environ.get("KIT_SAMPLES", ROOT.parent / "shared" / "samples"))
    for file in sorted(folder.rglob("*.json")):
        yield file.read_bytes()
    for file in sorted(folder.rglob("*.http")):
        content = file.read_bytes().replace(b"\r\n", b"\n")
        yield content.partition(b"\n\n")[2]


def _of_corpus() -> Iterator[bytes]:
    folder = Path(os.environ.get("KIT_CORPUS", ROOT.parent / "shared" / "corpus"))
    for file in sorted(folder.rglob("*.yaml")):
        recorded = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)
        for interaction in recorded.get("interactions", ()):
            for side in (interaction.get("request"), interaction.get("response")):
                yield from _body(side or {})


def _body(side: dict[str, Any]) -> Iterator[bytes]:
    if "parsed_body" in side:
        yield json.dumps(side["parsed_body"]).encode()
    body = side.get("body")
    body = body.get("string") if isinstance(body, dict) else body
    if body:
        yield body if isinstance(body, bytes) else str(body).encode("utf-8", "surrogatepass")
