"""What a model call means, whatever dialect it was spoken in: the seam that each dialect module fills."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Kind = Literal[
    "chat",
    "embedding",
    "rerank",
    "moderation",
    "media",
    "count",
    "files",
    "batch",
    "realtime",
    "catalogue",
    "mcp",
]
"""What an exchange is for: a model speaks, measures or draws, or something around models is looked after."""

MODEL_KINDS: frozenset[Kind] = frozenset({"chat", "embedding", "rerank", "moderation", "media"})
"""Kinds whose answer is the work of a model."""

UNUSABLE_OUTPUT = "unusable output of the model"
"""How `ModelAnswer.error` begins where the server itself says that the model wrote what it could not read."""


@dataclass(frozen=True, slots=True)
class WireCall:
    """A tool call that a model asked for.

    Attributes:
        id: as the server named it; None where it named none.
        name: the tool's name, empty where the server sent none.
        arguments: the parsed JSON object; None where the text is no JSON object.
        raw: the arguments as the server sent them.
        result: what a tool gave back that the server itself ran; None where it is not told.
    """

    id: str | None
    name: str
    arguments: dict[str, Any] | None
    raw: str
    result: str | None = None


@dataclass(frozen=True, slots=True)
class WireMessage:
    """One message of a conversation as a request carries it.

    Attributes:
        role: `system`, `user`, `assistant`, `tool`, … as sent, but Gemini's `model` is `assistant`, and a
            tool's result is a message of role `tool` in every dialect; empty where missing.
        text: its text, the text parts joined where it has parts; None where it has none.
        calls: tool calls that an assistant message carries.
        call_id: of a tool result, the id of the call that it answers.
        name: of a tool result or a participant, where sent.
    """

    role: str
    text: str | None = None
    calls: tuple[WireCall, ...] = ()
    call_id: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request for a model's answer.

    Attributes:
        model: the tag asked for; None where the request names none.
        messages: the conversation, oldest first.
        tools: the tool schemas offered, as sent.
        parameters: everything else of the request (`temperature`, `seed`, …), JSON values.
        error: why the bytes could not be read, else None.
    """

    model: str | None = None
    messages: tuple[WireMessage, ...] = ()
    tools: tuple[dict[str, Any], ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's answer; of a stream, the message it amounts to.

    Attributes:
        model: the tag that answered; None where the answer names none.
        text: what the model said; None where it said nothing (an empty text counts as nothing).
        tool_calls: in the order in which the model asked.
        finish_reason: `stop`, `length`, `tool_calls`, … as the server says it; None where it never said.
        prompt_tokens: the whole prompt as the server counted it, what it read from a cache and what its own
            tools added included; None where it did not say (X-05).
        completion_tokens: all that the model wrote, its thoughts included; None where the server did not say.
        refusal: the model's refusal where the dialect has a field for it.
        error: the server's error message, or why the bytes could not be read; else None. Begins with
            `UNUSABLE_OUTPUT` where the server answered, and the fault lies in what the model wrote.
        broken: a stream that ended before the model did.
        server_calls: tools that the server ran itself (web search, code, remote MCP): nothing for the agent
            to do, so they stand apart from `tool_calls`.
        thinking: what the model thought, where the server shows it.
        id: of a response that can be asked for again (`GET …/responses/{id}`).
        pending: the server took the request and will answer it later, under `id`.
    """

    model: str | None = None
    text: str | None = None
    tool_calls: tuple[WireCall, ...] = ()
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    refusal: str | None = None
    error: str | None = None
    broken: bool = False
    server_calls: tuple[WireCall, ...] = ()
    thinking: str | None = None
    id: str | None = None
    pending: bool = False


class Dialect(Protocol):
    """How one API speaks. A dialect never raises on what a server or an agent sent."""

    @property
    def name(self) -> str:
        """For people and for reports, e.g. `openai_chat`."""
        ...

    @property
    def kind(self) -> Kind:
        """What its exchanges are for."""
        ...

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:
        """Whether a request is of this dialect.

        Args:
            method: upper case.
            path: neither query nor fragment in it, percent signs resolved.
            body: empty also where the caller spared itself to build it: then method and path decide.
        """
        ...

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:
        """What is asked; `error` where the bytes say nothing readable.

        Args:
            body: of the request.
            url: where it went: some APIs name the model there.
        """
        ...

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered.

        Args:
            body: the bytes after content-decoding.
            content_type: of the response, empty where unknown.
            streamed: whether the client read it in pieces; decides only where the content type says nothing.
        """
        ...
