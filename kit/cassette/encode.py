"""One interaction as what a reviewer reads (the call) and what goes to the volatile block (its row)."""

from __future__ import annotations

import re
from typing import Any

from kit.cassette import body, forms, scalar, volatile
from kit.cassette.fold import PREVIOUS, Conversations, Known, difference, list_name
from kit.cassette.ids import IdTable, present, said
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.cassette.marks import JsonText, RawBytes, RawText
from kit.cassette.readable import BYTES, FOLDED, TEXT, Levels, Parsed
from kit.cassette.refer import References
from kit.cassette.runlength import pack_numbers
from kit.cassette.streams.read import read as read_stream

_URL = re.compile(r"(https?://[^/\s]+)(/\S*)\Z")
Node = dict[str, Any]


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
        self._references = References()
        self._shown: dict[int, Node] = {}
        self._before: Node = {}
        self._last = 0

    def encode(self, index: int, item: Interaction, levels: Levels) -> tuple[Node, Node]:
        """The call and its row.

        Raises:
            UnwritableError: at this level the interaction cannot be written.
        """
        call: Node = {"call": item.number}
        row: Node = {"ms": [item.started_ms, item.ended_ms]}
        if item.under is not None and item.under != self._last:
            row["under"] = item.under
        self._last = item.number
        if isinstance(item.request, HttpRequest) and isinstance(item.response, HttpResponse):
            self._http(index, item, levels, call, row)
        elif isinstance(item.request, ToolRequest) and isinstance(item.response, ToolResponse):
            self._tool(item, levels, call)
        return call, row

    # Tools

    def _tool(self, item: Interaction, levels: Levels, call: Node) -> None:
        request: Any = item.request
        response: Any = item.response
        call["tool"] = _safe(request.name)
        if item.lane != "tool":
            call["lane"] = item.lane
        call["arguments"] = _shown_value(request.arguments, levels.request)
        if response.result is not None or response.failure is None:
            call["result"] = _shown_value(response.result, levels.response)
        if response.executed:
            call["executed"] = True
        if response.failure is not None:
            call["failure"] = _safe(response.failure)
        self._references.add_result(item.number, response.result)

    # HTTP

    def _http(self, index: int, item: Interaction, levels: Levels, call: Node, row: Node) -> None:
        request: Any = item.request
        response: Any = item.response
        asked, answered = self._bodies[index]
        self._address(item, request, levels, call, row)
        if item.lane != "model":
            call["lane"] = item.lane
        news: Node = {}
        if request.body:
            if asked is None or levels.request >= TEXT:
                news["request"] = _raw(request.body, levels.request)
            else:
                self._json_request(item, asked, levels, (call, news), row)
        shown = self._headers("request", request.headers, forms.request_type(news), row)
        if shown != self._shown.get(news.get("after", 0), {}):
            call["headers"] = shown
        self._shown[item.number] = shown
        call.update(news)
        call["status"] = response.status
        answer = self._response(item, asked is not None, answered, levels, row) if response.body else {}
        shown = self._headers("answer", response.headers, forms.answer_type(answer, row), row)
        if shown:
            call["answer-headers"] = shown
        call.update(answer)
        if response.failure is not None:
            call["failure"] = _safe(response.failure)
        if response.chunks:
            row["chunks"] = pack_numbers(response.chunks)

    def _address(
        self, item: Interaction, request: HttpRequest, levels: Levels, call: Node, row: Node
    ) -> None:
        if levels.request == BYTES:
            call["to"] = [_safe(request.method), _safe(request.url)]
            return
        found = _URL.match(request.url) if item.lane == "model" else None
        call["to"] = f"{request.method} {found.group(2) if found else request.url}"
        if found and self._before.get("at") != found.group(1):
            self._before["at"] = row["at"] = found.group(1)

    def _headers(self, side: str, headers: Any, usual: str | None, row: Node) -> Node:
        shown, order = volatile.split_headers(headers, usual)
        if order is not None:
            same = self._before.get(side) == order
            row[f"{side}-headers"] = "same" if same else order
            self._before[side] = order
        return {name: _safe(value) for name, value in shown.items()}

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
        found = None
        if levels.request == FOLDED:
            found = self._conversations.parent(head, texts) or self._conversations.parent_by_id(
                head, asked.value.get(PREVIOUS)
            )
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
        for mark, message in zip(self._references.to_answers(messages, texts, row), messages, strict=True):
            tree = present(message, self.ids.names) if mark is None else mark
            if isinstance(tree, dict) and isinstance(tree.get("content"), str):
                tree["content"] = self._references.to_result(tree["content"])
            shown.append(tree)
        return shown

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
        is_reviewed = item.lane == "model" and asks_json
        found = read_stream(response.body, self._slim if is_reviewed else _as_it_is)
        if found is None:
            return {"answer": _raw(response.body, levels.response)}
        row["stream"] = found.row
        if not is_reviewed:
            return {"answer": {"streamed": present(found.shown, {})}}
        self.ids.learn(found.message)
        self._conversations.answered(item.number, found.message)
        self._references.add_answer(item.number, found.shown)
        return {"answer": {"streamed": present(found.shown, self.ids.names)}}

    def _slim(self, message: Any) -> Any:
        return volatile.take_out(message, self.ids.kept(message))[0]

    def _answer(self, item: Interaction, value: Any, row: Node, *, asks_json: bool) -> Any:
        if item.lane != "model" or not asks_json:
            return present(value, {})
        kept = self.ids.learn(value)
        slim, put = volatile.take_out(value, kept)
        if put:
            row["put"] = put
        self._conversations.answered(item.number, value)
        self._references.add_answer(item.number, value)
        return present(slim, self.ids.names)


def _as_it_is(message: Any) -> Any:
    return message


def _safe(text: str) -> str | JsonText:
    return JsonText(body.encode(text)) if scalar.has_surrogate(text) else text


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
