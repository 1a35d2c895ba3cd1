"""A golden run as text: all cases of a pass together, counts with totals, the floor (S4-28, X-06)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kit.gate.floor import Floor
from kit.golden.passes import SUSPECTED, Pass, distinct
from kit.golden.trend import Trend
from kit.report.plain import plain
from kit.workflow.golden import BANNER, GoldenOutcome, JudgedPass


def render_golden(outcome: GoldenOutcome) -> str:
    """Everything a golden run gave, for the person who typed the command."""
    lines: list[str] = []
    for judged in outcome.passes:
        lines += [*pass_lines(judged), ""]
    lines += _by_model(outcome.passes)
    if outcome.seed is not None:
        lines.append(f"seed: {outcome.seed.strip()}")
    lines += outcome.kept
    if outcome.logged:
        count = outcome.logged
        lines.append(f"history: {count} pass{'' if count == 1 else 'es'} appended")
    if outcome.away is not None:
        lines.append(f"stopped after {len(outcome.passes)} of the passes: {outcome.away}")
    lines.append(f"traces: {outcome.folder}")
    return plain("\n".join(lines))


def pass_lines(judged: JudgedPass) -> Iterator[str]:
    """One pass: head, a line for each case, and what the floor says."""
    one = judged.measured
    yield f"{one.model}, pass {one.number} ({one.source}): {one.hits}/{one.of}"
    width = max((len(outcome.case) for outcome in one.outcomes), default=0)
    kinds = max((len(outcome.shown) for outcome in one.outcomes), default=0)
    times = [_seconds(outcome.latency_ms) for outcome in one.outcomes]
    broad = max(map(len, times), default=0)
    for outcome, time in zip(one.outcomes, times, strict=True):
        told = outcome.detail or outcome.given or ""
        yield f"  {outcome.case:<{width}}  {outcome.shown:<{kinds}}  {time:>{broad}}  {told}".rstrip()
    yield from (f"  i {notice}" for notice in judged.notices)
    if one.is_suspect:
        yield f"  ! {SUSPECTED}"
    yield f"  {'floor' if judged.floor.is_met else 'x floor'}: {judged.floor.sentence}"
    if judged.floor.hint is not None:
        yield f"  hint: {judged.floor.hint}"


def render_trend(trends: Sequence[Trend]) -> str:
    """Each model with its passes over time, its floor, and how every case ended how often."""
    lines: list[str] = []
    for trend in trends:
        counts = ", ".join(f"{one.hits}/{one.of}" for one in trend.passes)
        floor = f"floor {trend.floor}" if trend.floor is not None else "no floor"
        least, most = trend.least, trend.most
        lines.append(
            f"{trend.model}: {counts} (least {least.hits}/{least.of}, most {most.hits}/{most.of}, {floor})"
        )
        cases = trend.cases()
        width = max(map(len, cases), default=0)
        for case, kinds in cases.items():
            total = sum(kinds.values())
            others = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common() if kind != "hit")
            lines.append(f"  {case:<{width}}  hit {kinds['hit']}/{total}{f'; {others}' if others else ''}")
        lines.append("")
    return plain("\n".join(lines).rstrip())


def render_unmeasured(floors: Mapping[str, Floor]) -> str:
    """Floors of models that no pass was logged of, so that all stay visible side by side (S4-33)."""
    told = ", ".join(f"{model} (floor {floor})" for model, floor in floors.items())
    return plain(f"no pass was logged of {told}" if told else "")


def render_history(passes: Sequence[Pass]) -> str:
    """Every logged pass in a line."""
    return plain(
        "\n".join(
            f"{one.when:%Y-%m-%dT%H:%M:%SZ}  {one.model}  pass {one.number}  {one.source}  "
            f"{one.hits}/{one.of}"
            for one in passes
        )
    )


def _seconds(latency_ms: int | None) -> str:
    return "-" if latency_ms is None else f"{latency_ms / 1000:.1f} s"


def _by_model(passes: Sequence[JudgedPass]) -> Iterator[str]:
    """Where a model had several passes, its counts in a row: never pooled with another's (decision 20)."""
    models = dict.fromkeys(one.measured.model for one in passes)
    for model in models:
        own = [one.measured for one in passes if one.measured.model == model]
        if len(own) > 1:
            counts = ", ".join(f"{one.hits}/{one.of}" for one in own)
            different = distinct(own)
            samples = "" if different is None else f"; distinct {different}/{len(own)}"
            yield f"{model}: {counts}; least {min(one.hits for one in own)}/{own[0].of}{samples}"


__all__ = ["BANNER", "pass_lines", "render_golden", "render_history", "render_trend", "render_unmeasured"]
