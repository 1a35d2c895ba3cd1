from __future__ import annotations

from pathlib import Path

import pytest

from kit.errors import ConfigError
from kit.recording.guard.allow import Allow, parse_allow


def test_write_rule_covers_the_path_and_what_lies_below_it(tmp_path: Path) -> None:
    """A write rule allows its folder and every file below, and not a sibling that only begins alike."""
    allow = parse_allow([f"write:{tmp_path}/logs"])
    assert allow.may_write(f"{tmp_path}/logs")
    assert allow.may_write(f"{tmp_path}/logs/a/b.txt")
    assert not allow.may_write(f"{tmp_path}/logs2/a.txt")


def test_write_rule_takes_wildcards_and_relative_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative pattern starts at the working directory."""
    monkeypatch.chdir(tmp_path)
    allow = parse_allow(["write:out/*.log"])
    assert allow.may_write(f"{tmp_path}/out/today.log")
    assert not allow.may_write(f"{tmp_path}/out/today.txt")


def test_run_rule_is_a_prefix_of_the_arguments() -> None:
    """A run rule allows longer command lines, by file name unless it names a folder."""
    allow = parse_allow(["run:git log --oneline", "run:/usr/bin/ls"])
    assert allow.may_run(["/usr/bin/git", "log", "--oneline", "-3"])
    assert not allow.may_run(["git", "push"])
    assert allow.may_run(["/usr/bin/ls", "-l"])
    assert not allow.may_run(["ls", "-l"])


def test_run_rule_understands_quotes() -> None:
    """Quoted words are one argument."""
    assert parse_allow(["run:say 'hello world'"]).runs == (("say", "hello world"),)


def test_connect_rule_names_host_and_port() -> None:
    """A connect rule allows one port of one host; a star is any port; IPv6 hosts stand in brackets."""
    allow = parse_allow(["connect:DB.example:5432", "connect:cache:*", "connect:[::1]:80"])
    assert allow.may_connect("db.example", 5432)
    assert not allow.may_connect("db.example", 5433)
    assert allow.may_connect("cache", 1)
    assert allow.may_connect("::1", 80)
    assert allow.may_resolve("cache")
    assert not allow.may_resolve("elsewhere")


def test_hedge_rule_names_method_and_path() -> None:
    """A hedge rule is about a kind of request, wherever its server is; wildcards may stand in the path."""
    allow = parse_allow(["hedge:post */chat/completions", "hedge:GET /prices"])
    assert allow.may_hedge("POST", "http://a:1/v1/chat/completions?x=1")
    assert allow.may_hedge("POST", "/v1/chat/completions")
    assert allow.may_hedge("GET", "http://a/prices")
    assert not allow.may_hedge("GET", "http://a/v1/chat/completions")
    assert not allow.may_hedge("GET", "http://a/other/prices")


@pytest.mark.parametrize(
    "rule",
    [
        "hedge:/x",
        "hedge:POST x",
        "",
        "write:",
        "read:/x",
        "run:'open",
        "connect:5432",
        "connect:host:http",
        "connect:host:70000",
        "/tmp",
    ],
)
def test_bad_rule_is_a_configuration_error_that_names_it(rule: str) -> None:
    """A rule that cannot be read never fails open."""
    with pytest.raises(ConfigError, match="allow rule") as caught:
        parse_allow([rule])
    assert repr(rule) in str(caught.value)


def test_nothing_is_allowed_by_default() -> None:
    """Without rules nothing passes."""
    allow = Allow()
    assert not allow.may_write("/x")
    assert not allow.may_run(["ls"])
    assert not allow.may_connect("localhost", 80)
