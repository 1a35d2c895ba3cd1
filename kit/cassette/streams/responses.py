"""Events of OpenAI's responses API: items and parts that grow, then the whole response once more."""

from __future__ import annotations

from typing import Any

from kit.cassette.assemble import Path
from kit.cassette.streams.assembled import Assembled, Place, Places, add_text, own, texts_below

_OUTPUT = "output"
_TEXTS: dict[str, tuple[str, ...]] = {
    "output_text": ("content", "content_index", "text"),
    "reasoning_text": ("content", "content_index", "text"),
    "refusal": ("content", "content_index", "refusal"),
    "reasoning_summary_text": ("summary", "summary_index", "text"),
    "function_call_arguments": ("arguments",),
    "mcp_call_arguments": ("arguments",),
    "custom_tool_call_input": ("input",),
    "code_interpreter_call_code": ("code",),
}
"""Name of a text's events → its place in an item, with the fields of the event that number the parts."""

_PARTS = {
    "content_part": ("content", "content_index"),
    "reasoning_summary_part": ("summary", "summary_index"),
}


def recognises(events: list[Any]) -> bool:
    """Whether these are events of a response."""
    return any(str(event.get("type", "")).startswith("response.") for event in events)


def assemble(events: list[Any]) -> Assembled:
    """The response as its last event has it, or as far as a broken stream came."""
    response: dict[str, Any] = {}
    items: dict[int, Any] = {}
    done = Assembled(None, [])
    for event in events:
        if isinstance(event.get("response"), dict):
            response = event["response"]
            done.places.append(texts_below(response, ("response",), ()))  # type: ignore[union-attr]
        else:
            done.places.append(_take(event, items))  # type: ignore[union-attr]
    output = response.get(_OUTPUT) or [items[index] for index in sorted(items)]
    done.message = {**response, _OUTPUT: output} if response or output else {}
    return done


def _take(event: dict[str, Any], items: dict[int, Any]) -> Places:
    index = event.get("output_index")
    _, _, rest = str(event.get("type", "")).partition("response.")
    name, _, step = rest.rpartition(".")
    if not isinstance(index, int):
        return {}
    at: Path = (_OUTPUT, index)
    if name == "output_item":
        items[index] = own(event["item"])
        return texts_below(event["item"], ("item",), at)
    if name in _PARTS:
        kind, number = _PARTS[name]
        parts = items[index].setdefault(kind, [])
        parts[event[number] :] = [own(event["part"])]
        return texts_below(event["part"], ("part",), (*at, kind, event[number]))
    if name not in _TEXTS:
        return {}
    *where, last = (event[part] if part.endswith("_index") else part for part in _TEXTS[name])
    holder = items.get(index)
    for inner in where:
        holder = holder[inner]  # type: ignore[index]
    if step == "delta":
        add_text(holder, last, event["delta"])  # type: ignore[arg-type]
        return {("delta",): Place((*at, *where, last), is_piece=True)}
    holder[last] = event[last]  # type: ignore[index]
    return {(last,): Place((*at, *where, last))}
