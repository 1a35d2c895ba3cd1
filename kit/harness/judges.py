"""Who judges the answers of a cell: a live model, or what it said when it was asked (decision 12)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kit.agent.protocol import ModelEndpoint
from kit.cassette.cassette import Cassette
from kit.cassette.interaction import Interaction
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist
from kit.cassette.paths import judge_path
from kit.config.settings import Settings
from kit.errors import ConfigError
from kit.harness.judging import RecordedJudge
from kit.harness.plan import Cell
from kit.harness.recorded import read_recorded
from kit.harness.world import World, journal_of, redactor_of
from kit.scenario.schema import Scenario
from kit.trace.prices import price_table, total_cost
from kit.trace.trace import Usage

if TYPE_CHECKING:
    from kit.trace.model_call import ModelCall


def live_judge(cell: Cell, world: World) -> RecordedJudge:
    """The judge of a live run: asks the model and records what it says."""

    def endpoint(tier: str) -> ModelEndpoint:
        return world.servers.live(judge_model(cell, world, tier))

    return RecordedJudge(
        cell.name, endpoint, journal_of(cell, world, ".judge"), redactor_of(world.settings), None, ""
    )


def replayed_judge(cell: Cell, world: World, path: Path) -> RecordedJudge:
    """The judge of a replay; `path` is the run's own cassette, the judge's lies beside it."""
    redactor = redactor_of(world.settings)
    recorded = judge_path(path)
    # The agent's own recording holds, whatever became of the rubric (decision 12).
    rejudge = f"kit record --judge-only --model {cell.model} {path.stem}"

    def playlist() -> Playlist:
        keyer = Keyer(redactor)
        return Playlist(cassette(keyer).interactions, keyer)

    def endpoint(tier: str) -> ModelEndpoint:
        return world.servers.endpoint(judge_model(cell, world, tier), 1, cassette().header.base_url)

    def cassette(keyer: Keyer | None = None) -> Cassette:
        return read_recorded(recorded, world.settings.root, rejudge, keyer)

    return RecordedJudge(cell.name, endpoint, journal_of(cell, world, ".judge"), redactor, playlist, rejudge)


def judge_cost(interactions: Sequence[Interaction], settings: Settings) -> int | None:
    """What a judge's calls cost in integer micro-USD; None where a price or a count is unknown."""
    if not interactions:
        return 0
    from kit.trace.model_call import model_calls

    prices = price_table(settings.price_table())
    calls = [call for call in model_calls(interactions) if call.is_counted]
    return total_cost((prices.price(call.model() or ""), _usage(call)) for call in calls)


def _usage(call: ModelCall) -> Usage:
    return Usage(call.answer.prompt_tokens, call.answer.completion_tokens)


def unasked(judge: RecordedJudge) -> tuple[str, ...]:
    """Old judge calls stale no recording of the agent (decision 12), but somebody should know of them."""
    count = len(judge.leftovers)
    return (f"recorded judge calls that no condition asks for any more: {count}",) if count else ()


def judge_model(cell: Cell, world: World, tier: str) -> str:
    """The model that judges this cell's answers.

    Raises:
        ConfigError: none is configured, or it is the model under test (decision 12).
    """
    judge = world.settings.judge_for(cell.model, tier)
    if judge is None:
        raise ConfigError(
            f"no model is configured to judge answers (tier {tier})",
            where="[tool.kit.tiers]",
            next_command=f'add `{tier} = "…"` to [tool.kit.tiers], or set KIT_JUDGE',
        )
    return judge


def live_judges(cells: tuple[Cell, ...], world: World) -> tuple[str, ...]:
    """The judge models that a live run of these cells will ask, each once.

    Raises:
        ConfigError: as `judge_model`.
    """
    found: dict[str, None] = {}
    for cell in cells:
        tier = judged_by(cell.selected.scenario)
        if tier is not None:
            found[judge_model(cell, world, tier)] = None
    return tuple(found)


def judged_by(scenario: Scenario) -> str | None:
    """The tier of the model that a scenario wants its answer judged by; None where it wants none."""
    final = scenario.expected.final_response
    return None if final is None or final.llm_critic is None else final.llm_critic.model_tier
