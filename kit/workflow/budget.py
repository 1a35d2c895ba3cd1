"""How far a limit of money reaches: asked before each run, so that the next one never passes it knowingly."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path

from kit.cassette.paths import JUDGE_SUFFIX, judge_path
from kit.cassette.peek import peek
from kit.cassette.store import read
from kit.errors import CassetteError, ConfigError, UsageError
from kit.harness.cell import CellResult
from kit.harness.judges import judge_cost, judged_by
from kit.harness.plan import Cell
from kit.trace.prices import STUBS, price_table, total_cost
from kit.trace.trace import Usage
from kit.workflow.project import Project


def parse_usd(text: str) -> int:
    """A limit in USD as integer micro-USD.

    Raises:
        UsageError: it is no amount, or below 0.
    """
    try:
        amount = Decimal(text) * 1_000_000
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0:
        raise UsageError(f"{text!r} is no amount in USD", next_command="kit record --max-cost 0.50")
    return int(amount)


class Budget:
    """A limit of money for one command.

    Args:
        project: whose prices and recordings.
        limit_micro_usd: what may be spent, judges included.
        models: those that will be asked, judges too.
        judge_only: only the judges are asked; what the agents' recordings cost was spent long ago.

    Raises:
        ConfigError: the price of one of them is unknown: no limit could be kept.
    """

    def __init__(
        self, project: Project, limit_micro_usd: int, models: Sequence[str], *, judge_only: bool = False
    ) -> None:
        self._prices = price_table(project.settings.price_table())
        for model in dict.fromkeys(models):
            if self._prices.price(model) is None:
                raise ConfigError(
                    f"the price of {model} is unknown, so --max-cost cannot be kept",
                    where="[tool.kit.prices]",
                    next_command=f'add "{model}" = {{ input_usd = …, output_usd = … }} (per million tokens)',
                )
        self._root = project.root
        self._settings = project.settings
        self.limit_micro_usd = limit_micro_usd
        self.spent_micro_usd = 0
        self.stopped: str | None = None
        self._judge_only = judge_only
        self._is_blind = False
        self._running: dict[str, int] = {}
        self._seen: dict[str, list[int]] = {}

    def may_start(self, cell: Cell) -> bool:
        """Whether the limit allows one more run; `stopped` says why not."""
        if self._is_blind:
            return False
        expected = self._expected(cell)
        total = self.spent_micro_usd + sum(self._running.values()) + expected
        if total > self.limit_micro_usd:
            self.stopped = f"{cell.name} is expected to cost {_usd(expected)}"
            return False
        self.stopped = None
        self._running[cell.key] = expected
        return True

    def add(self, cell: Cell, done: CellResult) -> None:
        """A run is over; what it cost counts, and is what the next one of its suite is expected to cost."""
        expected = self._running.pop(cell.key, 0)
        own, judge = 0 if self._judge_only else done.result.cost_micro_usd, done.judge_micro_usd
        if own is not None and judge is not None:
            self.spent_micro_usd += own + judge
            self._seen.setdefault(cell.selected.suite.name, []).append(own + judge)
            return
        # A run that ended in an error may have cost something all the same.
        self.spent_micro_usd += expected
        if done.result.verdict != "error":
            self._is_blind = True
            self.stopped = f"what {cell.name} cost is unknown: its model does not count tokens"

    @property
    def limit(self) -> str:
        """The limit as `--max-cost` takes it."""
        return _usd(self.limit_micro_usd).removeprefix("$")

    def told(self) -> str:
        """What was spent of what was allowed."""
        return f"spent {_usd(self.spent_micro_usd)} of {_usd(self.limit_micro_usd)}"

    def _expected(self, cell: Cell) -> int:
        """What the recording of the cell cost, else the dearest of its suite, else what others' tokens cost.

        0 where nothing at all is known: the first run tells.
        """
        path = cell.cassette(self._root)
        known = self._cost_of(path)
        if known is not None:
            return known
        suite = cell.selected.suite.name
        if suite not in self._seen:
            files = [file for file in path.parent.glob("*.yaml") if not file.name.endswith(JUDGE_SUFFIX)]
            self._seen[suite] = [cost for file in files if (cost := self._cost_of(file)) is not None]
        return max(self._seen[suite] or self._elsewhere(path, cell), default=0)

    def _elsewhere(self, path: Path, cell: Cell) -> list[int]:
        """What the tokens of the same scenario on other models would cost on this one."""
        from kit.trace.model_call import model_calls

        model: str | None = cell.model
        if self._judge_only:
            path, tier = judge_path(path), judged_by(cell.selected.scenario)
            model = None if tier is None else self._settings.judge_for(cell.model, tier)
        price = None if model is None else self._prices.price(model)
        found = []
        for file in path.parent.parent.glob(f"*/{path.name}"):
            header = peek(file)
            if header is None or header.model in STUBS:
                continue  # what a scripted model counts says nothing about a real one
            try:
                calls = [call.answer for call in model_calls(read(file).interactions) if call.is_counted]
            except CassetteError:
                continue
            usages = [Usage(answer.prompt_tokens, answer.completion_tokens) for answer in calls]
            cost = total_cost((price, usage) for usage in usages)
            found += [] if cost is None else [cost]
        return found

    def _cost_of(self, path: Path) -> int | None:
        """What a run and its judge cost when they were recorded; the judge alone where only it is asked."""
        header, judge = peek(path), judge_path(path)
        own = None if header is None else header.cost_micro_usd
        try:
            said = judge_cost(read(judge).interactions, self._settings) if judge.exists() else None
        except CassetteError:
            said = None
        if self._judge_only:
            return said
        return None if own is None else own + (said or 0)


def _usd(micro_usd: int) -> str:
    return f"${micro_usd // 1_000_000}.{micro_usd % 1_000_000:06d}"
