"""The layouts of vcrpy and its kin, read: YAML and JSON, of all versions, `parsed_body`, and cassetter's."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Any, NoReturn

from kit.cassette import body
from kit.cassette.foreign.exchange import Exchange
from kit.cassette.foreign.tree import read_yaml
from kit.cassette.load import FIRST_LINE
from kit.errors import CassetteInvalid

VALUE = "parsed_body"
"""Where pydantic-ai's serializer and others of pytest-recording keep the JSON value of a body."""

_TYPES = frozenset({"json", "text", "binary", "none"})
"""What cassetter's bodies are; it writes bytes in hex."""
_OTHERS = ("ws_interactions", "grpc_interactions")
_GRPC = "sample_requests"
"""Where pydantic-ai keeps what xAI's SDK asks over gRPC."""

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_KIT = FIRST_LINE.rpartition(" ")[0]


def read_exchanges(content: bytes, path: str) -> tuple[Exchange, ...]:
    """The exchanges of a foreign recording, in the order of the file.

    Args:
        content: the whole file.
        path: for messages.

    Raises:
        CassetteInvalid: it is none of the layouts; with `path:line` or the number of the interaction.
    """
    if content.startswith(_LFS_POINTER):
        raise CassetteInvalid(
            "this is a pointer of git LFS, not the recording", where=path, next_command="git lfs pull"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CassetteInvalid("this is not UTF-8", where=f"{path}:{line}") from error
    if text.startswith(_KIT):
        raise CassetteInvalid(
            "this is a cassette of kit already", where=path, next_command=f"kit show {path}"
        )
    found = _interactions(_document(text, path), path)
    return tuple(_Interaction(item, f"{path}, interaction {number}").read(number) for number, item in found)


def left_out(content: bytes, path: str) -> str | None:
    """What a recording of cassetter holds beside HTTP; None where it holds nothing else."""
    if not any(name.encode() in content for name in _OTHERS):
        return None
    document = _document(content.decode("utf-8-sig"), path)
    found = document if isinstance(document, dict) else {}
    counts = {name: len(found[name]) for name in _OTHERS if isinstance(found.get(name), list) and found[name]}
    if not counts:
        return None
    told = ", ".join(f"{count} {name}" for name, count in counts.items())
    return f"{told}: websockets and gRPC are left out, kit reads HTTP alone"


def _document(text: str, path: str) -> Any:
    if text.lstrip()[:1] in {"{", "["}:
        try:
            return body.parse(text.strip())
        except ValueError as error:
            problem = str(error)
        try:
            return read_yaml(text, path)
        except CassetteInvalid:
            raise CassetteInvalid(f"this is no JSON that can be read: {problem}", where=path) from None
    return read_yaml(text, path)


def _interactions(document: Any, path: str) -> Iterator[tuple[int, Any]]:
    """Since vcrpy 1.0 a mapping with a version; before, the bare list."""
    items = document
    if isinstance(document, dict):
        items = document.get("interactions", document.get("http_interactions", _side_by_side(document)))
        if not items and any(document.get(name) for name in (*_OTHERS, _GRPC)):
            raise CassetteInvalid(
                "this is a recording of websockets or gRPC, and kit reads HTTP alone", where=path
            )
    if not isinstance(items, list):
        raise CassetteInvalid(
            "this is no recording that kit knows how to import",
            where=path,
            why="it reads YAML and JSON of vcrpy and cassetter: a mapping with a list of `interactions`",
        )
    return enumerate(items, 1)


def _side_by_side(document: dict[str, Any]) -> list[Any] | None:
    """LangChain's two lists, of requests and of responses, as one."""
    asked, answered = document.get("requests"), document.get("responses")
    if not isinstance(asked, list) or not isinstance(answered, list) or len(asked) != len(answered):
        return None
    return [{"request": one, "response": two} for one, two in zip(asked, answered, strict=True)]


class _Interaction:
    """One entry of the list, and where it stands for messages."""

    def __init__(self, item: Any, where: str) -> None:
        self.item = item
        self.where = where

    def read(self, number: int) -> Exchange:
        if not isinstance(self.item, dict):
            self._refuse("an interaction must be a mapping with a request")
        request, response = self.item.get("request"), self.item.get("response")
        if request is None and "direction" in self.item:
            self._refuse("this is a message of a websocket, and kit reads HTTP alone")
        if not isinstance(request, dict):
            self._refuse("its `request` is missing, or no mapping")
        asked, is_request_value = self._body(request, "request")
        if response is None:
            response = {}
        elif not isinstance(response, dict):
            self._refuse("its `response` is no mapping")
        answered, is_answer_value = self._body(response, "response")
        return Exchange(
            number=number,
            method=self._text(request.get("method"), "method").upper(),
            url=self._url(request),
            request_headers=self._headers(request.get("headers")),
            request=asked,
            status=self._status(response) if response else None,
            answer_headers=self._headers(response.get("headers")),
            answer=answered,
            is_request_value=is_request_value,
            is_answer_value=is_answer_value,
            recorded=str(self.item.get("recorded_at") or ""),
        )

    def _url(self, request: dict[str, Any]) -> str:
        for name in ("uri", "url"):
            if name in request:
                return self._text(request[name], name)
        # vcrpy before 1.0 had the parts.
        host, scheme = request.get("host"), request.get("protocol", "http")
        if not isinstance(host, str):
            self._refuse("its request has no `uri`")
        port, path = request.get("port"), request.get("path", "/")
        default = {"http": 80, "https": 443}.get(scheme)
        return f"{scheme}://{host}{'' if port in (None, default) else f':{port}'}{path}"

    def _status(self, response: dict[str, Any]) -> int:
        status = response.get("status", response.get("status_code"))
        if isinstance(status, dict):
            status = status.get("code")
        if isinstance(status, str) and status.isdigit():
            status = int(status)
        if type(status) is not int or not 100 <= status <= 999:
            self._refuse(f"{status!r} is no HTTP status")
        return status

    def _headers(self, headers: Any) -> tuple[tuple[str, str], ...]:
        if headers is None:
            return ()
        if isinstance(headers, dict):
            pairs: list[Any] = list(headers.items())
        elif isinstance(headers, list):
            pairs = headers
        else:
            self._refuse("headers must be a mapping")
        found: list[tuple[str, str]] = []
        for pair in pairs:
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                self._refuse(f"{pair!r} is no header")
            name, values = self._text(pair[0], "header"), pair[1] if isinstance(pair[1], list) else [pair[1]]
            found += [(name, self._header(value)) for value in values if value is not None]
        return tuple(found)

    def _header(self, value: Any) -> str:
        """A value; who wrote YAML by hand left `true` bare."""
        return str(value).lower() if isinstance(value, bool) else self._text(value, "header")

    def _text(self, value: Any, name: str) -> str:
        if isinstance(value, bytes):
            return value.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode("utf-8")
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            self._refuse(f"{name}: {value!r} is no text")
        return str(value)

    def _body(self, half: dict[str, Any], name: str) -> tuple[bytes, bool]:
        if half.get(VALUE) is not None:
            return self._encoded(half[VALUE], name), True
        content = half.get("body", half.get("content"))
        encoding = "utf-8"
        if isinstance(content, dict):
            if "base64_string" in content:
                return self._base64(content["base64_string"], name), False
            kind = content.get("type")
            if isinstance(kind, str) and kind in _TYPES and content.keys() <= {"type", "content"}:
                return self._typed(kind, content, name)
            if "string" not in content and content:
                # Whoever wrote this had parsed the JSON and said so nowhere.
                return self._encoded(content, name), True
            encoding, content = content.get("encoding") or encoding, content.get("string")
        if content is None:
            return b"", False
        if isinstance(content, bytes):
            return content, False
        if not isinstance(content, str):
            return self._encoded(content, name), True
        try:
            return content.encode(encoding, "surrogatepass" if encoding == "utf-8" else "strict"), False
        except (LookupError, UnicodeEncodeError):
            self._refuse(f"the body of its {name} is no text in {encoding}")

    def _typed(self, kind: str, body: dict[str, Any], name: str) -> tuple[bytes, bool]:
        """A body of cassetter's: what it is, and then the value, the text or the bytes in hex."""
        content = body.get("content")
        if kind == "json" and "content" in body:
            return self._encoded(content, name), True
        if kind == "none" or content is None:
            return b"", False
        text = self._text(content, f"body of its {name}")
        if kind == "text":
            return text.encode("utf-8", "surrogatepass"), False
        try:
            return bytes.fromhex(text), False
        except ValueError:
            self._refuse(f"the body of its {name} is no hex")

    def _encoded(self, value: Any, name: str) -> bytes:
        try:
            return body.encode(value).encode("utf-8")
        except (ValueError, TypeError) as error:
            self._refuse(f"the value of its {name} cannot be written as JSON: {error}")

    def _base64(self, value: Any, name: str) -> bytes:
        try:
            return base64.b64decode(self._text(value, "base64_string"))
        except (ValueError, binascii.Error):
            self._refuse(f"the body of its {name} is no base64")

    def _refuse(self, what: str) -> NoReturn:
        raise CassetteInvalid(what, where=self.where)
