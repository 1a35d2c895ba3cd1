"""`pytest --golden`: the golden set as one test, never run without being asked for (S4-05 … S4-08, S4-28)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from kit.pytest_plugin.items import failed
from kit.pytest_plugin.options import GOLDEN_MARKER
from kit.pytest_plugin.plan import project_of

TOLD = "kit_golden"
"""Property of a report: what the item has to say, passed or not; pytest-xdist sends it along."""


class GoldenFile(pytest.File):
    """The `suite.yaml` of the golden suite."""

    def collect(self) -> Iterator[GoldenItem]:
        """One item: all cases run in it and are counted at its end."""
        yield GoldenItem.from_parent(self, name="golden")


class GoldenItem(pytest.Item):
    """One run of the golden set.

    One item and not one for each case: tests have no order, and one that counted the others could read an
    incomplete set.
    """

    def __init__(self, **construction: Any) -> None:
        super().__init__(**construction)
        self.add_marker(GOLDEN_MARKER)

    def runtest(self) -> None:
        """Run every case, print all outcomes together, and hold the count against the floor.

        Raises:
            Failed: a pass is below its floor, there is no floor, or a file is wrong.
            Skipped: the model does not answer: that says nothing of the code.
        """
        from kit.errors import KitError, ModelUnreachable

        try:
            code, text, reasons = self._run()
        except ModelUnreachable as away:
            self._tell(f"skipped: {away}")
            pytest.skip(f"golden set: {away}")
        except KitError as error:
            raise failed(f"golden set: {error}") from None
        self._tell(text)
        if code:
            raise failed("\n".join(("golden set:", *reasons)))

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where and what, for reports."""
        return self.path, None, "golden set"

    def _run(self) -> tuple[int, str, list[str]]:
        from kit.report.golden import BANNER, render_golden
        from kit.workflow.golden import GoldenRequest, model_under_test, run_golden
        from kit.workflow.project import open_project

        mode, told = self.config.getoption("golden_mode"), self.config.getoption("golden_model")
        model = model_under_test(told) if mode == "live" else told
        project = open_project(start=project_of(self.config).root, model=model)
        outcome = run_golden(project, GoldenRequest(mode=mode, model=told))
        text = render_golden(outcome)
        reasons = [one.floor.sentence for one in outcome.passes if not one.floor.is_met]
        found = reasons or ["the harness or a cassette is broken", text]
        return outcome.exit_code, f"{BANNER}\n{text}" if mode == "live" else text, found

    def _tell(self, text: str) -> None:
        self.user_properties.append((TOLD, text))


def golden_file(config: pytest.Config) -> Path:
    """The file that stands for the golden set.

    Raises:
        ConfigError: `[tool.kit]` is wrong.
    """
    project = project_of(config)
    return project.root / "scenarios" / project.settings.golden.suite / "suite.yaml"


def add_golden(config: pytest.Config) -> None:
    """Has pytest look at the golden set: at nothing else, unless the command line names paths.

    Raises:
        ConfigError: `[tool.kit]` is wrong.
        UsageError: there is no golden suite.
    """
    from kit.errors import UsageError

    file = golden_file(config)
    if not file.is_file():
        raise UsageError("there is no golden set here", where=str(file))
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args[:] = []
    paths = [
        (config.invocation_params.dir / argument.partition("::")[0]).resolve() for argument in config.args
    ]
    if not any(file.is_relative_to(path) for path in paths):
        config.args.append(str(file))


def select_golden(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--golden` only golden tests stay, without it all others; detecting a server never decides."""
    wanted = config.getoption("kit_golden")
    kept = [item for item in items if (item.get_closest_marker(GOLDEN_MARKER) is not None) == wanted]
    if len(kept) < len(items):
        left_out = [item for item in items if item not in kept]
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


def told(stats: Mapping[str, Sequence[Any]]) -> list[str]:
    """What the golden item had to say, by the reports of a session; each of its phases has a report."""
    reports = (report for found in stats.values() for report in found)
    texts = (
        text for report in reports for name, text in getattr(report, "user_properties", ()) if name == TOLD
    )
    return list(dict.fromkeys(texts))
