"""Options that several commands share, each worded once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Form(StrEnum):
    """Forms in which results can be had."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    JSON = "json"
    JUNIT = "junit"
    GITHUB = "github"


Selection = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SCENARIO", help="Ids, beginnings of ids (001), suites, or paths; all without any."
    ),
]
Model = Annotated[str | None, typer.Option("--model", "-m", help="Tag of the model, e.g. gpt-oss:20b.")]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="OpenAI-compatible address of the model server, with /v1.")
]
Only = Annotated[
    list[str] | None, typer.Option("--only", help="Only scenarios of this category; repeatable.")
]
AgentPath = Annotated[
    str | None, typer.Option("--agent", help="package.module:function, instead of the configured agent.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the results for a program.")]
Format = Annotated[Form, typer.Option("--format", help="What to print; github prints annotations.")]
ReportFolder = Annotated[
    Path | None,
    typer.Option(
        "--report", metavar="DIR", help="Write report.md, report.json, junit.xml and the traces there too."
    ),
]
Against = Annotated[
    str | None,
    typer.Option("--against", metavar="REF", help="Compare with the baselines of a branch, tag or commit."),
]
Strict = Annotated[bool, typer.Option("--strict", help="A warning of the gate is exit code 1 too.")]
Workers = Annotated[
    int, typer.Option("--workers", metavar="N", min=1, help="Processes at a time, one for each run.")
]
ShardText = Annotated[
    str | None,
    typer.Option("--shard", metavar="I/N", help="Only the I-th of N parts; `kit merge` joins their results."),
]
Changed = Annotated[
    str | None,
    typer.Option("--changed", metavar="REF", help="Only what the changes since REF can affect."),
]
Tape = Annotated[
    str | None,
    typer.Option("--tape", help="With a program behind `--`: name of its cassette in cassettes/tapes/."),
]
Until = Annotated[
    int | None,
    typer.Option("--until", metavar="STEP", min=0, help="With --then live: the last call that is served."),
]
Then = Annotated[
    str | None,
    typer.Option("--then", metavar="live", help="Go on live from there; kept as a cassette of its own."),
]
Faults = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar="STEP:KIND",
        help="A call that goes wrong, e.g. 4:status=503; repeatable.",
    ),
]
VariantName = Annotated[
    str | None, typer.Option("--as", metavar="NAME", help="With --then live: name of the new variant.")
]
Missing = Annotated[bool, typer.Option("--missing", help="Only what has no cassette yet.")]
Stale = Annotated[
    bool,
    typer.Option(
        "--stale", help="Only what changed inputs, its age, or a miss in the last replay speak against."
    ),
]
Failed = Annotated[bool, typer.Option("--failed", help="Only what failed or ended in an error last.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the recording that was interrupted last.")]
MaxCost = Annotated[
    str | None,
    typer.Option("--max-cost", metavar="USD", help="Stop before the run that would pass this limit."),
]
JudgeOnly = Annotated[
    bool,
    typer.Option(
        "--judge-only", help="Replay the recordings, and record only what a live judge says of them."
    ),
]
Repeat = Annotated[
    int,
    typer.Option(
        "--repeat", metavar="N", min=1, help="Replicates of each scenario; the n-th runs with seed n."
    ),
]
