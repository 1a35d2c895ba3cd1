"""The face of the product, word for word."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import pytest

from kit.cassette.differences import Difference
from kit.cassette.explain import MissReport
from kit.cassette.render_miss import render

SYSTEM_PROMPT = MissReport(
    lane="model",
    step=1,
    recorded=3,
    call="POST /v1/chat/completions",
    model="gpt-oss:20b",
    asked="user «leggi il log e riassumi gli ultimi errori»",
    nearest=1,
    is_nearest_played=False,
    times=0,
    changes=("system prompt",),
    differences=(
        Difference("messages[0].content", "…the result ‹briefly›.", "…the result ‹in one sentence›."),
    ),
    upcoming="call 1: POST /v1/chat/completions  user «leggi»",
)
SEVERAL = replace(
    SYSTEM_PROMPT,
    changes=("tool schema", "parameters"),
    differences=tuple(Difference(f"tools[{index}]", "(absent)", "{}") for index in range(6)),
)
EXTRA = replace(
    SYSTEM_PROMPT, step=2, times=2, is_nearest_played=True, changes=("extra call",), differences=(),
    upcoming="call 3: POST /v1/chat/completions  tool «ERROR disk full»",
)  # fmt: skip
TOOL = replace(
    SYSTEM_PROMPT, lane="tool", step=2, call="fs_read", model=None, asked='{"path": "b.log"}', nearest=2,
    changes=("tool arguments",), differences=(Difference("arguments.path", "‹a›.log", "‹b›.log"),),
)  # fmt: skip
UNKNOWN = replace(
    TOOL,
    call="fs_list",
    asked="",
    nearest=None,
    recorded=1,
    changes=("extra call",),
    differences=(),
    upcoming=None,
)

GOLDEN = {
    "system prompt": (
        SYSTEM_PROMPT,
        """\
        MISS  home/001_read_log_summary, step 1: this request was never recorded

          asked     POST /v1/chat/completions  gpt-oss:20b
                    user «leggi il log e riassumi gli ultimi errori»
          nearest   recorded call 1 of 3, not played yet
          changed   system prompt

            messages[0].content
              recorded  …the result ‹briefly›.
              now       …the result ‹in one sentence›.

          why       a model that reads another prompt may answer otherwise; this answer proves nothing
          next      kit record 001_read_log_summary""",
    ),
    "several": (
        SEVERAL,
        """\
        MISS  home/001_read_log_summary, step 1: this request was never recorded

          asked     POST /v1/chat/completions  gpt-oss:20b
                    user «leggi il log e riassumi gli ultimi errori»
          nearest   recorded call 1 of 3, not played yet
          changed   tool schema  (also: parameters)

            tools[0]
              recorded  (absent)
              now       {}
            tools[1]
              recorded  (absent)
              now       {}
            tools[2]
              recorded  (absent)
              now       {}
            tools[3]
              recorded  (absent)
              now       {}
            … and 2 more places

          why       the model chose its calls by the tools it was shown, and these are others
          next      kit record 001_read_log_summary""",
    ),
    "extra call": (
        EXTRA,
        """\
        MISS  home/001_read_log_summary, step 2: this request was recorded 2 times and is asked once more

          asked     POST /v1/chat/completions  gpt-oss:20b
                    user «leggi il log e riassumi gli ultimi errori»
          nearest   recorded call 1 of 3, already played
          expected  call 3: POST /v1/chat/completions  tool «ERROR disk full»
          changed   extra call

          why       each recorded answer is played once, never again for a repeated request
          next      kit record 001_read_log_summary""",
    ),
    "tool": (
        TOOL,
        """\
        MISS  home/001_read_log_summary, step 2: this tool call was never recorded

          asked     fs_read
                    {"path": "b.log"}
          nearest   recorded call 2 of 3, not played yet
          changed   tool arguments

            arguments.path
              recorded  ‹a›.log
              now       ‹b›.log

          why       the recorded result answers another call of this tool
          next      kit record 001_read_log_summary""",
    ),
    "unknown tool": (
        UNKNOWN,
        """\
        MISS  home/001_read_log_summary, step 2: this tool call was never recorded

          asked     fs_list
          nearest   none: the cassette holds no call of a tool
          changed   extra call

          why       the recording holds no answer for it
          next      kit record 001_read_log_summary""",
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_the_message_reads_well(name: str) -> None:
    """Each class of change has its message, at most 25 lines of at most 110 columns."""
    report, expected = GOLDEN[name]
    text = render(report, "home/001_read_log_summary", "kit record 001_read_log_summary")
    assert text == textwrap.dedent(expected)
    assert len(text.splitlines()) <= 25
    assert all(len(line) <= 110 for line in text.splitlines())


@pytest.mark.parametrize("change", ["conversation", "tool result", "parameters"])
def test_every_class_says_why_it_matters(change: str) -> None:
    """No class goes without its reason."""
    report = replace(SYSTEM_PROMPT, changes=(change,))  # type: ignore[arg-type]
    [why] = [line for line in render(report, "x", "y").splitlines() if line.startswith("  why")]
    assert len(why) > 30


def test_an_empty_cassette_is_said() -> None:
    """Nothing recorded at all is another matter than nothing alike."""
    report = replace(UNKNOWN, lane="model", recorded=0)
    assert "none: the cassette is empty" in render(report, "x", "y")
    assert "holds no HTTP request" in render(replace(report, recorded=2), "x", "y")
    five = replace(SEVERAL, differences=SEVERAL.differences[:5], times=1)
    assert "… and 1 more place\n" in render(five, "x", "y")
    assert "recorded once and" in render(five, "x", "y")
