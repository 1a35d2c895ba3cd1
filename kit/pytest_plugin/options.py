"""What `pytest` is told on the command line, and by the marker; imports nothing of kit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

import pytest

MARKER = "kit_cassette"
GOLDEN_MARKER = "kit_golden"
RecordMode = Literal["none", "missing", "all"]

_MARKER_HELP = (
    f"{MARKER}(name=None, *, virtual_time=True, allow=()): record what the test asks of models and tools "
    "in cassettes/tests/ and replay it; --kit-record says which of the two"
)


def add_options(parser: pytest.Parser) -> None:
    """The options; they begin with `--kit` or `--golden`, so that no other recorder's are met."""
    group = parser.getgroup("kit", "kit: record and replay LLM agents")
    group.addoption(
        "--kit",
        action="store_true",
        dest="kit_scenarios",
        help="Run the scenarios of the default suites as tests, each against its cassettes.",
    )
    group.addoption(
        "--kit-model", metavar="TAG", default=None, help="With --kit: only this model's cassettes."
    )
    group.addoption(
        "--kit-only",
        metavar="CATEGORY",
        action="append",
        default=[],
        help="With --kit: only scenarios of this category; may be repeated.",
    )
    group.addoption(
        "--golden",
        action="store_true",
        dest="kit_golden",
        help="Ask a model: run the golden set, one test, and tests marked kit_golden; nothing else.",
    )
    group.addoption(
        "--golden-model",
        metavar="TAG",
        default=None,
        help="With --golden: the model; else GOLDEN_SET_QA_MODEL, else qwen2.5-coder:latest.",
    )
    group.addoption(
        "--golden-mode",
        choices=("live", "replay"),
        default="live",
        help="With --golden: ask the model (default), or play the recorded passes.",
    )
    group.addoption(
        "--kit-record",
        choices=("none", "missing", "all"),
        default="none",
        help=f"What tests with the marker {MARKER} record: nothing (default), what has no cassette yet, all.",
    )
    group.addoption(
        "--kit-unmarked",
        choices=("guarded", "free"),
        default="guarded",
        help=f"Where some tests have {MARKER}: whether the others may use the network (default: no).",
    )


def add_marker(config: pytest.Config) -> None:
    """Makes the markers known, for `--strict-markers` and `--markers`."""
    config.addinivalue_line("markers", _MARKER_HELP)
    config.addinivalue_line(
        "markers", f"{GOLDEN_MARKER}: run only with --golden; a server that is up changes nothing"
    )


def record_mode(config: pytest.Config) -> RecordMode:
    """What marked tests record."""
    return cast("RecordMode", config.getoption("kit_record"))


@dataclass(frozen=True, slots=True)
class Marked:
    """What the marker of one test says.

    Attributes:
        name: stands for the test's name in the name of its cassette.
        virtual_time: whether the test sees the recording's clock; off where it sets a clock of its own.
        allow: side effects that may happen again in replay, as in `[tool.kit.replay] allow`.
    """

    name: str | None = None
    virtual_time: bool = True
    allow: tuple[str, ...] = ()


def marked(item: pytest.Item) -> Marked:
    """The closest marker of a test; the defaults for one that only asks for the fixture.

    Raises:
        ValueError: the marker has arguments it does not know.
    """
    mark = item.get_closest_marker(MARKER)
    return Marked() if mark is None else _read(*mark.args, **mark.kwargs)


def _read(*names: Any, **options: Any) -> Marked:
    unknown = sorted(set(options) - {"name", "virtual_time", "allow"})
    given = [*names, *([options["name"]] if "name" in options else [])]
    allow = options.get("allow", ())
    if unknown or len(given) > 1:
        what = f"no argument `{unknown[0]}`" if unknown else "one name only"
        raise ValueError(f"@pytest.mark.{MARKER} takes {what}: {_MARKER_HELP}")
    if isinstance(allow, str):
        raise ValueError(f"@pytest.mark.{MARKER}: allow is a list of rules, not one text")  # noqa: TRY004 - as above
    return Marked(given[0] if given else None, bool(options.get("virtual_time", True)), tuple(allow))
