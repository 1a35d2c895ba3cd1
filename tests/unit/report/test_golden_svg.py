"""The trend as a drawing."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import get_args
from xml.etree import ElementTree as ET

from kit.gate.floor import Floor
from kit.golden.outcome import CaseOutcome, Kind
from kit.golden.passes import Pass
from kit.golden.trend import trends
from kit.report.golden_svg import draw_trend
from tests.unit.golden.test_passes import WHEN, one_pass

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*passes: Pass, **floors: Floor) -> ET.Element:
    """The drawing, parsed: it must be XML."""
    return ET.fromstring(draw_trend(trends(passes, floors)))  # noqa: S314 - our own text


def texts(root: ET.Element) -> list[str]:
    """Everything written in it."""
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_every_model_has_a_panel_with_a_point_for_each_pass() -> None:
    """Higher is more hits; the floor is a dashed line."""
    later = dataclasses.replace(one_pass("hit", "hit"), when=WHEN + dt.timedelta(hours=1), number=2)
    root = drawn(one_pass("miss", "hit"), later, dataclasses.replace(later, model="n"), m=Floor(1, 2))
    assert {"m", "n", "1/2", "2/2", "floor 1/2"} <= set(texts(root))
    heights = [float(circle.attrib["cy"]) for circle in root.iter(f"{SVG}circle")]
    assert len(heights) == 3
    assert heights[0] > heights[1]
    dashed = [line for line in root.iter(f"{SVG}line") if "stroke-dasharray" in line.attrib]
    assert [float(line.attrib["y1"]) for line in dashed] == [heights[0]]


def test_every_kind_of_end_has_a_look_of_its_own() -> None:
    """And the legend says what it means."""
    kinds = get_args(Kind)
    root = drawn(one_pass(*kinds))
    squares = [next(iter(group.iter(f"{SVG}rect"))) for group in root.iter(f"{SVG}g")]
    assert len({square.attrib["fill"] for square in squares}) == len(kinds)
    assert {"the agreed verdict", "the other verdict", "blocked(infra)", "time-out"} <= set(texts(root))


def test_a_case_that_came_later_has_no_square_before() -> None:
    """Nothing is invented for a pass that did not have it."""
    grown = dataclasses.replace(one_pass("hit", "hit"), when=WHEN + dt.timedelta(hours=1))
    root = drawn(one_pass("hit"), grown)
    assert len(list(root.iter(f"{SVG}g"))) == 3


def test_every_pass_has_its_day() -> None:
    """Live passes are all number 1 of their model: a trend without days would not say when it fell."""
    later = dataclasses.replace(one_pass("hit"), when=WHEN + dt.timedelta(days=40))
    root = drawn(one_pass("hit"), later)
    assert [text for text in texts(root) if text in ("11-30", "01-09")] == ["11-30", "01-09"]
    assert "2 passes, least 1/1, most 1/1; 2026-11-30 to 2027-01-09" in "".join(root.itertext())
    assert "1 pass, least 1/1, most 1/1; 2026-11-30\n" in "".join(drawn(one_pass("hit")).itertext())


def test_a_long_name_does_not_run_into_the_columns() -> None:
    """A seed hook names its cases as it likes; a square still tells the whole name."""
    case = "rf-mismatched-filename-of-another-system"
    root = drawn(Pass("m", 1, (CaseOutcome(case, "hit"),), WHEN, "live"))
    assert "rf-mismatched-filename-of…" in texts(root)
    assert next(root.iter(f"{SVG}title")).text == f"{case}: hit"


def test_what_a_model_said_cannot_break_the_drawing() -> None:
    """It is text, whatever it looks like."""
    outcome = CaseOutcome("<a&b>", "crash", None, "</svg><script>'\"")
    root = drawn(Pass("m<&'", 1, (outcome,), WHEN, "live"))
    assert "m<&'" in texts(root)
    assert next(root.iter(f"{SVG}title")).text == "<a&b>: crash (</svg><script>'\")"


def test_what_xml_forbids_is_shown_and_not_written() -> None:
    """A command with a NUL or half of a surrogate pair in it must not cost the whole drawing."""
    outcome = CaseOutcome("rf-a", "awaiting_approval", None, "terminal 'npm\x00\x1b[2J\ud800\uffff'")
    root = drawn(Pass("m\x07", 1, (outcome,), WHEN, "live"))
    assert r"npm\x00\x1b[2J" in (next(root.iter(f"{SVG}title")).text or "")
    assert r"m\x07" in texts(root)
    draw_trend(trends([Pass("m", 1, (outcome,), WHEN, "live")], {})).encode("utf-8")


def test_nothing_to_draw_is_said() -> None:
    """Rather than an empty picture."""
    assert "no pass was logged yet" in texts(drawn())


def test_all_lies_inside_of_the_picture() -> None:
    """However many passes there are."""
    many = [
        dataclasses.replace(one_pass("hit", "miss"), number=n, when=WHEN + dt.timedelta(hours=n))
        for n in range(1, 30)
    ]
    root = drawn(*many, m=Floor(1, 2))
    width, height = (float(root.attrib[name]) for name in ("width", "height"))
    for element in root.iter():
        assert float(element.attrib.get("x", 0)) <= width
        assert float(element.attrib.get("y", 0)) <= height
    tag = "hf.co/organisation/Qwen2.5-Coder-7B-Instruct-GGUF:Q4_K_M"
    wide = drawn(Pass(tag, 1, many[0].outcomes, WHEN, "live"))
    assert float(wide.attrib["width"]) > 16 + 8 * len(tag) + 6 * len(
        "1 pass, least 1/2, most 1/2; 2026-11-30"
    )
