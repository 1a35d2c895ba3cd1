"""Trace skeletons: what is kept of a run."""

from __future__ import annotations

from kit.baseline.skeleton import RESULT_CHARS, digest_of, facts_of, plain_facts, skeleton_of
from kit.trace.export import read_json_lines, step_objects, to_json_lines
from kit.trace.trace import Asked, Step, Usage
from tests.builders import trace

ASKED = Asked((("system", "be kind"),), ({"name": "t"},), {"seed": 1})


def test_prompts_and_schemas_are_kept_once() -> None:
    """However many calls were asked with them, and where they come back."""
    other = Asked((("system", "be brief"),))
    steps = [
        Step(number, "model_call", asked=asked) for number, asked in enumerate([ASKED, ASKED, other, ASKED])
    ]
    kept = skeleton_of(facts_of(step_objects(trace(*steps))))
    assert len(kept.requests) == 2
    assert [step.request for step in kept.steps] == [1, 1, 2, 1]
    first = kept.request_of(kept.steps[0])
    assert first is not None
    assert (first.prompt[0].text, first.tools, first.parameters) == ("be kind", ({"name": "t"},), {"seed": 1})


def test_a_long_result_is_kept_to_be_recognised() -> None:
    """Not whole; one that differs far behind is another one all the same."""
    long = "x" * 1000
    one, other = (
        facts_of(step_objects(trace(Step(0, "tool_call", name="t", result=text))))
        for text in (long, long + "y")
    )
    (step,) = skeleton_of(one).steps
    assert len(step.result or "") == RESULT_CHARS
    assert step.result_digest is not None
    assert digest_of(one) != digest_of(other)
    (short,) = skeleton_of(facts_of(step_objects(trace(Step(0, "tool_call", result={"a": 1}))))).steps
    assert (short.result, short.result_digest) == ('{"a":1}', None)


def test_a_failed_call_has_no_result() -> None:
    """A result of null is one, a failure has none."""
    failed, empty = skeleton_of(
        facts_of(step_objects(trace(Step(0, "tool_call", failure="OSError: x"), Step(1, "tool_call"))))
    ).steps
    assert (failed.result, failed.failure) == (None, "OSError: x")
    assert empty.result == "null"


def test_facts_are_the_same_however_a_run_is_read() -> None:
    """From memory, from a trace file, or from the typed form and back; places of code are no facts."""
    run = trace(
        Step(0, "model_call", 0, 500, name="m", asked=ASKED, usage=Usage(3, None), finish_reason="stop"),
        Step(1, "sleep", 500, 900, text="agent.py:12"),
        Step(2, "event", name="refusal", text="refusal", arguments={"reason": "no"}),
    )
    facts = facts_of(step_objects(run))
    assert facts_of(read_json_lines(to_json_lines(run))) == facts
    assert plain_facts(skeleton_of(facts)) == facts
    assert facts["steps"][1] == {"kind": "sleep", "ms": 400}
    assert facts["steps"][2] == {"kind": "event", "name": "refusal", "arguments": {"reason": "no"}}


def test_half_a_character_is_written_out() -> None:
    """UTF-8 cannot hold it, and what is compared is what is kept."""
    facts = facts_of(step_objects(trace(Step(0, "answer", text="half \ud800"))))
    assert facts["steps"][0]["text"] == "half \\ud800"


def test_a_reference_that_leads_nowhere_is_unknown() -> None:
    """A file edited by hand may have lost its requests."""
    kept = skeleton_of({"steps": [{"kind": "model_call", "request": 3}]})
    assert kept.request_of(kept.steps[0]) is None


def test_plain_http_is_no_part_of_a_skeleton() -> None:
    """What is around the model and the tools may change without drift (decision 7)."""
    spoken, fetched = Step(0, "answer", text="hi"), Step(1, "http", name="GET http://h/", interaction=1)
    assert facts_of(step_objects(trace(spoken, fetched))) == facts_of(step_objects(trace(spoken)))
