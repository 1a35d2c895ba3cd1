"""Options that several commands share."""

from __future__ import annotations

import inspect
from typing import Any, get_args, get_type_hints

import pytest

from kit.cli import accept, gate, options, record, replay, report, run, show

COMMANDS = (record.record, replay.replay, run.run, show.show, accept.accept, gate.gate, report.report)
SHARED = {
    name: value for name, value in vars(options).items() if get_args(value) and hasattr(value, "__metadata__")
}


def test_there_are_shared_options() -> None:
    """The table below is not empty by accident."""
    assert {"Selection", "Model", "AsJson", "Format", "ReportFolder"} <= SHARED.keys()


@pytest.mark.parametrize("name", SHARED)
def test_each_explains_itself(name: str) -> None:
    """What `--help` prints is one sentence."""
    (declared,) = SHARED[name].__metadata__
    assert declared.help.endswith(".")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_same_name_same_option(command: Any) -> None:
    """`--model` means the same wherever it stands: parameters of one name are declared once."""
    meant = {
        "scenarios": "Selection",
        "model": "Model",
        "base_url": "BaseUrl",
        "only": "Only",
        "agent": "AgentPath",
        "as_json": "AsJson",
        "tape": "Tape",
        "strict": "Strict",
        "form": "Format",
        "report": "ReportFolder",
        "against": "Against",
        "workers": "Workers",
        "shard": "ShardText",
        "changed": "Changed",
    }
    hints = get_type_hints(command, include_extras=True)
    for parameter in inspect.signature(command).parameters:
        if parameter in meant:
            assert hints[parameter] == SHARED[meant[parameter]]
