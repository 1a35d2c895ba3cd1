"""Which addresses are asked at all."""

from __future__ import annotations

import pytest

from kit.agents.web_address import objection

HOSTS = ("wttr.in",)


@pytest.mark.parametrize(
    "url", ["https://wttr.in", "http://WTTR.in/Roma?format=3", "https://wttr.in:443/", "https://wttr.in./x"]
)
def test_named_hosts_are_asked(url: str) -> None:
    """Case, a usual port and the root's dot are the same host."""
    assert objection(url, HOSTS) == ""


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://evil.example/", "evil.example is not a host that the policy allows (wttr.in)"),
        ("https://wttr.in.evil.example/", "wttr.in.evil.example is not a host"),
        ("https://x.wttr.in/", "x.wttr.in is not a host"),
        ("https://wttr.in@evil.example/", "carries more than a host"),
        ("https://user:word@wttr.in/", "carries more than a host"),
        ("https://wttr.in\\@evil.example/", "carries more than a host"),
        ("https://wttr.in:22/", "carries more than a host"),
        ("https://wttr.in:x/", "is no web address"),
        ("http://[::1/", "is no web address"),
        ("http://127.0.0.1:80/", "127.0.0.1 is not a host"),
        ("file:///etc/passwd", "is no web address"),
        ("wttr.in/Roma", "is no web address"),
        ("", "is no web address"),
    ],
)
def test_everything_else_is_not(url: str, text: str) -> None:
    """Other hosts, schemes, ports, and addresses that say one host and mean another."""
    assert text in objection(url, HOSTS)


def test_no_hosts_are_said() -> None:
    """A policy without hosts says so."""
    assert objection("https://wttr.in", ()).endswith("(no host at all)")
