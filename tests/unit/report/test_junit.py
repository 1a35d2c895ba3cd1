"""JUnit XML."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from kit.report.junit import render
from tests.builders import report, result
from tests.fakes.full_report import FULL

GOLDEN = (Path(__file__).parents[2] / "assets" / "full_junit.xml").read_text(encoding="utf-8")


def read(text: str) -> ET.Element:
    """The document as a reader sees it."""
    return ET.fromstring(text.encode())  # noqa: S314 - written a line above


def test_golden_text() -> None:
    """A failure is the agent's, an error is not; recorded latency in seconds, no wall time."""
    assert render([FULL]) == GOLDEN


def test_counts_are_those_of_the_cases() -> None:
    """Readers trust the attributes; several reports are several suites, and models are never pooled."""
    root = read(render([FULL, report(result(), model="m:2b")]))
    suites = root.findall("testsuite")
    assert [suite.get("name") for suite in suites] == ["home on m:1b", "home on m:2b"]
    for suite in (*suites, root):
        assert int(suite.get("tests", "")) == len(suite.findall(".//testcase"))
        assert int(suite.get("failures", "")) == len(suite.findall(".//failure"))
        assert int(suite.get("errors", "")) == len(suite.findall(".//error"))
        assert int(suite.get("skipped", "")) == len(suite.findall(".//skipped"))


def test_what_xml_forbids_is_shown_as_an_escape() -> None:
    """Control characters, surrogates and non-characters: the document stays one that parsers read."""
    bad = "a\x00b\x1b[2J\ufffe ]]> &amp; \t\r\nnext"
    root = read(render([report(result("fail", failures=(bad,)))]))
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.text == "\na\\x00b\\x1b[2J\\ufffe ]]> &amp; \t\\r\nnext"
    assert failure.get("message") == "a\\x00b\\x1b[2J\\ufffe ]]> &amp; \t"


def test_a_class_has_no_dots_but_the_one_behind_the_suite() -> None:
    """Jenkins takes dots for packages."""
    case = read(render([report(result(), model="qwen2.5-coder:1.5b")])).find(".//testcase")
    assert case is not None
    assert case.get("classname") == "home.qwen2_5-coder:1_5b"


def test_no_report_is_a_document_too() -> None:
    """Nothing was run, nothing failed."""
    assert read(render([])).get("tests") == "0"
