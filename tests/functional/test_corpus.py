"""Every recording of the corpus comes over whole and replays (KIT_CORPUS, default ../shared/corpus)."""

from __future__ import annotations

import base64
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from kit.cassette.cassette import Cassette
from kit.cassette.emit import dumps
from kit.cassette.foreign.encoding import decode
from kit.cassette.foreign.vcr import read_exchanges
from kit.cassette.interaction import HttpRequest, HttpResponse
from kit.cassette.key import Keyer
from kit.cassette.load import loads
from kit.cassette.match import Playlist
from kit.redaction.redactor import Redactor
from kit.workflow.importing import as_cassette

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("KIT_CORPUS") or ROOT.parent / "shared" / "corpus")
FILES = sorted(path for path in CORPUS.rglob("*") if path.suffix in {".yaml", ".yml", ".json"})
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

pytestmark = pytest.mark.skipif(not FILES, reason=f"no corpus of foreign recordings at {CORPUS}")
each = pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])


@cache
def imported(path: Path) -> Cassette:
    """The cassette as it comes back from its own text."""
    made, _ = as_cassette(read_exchanges(path.read_bytes(), path.name), path.name, "x.yaml", Redactor())
    return loads(dumps(made), "x.yaml")


@cache
def told(path: Path) -> list[dict[str, Any]]:
    """The interactions by PyYAML, which knows nothing of kit."""
    found: list[dict[str, Any]] = yaml.load(path.read_text("utf-8"), Loader=LOADER)["interactions"]  # noqa: S506 - a safe loader
    return found


def check_body(half: dict[str, Any], found: bytes, redactor: Redactor) -> None:
    """Byte for byte where the file holds bytes, value for value where it holds values; secrets are masked."""
    headers = [(name, str(value[0])) for name, value in (half.get("headers") or {}).items()]
    kind = next((value for name, value in headers if name.lower() == "content-type"), "")
    if half.get("parsed_body") is not None:
        meant = json.dumps(half["parsed_body"], ensure_ascii=False)
        assert json.loads(found) == json.loads(redactor.body(meant.encode(), kind))
        return
    body = half.get("body")
    if isinstance(body, dict) and "base64_string" in body:
        body = base64.b64decode(body["base64_string"])
    elif isinstance(body, dict):
        body = body["string"] if "string" in body else json.dumps(body, separators=(",", ":"))
    raw = body.encode() if isinstance(body, str) else body or b""
    assert found == redactor.body(decode(raw, headers).content, kind)


@each
def test_bodies_come_back(path: Path) -> None:
    """Compared with what PyYAML reads from the source, in its order."""
    redactor = Redactor()
    source, items = told(path), imported(path).interactions
    assert len(items) == len(source)
    for item, meant in zip(items, source, strict=True):
        assert isinstance(item.request, HttpRequest)
        assert isinstance(item.response, HttpResponse)
        assert item.request.url == redactor.url(meant["request"]["uri"])
        assert item.request.method == meant["request"]["method"].upper()
        check_body(meant["request"], item.request.body, redactor)
        if meant.get("response"):
            assert item.response.status == meant["response"]["status"]["code"]
            check_body(meant["response"], item.response.body, redactor)


def test_little_is_masked() -> None:
    """A recording that its owners scrubbed holds hardly anything that a rule of kit takes for a secret."""
    bodies = masked = 0
    for path in FILES:
        for one in read_exchanges(path.read_bytes(), path.name):
            for body, headers in ((one.request, one.request_headers), (one.answer, one.answer_headers)):
                kind = next((value for name, value in headers if name.lower() == "content-type"), "")
                bodies += bool(body)
                masked += Redactor().body(body, kind) != body
    assert masked <= 0.02 * bodies


@each
def test_every_interaction_plays(path: Path) -> None:
    """Asked again with the original requests, the playlist gives each answer, and nothing is left."""
    items = imported(path).interactions
    playlist = Playlist(items, Keyer())
    keyer = Keyer(Redactor())
    for one, item in zip(read_exchanges(path.read_bytes(), path.name), items, strict=True):
        kind = next((value for name, value in one.request_headers if name.lower() == "content-type"), "")
        body = decode(one.request, one.request_headers).content
        played = playlist.take(keyer.http(one.method, one.url, kind, body))
        assert played is not None, f"interaction {one.number} misses"
        assert played.response == item.response
    assert playlist.leftovers() == ()


@each
def test_httpx_gets_the_bytes(path: Path) -> None:
    """What replay hands to a client, headers and all, decodes to the recorded bytes."""
    for item in imported(path).interactions:
        assert isinstance(item.response, HttpResponse)
        if item.response.status:
            answer = httpx.Response(
                item.response.status, headers=list(item.response.headers), content=item.response.body
            )
            assert answer.content == item.response.body
