"""Where two JSON values differ, told for people: paths, and both values around the place that differs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

ABSENT = "(absent)"
_CONTEXT = 28
_MIDDLE = 44
_VALUE = 84
_MISSING = object()
_CUT_WORD = re.compile(r"\A\w{1,12}(?=\W)")
_CUT_END = re.compile(r"(?<=\W)\w{1,12}\Z")


@dataclass(frozen=True, slots=True)
class Difference:
    """One place that differs; `old` was recorded, `new` was asked for now, both shortened for reading."""

    path: str
    old: str
    new: str


def differences(old: Any, new: Any, path: str = "") -> Iterator[Difference]:
    """The places where two JSON values differ, in order; lists are aligned at both ends first.

    JSON inside a string (a tool call's arguments) is compared as JSON.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for name in [*old, *(name for name in new if name not in old)]:
            inner = f"{path}.{name}" if path else name
            yield from differences(old.get(name, _MISSING), new.get(name, _MISSING), inner)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _list_differences(old, new, path)
    elif isinstance(old, str) and isinstance(new, str):
        yield from _text_differences(old, new, path)
    elif not same(old, new):
        yield Difference(
            path, ABSENT if old is _MISSING else brief(old), ABSENT if new is _MISSING else brief(new)
        )


def same(old: Any, new: Any) -> bool:
    """Equal as JSON: other than in Python, `1`, `1.0` and `true` are three values."""
    if old is _MISSING or new is _MISSING:
        return old is new
    return exact_text(old) == exact_text(new)


def exact_text(value: Any) -> str:
    """The text by which JSON values are compared."""
    return json.dumps(value, sort_keys=True)


def shared_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many items (or signs) two sequences share at their beginning, and how many more at their end."""
    shorter = min(len(old), len(new))
    start = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    rest = shorter - start
    end = next((index for index in range(rest) if old[-1 - index] != new[-1 - index]), rest)
    return start, end


def brief(value: Any) -> str:
    """A value on one line, shortened; a message as who says what."""
    if isinstance(value, dict) and isinstance(value.get("role") or value.get("type"), str):
        said = spoken(value)
        if said:
            return shortened(said)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(one_line(text))


def spoken(message: Any) -> str:
    """What a message says: `user «leggi il log»`, `assistant calls fs_read {"path":"a"}`; or nothing."""
    if not isinstance(message, dict):
        return ""
    who = str(message.get("role") or message.get("type"))
    calls = [_called(call) for call in message.get("tool_calls") or [] if isinstance(call, dict)]
    text = _plain(message.get("content", message.get("output", message.get("parts"))))
    if message.get("type") == "function_call":
        calls, who = [_called({"function": message})], "assistant"
    if calls:
        return one_line(f"{who} calls {', '.join(calls)}")
    return one_line(f"{who} «{text}»") if text else ""


def shortened(text: str, limit: int = _VALUE) -> str:
    """The beginning of a text, with `…` where it was cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def one_line(text: str) -> str:
    """A text on one line: line breaks as `⏎`, other control characters escaped."""
    shown = text.replace("\r\n", "⏎").replace("\n", "⏎").replace("\t", " ")
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in shown)


def _list_differences(old: list[Any], new: list[Any], path: str) -> Iterator[Difference]:
    start, end = shared_ends([exact_text(item) for item in old], [exact_text(item) for item in new])
    before, after = old[start : len(old) - end], new[start : len(new) - end]
    for index in range(max(len(before), len(after))):
        yield from differences(
            before[index] if index < len(before) else _MISSING,
            after[index] if index < len(after) else _MISSING,
            f"{path}[{start + index}]",
        )


def _text_differences(old: str, new: str, path: str) -> Iterator[Difference]:
    if old == new:
        return
    inner_old, inner_new = _inner(old), _inner(new)
    if inner_old is not None and type(inner_old) is type(inner_new):
        found = list(differences(inner_old, inner_new, path))
        if found:
            yield from found
            return
    yield Difference(path, *_around(old, new))


def _inner(text: str) -> dict[str, Any] | list[Any] | None:
    if text[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _around(old: str, new: str) -> tuple[str, str]:
    """Both texts around their first and last difference, which stands between `‹` and `›`, in whole words."""
    start, end = shared_ends(old, new)
    while start and old[start - 1].isalnum():
        start -= 1
    while end and old[len(old) - end].isalnum():
        end -= 1
    return _marked(old, start, end), _marked(new, start, end)


def _marked(text: str, start: int, end: int) -> str:
    until = len(text) - end
    before, middle, after = text[:start], text[start:until], text[until:]
    head = before if len(before) <= _CONTEXT else "…" + _CUT_WORD.sub("", before[-_CONTEXT:])
    tail = after if len(after) <= _CONTEXT else _CUT_END.sub("", after[:_CONTEXT]) + "…"
    if len(middle) > _MIDDLE:
        return one_line(f"{head}‹{middle[:_MIDDLE]}…›")
    return one_line(f"{head}‹{middle}›{tail}")


def _called(call: dict[str, Any]) -> str:
    function = call.get("function")
    shown = function if isinstance(function, dict) else call
    arguments = shown.get("arguments", shown.get("input", ""))
    return (
        f"{shown.get('name')} {arguments if isinstance(arguments, str) else json.dumps(arguments)}".rstrip()
    )


def _plain(content: Any) -> str:
    """The text of a message's content, also where it comes in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text", part.get("content")) for part in parts if isinstance(part, dict))
    return " ".join(text for text in texts if isinstance(text, str))
