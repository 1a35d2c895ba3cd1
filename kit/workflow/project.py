"""What every workflow starts from: settings, the root, and folders for what is not kept."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kit import clock, durable
from kit.config.load import load, place_of
from kit.config.settings import Settings
from kit.errors import ConfigError, UsageError


@dataclass(frozen=True, slots=True)
class Project:
    """A project that kit works in.

    Attributes:
        settings: `[tool.kit]`, the environment and the command line, in one.
    """

    settings: Settings

    @property
    def root(self) -> Path:
        """The folder that holds pyproject.toml, or where kit runs."""
        return self.settings.root

    def scratch(self, name: str) -> Path:
        """A fresh folder below `.kit/`, which git never sees."""
        folder = self.folder(name) / f"{clock.now():%Y%m%dT%H%M%S}-{clock.fresh_id()[:6]}"
        folder.mkdir(parents=True)
        return folder

    def folder(self, name: str) -> Path:
        """A folder below `.kit/`, made where it is not there."""
        home = self.root / durable.HOME
        home.mkdir(exist_ok=True)
        ignore = home / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
        folder = home / name
        folder.mkdir(exist_ok=True)
        return folder


def open_project(
    *,
    start: Path | None = None,
    model: str | None = None,
    base_url: str | None = None,
    agent: str | None = None,
) -> Project:
    """The project around a folder, the working directory by default; arguments win over everything.

    Raises:
        ConfigError: `[tool.kit]` is wrong.
    """
    arguments = {"model": model, "base_url": base_url, "agent": agent}
    settings = load(start or Path.cwd(), arguments=arguments)
    if settings.redaction:
        check_rules(settings)
    return Project(settings)


def check_rules(settings: Settings) -> None:
    """Refuse a redaction rule that is wrong, before anything is recorded without it (decision 10).

    Raises:
        ConfigError: with file and line.
    """
    from kit.redaction.rule import RuleError, parse_rules

    try:
        parse_rules(settings.redaction)
    except RuleError as error:
        where = place_of(settings.root, ("redaction", error.key), error.text)
        rule = f'`{error.key}` "{error.text}" ' if error.text else ""
        raise ConfigError(
            f"{rule}{error.what}",
            where=where,
            why=error.why or "a rule that is dropped in silence lets its secret pass",
        ) from error


def refuse_in_ci(project: Project, verb: str, environ: Mapping[str, str] | None = None) -> None:
    """Keep CI from changing what was accepted (decision 16).

    Raises:
        UsageError: `CI` is set and the configuration does not allow it.
    """
    environ = os.environ if environ is None else environ
    if environ.get("CI", "").lower() in {"", "0", "false"} or project.settings.record_in_ci:
        return
    raise UsageError(
        f"kit {verb} is refused where CI is set: what was accepted changes only by a person's hand",
        next_command=f"run kit {verb} on your machine, or set record_in_ci = true in [tool.kit]",
    )
