"""`make bench`: every figure of the README's table, as ratios of one run; no test asserts a time."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console

from tests.bench import conversations, drift, startup, stores, suite


def main() -> int:
    """Run the benchmarks and print their tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "--without-vcrpy", action="store_true", help="do not play the slow peers (over a minute)"
    )
    parser.add_argument("--runs", type=int, default=5, help="runs of each figure; the smallest counts")
    options = parser.parse_args()
    console = Console(width=120)
    console.print(f"python {sys.version.split()[0]}, smallest of {options.runs} runs each")
    console.print(conversations.table(options.runs, with_vcrpy=not options.without_vcrpy))
    console.print(stores.table(options.runs, with_peers=not options.without_vcrpy))
    console.print(drift.table(options.runs))
    console.print(startup.table(options.runs))
    console.print(suite.table(options.runs, with_vcrpy=not options.without_vcrpy))
    console.print(suite.overhead(options.runs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
