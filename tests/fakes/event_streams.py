"""Streams of several APIs, and how a test looks at them."""

from __future__ import annotations

import json
import re
import struct
from typing import Any
from zlib import crc32

from kit.cassette.stream import write
from kit.cassette.streams.read import read

Event = dict[str, Any]

_LONE = re.compile("[\ud800-\udfff]")

EVENT = (":event-type", "chunk")
"""The header of a frame."""

RESPONSE: dict[str, Any] = {
    "id": "resp_1",
    "model": "m",
    "instructions": "Be brief, be kind. " * 10,
    "output": [],
}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "look", "arguments": ""}
MESSAGE = {"type": "message", "id": "msg_1", "role": "assistant", "content": []}
PART = {"type": "output_text", "text": "", "annotations": []}

CONVERSE: tuple[tuple[str, Event], ...] = (
    ("messageStart", {"role": "assistant"}),
    ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"reasoningContent": {"text": "I "}}}),
    ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"reasoningContent": {"text": "think"}}}),
    (
        "contentBlockDelta",
        {"contentBlockIndex": 0, "delta": {"reasoningContent": {"signature": "c2ln" * 20}}},
    ),
    ("contentBlockDelta", {"contentBlockIndex": 1, "delta": {"text": "Pa"}}),
    ("contentBlockDelta", {"contentBlockIndex": 1, "delta": {"text": "ris"}}),
    ("contentBlockStop", {"contentBlockIndex": 1}),
    (
        "contentBlockStart",
        {"contentBlockIndex": 2, "start": {"toolUse": {"toolUseId": "t1", "name": "look"}}},
    ),
    ("contentBlockDelta", {"contentBlockIndex": 2, "delta": {"toolUse": {"input": '{"a":'}}}),
    ("contentBlockDelta", {"contentBlockIndex": 2, "delta": {"toolUse": {"input": "1}"}}}),
    ("contentBlockStart", {"contentBlockIndex": 3, "start": {"toolResult": {"toolUseId": "t0"}}}),
    ("contentBlockDelta", {"contentBlockIndex": 3, "delta": {"toolResult": [{"json": {"out": "x"}}]}}),
    ("contentBlockDelta", {"contentBlockIndex": 4, "delta": {"citations": [{"title": "x"}]}}),
    ("contentBlockDelta", {"contentBlockIndex": 4, "delta": {"citations": [{"title": "y"}]}}),
    ("messageStop", {"stopReason": "tool_use"}),
    ("metadata", {"usage": {"totalTokens": 7}, "metrics": {"latencyMs": 9}}),
)


def sse(*events: Event, named: bool = True) -> bytes:
    """Events as servers send them, with their type in front."""
    text = "".join(
        (f"event: {event['type']}\n" if named and "type" in event else "")
        + f"data: {json.dumps(event, separators=(',', ':'), ensure_ascii=False)}\n\n"
        for event in events
    )
    # A lone surrogate has no UTF-8: servers escape it.
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode()


def padded(content: bytes) -> bytes:
    """The stream of a server that pads its events with blanks, so that their length tells nothing."""
    return b"".join(
        event.removesuffix(b"}") + b" " * (number % 7 * 3) + b"}\n\n"
        if event.endswith(b"}")
        else event + b"\n\n"
        for number, event in enumerate(content.split(b"\n\n")[:-1])
    )


def message_of(content: bytes) -> Any:
    """The message that a stream is shown as; the bytes come back from it."""
    found = read(content)
    assert found is not None
    assert write(found.shown, found.row) == content
    return found.message


def edited(content: bytes, old: str, new: str) -> bytes:
    """The stream after somebody replaced a text in its message."""
    found = read(content)
    assert found is not None
    shown = json.loads(json.dumps(found.shown, ensure_ascii=False).replace(old, new))
    return write(shown, found.row)


def frame(payload: bytes, *headers: tuple[str, str], kind: int = 7) -> bytes:
    """A frame as AWS writes it."""
    head = b"".join(
        bytes([len(name)]) + name + bytes([kind]) + struct.pack("!H", len(value)) + value
        for name, value in ((name.encode(), value.encode()) for name, value in headers)
    )
    prelude = struct.pack("!II", 16 + len(head) + len(payload), len(head))
    whole = prelude + struct.pack("!I", crc32(prelude)) + head + payload
    return whole + struct.pack("!I", crc32(whole))


