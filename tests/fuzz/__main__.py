"""`make fuzz`: mutates what people, servers and crashes wrote, for a while; exit code 1 on a find."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.fuzz.engine import Session, bounded, keep
from tests.fuzz.targets import targets


def main() -> int:
    """Fuzz, and say once a minute how far it is."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="of chance; the time by default")
    parser.add_argument("--only", help="one target")
    parser.add_argument("--keep", type=Path, default=Path(".kit/fuzz"), help="where inputs of finds go")
    parser.add_argument("inputs", nargs="*", type=Path, help="run these inputs on --only, and nothing else")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return _fuzz(options, Path(folder))


def _fuzz(options: argparse.Namespace, folder: Path) -> int:
    seed = options.seed if options.seed is not None else time.time_ns() % 10**9
    chosen = tuple(one for one in targets(folder) if options.only in {None, one.name})
    session = Session(Random(seed))
    _say(f"seed {seed}; targets {', '.join(one.name for one in chosen)}")
    with bounded():
        for file in options.inputs:
            _say(f"{file} {chosen[0].name} {session.check(chosen[0], file.read_bytes())}")
    until = time.monotonic() + (0 if options.inputs else options.seconds)
    while (left := until - time.monotonic()) > 0:
        session.run(chosen, min(60, left))
        told = " ".join(f"{name} {count}" for name, count in session.executions.items())
        _say(f"{sum(session.executions.values())} executions ({told}), {len(session.finds)} finds")
        keep(session.finds, options.keep)
    for signature, find in session.finds.items():
        _say(f"\n{signature}\n{find.trace[-3000:]}")
    return 1 if session.finds else 0


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
