"""Runs targets on mutated inputs and keeps what must not happen: a traceback, a hang, an explosion."""

from __future__ import annotations

import contextlib
import hashlib
import re
import resource
import signal
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType

from kit.errors import KitError
from tests.fuzz.mutate import mutated
from tests.fuzz.targets import Outcome, Target

CPU_SECONDS = 10.0
"""Processor time for one input of at most 400 kB."""
GROWTH_BYTES = 400 << 20
"""How much the peak of memory may rise by one input."""
ADDRESS_SPACE = 4 << 30
POOL = 600


class TooSlow(BaseException):
    """An input took its whole processor time; a BaseException, so that no parser takes it for its own."""


@dataclass(frozen=True)
class Find:
    """An input that something must not have happened with.

    Attributes:
        target: whose.
        what: the last line of the traceback.
        trace: all of it.
        content: the input.
    """

    target: str
    what: str
    trace: str
    content: bytes

    @property
    def signature(self) -> str:
        """The same for two inputs that meet the same fault."""
        frames = re.findall(r'File ".*?/(kit/[^"]+)", line (\d+)', self.trace)
        return f"{self.target} {self.what.partition(':')[0]} at {':'.join(frames[-1]) if frames else '?'}"


@dataclass
class Session:
    """One hour, or one second, of fuzzing.

    Attributes:
        random: all of chance.
        executions: inputs by target.
        outcomes: how many kinds of outcome each target has shown.
        finds: the first input of each fault.
    """

    random: Random
    executions: Counter[str] = field(default_factory=Counter)
    finds: dict[str, Find] = field(default_factory=dict)
    outcomes: dict[str, set[Outcome]] = field(default_factory=dict)
    grown: dict[str, list[bytes]] = field(default_factory=dict)

    def run(self, targets: tuple[Target, ...], seconds: float) -> None:
        """Fuzzes the targets in turn until the time is over."""
        until = time.monotonic() + seconds
        with bounded():
            while True:
                for target in targets:
                    for _ in range(20):
                        if time.monotonic() >= until:
                            return
                        self.step(target)

    def step(self, target: Target) -> None:
        """One input; an outcome that was never seen makes its input a seed."""
        grown = self.grown.setdefault(target.name, [])
        pool = grown if grown and self.random.random() < 0.5 else target.pool
        content = mutated(self.random, self.random.choice(pool), target.pool)
        outcome = self.check(target, content)
        known = self.outcomes.setdefault(target.name, set())
        if outcome is not None and outcome not in known:
            known.add(outcome)
            grown.append(content)
            if len(grown) > POOL:
                del grown[self.random.randrange(len(grown))]

    def check(self, target: Target, content: bytes) -> Outcome | None:
        """Runs one input; None where it is a find."""
        self.executions[target.name] += 1
        outcome: Outcome | None
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
            try:
                outcome = target.run(content)
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
        except KitError as error:
            outcome = refusal(error)
            if outcome is None:
                self._found(target, content, "a refusal that says neither where nor why")
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            self._found(target, content, "".join(traceback.format_exception(error)))
            return None
        grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        if grown_kb << 10 > GROWTH_BYTES:
            self._found(target, content, f"memory grew by {grown_kb >> 10} MB")
        return outcome

    def _found(self, target: Target, content: bytes, trace: str) -> None:
        find = Find(target.name, trace.strip().splitlines()[-1][:200], trace, content)
        self.finds.setdefault(find.signature, find)


def refusal(error: KitError) -> Outcome | None:
    """The kind of a refusal; None where it says neither where nor why."""
    problems = getattr(error, "problems", ())
    if problems and not all(problem.where and problem.what for problem in problems):
        return None
    if not problems and not (error.where or error.why):
        return None
    said = "; ".join(sorted({problem.what for problem in problems})) or error.what
    return (type(error).__name__, re.sub(r"[`'\"].*?[`'\"]|\d+|[^\x20-\x7e]", "…", said)[:120])


def keep(finds: dict[str, Find], folder: Path) -> None:
    """Writes each find's input and traceback into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for find in finds.values():
        name = f"{find.target}-{hashlib.sha256(find.content).hexdigest()[:10]}"
        (folder / f"{name}.input").write_bytes(find.content)
        (folder / f"{name}.txt").write_text(f"{find.signature}\n\n{find.trace}", "utf-8", "backslashreplace")


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Too much processor time or memory ends an input, not the machine."""

    def too_slow(signum: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {CPU_SECONDS} s of processor time")

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    before = signal.signal(signal.SIGPROF, too_slow)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, hard))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
