"""What a replay serves: the recorded interaction of a request, or a miss that cannot pass unseen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from kit.cassette.interaction import HttpRequest, Interaction, ToolRequest
from kit.errors import Miss
from kit.recording.lanes import lane_of
from kit.recording.ledger import Ledger
from kit.recording.misses import explain_miss, same_place
from kit.recording.options import SessionOptions

if TYPE_CHECKING:
    from kit.cassette.match import Playlist


class Player:
    """The playlist of one session; safe to use from any thread.

    Args:
        playlist: what was recorded.
        options: of the session.
        ledger: where it is kept what was played, and how.
    """

    def __init__(self, playlist: Playlist, options: SessionOptions, ledger: Ledger) -> None:
        self.playlist = playlist
        self._options = options
        self._ledger = ledger
        self._lock = threading.Lock()

    def take(
        self, key: bytes, under: int, request: Callable[[], HttpRequest | ToolRequest]
    ) -> Interaction | None:
        """The interaction to serve; None where a recorded beginning is over and the run goes on live.

        Args:
            key: what it is looked up by.
            under: number of the interaction before it in its line of the run.
            request: makes the request as it would be recorded; called on a miss only.

        Raises:
            Miss: it was never recorded.
        """
        with self._lock:
            if self._options.mode == "record" and self.playlist.next_unplayed() is None:
                return None
            served = self.playlist.take(key, under)
            if served is not None:
                self._ledger.recorded(served) if self._options.mode == "record" else self._ledger.played(
                    served
                )
                return served
        asked = request()
        return self._at_its_place(asked) or self._missed(asked, key)

    def _at_its_place(self, request: HttpRequest | ToolRequest) -> Interaction | None:
        """Conditional replay: the prompt changed and the conversation did not."""
        if not self._options.is_conditional or not isinstance(request, HttpRequest):
            return None
        with self._lock:
            found = same_place(request, self.playlist)
            if found is None:
                return None
            served, divergence = found
            self._ledger.played(served)
            self._ledger.diverged(divergence)
            return served

    def _missed(self, request: HttpRequest | ToolRequest, key: bytes) -> Interaction:
        text = f"{self._options.name}: {request!r} was never recorded"
        try:
            urls = self._options.model_urls
            lane = lane_of(request, "", urls) if isinstance(request, HttpRequest) else "tool"
            text = explain_miss(request, key, lane, self.playlist, self._options)
        finally:
            # Told even if the explanation itself breaks: a miss must never pass unseen.
            self._ledger.report("misses", text)
        raise Miss(text)
