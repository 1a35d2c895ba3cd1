"""Options that several commands share, each worded once."""

from __future__ import annotations

from typing import Annotated

import typer

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
Strict = Annotated[bool, typer.Option("--strict", help="A warning of the gate is exit code 1 too.")]
Tape = Annotated[
    str | None,
    typer.Option("--tape", help="With a program behind `--`: name of its cassette in cassettes/tapes/."),
]
