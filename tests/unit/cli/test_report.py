"""`kit report`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kit.workflow import webhook
from tests.fakes.stub_project import StubProject

Kit = Callable[..., Any]


@pytest.fixture
def ran(project: StubProject, kit: Kit) -> str:
    """A replayed project; what the replay printed."""
    project.scenario()
    project.record()
    return str(kit("replay").out)


def test_again_as_it_was(ran: str, kit: Kit) -> None:
    """The last run, printed as it was; nothing is run."""
    again = kit("report")
    assert again.code == 0
    assert ran.startswith(again.out.rstrip("\n"))


@pytest.mark.parametrize(
    ("form", "begins"),
    [("markdown", "# home on stub: "), ("json", "[\n  {"), ("junit", "<?xml "), ("github", "::warning ")],
)
def test_forms(ran: str, kit: Kit, form: str, begins: str) -> None:
    """Each from the same report.json."""
    assert kit("report", "--format", form).out.startswith(begins)


def test_folder(ran: str, kit: Kit, project: StubProject) -> None:
    """What `--report` wrote can be read again."""
    assert kit("replay", "--report", "out").out.endswith("report.md, report.json, junit.xml: out\n")
    assert kit("report", "out", "--format", "junit").out == (project.root / "out" / "junit.xml").read_text()


def test_nothing_was_run(kit: Kit) -> None:
    """It says what to type."""
    refused = kit("report")
    assert refused.code == 2
    assert "nothing was run yet" in refused.err


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a chat gets."""
    messages: list[str] = []

    def send(text: str, environ: Any) -> str:
        messages.append(text)
        return "chat.example"

    monkeypatch.setattr(webhook, "send", send)
    return messages


def test_send(ran: str, kit: Kit, sent: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The short form, with the page of the workflow's run; the address is not printed."""
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.test")
    monkeypatch.setenv("GITHUB_REPOSITORY", "o/r")
    monkeypatch.setenv("GITHUB_RUN_ID", "7")
    assert kit("report", "--send").out == "sent to chat.example\n"
    assert sent[0].startswith("kit: home on stub, replay: warn\nQ1 Does it work? success_rate: 1/1\n")
    assert sent[0].endswith("\n\nhttps://github.test/o/r/actions/runs/7")


def test_send_where_a_run_left_no_report(kit: Kit, sent: list[str]) -> None:
    """Silence would look like a good sign: the chat is told, and the command fails."""
    ran = kit("report", "--send")
    assert (ran.code, sent) == (2, ["kit: no report: nothing was run yet"])


def test_send_without_an_address(ran: str, kit: Kit) -> None:
    """Exit code 2: nobody configured one."""
    refused = kit("report", "--send")
    assert refused.code == 2
    assert "KIT_WEBHOOK_URL" in refused.err
