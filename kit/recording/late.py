"""Secrets that become known late: masked in the journal, and by that in all that is made of it.

A password is a word like any other until a later request names it as one. The journal is scrubbed at once,
so that neither a crash nor a look into `.kit/` shows it (decision 10).
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.recording.guard.passing import own_writes
from kit.recording.journal_line import from_line, interaction_line, read_interaction, to_line
from kit.recording.paths import PathMap

if TYPE_CHECKING:
    from kit.recording.options import SessionOptions
    from kit.redaction.redactor import Redactor

_NO_PATHS = PathMap(())
_HIDING = (b'"base64":', b"\\u0000")
"""What stands in the line of a body that is no text, or that is frames."""


class LateSecrets:
    """Keeps a journal free of what its session's redactor has learnt meanwhile.

    Args:
        redactor: the session's; told to listen to the environment and to dropped headers.
    """

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        redactor.listen(os.environ)
        self._generation = redactor.generation

    def hide(self, path: Path, append: Callable[[bytes], None]) -> None:
        """Masks them in the lines written so far.

        A line that holds one is written anew at the end before the old one is blanked: whoever is killed in
        between leaves one line too many, never one too few.

        Args:
            path: the journal.
            append: writes a line at its end.

        Raises:
            OSError: the journal cannot be read or written.
        """
        generation = self._redactor.generation
        if generation == self._generation:
            return
        with own_writes(), path.open("r+b", buffering=0) as writer, path.open("rb") as reader:
            # Forked children share the journal, and each may have learnt the same.
            fcntl.flock(writer, fcntl.LOCK_EX)
            end = os.fstat(writer.fileno()).st_size
            while (start := reader.tell()) < end:
                line = reader.readline()
                again = self._without(line)
                if again != line:
                    append(again)
                    os.pwrite(writer.fileno(), b"{}".ljust(len(line) - 1) + b"\n", start)
        # Only now: what failed half-way is done again with the next line.
        self._generation = generation

    def _without(self, line: bytes) -> bytes:
        if not any(sign in line for sign in _HIDING) and not self._redactor.may_hold_known(line):
            return line
        try:
            parsed = from_line(line)
            if "interaction" in parsed:
                one = read_interaction(parsed["interaction"])
                again = rescrubbed(one, self._redactor)
                return line if again == one else to_line({**parsed, "interaction": interaction_line(again)})
        except (ValueError, KeyError, TypeError, AttributeError):
            # Torn by a crash: nobody reads it, but it may hold what must not stay.
            text = line.decode("utf-8", "replace")
            return b"{}\n" if self._redactor.survivors(text) else line
        shown = self._redactor.value(parsed)
        return line if shown is parsed else to_line(shown)


def late_secrets(options: SessionOptions) -> LateSecrets | None:
    """What a session's journal needs: nothing in replay, which writes no secret."""
    return LateSecrets(options.redactor) if options.mode == "record" else None


def rescrubbed(one: Interaction, redactor: Redactor) -> Interaction:
    """An interaction without the secrets that became known after it was built; equal where it holds none."""
    request: HttpRequest | ToolRequest
    if isinstance(one.request, HttpRequest):
        asked = one.request
        headers = tuple((name, redactor.text(value)) for name, value in asked.headers)
        body = redactor.body(asked.body, asked.content_type)
        request = HttpRequest(asked.method, redactor.url(asked.url), headers, body)
    else:
        request = replace(one.request, arguments=redactor.value(one.request.arguments))
    return replace(one, request=request, response=_rescrubbed_answer(one.response, redactor))


def _rescrubbed_answer(
    answer: HttpResponse | ToolResponse, redactor: Redactor
) -> HttpResponse | ToolResponse:
    failure = None if answer.failure is None else redactor.text(answer.failure)
    if isinstance(answer, ToolResponse):
        return replace(answer, result=redactor.value(answer.result), failure=failure)
    body = redactor.body(answer.body, answer.content_type, is_answer=True)
    return replace(
        answer,
        headers=tuple((name, redactor.text(value)) for name, value in answer.headers),
        body=body,
        chunks=_NO_PATHS.realign(answer.body, body, answer.chunks),
        failure=failure,
    )
