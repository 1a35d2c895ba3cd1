"""Reads the settings of a project from `[tool.kit]`, the environment and the command line."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from kit.config.settings import SHAPES, ModelSettings, Settings, Table, Tier, TokenPrice
from kit.errors import ConfigError

ENVIRONMENT = {"model": "KIT_MODEL", "base_url": "KIT_BASE_URL", "judge": "KIT_JUDGE"}
_INTERNAL = frozenset({"root", "overrides"})
_PART = r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'"""
_DOTTED = rf"(?:{_PART})(?:\s*\.\s*(?:{_PART}))*"
_KEY = re.compile(rf"\s*(?:\[\[?\s*(?P<table>{_DOTTED})\s*\]|(?P<key>{_DOTTED})\s*=)")

_Problem = tuple[tuple[str | int, ...], str]
_TABLES: dict[str, type[Table]] = {
    "models": ModelSettings,
    "prices": TokenPrice,
    **{
        name: type(one.default)
        for name, one in Settings.model_fields.items()
        if isinstance(one.default, Table)
    },
}
"""What a table below `[tool.kit]` holds; of the first two each entry is such a table."""


def load(
    start: Path,
    *,
    arguments: Mapping[str, str | None] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """The settings that hold in a folder.

    Args:
        start: folder kit runs in; `[tool.kit]` is looked for upwards, up to a repository's root.
        arguments: values from the command line by key (`model`, `base_url`, `judge`, …); None is not given.
        environ: the environment; that of the process where left out.

    Raises:
        ConfigError: `[tool.kit]` is wrong; lists every problem with file and line.
    """
    start = start.resolve()
    environ = os.environ if environ is None else environ
    path, text, table = _find(start)
    given = {key: value for key, value in (arguments or {}).items() if value}
    from_environment = {key: environ[name] for key, name in ENVIRONMENT.items() if environ.get(name)}
    overrides = from_environment | given
    values = {**table, **overrides, "root": path.parent if path else start, "overrides": frozenset(overrides)}
    problems: list[_Problem] = [((name,), _unknown((name,))) for name in sorted(_INTERNAL & table.keys())]
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        problems += [_problem(detail) for detail in error.errors()]
    else:
        if not problems:
            return settings
    problems.sort(key=lambda problem: _line_of(text, ("tool", "kit", *problem[0])))
    sources = {key: ENVIRONMENT[key] for key in from_environment} | {
        key: f"--{key.replace('_', '-')}" for key in given
    }
    shown = "pyproject.toml" if path and path.parent == start else str(path)
    (where, what), *more = [
        (sources.get(str(keys[0])) or f"{shown}:{_line_of(text, ('tool', 'kit', *keys))}", what)
        for keys, what in problems
    ]
    raise ConfigError("\n".join([what, *(f"{place}: {other}" for place, other in more)]), where=where)


def place_of(root: Path, keys: tuple[str, ...], text: str = "") -> str:
    """Where a setting stands, as `pyproject.toml:12`.

    Args:
        root: of the project.
        keys: below `[tool.kit]`.
        text: an item of a list that goes over several lines; the key's own line where it stands on none.
    """
    path = root / "pyproject.toml"
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return str(path)
    line = _line_of("\n".join(lines), ("tool", "kit", *keys))
    spelled = {text, text.replace("\\", "\\\\").replace('"', '\\"')} - {""}
    below = (at for at, own in enumerate(lines[line - 1 :], line) if any(one in own for one in spelled))
    return f"pyproject.toml:{next(below, line)}"


def _find(start: Path) -> tuple[Path | None, str, dict[str, Any]]:
    """The pyproject.toml that configures kit, its text and its `[tool.kit]`."""
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            text, table = _read(path)
            if table is not None:
                return path, text, table
        if (folder / ".git").exists():
            break
    return None, "", {}


def _read(path: Path) -> tuple[str, dict[str, Any] | None]:
    """Text and `[tool.kit]` of one file; None where the file does not speak of kit."""
    try:
        text = path.read_text(encoding="utf-8")
        if "kit" not in text:
            return text, None
        tool = tomllib.loads(text, parse_float=Decimal).get("tool", {})
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read: {error}", where=str(path)) from error
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = f":{place.group(1)}" if place else ""
        what = str(error).replace(place.group(), "") if place else str(error)
        raise ConfigError(f"is not TOML: {what}", where=f"{path}{line}") from error
    table = tool.get("kit") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError("`tool.kit` must be a table", where=f"{path}:{_line_of(text, ('tool', 'kit'))}")
    return text, table


def _problem(detail: ErrorDetails) -> _Problem:
    """Where in `[tool.kit]` something is wrong, and what, from one error of pydantic."""
    keys = tuple(key for key in detail["loc"] if key != "[key]")
    if detail["type"] == "extra_forbidden" or "[key]" in detail["loc"]:
        return keys, _unknown(keys)
    what = SHAPES.get(detail.get("ctx", {}).get("pattern", ""), detail["msg"])
    what = what.removeprefix("Value error, ").replace("Input should", "should")
    got = "" if isinstance(detail["input"], dict) else f" (got {str(detail['input'])!r})"
    return keys, f"`{'.'.join(map(str, keys))}`: {what}{got}"


def _unknown(keys: tuple[str | int, ...]) -> str:
    """An unknown key, the likeliest meant, and what is allowed there."""
    *above, key = map(str, keys)
    if above and above[-1] == "tiers":
        allowed = list(get_args(Tier))
    else:
        table = _TABLES[above[0]] if above else Settings
        allowed = sorted(table.model_fields.keys() - _INTERNAL)
    close = difflib.get_close_matches(key, allowed, n=1)
    hint = f"; did you mean `{close[0]}`?" if close else ""
    return f"unknown key `{'.'.join([*above, key])}`{hint} (allowed: {', '.join(allowed)})"


def _line_of(text: str, keys: tuple[str | int, ...]) -> int:
    """Line of the TOML text that sets `keys`, or the nearest table around it."""
    best = (0, 1)
    table: tuple[str, ...] = ()
    is_inside = False
    for number, line in enumerate(text.split("\n"), start=1):
        found = None if is_inside else _KEY.match(line)
        is_inside ^= (line.count('"""') + line.count("'''")) % 2 == 1
        if found is None:
            continue
        path = tuple(part.strip("\"'") for part in re.findall(_PART, found["table"] or found["key"]))
        if found["table"]:
            table, path = path, ()
        path = table + path
        if path == keys[: len(path)] and len(path) > best[0]:
            best = (len(path), number)
    return best[1]
