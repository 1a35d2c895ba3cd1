"""The side effects that a user declares harmless: `[tool.kit.replay] allow`.

Four forms, one rule a string:

    write:PATH          writing, creating and deleting PATH and everything below it; `~` is the home folder, a
                        relative path starts at the working directory, `*` and `?` are wildcards
    run:ARGV PREFIX     starting a program whose arguments begin so; quoted like in a shell. The program is
                        compared by its file name where the rule names no folder
    connect:HOST:PORT   connecting to that address; `*` as port is any port, an IPv6 host stands in brackets
    hedge:METHOD PATH   sending such a request once more, or once less, while one like it is on its way; `*`
                        and `?` are wildcards: `hedge:POST */chat/completions`
"""

from __future__ import annotations

import fnmatch
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from kit.errors import ConfigError

_FORMS = "write:PATH, run:COMMAND, connect:HOST:PORT, hedge:METHOD PATH"


@dataclass(frozen=True, slots=True)
class Forbidden:
    """An operation that replay stops.

    Attributes:
        act: what the program would do, after «would»: `write /etc/motd`.
        rule: the rule of `[tool.kit.replay] allow` that lets it pass.
    """

    act: str
    rule: str


@dataclass(frozen=True, slots=True)
class Allow:
    """Declared side effects, parsed.

    Attributes:
        writes: absolute paths or patterns; each covers what lies below it.
        runs: leading arguments of programs that may be started.
        connects: host in lower case and port; None is any port.
        hedges: method in upper case and path, or a pattern of it, of requests that a program sends twice and
            takes the first answer to: the copy is optional.
    """

    writes: tuple[str, ...] = ()
    runs: tuple[tuple[str, ...], ...] = ()
    connects: tuple[tuple[str, int | None], ...] = ()
    hedges: tuple[tuple[str, str], ...] = ()

    def may_hedge(self, method: str, url: str) -> bool:
        """Whether a rule says that copies of such a request are optional."""
        path = url.partition("?")[0].partition("#")[0]
        path = path.partition("://")[2].partition("/")[2] if "://" in path else path.removeprefix("/")
        return any(
            method.upper() == known and fnmatch.fnmatchcase(f"/{path}", pattern)
            for known, pattern in self.hedges
        )

    def may_write(self, path: str) -> bool:
        """Whether a rule covers this absolute path or one of its parents."""
        return any(_covers(rule, path) for rule in self.writes)

    def may_run(self, argv: Sequence[str]) -> bool:
        """Whether a rule is a prefix of these arguments."""
        return any(_starts_with(argv, rule) for rule in self.runs)

    def may_connect(self, host: str, port: int) -> bool:
        """Whether a rule names this host, as the program names it, with this port or any."""
        return any(host.lower() == known and rule_port in {None, port} for known, rule_port in self.connects)

    def may_resolve(self, host: str) -> bool:
        """Whether a rule names this host at all: its name has to be looked up first."""
        return any(host.lower() == known for known, _ in self.connects)


def parse_allow(rules: Sequence[str]) -> Allow:
    """Reads the rules of `[tool.kit.replay] allow` (relative paths start at the working directory).

    Raises:
        ConfigError: a rule has none of the four forms; names the rule and what is allowed.
    """
    writes: list[str] = []
    runs: list[tuple[str, ...]] = []
    connects: list[tuple[str, int | None]] = []
    hedges: list[tuple[str, str]] = []
    for rule in rules:
        form, _, rest = rule.partition(":")
        rest = rest.strip()
        if not rest or form not in {"write", "run", "connect", "hedge"}:
            raise _bad(rule, f"a rule is one of {_FORMS}")
        if form == "write":
            writes.append(_absolute(rest))
        elif form == "run":
            runs.append(_arguments(rule, rest))
        elif form == "hedge":
            hedges.append(_request(rule, rest))
        else:
            connects.append(_address(rule, rest))
    return Allow(tuple(writes), tuple(runs), tuple(connects), tuple(hedges))


def _bad(rule: str, why: str) -> ConfigError:
    return ConfigError(f"allow rule {rule!r} cannot be read", where="[tool.kit.replay] allow", why=why)


def _absolute(path: str) -> str:
    # realpath, since the guard resolves links before it compares; wildcards do not disturb it.
    return os.path.realpath(os.path.expanduser(path))  # noqa: PTH111 - plain strings: see audit's fast path


def _arguments(rule: str, rest: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(rest))
    except ValueError as error:
        raise _bad(rule, f"its quotes do not match: {error}") from error


def _request(rule: str, rest: str) -> tuple[str, str]:
    method, _, path = rest.partition(" ")
    if not method.isalpha() or not path.strip().startswith(("/", "*")):
        raise _bad(rule, "hedge wants METHOD PATH, as in `hedge:POST /v1/chat/completions`")
    return method.upper(), path.strip()


def _address(rule: str, rest: str) -> tuple[str, int | None]:
    host, _, port = rest.rpartition(":")
    host = host.removeprefix("[").removesuffix("]").lower()
    if not host:
        raise _bad(rule, "connect wants HOST:PORT; for any port write HOST:*")
    if port == "*":
        return host, None
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise _bad(rule, f"{port!r} is no port; for any port write {host}:*")
    return host, int(port)


def _covers(rule: str, path: str) -> bool:
    if path == rule or path.startswith(rule.rstrip("/") + "/"):
        return True
    return ("*" in rule or "?" in rule) and (
        fnmatch.fnmatchcase(path, rule) or fnmatch.fnmatchcase(path, rule + "/*")
    )


def _starts_with(argv: Sequence[str], rule: tuple[str, ...]) -> bool:
    if len(argv) < len(rule):
        return False
    program = argv[0] if "/" in rule[0] else argv[0].rpartition("/")[2]
    return (program, *argv[1 : len(rule)]) == rule
