"""A call and its row of the volatile block as an interaction again; folded bodies stay unbuilt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kit.cassette import body, forms, stream, volatile
from kit.cassette.answers import messages_of
from kit.cassette.fields import Section
from kit.cassette.fold import Turn, continue_fields, list_name
from kit.cassette.ids import restore
from kit.cassette.interaction import (
    Headers,
    HttpRequest,
    HttpResponse,
    Interaction,
    ToolRequest,
    ToolResponse,
)
from kit.cassette.keying import Conversation, KeyChain, Keys
from kit.cassette.keyorder import reorder
from kit.cassette.marks import AnswerRef, RawBytes, RawText, ResultRef
from kit.cassette.runlength import unpack_numbers

LANES = ("model", "tool", "other")

TOOL_KEYS = ("call", "tool", "lane", "arguments", "result", "executed", "failure")
HTTP_KEYS = (
    *("call", "to", "lane", "headers", "request", "after", "keep", "dropped", "changed", "new"),
    *("status", "answer-headers", "answer", "failure"),
)
ROW_KEYS = (
    *("ms", "under", "at", "chunks", "request", "answer", "order", "put", "stream"),
    *("request-headers", "answer-headers", "answer-order"),
)
ANY = (str, int, float, dict, list, bool, type(None), RawText, RawBytes, object)


class Reader:
    """Decodes the calls of one cassette in order; keeps what later calls refer to."""

    def __init__(self, path: str, ids: dict[str, str], rows: Section, keyer: Keys | None = None) -> None:
        self._path = path
        self._ids = ids
        self._rows = rows
        self._keys = None if keyer is None else KeyChain(keyer)
        self._conversations: dict[int, Conversation] = {}
        self._answers: dict[int, list[Any]] = {}
        self._results: dict[int, Any] = {}
        self._before: dict[str, Any] = {}

    def decode(self, content: Any, previous: int = 0, line: int = 1) -> Interaction:
        """One call.

        Args:
            content: the call as the file has it.
            previous: number of the call before it.
            line: where the list of calls begins.

        Raises:
            CassetteInvalid: an unknown key, a wrong type, a reference that leads nowhere; with `path:line`.
        """
        call = Section(
            content, self._path, f"the call after {previous}" if previous else "the first call", line
        )
        number = call.get("call", int)
        if number <= previous:
            call.refuse(f"call {number} stands behind call {previous}", "call")
        call.name = f"call {number}"
        row = Section(self._rows.get(str(number), dict), self._path, f"row {number}")
        row.only(ROW_KEYS)
        decode = self._tool if "tool" in call.content else self._http
        try:
            return decode(call, row, number)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            return call.refuse(f"call {number} cannot be read: {error}")

    # Tools

    def _tool(self, call: Section, row: Section, number: int) -> Interaction:
        call.only(TOOL_KEYS)
        arguments = self._value(call.get("arguments", dict))
        result = self._value(call.get("result", *ANY, default=None))
        request = ToolRequest(call.get("tool", str), arguments)
        response = ToolResponse(
            result, call.get("failure", str, default=None), executed=call.get("executed", bool, default=False)
        )
        self._results[number] = result
        key = None if self._keys is None else self._keys.tool(request)
        return self._interaction(call, row, number, request, response, key, "tool")

    def _value(self, shown: Any) -> Any:
        # What is too deep to be shown stood in one `!json`, which holds no other tags.
        return body.plain_deep(shown) if body.is_deep(shown) else body.plain(restore(shown, self._ids))

    def _interaction(
        self,
        call: Section,
        row: Section,
        number: int,
        request: Any,
        response: Any,
        key: bytes | None,
        lane: str,
    ) -> Interaction:
        lane = call.get("lane", str, default=lane)
        if lane not in LANES:
            call.refuse(f"{lane!r} is no lane; allowed: {', '.join(LANES)}", "lane")
        times = row.get("ms", list)
        if len(times) != 2 or not all(isinstance(ms, int) and not isinstance(ms, bool) for ms in times):
            row.refuse("ms must be [start, end] in integer milliseconds", "ms")
        under = row.get("under", int, default=None)
        return Interaction(number, lane, request, response, times[0], times[1], key, under)  # type: ignore[arg-type]

    # HTTP

    def _http(self, call: Section, row: Section, number: int) -> Interaction:
        call.only(HTTP_KEYS)
        parent = self._parent(call)
        if "answer-order" in row.content:
            self._before["answer-order"] = row.get("answer-order", list)
        conversation: Conversation | None
        to = call.get("to", str, list) if parent is None else parent.to
        method, url = to.split(" ", 1) if isinstance(to, str) else to
        if isinstance(to, str) and url.startswith("/"):
            url = self._origin(row) + url
        hint = _hint(row, "request")
        key: bytes | None = None
        if parent is not None:
            conversation = self._folded(call, row, number, parent)
            content: Any = _lazily(conversation.turn, hint)
        else:
            conversation, content = self._whole(call, number, to, hint)
        shown = call.get("headers", dict, default={} if parent is None else parent.headers)
        headers = self._headers("request", shown, row, forms.request_type(call.content))
        if conversation is not None:
            conversation.headers = shown
        request = HttpRequest(method, url, headers, content)
        if conversation is not None:
            if parent is not None and conversation.repeats_parent():
                request.like = parent.request
            conversation.request = request.like or request
        if self._keys is not None:
            key = self._keys.http(request, conversation, parent)
        return self._interaction(call, row, number, request, self._response(call, row, number), key, "model")

    def _origin(self, row: Section) -> str:
        if "at" in row.content:
            self._before["at"] = row.get("at", str)
        origin = self._before.get("at")
        if not isinstance(origin, str):
            row.refuse("no address so far: the first call must say `at`")
        return origin

    def _parent(self, call: Section) -> Conversation | None:
        if "after" not in call.content:
            return None
        for name in ("to", "request"):
            if name in call.content:
                call.refuse(f"a call with `after` says no `{name}`", name)
        number = call.get("after", int)
        if number not in self._conversations:
            call.refuse(f"after: {number} names no earlier call that can be continued", "after")
        return self._conversations[number]

    def _whole(
        self, call: Section, number: int, to: Any, hint: dict[str, Any]
    ) -> tuple[Conversation | None, bytes | Callable[[], bytes]]:
        tree = call.get("request", *ANY, default=b"")
        if isinstance(tree, (RawText, RawBytes, bytes)):
            return None, _raw(tree)
        name = list_name(tree)
        if name is None:
            return None, body.write(restore(tree, self._ids), hint)
        fields = {key: None if key == name else restore(value, self._ids) for key, value in tree.items()}
        turn = Turn(number, name, fields, self._messages(tree[name]))
        conversation = self._conversations[number] = Conversation(turn, to)
        return conversation, _lazily(turn, hint)

    def _folded(self, call: Section, row: Section, number: int, parent: Conversation) -> Conversation:
        turn = parent.turn
        keep = call.get("keep", int, default=turn.count)
        if not 0 <= keep <= turn.count:
            call.refuse(f"keep: {keep}, but call {turn.number} has {turn.count} messages", "keep")
        changed = restore(call.get("changed", dict, default={}), self._ids)
        if turn.name in changed:
            call.refuse(f"changed cannot hold {turn.name}: its news stand under `new`", "changed")
        fields = continue_fields(
            turn.fields, changed, call.get("dropped", list, default=[]), row.get("order", list, default=None)
        )
        own = self._messages(call.get("new", list, default=[]))
        child = Turn(number, turn.name, fields, own, turn, keep)
        names = (*changed, *call.get("dropped", list, default=[]))
        conversation = self._conversations[number] = Conversation(child, parent.to, names)
        return conversation

    def _messages(self, shown: list[Any]) -> list[Any]:
        return [self._message(message) for message in shown]

    def _message(self, shown: Any) -> Any:
        if isinstance(shown, AnswerRef):
            messages = self._answers.get(shown.call, [])
            if not 0 <= shown.item < len(messages):
                raise ValueError(f"!answer {shown.call} names no earlier message")
            order = self._before.get("answer-order")
            return reorder(messages[shown.item], order) if order else messages[shown.item]
        if isinstance(shown, dict) and isinstance(shown.get("content"), ResultRef):
            mark = shown["content"]
            if mark.call not in self._results:
                raise ValueError(f"!result {mark.call} names no earlier call of a tool")
            result = self._results[mark.call]
            shown = {
                **shown,
                "content": result if isinstance(result, str) else body.encode(result, mark.style),
            }
        return restore(shown, self._ids)

    def _headers(self, side: str, shown: dict[str, Any], row: Section, usual: str | None) -> Headers:
        if shown and not all(isinstance(value, str) for value in shown.values()):
            raise ValueError("values of headers must be text")
        order = row.get(f"{side}-headers", list, str, default=None)
        if order == "same":
            order = self._before.get(side)
        elif order is not None:
            self._before[side] = order
        return volatile.join_headers(shown, order, usual)

    def _response(self, call: Section, row: Section, number: int) -> HttpResponse:
        content = self._answer(call, row, number)
        usual = forms.answer_type(call.content, row.content)
        return HttpResponse(
            call.get("status", int),
            self._headers("answer", call.get("answer-headers", dict, default={}), row, usual),
            content,
            unpack_numbers(row.get("chunks", str)) if "chunks" in row.content else (),
            call.get("failure", str, default=None),
        )

    def _answer(self, call: Section, row: Section, number: int) -> bytes:
        tree = call.get("answer", *ANY, default=b"")
        if isinstance(tree, (RawText, RawBytes, bytes)):
            return _raw(tree)
        if "stream" in row.content:
            if not isinstance(tree, dict) or list(tree) != ["streamed"]:
                call.refuse("a streamed answer stands under the one key `streamed`", "answer")
            value = restore(tree["streamed"], self._ids)
            self._answers[number] = messages_of(value)
            return stream.write(value, row.get("stream", dict))
        value = volatile.put_back(restore(tree, self._ids), row.get("put", dict, default={}))
        self._answers[number] = messages_of(value)
        return body.write(value, _hint(row, "answer"))


def _hint(row: Section, name: str) -> dict[str, Any]:
    return body.checked_hint(row.get(name, dict)) if name in row.content else {}


def _lazily(turn: Turn, hint: dict[str, Any]) -> Callable[[], bytes]:
    return lambda: body.write(turn.value(), hint)


def _raw(tree: RawText | RawBytes | bytes) -> bytes:
    if isinstance(tree, RawText):
        return tree.text.encode("utf-8")
    return tree.content if isinstance(tree, RawBytes) else tree
