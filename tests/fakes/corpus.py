"""The corpus of foreign recordings, read for tests in place; without one a visible skip."""

from __future__ import annotations

import functools
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

CORPUS = Path(
    os.environ.get("KIT_CORPUS", Path(__file__).resolve().parent.parent.parent.parent / "shared" / "corpus")
)
_ABSENT = f"no corpus at {CORPUS}: set KIT_CORPUS to run the tests against real providers' recordings"


@dataclass(frozen=True)
class Exchange:
    """One request with its answer, as bytes, the answer's JSON besides where the file holds it parsed."""

    label: str
    method: str
    url: str
    sent: bytes
    status: int
    content_type: str
    body: bytes

    def json(self) -> Any:
        """The answer's JSON; None where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@functools.cache
def exchanges() -> tuple[Exchange, ...]:
    """All exchanges of the corpus; empty where there is none."""
    return tuple(one for path in sorted(CORPUS.rglob("*.yaml")) for one in _read(path))


def corpus() -> tuple[Exchange, ...]:
    """All exchanges, for one test over all of them; the test is skipped, and says why, without a corpus."""
    found = exchanges()
    if not found:
        pytest.skip(_ABSENT)
    return found


def recordings() -> list[Any]:
    """The exchanges of each file, as parameters; without a corpus one that is skipped and says why."""
    files: dict[str, list[Exchange]] = {}
    for one in exchanges():
        files.setdefault(one.label.rpartition("-")[0], []).append(one)
    found = [pytest.param(tuple(ones), id=name) for name, ones in files.items()]
    return found or [pytest.param(None, id="no-corpus", marks=pytest.mark.skip(reason=_ABSENT))]


def each_exchange() -> list[Any]:
    """All exchanges as parameters of a test; without a corpus one that is skipped and says why."""
    found = [pytest.param(one, id=one.label) for one in exchanges()]
    return found or [pytest.param(None, id="no-corpus", marks=pytest.mark.skip(reason=_ABSENT))]


def _read(path: Path) -> list[Exchange]:
    tree = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return [
        _exchange(f"{path.stem}-{number}", one["request"], one["response"])
        for number, one in enumerate(tree["interactions"], 1)
    ]


def _exchange(label: str, request: dict[str, Any], response: dict[str, Any]) -> Exchange:
    headers = {name.lower(): values for name, values in response["headers"].items()}
    kind = headers.get("content-type", "")
    return Exchange(
        label=label,
        method=request["method"].upper(),
        url=request["uri"],
        sent=_octets(request),
        status=response["status"]["code"],
        content_type=kind if isinstance(kind, str) else str(kind[0]),
        body=_octets(response),
    )


def _octets(side: dict[str, Any]) -> bytes:
    if "parsed_body" in side:
        return json.dumps(side["parsed_body"], ensure_ascii=False).encode("utf-8", "surrogatepass")
    body = side.get("body")
    if isinstance(body, dict):
        body = body.get("string")
    return body if isinstance(body, bytes) else (body or "").encode()
