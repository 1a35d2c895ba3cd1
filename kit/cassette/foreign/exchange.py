"""One HTTP exchange as a foreign file tells it, before kit's own rules touch it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request with its answer.

    Attributes:
        number: position in the file, from 1.
        method: upper case.
        url: absolute.
        request_headers: `(name, value)` in the order of the file, names as they stand there.
        request: bytes of the body as the file holds them, an encoding of the content still on.
        status: HTTP status; None where the file holds no answer.
        answer_headers: like `request_headers`.
        answer: like `request`.
        is_request_value: the file held the request's JSON value, not its bytes: `request` is kit's spelling.
        is_answer_value: the same of the answer.
        recorded: when, as the file tells it; empty where it does not.
    """

    number: int
    method: str
    url: str
    request_headers: tuple[tuple[str, str], ...]
    request: bytes
    status: int | None
    answer_headers: tuple[tuple[str, str], ...] = ()
    answer: bytes = b""
    is_request_value: bool = False
    is_answer_value: bool = False
    recorded: str = ""
