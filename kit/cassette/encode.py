"""One interaction as what a reviewer reads (the call) and what goes to the volatile block (its row)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kit.cassette import body, forms, stream, volatile
from kit.cassette.answers import messages_of
from kit.cassette.fold import Conversations, Known, difference, list_name
from kit.cassette.ids import IdTable, present, said
from kit.cassette.interaction import (
    HttpRequest,
    HttpResponse,
    Interaction,
    ToolRequest,
    ToolResponse,
)
from kit.cassette.keyorder import Order, order_of, orderless, reorder
from kit.cassette.marks import AnswerRef, JsonText, RawBytes, RawText, ResultRef
from kit.cassette.runlength import pack_numbers

FOLDED, WHOLE, TEXT, BYTES = range(4)
"""How readable a half of an interaction is: the writer steps down until it reads back (decision 8)."""

_URL = re.compile(r"(https?://[^/\s]+)(/\S*)\Z")
_REFERABLE = 40
Node = dict[str, Any]


@dataclass(slots=True)
class Levels:
    """How readable the two halves of one interaction may be."""

    request: int = FOLDED
    response: int = FOLDED


@dataclass(frozen=True, slots=True)
class Parsed:
    """A body that is JSON, with the hint under which it is written again."""

    value: Any
    hint: dict[str, Any]


def parse_bodies(interactions: Sequence[Interaction]) -> list[tuple[Parsed | None, Parsed | None]]:
    """Request and response of each interaction where they are JSON; done once, used by every attempt."""
    return [(_parsed(_body(item.request)), _parsed(_body(item.response))) for item in interactions]


def _body(half: Any) -> bytes:
    return half.body if isinstance(half, (HttpRequest, HttpResponse)) else b""


def _parsed(content: bytes) -> Parsed | None:
    try:
        found = body.read(content.decode("utf-8")) if content else None
    except UnicodeDecodeError:
        return None
    return None if found is None else Parsed(*found)


class Writer:
    """Encodes the interactions of one cassette in order; keeps what later calls refer to."""

    def __init__(self, bodies: list[tuple[Parsed | None, Parsed | None]]) -> None:
        came_back: set[str] = set()
        for request, _ in bodies:
            if request is not None:
                said(request.value, came_back)
        self.ids = IdTable(frozenset(came_back))
        self._bodies = bodies
        self._conversations = Conversations()
        self._answers: dict[str, tuple[AnswerRef, Any]] = {}
        self._results: dict[str, ResultRef] = {}
        self._heads: dict[int, str] = {}
        self._before: Node = {}

    def encode(self, index: int, item: Interaction, levels: Levels) -> tuple[Node, Node]:
        """The call and its row.

        Raises:
            UnwritableError: at this level the interaction cannot be written.
        """
        call: Node = {"call": item.number}
        row: Node = {"ms": [item.started_ms, item.ended_ms]}
        if isinstance(item.request, HttpRequest) and isinstance(item.response, HttpResponse):
            self._http(index, item, levels, call, row)
        elif isinstance(item.request, ToolRequest) and isinstance(item.response, ToolResponse):
            self._tool(item, levels, call)
        return call, row

    # Tools

    def _tool(self, item: Interaction, levels: Levels, call: Node) -> None:
        request: Any = item.request
        response: Any = item.response
        call["tool"] = request.name
        if item.lane != "tool":
            call["lane"] = item.lane
        call["arguments"] = _shown_value(request.arguments, levels.request)
        if response.result is not None or response.failure is None:
            call["result"] = _shown_value(response.result, levels.response)
        if response.executed:
            call["executed"] = True
        if response.failure is not None:
            call["failure"] = response.failure
        if isinstance(response.result, str) and len(response.result) >= _REFERABLE:
            self._results[response.result] = ResultRef(item.number)

    # HTTP

    def _http(self, index: int, item: Interaction, levels: Levels, call: Node, row: Node) -> None:
        request: Any = item.request
        response: Any = item.response
        asked, answered = self._bodies[index]
        self._address(item, request, call, row)
        if item.lane != "model":
            call["lane"] = item.lane
        news: Node = {}
        if request.body:
            if asked is None or levels.request >= TEXT:
                news["request"] = _raw(request.body, levels.request)
            else:
                self._json_request(item, asked, levels, (call, news), row)
        self._headers("request", request.headers, forms.request_type(news), call, row)
        call.update(news)
        call["status"] = response.status
        answer = self._response(item, asked is not None, answered, levels, row) if response.body else {}
        self._headers("answer", response.headers, forms.answer_type(answer, row), call, row)
        call.update(answer)
        if response.failure is not None:
            call["failure"] = response.failure
        if response.chunks:
            row["chunks"] = pack_numbers(response.chunks)

    def _address(self, item: Interaction, request: HttpRequest, call: Node, row: Node) -> None:
        found = _URL.match(request.url) if item.lane == "model" else None
        call["to"] = f"{request.method} {found.group(2) if found else request.url}"
        if found and self._before.get("at") != found.group(1):
            self._before["at"] = row["at"] = found.group(1)

    def _headers(self, side: str, headers: Any, usual: str | None, call: Node, row: Node) -> None:
        shown, order = volatile.split_headers(headers, usual)
        if shown:
            call["headers" if side == "request" else "answer-headers"] = shown
        if order is not None:
            same = self._before.get(side) == order
            row[f"{side}-headers"] = "same" if same else order
            self._before[side] = order

    def _json_request(
        self, item: Interaction, asked: Parsed, levels: Levels, nodes: tuple[Node, Node], row: Node
    ) -> None:
        call, news = nodes
        if asked.hint:
            row["request"] = asked.hint
        name = list_name(asked.value)
        if name is None:
            news["request"] = present(asked.value, self.ids.names)
            return
        head = f"{call['to']} {name} {asked.hint}"
        texts = [body.encode(message) for message in asked.value[name]]
        fields = {key: "" if key == name else body.encode(value) for key, value in asked.value.items()}
        found = self._conversations.parent(head, texts) if levels.request == FOLDED else None
        if found is None:
            messages = self._messages(asked.value[name], texts, levels, row)
            news["request"] = {
                key: messages if key == name else present(value, self.ids.names, key)
                for key, value in asked.value.items()
            }
        else:
            self._folded(asked, name, found, (texts, fields), nodes, row)
        self._conversations.add(item.number, head, texts, fields)

    def _folded(
        self,
        asked: Parsed,
        name: str,
        found: tuple[Known, int],
        own: tuple[list[str], dict[str, str]],
        nodes: tuple[Node, Node],
        row: Node,
    ) -> None:
        known, count = found
        texts, fields = own
        call, news = nodes
        changed, dropped, in_order = difference(known.fields, fields)
        del call["to"]
        news["after"] = known.number
        if count < known.count:
            news["keep"] = count
        if dropped:
            news["dropped"] = dropped
        if changed:
            news["changed"] = {key: present(asked.value[key], self.ids.names, key) for key in changed}
        if len(texts) > count:
            news["new"] = self._messages(asked.value[name][count:], texts[count:], Levels(), row)
        if not in_order:
            row["order"] = list(fields)

    def _messages(self, messages: list[Any], texts: list[str], levels: Levels, row: Node) -> list[Any]:
        if levels.request != FOLDED:
            return [present(message, self.ids.names) for message in messages]
        shown: list[Any] = []
        for message, text in zip(messages, texts, strict=True):
            tree = self._answer_mark(message, text, row, is_first=not any(map(_is_mark, shown)))
            if tree is None:
                tree = present(message, self.ids.names)
                if isinstance(tree, dict) and isinstance(tree.get("content"), str):
                    tree["content"] = self._results.get(tree["content"], tree["content"])
            shown.append(tree)
        return shown

    def _answer_mark(self, message: Any, text: str, row: Node, *, is_first: bool) -> AnswerRef | None:
        """A reference to the answer whose message this is; an agent's order of keys is kept while it lasts."""
        found = self._answers.get(orderless(message)) if isinstance(message, dict) else None
        if found is None:
            return None
        mark, answered = found
        order = self._before.get("answer-order", [])
        if is_first and not _gives(answered, order, text):
            order = [] if body.encode(answered) == text else order_of(message)
            self._before["answer-order"] = order
            row["answer-order"] = order
        return mark if _gives(answered, order, text) else None

    def _response(
        self, item: Interaction, asks_json: bool, answered: Parsed | None, levels: Levels, row: Node
    ) -> Node:
        response: Any = item.response
        if levels.response >= TEXT:
            return {"answer": _raw(response.body, levels.response)}
        if answered is not None:
            if answered.hint:
                row["answer"] = answered.hint
            return {"answer": self._answer(item, answered.value, row, asks_json=asks_json)}
        found = stream.read(response.body)
        if found is None:
            return {"answer": _raw(response.body, levels.response)}
        merged, row["stream"] = found
        return {"answer": {"streamed": self._answer(item, merged, {}, asks_json=True)}}

    def _answer(self, item: Interaction, value: Any, row: Node, *, asks_json: bool) -> Any:
        if item.lane != "model" or not asks_json:
            return present(value, {})
        kept = self.ids.learn(value)
        slim, put = volatile.take_out(value, kept)
        if put:
            row["put"] = put
        for position, message in enumerate(messages_of(value)):
            self._answers[orderless(message)] = (AnswerRef(item.number, position), message)
        return present(slim, self.ids.names)


def _is_mark(shown: Any) -> bool:
    return isinstance(shown, AnswerRef)


def _gives(answered: Any, order: Order, text: str) -> bool:
    try:
        return body.encode(reorder(answered, order) if order else answered) == text
    except ValueError:
        return False


def _shown_value(value: Any, level: int) -> Any:
    if level >= TEXT or body.is_deep(value):
        return JsonText(body.encode(value, "ascii"))
    return present(value, {})


def _raw(content: bytes, level: int) -> RawText | RawBytes:
    if level < BYTES:
        try:
            return RawText(content.decode("utf-8"))
        except UnicodeDecodeError:
            pass
    return RawBytes(content)
