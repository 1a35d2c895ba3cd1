"""The trend of the golden set as an SVG: a panel for each model, a column for each pass, oldest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from kit.golden.outcome import CaseOutcome, Kind
from kit.golden.passes import Pass
from kit.golden.trend import Trend
from kit.report.plain import plain

_FORBIDDEN = re.compile("[\ud800-\udfff\ufffe\uffff]")
"""What XML 1.0 forbids beside the control characters, which `plain` shows as escapes."""
_LABEL = 190
"""Room for the names of cases, left of the columns."""
_LONGEST = 26
"""Characters of a name that fit there; a seed hook may name its cases as it likes."""
_COLUMN = 44
_UNIT = 16
"""Height of one hit in the line, and of the space around it."""
_ROW = 24
_BELOW = 36
"""Room for number and day of each pass, between the line and the cases."""
_HEAD = 34
_GAP = 26
_LEGEND = 84
_LEAST_WIDTH = 640
_FONT = "font-family='system-ui, sans-serif' font-size='12'"
_MARKS: dict[Kind, tuple[str, str, str]] = {
    "hit": ("#1b7f6b", "white", "hit"),
    "miss": ("#d1495b", "white", "miss"),
    "awaiting_approval": ("#e3b23c", "#222", "wait"),
    "no_verdict": ("#c9ced6", "#222", "none"),
    "time_out": ("#8d99ae", "white", "late"),
    "blocked": ("#5c677d", "white", "infra"),
    "crash": ("#33415c", "white", "crash"),
}
_MEANING = {
    "hit": "the agreed verdict",
    "miss": "the other verdict",
    "awaiting_approval": "awaiting approval",
    "no_verdict": "no verdict",
    "time_out": "time-out",
    "blocked": "blocked(infra)",
    "crash": "crash",
}


def draw_trend(trends: Sequence[Trend]) -> str:
    """The whole drawing; without a pass, one that says so."""
    parts: list[str] = []
    top = 12
    for trend in trends:
        parts += _panel(trend, top)
        top += _height(trend) + _GAP
    if not trends:
        parts.append(_text(16, 30, "no pass was logged yet"))
        top = 48
    else:
        parts += _legend(top)
        top += _LEGEND
    widest = max((len(trend.passes) for trend in trends), default=0)
    # At most 9 units a letter of the bold name, 7 of what stands beside it: a tag may be a long path.
    heads = (44 + 9 * len(plain(trend.model)) + 7 * len(_told(trend)) for trend in trends)
    width = max(_LEAST_WIDTH, _LABEL + _COLUMN * widest + 110, *heads)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {top}' width='{width}' height='{top}'"
        f" role='img' aria-label='Golden set: hits of each pass by model' {_FONT}>\n"
        f"<rect width='{width}' height='{top}' fill='white'/>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def _height(trend: Trend) -> int:
    return _HEAD + _line_height(trend) + _BELOW + _ROW * len(trend.cases())


def _line_height(trend: Trend) -> int:
    return _UNIT * max(one.of for one in trend.passes)


def _panel(trend: Trend, top: int) -> Iterator[str]:
    beside = f"<tspan dx='12' font-weight='normal' font-size='12' fill='#555'>{_told(trend)}</tspan>"
    name = _written(trend.model)
    yield f"<text x='16' y='{top + 14}' font-weight='bold' font-size='14'>{name}{beside}</text>"
    bottom = top + _HEAD + _line_height(trend)
    yield from _axis(trend, bottom)
    yield from _line(trend, bottom)
    for column, one in enumerate(trend.passes):
        yield _text(_middle(column), bottom + 16, str(one.number), anchor="middle", fill="#555")
        yield _text(_middle(column), bottom + 30, f"{one.when:%m-%d}", anchor="middle", fill="#555", size=11)
    yield _text(16, bottom + 16, "pass", fill="#555")
    yield _text(16, bottom + 30, "day", fill="#555", size=11)
    for row, case in enumerate(trend.cases()):
        y = bottom + _BELOW + row * _ROW
        yield _text(16, y + 14, case if len(case) <= _LONGEST else f"{case[: _LONGEST - 1]}…")
        for column, one in enumerate(trend.passes):
            yield from _cell(_of(one, case), column, y)


def _told(trend: Trend) -> str:
    counts = f"least {trend.least.hits}/{trend.least.of}, most {trend.most.hits}/{trend.most.of}"
    passes = f"{len(trend.passes)} pass{'' if len(trend.passes) == 1 else 'es'}"
    days = " to ".join(dict.fromkeys(f"{one.when:%Y-%m-%d}" for one in (trend.passes[0], trend.passes[-1])))
    return f"{passes}, {counts}; {days}"


def _axis(trend: Trend, bottom: int) -> Iterator[str]:
    most = max(one.of for one in trend.passes)
    right = _LABEL + _COLUMN * len(trend.passes)
    for hits in range(most + 1):
        y = bottom - hits * _UNIT
        yield f"<line x1='{_LABEL}' y1='{y}' x2='{right}' y2='{y}' stroke='#e6e8ec'/>"
        if hits in (0, most):
            yield _text(_LABEL - 8, y + 4, f"{hits}/{most}", anchor="end", fill="#555")
    if trend.floor is not None:
        y = bottom - trend.floor.hits * _UNIT
        yield f"<line x1='{_LABEL}' y1='{y}' x2='{right}' y2='{y}' stroke='#d1495b' stroke-dasharray='5 4'/>"
        yield _text(right + 8, y + 4, f"floor {trend.floor}", fill="#d1495b")


def _line(trend: Trend, bottom: int) -> Iterator[str]:
    points = [(_middle(column), bottom - one.hits * _UNIT) for column, one in enumerate(trend.passes)]
    path = " ".join(f"{x},{y}" for x, y in points)
    yield f"<polyline points='{path}' fill='none' stroke='#1b7f6b' stroke-width='2'/>"
    for (x, y), one in zip(points, trend.passes, strict=True):
        yield f"<circle cx='{x}' cy='{y}' r='4' fill='#1b7f6b'/>"
        yield _text(x, y - 8, f"{one.hits}/{one.of}", anchor="middle", size=11)


def _cell(outcome: CaseOutcome | None, column: int, y: int) -> Iterator[str]:
    """A square of one case in one pass; a case that was not in the set then has none."""
    if outcome is None:
        return
    fill, ink, mark = _MARKS[outcome.kind]
    x = _LABEL + column * _COLUMN + 2
    title = f"{outcome.case}: {outcome.shown}{f' ({outcome.detail})' if outcome.detail else ''}"
    yield f"<g><title>{_written(title)}</title>"
    yield f"<rect x='{x}' y='{y}' width='{_COLUMN - 4}' height='{_ROW - 4}' rx='3' fill='{fill}'/>"
    yield _text(x + (_COLUMN - 4) / 2, y + 14, mark, anchor="middle", fill=ink, size=11) + "</g>"


def _legend(top: int) -> Iterator[str]:
    yield _text(16, top + 10, "Hits of each pass; below, how each case ended. The dashed line is the floor.")
    for number, (kind, (fill, ink, mark)) in enumerate(_MARKS.items()):
        x, y = 16 + number % 4 * 152, top + 24 + number // 4 * 26
        yield f"<rect x='{x}' y='{y}' width='{_COLUMN - 4}' height='{_ROW - 4}' rx='3' fill='{fill}'/>"
        yield _text(x + (_COLUMN - 4) / 2, y + 14, mark, anchor="middle", fill=ink, size=11)
        yield _text(x + _COLUMN, y + 14, _MEANING[kind], fill="#555", size=11)


def _of(one: Pass, case: str) -> CaseOutcome | None:
    return next((outcome for outcome in one.outcomes if outcome.case == case), None)


def _middle(column: int) -> int:
    return _LABEL + column * _COLUMN + _COLUMN // 2


def _text(x: float, y: float, text: str, *, anchor: str = "", fill: str = "", size: int = 0) -> str:
    given = {"text-anchor": anchor, "fill": fill, "font-size": size}
    attributes = "".join(f" {name}='{value}'" for name, value in given.items() if value)
    return f"<text x='{x:g}' y='{y:g}'{attributes}>{_written(text)}</text>"


def _written(text: str) -> str:
    """What a model wrote as text of XML, which some characters may not stand in even as an entity."""
    return escape(_FORBIDDEN.sub("\ufffd", plain(text)))
