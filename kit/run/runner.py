"""One scenario and one agent become one trace; nothing here judges it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

from kit.agent.protocol import Agent, Message, ModelEndpoint, Turn
from kit.errors import EXIT_BLOCKED, EXIT_BUG, EXIT_CASSETTE, EXIT_ENVIRONMENT, EXIT_OK, EXIT_USAGE
from kit.recording.options import SessionOptions, SessionResult
from kit.recording.session import Session, start
from kit.run.drive import Talk, converse
from kit.run.faults import planned
from kit.run.outcome import outcome_of
from kit.run.proof import Proof, prove
from kit.run.reporter import RunReporter
from kit.run.workspace import Workspace, memory_of, workspace
from kit.scenario.schema import Scenario
from kit.scenario.suite import Suite
from kit.trace.build import build_trace
from kit.trace.event import Event
from kit.trace.prices import PriceTable
from kit.trace.run_facts import RunFacts, Said
from kit.trace.trace import ExecutionTrace

_Told = TypeVar("_Told", Event, Said)
_WORST_FIRST = (EXIT_BUG, EXIT_USAGE, EXIT_ENVIRONMENT, EXIT_CASSETTE, EXIT_BLOCKED, EXIT_OK)

MakeOptions = Callable[[Workspace], SessionOptions]
"""The session's options are made when the workspace is there: its real path is one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpec:
    """What one run is a run of.

    Attributes:
        scenario: the test case.
        suite: the suite it belongs to.
        model: tag of the model asked.
        mode: `record` or `replay`.
        replicate: counted from 1.
        agent_name: `package.module:function`, for messages.
        project_root: what fixtures and the agent's files are named from.
        time_limit_s: real seconds for the whole conversation; None is no limit.
        aliases: model asked → names under which it may answer.
        prices: the project's prices; the built-in table where left out.
        keep_workspace: leave the folder of the run where it is.
    """

    scenario: Scenario
    suite: Suite
    model: str
    mode: Literal["record", "replay"]
    project_root: Path
    replicate: int = 1
    agent_name: str = ""
    time_limit_s: float | None = None
    aliases: Mapping[str, Collection[str]] = field(default_factory=dict)
    prices: PriceTable | None = None
    keep_workspace: bool = False


@dataclass(frozen=True, slots=True)
class RunResult:
    """What became of a run.

    Attributes:
        trace: everything an oracle may look at.
        session: everything a cassette is made of.
        verdict_error: why the verdict is `error` whatever the oracles say, else None (decisions 7 and 13).
        exit_code: of `verdict_error` by decision 14; 0 without one.
        tool_drift: executed tools that gave another result than recorded: each makes the verdict `fail`.
        notices: what a person should know.
        workspace: the run's folder, where it was kept.
        is_conditional: it came to its end on answers to other requests (decision 6): what oracles say of its
            trace is a forecast, and the verdict stays `error`.
    """

    trace: ExecutionTrace
    session: SessionResult
    verdict_error: str | None = None
    exit_code: int = EXIT_OK
    tool_drift: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    workspace: Path | None = None
    is_conditional: bool = False


def run_scenario(spec: RunSpec, agent: Agent, endpoint: ModelEndpoint, options: MakeOptions) -> RunResult:
    """Run a scenario once, in a folder of its own and behind the recording.

    Whatever the agent does ends in a result; only Ctrl-C and bugs of kit leave as exceptions.

    Args:
        spec: what to run.
        agent: who is run.
        endpoint: the model it gets.
        options: makes the session's options for the run's workspace.

    Raises:
        EnvironmentFault: the workspace or the journal cannot be made.
    """
    with workspace(spec.scenario.setup, spec.project_root, keep=spec.keep_workspace) as place:
        before = place.snapshot()
        given = dataclasses.replace(options(place), faults=planned(spec.scenario.setup.faults))
        with start(given) as session:
            reporter = RunReporter(session, spec.scenario.setup.approvals)
            talk = _talk(spec, agent, endpoint, place, session, reporter)
        # What agents say of themselves crosses no boundary, and goes into traces and reports all the same.
        talk.hide_secrets(given.redactor)
        reporter.hide_secrets(given.redactor)
        trace = _trace(spec, talk, session.result, reporter, (before, place.snapshot()))
        return _result(spec, talk, session.result, trace, place)


def _talk(
    spec: RunSpec,
    agent: Agent,
    endpoint: ModelEndpoint,
    place: Workspace,
    session: Session,
    reporter: RunReporter,
) -> Talk:
    setup = spec.scenario.setup

    def turn(message: str, history: tuple[Message, ...]) -> Turn:
        return Turn(
            message=message,
            history=history,
            workspace=place,
            tools=setup.available_tools,
            autonomy=setup.autonomy,
            policy=setup.policy_preset,
            endpoint=endpoint,
            report=reporter,
            channel=setup.channel,
        )

    messages = spec.scenario.user_messages
    talk = converse(agent, messages, turn, session, spec.project_root, spec.time_limit_s)
    if talk.failure is not None:
        talk.failure = place.hide(talk.failure)
    return talk


def _trace(
    spec: RunSpec,
    talk: Talk,
    session: SessionResult,
    reporter: RunReporter,
    files: tuple[Mapping[str, str | None], Mapping[str, str | None]],
) -> ExecutionTrace:
    before, after = files
    facts = RunFacts(
        scenario_id=spec.scenario.id,
        model=spec.model,
        mode="replay" if spec.mode == "replay" else "live",
        interactions=session.interactions,
        outcome="failure",
        ended_ms=session.ended_ms,
        turns=_placed(talk.turns, session),
        replies=_placed(talk.replies, session),
        events=_placed(reporter.events, session),
        sleeps=session.sleeps,
        failure=talk.failure,
        files=after,
        files_before=before,
        memory=memory_of(after),
        faults=session.faults,
    )
    trace = build_trace(facts, spec.prices, spec.aliases)
    # The outcome is read from the steps, which the trace has just made of events and interactions.
    return dataclasses.replace(trace, outcome=outcome_of(trace.steps, trace.final_response, talk.failure))


def _placed(told: Sequence[_Told], session: SessionResult) -> list[_Told]:
    """What was told, behind the same interactions as before, by the numbers they have in the recording."""
    return [dataclasses.replace(one, after=session.numbers.get(one.after, one.after)) for one in told]


def _result(
    spec: RunSpec, talk: Talk, session: SessionResult, trace: ExecutionTrace, place: Workspace
) -> RunResult:
    proof = prove(session, trace.steps, spec.mode, talk.failure, spec.aliases)
    errors, exit_code = _with_fault(proof, talk)
    return RunResult(
        trace=trace,
        session=session,
        verdict_error=place.hide("\n".join(errors)) if errors else None,
        exit_code=exit_code,
        tool_drift=session.tool_drift,
        notices=(*talk.notices, *proof.notices),
        workspace=place.root if spec.keep_workspace else None,
        is_conditional=bool(session.divergences)
        and talk.fault is None
        and not (session.misses or session.side_effects or session.escapes),
    )


def _with_fault(proof: Proof, talk: Talk) -> tuple[tuple[str, ...], int]:
    """The proof's errors with what ended the conversation, unless the session has already said it."""
    if talk.fault is None or str(talk.fault) in proof.errors:
        return proof.errors, proof.exit_code
    codes = (talk.fault.exit_code, proof.exit_code)
    return (str(talk.fault), *proof.errors), min(codes, key=_WORST_FIRST.index)
