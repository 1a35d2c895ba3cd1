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
