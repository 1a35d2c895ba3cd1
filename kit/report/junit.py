"""JUnit XML, which every CI reads: one test suite per suite and model, one test case per run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kit.baseline.accepted import CellId
from kit.harness.eval_report import EvalReport
from kit.oracle.result import OracleResult
from kit.report.numbers import three_numbers
from kit.report.plain import plain

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_OUTSIDE_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
"""What XML 1.0 forbids beside the control characters, which `plain` shows as escapes."""
_ELEMENTS = {"fail": "failure", "error": "error"}


def render(reports: Sequence[EvalReport]) -> str:
    """All reports as one document; times are recorded latencies in seconds, never wall time."""
    results = [result for report in reports for result in report.scenarios]
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<testsuites name="kit"{_counts(results)}>']
    for report in reports:
        lines += _suite(report)
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _suite(report: EvalReport) -> Iterator[str]:
    name = _attribute(f"{report.suite} on {report.model}")
    stamp = f"{report.timestamp:%Y-%m-%dT%H:%M:%S}"
    yield f'  <testsuite name="{name}"{_counts(report.scenarios)} timestamp="{stamp}">'
    yield "    <properties>"
    numbers = ((number.name, number.now) for number in three_numbers(report))
    known = (("gate", report.gate), ("mode", report.mode), ("commit", report.commit or ""))
    for key, value in (*numbers, *known):
        yield f'      <property name="{key}" value="{_attribute(value)}"/>'
    yield "    </properties>"
    for result in report.scenarios:
        yield from _case(report, result)
    yield "  </testsuite>"


def _case(report: EvalReport, result: OracleResult) -> Iterator[str]:
    # Readers take dots for a hierarchy of packages, so a model's own dots must not stand in the class.
    place = _attribute(f"{report.suite}.{report.model.replace('.', '_')}")
    name = _attribute(str(CellId.of(result)))
    opened = f'    <testcase classname="{place}" name="{name}" time="{_seconds(result.latency_ms)}"'
    inside = [*_verdict(result), *_output(result)]
    if not inside:
        yield f"{opened}/>"
        return
    yield f"{opened}>"
    yield from inside
    yield "    </testcase>"


def _verdict(result: OracleResult) -> Iterator[str]:
    if result.verdict == "skip":
        yield f'      <skipped message="{_attribute("; ".join(result.notices))}"/>'
    elif result.verdict in _ELEMENTS:
        element = _ELEMENTS[result.verdict]
        texts = (*result.errors, *result.failures)
        message = _attribute(texts[0].splitlines()[0] if texts and texts[0] else result.verdict)
        yield f'      <{element} type="{result.verdict}" message="{message}">'
        yield _text("\n\n".join(texts)) + f"</{element}>"


def _output(result: OracleResult) -> Iterator[str]:
    if result.notices and result.verdict != "skip":
        yield f"      <system-out>{_text(chr(10).join(result.notices))}</system-out>"


def _counts(results: Sequence[OracleResult]) -> str:
    failed, errors, skipped = (
        sum(result.verdict == verdict for result in results) for verdict in ("fail", "error", "skip")
    )
    taken = sum(result.latency_ms or 0 for result in results)
    return (
        f' tests="{len(results)}" failures="{failed}" errors="{errors}" skipped="{skipped}"'
        f' time="{_seconds(taken)}"'
    )


def _seconds(ms: int | None) -> str:
    return "0" if ms is None else f"{ms // 1000}.{ms % 1000:03d}"


def _text(text: str) -> str:
    shown = _OUTSIDE_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", plain(text))
    return "".join(_ENTITIES.get(character, character) for character in shown)


def _attribute(text: str) -> str:
    return _text(text).replace("\n", "&#10;").replace("\t", "&#9;")
