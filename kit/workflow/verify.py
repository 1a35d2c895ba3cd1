"""Send recorded requests to the model of today and say how its answers drifted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kit.baseline.answer_drift import AnswerDrift, answer_drift
from kit.cassette.interaction import HttpRequest, HttpResponse
from kit.errors import EXIT_BLOCKED, EXIT_OK, UsageError
from kit.harness.address import select_addressed
from kit.harness.plan import Cell, cells_to_replay, record_command
from kit.harness.recorded import read_recorded
from kit.harness.servers import Servers
from kit.models.resend import Resender
from kit.redaction.rule import MASK
from kit.scenario.load import load_suites
from kit.workflow.cells import Progress
from kit.workflow.project import Project


@dataclass(frozen=True, slots=True)
class VerifiedCall:
    """One recorded request, sent again.

    Attributes:
        number: of the call in its cassette.
        drift: what differs; None where it was not sent.
        left_out: why it was not sent; None where it was.
    """

    number: int
    drift: AnswerDrift | None
    left_out: str | None = None


@dataclass(frozen=True, slots=True)
class VerifiedCassette:
    """One cassette against the model of today.

    Attributes:
        path: the file, from the project's root.
        model: asked today.
        recorded: when it was recorded, as its header says.
        calls: its model calls, in order.
    """

    path: Path
    model: str
    recorded: str
    calls: tuple[VerifiedCall, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """What verifying gave.

    Attributes:
        cassettes: in the order of the plan.
        exit_code: 1 where shape or behaviour drifted and that was to be an error, else 0.
    """

    cassettes: tuple[VerifiedCassette, ...]
    exit_code: int

    def count(self, kind: str) -> int:
        """Calls whose drift has something of a kind: `shape`, `behaviour` or `words`."""
        return sum(
            bool(call.drift and getattr(call.drift, kind)) for one in self.cassettes for call in one.calls
        )

    @property
    def sent(self) -> int:
        """How many requests were sent."""
        return sum(call.drift is not None for one in self.cassettes for call in one.calls)


def verify(
    project: Project,
    wanted: tuple[str, ...],
    model: str | None,
    *,
    only: tuple[str, ...] = (),
    strict: bool = False,
    progress: Progress | None = None,
) -> Verified:
    """Ask the model what it was asked when it was recorded. Nothing is written, no agent runs.

    Args:
        project: whose cassettes.
        wanted: ids, suites, samples or paths; empty takes the default suites.
        model: only the cassettes of this model; None is the project's own.
        only: categories.
        strict: drift of shape or behaviour is exit code 1.
        progress: told a line before each cassette.

    Raises:
        UsageError: nothing is selected.
        CassetteMissing: nothing is recorded for it.
        CassetteInvalid: a cassette cannot be read.
        ModelUnreachable: the model does not answer; nothing more is sent.
    """
    selected, samples = select_addressed(load_suites(project.root), wanted, only)
    tag = model or project.settings.model
    cells = cells_to_replay(selected, tag, project.root, samples=samples)
    with Servers(project.settings) as servers:
        servers.check(tag)
        found = [
            _verified(project, cell, servers, progress)
            for cell in cells
            if cell.cassette(project.root).exists()
        ]
    verified = Verified(tuple(found), EXIT_OK)
    if not verified.sent:
        raise UsageError(
            "no recorded request could be sent again",
            why="; ".join(
                dict.fromkeys(call.left_out for one in found for call in one.calls if call.left_out)
            )
            or "the cassettes hold no call of a model",
            next_command=f"kit show {found[0].path.as_posix()}, which says what was asked",
        )
    drifted = verified.count("shape") + verified.count("behaviour")
    return Verified(verified.cassettes, EXIT_BLOCKED if strict and drifted else EXIT_OK)


def _verified(project: Project, cell: Cell, servers: Servers, progress: Progress | None) -> VerifiedCassette:
    path = cell.cassette(project.root)
    cassette = read_recorded(path, project.root, record_command(cell, project.root))
    header = cassette.header
    endpoint = servers.live(cell.model, header.seed, cell.selected.suite)
    if progress is not None:
        count = sum(one.lane == "model" for one in cassette.interactions)
        progress(f"{cell.name}: {count} request{'' if count == 1 else 's'} …")
    calls = []
    with Resender(endpoint, header.base_url or "") as resender:
        for one in cassette.interactions:
            if one.lane != "model" or not isinstance(one.request, HttpRequest):
                continue
            left_out = _left_out(one.request, resender)
            if left_out is not None or not isinstance(one.response, HttpResponse):
                calls.append(VerifiedCall(one.number, None, left_out))
                continue
            drift = answer_drift(one.request, one.response, resender.send(one.request))
            calls.append(VerifiedCall(one.number, drift))
    return VerifiedCassette(path.relative_to(project.root), cell.model, header.recorded, tuple(calls))


def _left_out(request: HttpRequest, resender: Resender) -> str | None:
    if resender.address(request) is None:
        return f"{request.url} is not below the base URL of the recording"
    if MASK.search(request.body.decode("utf-8", "replace")):
        return "it holds a masked secret, which kit does not know"
    return None