def step(kind: str, number: int, **more: Any) -> Event:
    return {"type": f"response.{kind}", "sequence_number": number, **more}


def responses() -> list[Event]:
    text, arguments = "Hello, wörld: it is twenty-one degrees outside.", '{"city":"Paris"}'
    part, call = {**PART, "text": text}, {**CALL, "arguments": arguments}
    item = {**MESSAGE, "content": [part]}
    at: dict[str, Any] = {"output_index": 0, "content_index": 0, "item_id": "msg_1"}
    return [
        step("created", 0, response={**RESPONSE, "status": "in_progress"}),
        step("in_progress", 1, response={**RESPONSE, "status": "in_progress"}),
        step("output_item.added", 2, output_index=0, item=MESSAGE),
        step("content_part.added", 3, **at, part=PART),
        *(step("output_text.delta", 4 + n, **at, delta=text[n * 6 : n * 6 + 6]) for n in range(8)),
        step("output_text.done", 12, **at, text=text),
        step("content_part.done", 13, **at, part=part),
        step("output_item.done", 14, output_index=0, item=item),
        step("output_item.added", 15, output_index=1, item=CALL),
        step("function_call_arguments.delta", 16, output_index=1, item_id="fc_1", delta=arguments[:5]),
        step("function_call_arguments.delta", 17, output_index=1, item_id="fc_1", delta=arguments[5:]),
        step("function_call_arguments.done", 18, output_index=1, item_id="fc_1", arguments=arguments),
        step("output_item.done", 19, output_index=1, item=call),
        step("completed", 20, response={**RESPONSE, "status": "completed", "output": [item, call]}),
    ]


def anthropic() -> list[Event]:
    def delta(index: int, **more: Any) -> Event:
        return {"type": "content_block_delta", "index": index, "delta": more}

    def block(index: int, **more: Any) -> Event:
        return {"type": "content_block_start", "index": index, "content_block": more}

    start = {"id": "msg_1", "role": "assistant", "model": "c", "content": [], "usage": {"input_tokens": 4}}
    return [
        {"type": "message_start", "message": start},
        {"type": "ping"},
        block(0, type="thinking", thinking="", signature=""),
        delta(0, type="thinking_delta", thinking="Hmm, "),
        delta(0, type="thinking_delta", thinking="yes."),
        delta(0, type="signature_delta", signature="c2ln" * 20),
        {"type": "content_block_stop", "index": 0},
        block(1, type="text", text=""),
        delta(1, type="text_delta", text="Pa"),
        delta(1, type="text_delta", text="ris"),
        delta(
            1, type="citations_delta", citation={"cited_text": "Paris is in France, they say in Berlin too."}
        ),
        block(2, type="tool_use", id="toolu_1", name="look", input={}),
        delta(2, type="input_json_delta", partial_json=""),
        delta(2, type="input_json_delta", partial_json='{"city": '),
        delta(2, type="input_json_delta", partial_json='"Paris"}'),
        block(3, type="tool_use", id="toolu_2", name="nothing", input={}),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ]


def chunk(*parts: dict[str, Any], index: int = 0, **more: Any) -> Event:
    candidate = {"content": {"parts": list(parts), "role": "model"}, "index": index, **more}
    return {"candidates": [candidate], "usageMetadata": {"total": len(parts)}, "modelVersion": "g"}


def gemini() -> list[Event]:
    call = {"functionCall": {"name": "look", "args": {"city": "Paris"}}, "thoughtSignature": "c2ln" * 20}
    return [
        chunk({"text": "I think ", "thought": True}),
        chunk({"text": "so.", "thought": True}, {"text": "Pa"}),
        chunk({"text": "ris"}),
        chunk(call),
        chunk(call | {"functionCall": {"name": "look", "args": {"city": "Rome"}}}),
        chunk({"text": "", "thoughtSignature": "ZW5k" * 20}, finishReason="STOP"),
    ]
