"""Every error kit raises on purpose, with its exit code (decision 14).

KitError                      an expected failure: what, where, why, and the next command to type
├── UsageError           2    the command line asks for something that cannot be
│   ├── ConfigError      2    [tool.kit] in pyproject.toml is wrong
│   ├── ScenarioError    2    scenario or suite files are wrong; lists every problem found
│   └── BaselineError    2    baseline files are wrong; lists every problem found
├── CassetteError        3    a cassette cannot serve this run
│   ├── CassetteMissing  3    nothing was recorded yet
│   ├── CassetteInvalid  3    the file is not a cassette kit can read
│   └── CassetteRefused  3    a recording holds what looks like a secret
├── EnvironmentFault     4    the world around kit: model server, disk, interpreter
│   └── ModelUnreachable 4    no model server answers at the address
└── (anything else)     70    a bug in kit

ReplayStop (BaseException)    ends an agent's run from inside; agents that catch Exception must not swallow it
├── Miss                 3    a request that was never recorded
├── SideEffect           3    the program would repeat a side effect in replay
├── Escape               3    traffic tried to leave the machine around the recording
└── TimeLimit            1    the scenario's time limit is over (verdict fail)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

EXIT_OK = 0
EXIT_BLOCKED = 1
EXIT_USAGE = 2
EXIT_CASSETTE = 3
EXIT_ENVIRONMENT = 4
EXIT_BUG = 70
EXIT_INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a file: `where` is `path:line` (or `path`), `what` a full sentence."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class KitError(Exception):
    """An expected failure, written for the person who has to act on it.

    Args:
        what: what went wrong, one sentence.
        where: `file:line`, scenario or step, if there is one.
        why: the reason behind it, if it is not plain from `what`.
        next_command: what to type next, e.g. `kit record --missing`.
    """

    exit_code: ClassVar[int] = EXIT_BUG

    def __init__(
        self, what: str, *, where: str | None = None, why: str | None = None, next_command: str | None = None
    ) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.why = why
        self.next_command = next_command

    def __str__(self) -> str:
        lines = [f"{self.where}: {self.what}" if self.where else self.what]
        if self.why:
            lines.append(f"  why:  {self.why}")
        if self.next_command:
            lines.append(f"  next: {self.next_command}")
        return "\n".join(lines)


class UsageError(KitError):
    """The command line asks for something that cannot be."""

    exit_code = EXIT_USAGE


class ConfigError(UsageError):
    """`[tool.kit]` is wrong."""


class _FilesError(UsageError):
    """Files that people write are wrong; `problems` holds all of them, in file order."""

    files: ClassVar[str]

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        count = len(problems)
        super().__init__(f"{count} problem{'s' if count != 1 else ''} in {self.files}")
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join([f"{self.what}:", *(f"  {problem}" for problem in self.problems)])


class ScenarioError(_FilesError):
    """Scenario or suite files are wrong."""

    files = "scenario files"


class BaselineError(_FilesError):
    """Baseline files are wrong."""

    files = "baseline files"


class CassetteError(KitError):
    """A cassette cannot serve this run."""

    exit_code = EXIT_CASSETTE


class CassetteMissing(CassetteError):
    """Nothing was recorded yet."""


class CassetteInvalid(CassetteError):
    """The file is not a cassette that kit can read."""


class CassetteRefused(CassetteError):
    """A recording holds what looks like a secret, so it is no cassette yet."""


class EnvironmentFault(KitError):
    """The world around kit fails: a model server, the disk, an interpreter."""

    exit_code = EXIT_ENVIRONMENT


class ModelUnreachable(EnvironmentFault):
    """No model server answers at the address."""


class ReplayStop(BaseException):
    """Ends an agent's run from inside.

    A BaseException, because agents and SDKs retry or swallow `Exception`; whoever swallows even this is found
    out at the end of the run, since the session keeps a flag.
    """

    exit_code: ClassVar[int] = EXIT_CASSETTE


class Miss(ReplayStop):
    """A request that was never recorded; the text is the whole explanation (decision 5)."""


class SideEffect(ReplayStop):
    """The program would repeat a side effect in replay; the text names file and line."""


class Escape(ReplayStop):
    """Traffic tried to leave the machine around the recording."""


class TimeLimit(ReplayStop):
    """The scenario's time limit is over."""

    exit_code = EXIT_BLOCKED
