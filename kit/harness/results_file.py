"""The results of a shard as lines of JSON, appended as the cells end: what other shards' are merged with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kit.errors import UsageError
from kit.oracle.result import OracleResult
from kit.trace.trace import Mode

FILE_NAME = "results.jsonl"
FORMAT = "results 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What all shards of one run have in common.

    Attributes:
        cells: key and scenario id of every cell of the whole plan, in order.
        mode: replay or live.
        commit: of the project.
        against: the git ref whose baselines count; None is the working tree.
        shards: into how many parts the plan was cut.
    """

    cells: tuple[str, ...]
    mode: Mode
    commit: str | None
    against: str | None
    shards: int


@dataclass(frozen=True, slots=True)
class ResultsFile:
    """What a file of results says.

    Attributes:
        path: the file; traces lie beside it.
        number: which part of the plan it holds.
        plan: the whole plan.
        results: by key of the cell.
    """

    path: Path
    number: int
    plan: Plan
    results: dict[str, OracleResult]


class ResultsWriter:
    """Appends to the file of one shard; each line is on disk before the next cell starts."""

    def __init__(self, folder: Path, plan: Plan, number: int) -> None:
        self._path = folder / FILE_NAME
        self._append({"kit": FORMAT, "shard": number, **asdict(plan)})

    def add(self, key: str, result: OracleResult) -> None:
        """Keep the result of a cell."""
        self._append({"cell": key, "result": result.model_dump(mode="json")})

    def _append(self, value: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(value, ensure_ascii=False) + "\n")


def read_results(path: Path) -> ResultsFile:
    """Read a shard's results.

    Args:
        path: the file, or the report folder that holds it.

    Raises:
        UsageError: there is none, it is none, or it is cut short.
    """
    file = path / FILE_NAME if path.is_dir() else path
    if not file.is_file():
        raise UsageError(f"there are no results at {path}", next_command="kit replay --shard 1/2")
    lines = file.read_text(encoding="utf-8").split("\n")
    if lines.pop() != "":
        raise UsageError("the file is cut short: its last line has no end", where=str(file))
    try:
        head, *rest = [json.loads(line) for line in lines]
        return _parsed(file, head, rest)
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError) as error:
        raise UsageError(f"these are no results of kit: {error}", where=str(file)) from error


def _parsed(file: Path, head: dict[str, Any], lines: list[dict[str, Any]]) -> ResultsFile:
    if head.pop("kit") != FORMAT:
        raise ValueError(f"the file is not of the form `{FORMAT}`")
    number = head.pop("shard")
    plan = Plan(**{**head, "cells": tuple(head["cells"])})
    results: dict[str, OracleResult] = {}
    for line in lines:
        key = line["cell"]
        if key in results:
            raise ValueError(f"{key} has two results")
        result = OracleResult.model_validate(line["result"])
        if result.trace_path.is_absolute() or ".." in result.trace_path.parts:
            raise ValueError(f"the trace of {key} lies outside the folder of its report")
        results[key] = result
    return ResultsFile(file, number, plan, results)


def merged(files: Sequence[ResultsFile]) -> list[OracleResult]:
    """The results of the whole plan, in its order.

    Raises:
        UsageError: files of different runs, or cells that are missing, doubled, or in no plan.
    """
    plan = files[0].plan
    for other in files[1:]:
        if other.plan != plan:
            told = _difference(plan, other.plan)
            raise UsageError(f"{other.path} is of another run than {files[0].path}: {told}")
    found: dict[str, OracleResult] = {}
    for file in files:
        doubled = sorted(file.results.keys() & found.keys())
        if doubled:
            raise UsageError(f"these cells have two results: {', '.join(doubled)}", where=str(file.path))
        found |= file.results
    if strange := sorted(found.keys() - set(plan.cells)):
        raise UsageError(f"these cells are in no plan: {', '.join(strange)}")
    missing = [key for key in plan.cells if key not in found]
    absent = sorted(set(range(1, plan.shards + 1)) - {file.number for file in files})
    if missing:
        parts = ", ".join(f"{number}/{plan.shards}" for number in absent)
        raise UsageError(
            f"{len(missing)} of {len(plan.cells)} cells have no result: {', '.join(missing)}",
            why=f"no results of shard {parts} are among these"
            if parts
            else "a shard did not come to its end",
        )
    return [found[key] for key in plan.cells]


def _difference(one: Plan, other: Plan) -> str:
    if one.commit != other.commit:
        return f"commit {other.commit}, not {one.commit}"
    if (one.shards, one.mode, one.against) != (other.shards, other.mode, other.against):
        return (
            f"{other.mode} in {other.shards} shards against {other.against or 'the working tree'}, "
            f"not {one.mode} in {one.shards} against {one.against or 'the working tree'}"
        )
    return f"its plan has {len(other.cells)} cells, not the same {len(one.cells)}"
