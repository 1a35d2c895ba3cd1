"""`baselines/golden/history.jsonl`: every pass that was ever measured, one JSON object a line (S4-34).

Only ever appended to, and never looked at to set a floor.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kit import clock
from kit.baseline.store import FOLDER
from kit.errors import ConfigError
from kit.golden.outcome import CaseOutcome, Kind
from kit.golden.passes import Pass
from kit.wire.json_text import without_twins

FILE = "history.jsonl"


class _Case(BaseModel):
    """How one case ended: the fields of `CaseOutcome`, without the empty ones."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    kind: Kind
    given: str | None = None
    detail: str = ""
    latency_ms: int | None = None


class _Line(BaseModel):
    """One pass; `hits` and `of` must be those of its cases."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    timestamp: str
    model: str
    number: Annotated[int, Field(alias="pass", ge=1)]
    source: Literal["live", "recorded"]
    hits: int
    of: int
    cases: dict[str, _Case]


def history_path(root: Path, suite: str) -> Path:
    """Where the passes of a suite are logged, beside its floors."""
    return root / FOLDER / suite / FILE


def line_of(one: Pass) -> str:
    """A pass as it stands in the log, without its line end; `hits` and `of` are for readers."""
    entry = {
        "timestamp": clock.iso(one.when),
        "model": one.model,
        "pass": one.number,
        "source": one.source,
        "hits": one.hits,
        "of": one.of,
        "cases": {outcome.case: _without_empty(outcome) for outcome in one.outcomes},
    }
    return json.dumps(entry, ensure_ascii=False)


def read_history(file: Path) -> tuple[Pass, ...]:
    """Every logged pass, in the order of the file; none where there is no file.

    Two branches that logged the same recorded pass are merged by union, which may leave its line there twice:
    it is one pass.

    Raises:
        ConfigError: a line is none that kit wrote.
    """
    if not file.is_file():
        return ()
    lines = file.read_bytes().split(b"\n")  # a model's text may hold other line ends
    passes = (_read(line, f"{file.name}:{number}") for number, line in enumerate(lines, 1) if line.strip())
    return tuple(dict.fromkeys(passes))


def append(file: Path, passes: Iterable[Pass]) -> int:
    """Append passes that are not logged yet; what stands in the file stays as it is.

    A recorded pass is the same one wherever it is read, so it is logged once.

    Returns:
        How many lines were added.
    """
    known = {_identity(one) for one in read_history(file)}
    new = [one for one in passes if _identity(one) not in known]
    if new:
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{line_of(one)}\n" for one in new)
        with file.open("a", encoding="utf-8", newline="\n") as log:
            log.write(lines if _ends_with_a_line_end(file) else f"\n{lines}")
    return len(new)


def _ends_with_a_line_end(file: Path) -> bool:
    """An editor may have cut the last one off: the next line must not become part of that before it."""
    text = file.read_bytes()
    return not text or text.endswith(b"\n")


def _identity(one: Pass) -> tuple[str, int, str]:
    return one.model, one.number, clock.iso(one.when)


def _without_empty(outcome: CaseOutcome) -> dict[str, Any]:
    fields = asdict(outcome)
    del fields["case"]
    return {name: value for name, value in fields.items() if value not in (None, "")}


def _read(line: bytes, where: str) -> Pass:
    try:
        found = json.loads(line.decode("utf-8"), object_pairs_hook=without_twins)
        entry = _Line.model_validate(found)
        outcomes = tuple(
            CaseOutcome(case, one.kind, one.given, one.detail, one.latency_ms)
            for case, one in entry.cases.items()
        )
        read = Pass(entry.model, entry.number, outcomes, clock.parse_iso(entry.timestamp), entry.source)
    except ValidationError as invalid:
        first = invalid.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "object"
        raise _foreign(where, f"{place}: {first['msg']}") from invalid
    except (ValueError, RecursionError) as broken:
        raise _foreign(where, str(broken)) from broken
    if (entry.hits, entry.of) != (read.hits, read.of):
        raise _foreign(where, f"it says {entry.hits}/{entry.of}, and its cases are {read.hits}/{read.of}")
    return read


def _foreign(where: str, why: str) -> ConfigError:
    return ConfigError("not a line of a golden history", where=where, why=why)
