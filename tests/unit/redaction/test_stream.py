"""Columns of a stream are read as the client puts them together."""

from __future__ import annotations

from kit.redaction.redactor import Redactor


def test_parallel_calls_do_not_mix() -> None:
    """Two tool calls whose deltas interleave are two columns, each with its own secret."""
    events = [
        (0, '{\\"password\\":\\"on'), (1, '{\\"password\\":\\"tw'), (0, 'e11\\"}'), (1, 'o22\\"}'),
    ]  # fmt: skip
    body = "".join(
        f'data: {{"d":{{"tool_calls":[{{"index":{index},"function":{{"arguments":"{text}"}}}}]}}}}\r\n\r\n'
        for index, text in events
    )
    shown = Redactor().stream(body.encode()).decode()
    assert not any(part in shown for part in ("e11", "tw", "o22"))
    assert shown.count("<secret-1>") == shown.count("<secret-2>") == 1
    assert len(shown.splitlines()) == len(body.splitlines())


def test_blocks_of_other_dialects() -> None:
    """Anthropic's content blocks are told apart by the index beside the delta."""
    parts = [(0, "sk-abcd"), (1, "sk-ijkl"), (0, "efgh123456 x"), (1, "mnop123456 y")]
    body = "".join(
        f'event: content_block_delta\ndata: {{"index":{index},"delta":{{"text":"{text}"}}}}\n\n'
        for index, text in parts
    )
    shown = Redactor().stream(body.encode()).decode()
    assert [line.rpartition('"text":')[2] for line in shown.splitlines() if line.startswith("data")] == [
        '"<secret-1>"}}', '"<secret-2>"}}', '" x"}}', '" y"}}',
    ]  # fmt: skip


def test_lines_between_events_are_prose() -> None:
    """Comments, plain data lines and broken events are searched as text."""
    body = b": sk-abcdefgh123456\ndata: plain ghp_abcdefghij0123456789\ndata: {broken Bearer abcdef123456\n\n"
    masked = b": <secret-1>\ndata: plain <secret-2>\ndata: {broken Bearer <secret-3>\n\n"
    assert Redactor().stream(body) == masked
