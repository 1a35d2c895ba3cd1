"""Why a request was not found in the recording (decision 5); computed only on a miss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kit.cassette.differences import Difference, same, shared_ends
from kit.cassette.interaction import Interaction, Lane
from kit.cassette.match import Playlist
from kit.cassette.outline import CHANGES, Change, Outline, Request, class_of


@dataclass(frozen=True, slots=True)
class MissReport:
    """All that is known about a miss.

    Attributes:
        lane: lane of the request that was not found.
        step: number of this request in the run, 1-based, over all lanes.
        recorded: how many interactions the cassette holds.
        call: what was called, `POST /v1/chat/completions` or the tool's name.
        model: model that was asked, where the body says it.
        asked: what was asked last, on one line.
        nearest: number of the most similar recorded interaction; None where nothing is comparable.
        is_nearest_played: True if that one was handed out already.
        times: how often exactly this request was recorded; above 0 it was asked once too often.
        changes: classes of the change, the likeliest cause first; never empty.
        differences: the places that differ between the nearest and this request, likeliest cause first.
        upcoming: the next recorded interaction of this lane, on one line; None where all were played.
    """

    lane: Lane
    step: int
    recorded: int
    call: str
    model: str | None
    asked: str
    nearest: int | None
    is_nearest_played: bool
    times: int
    changes: tuple[Change, ...]
    differences: tuple[Difference, ...]
    upcoming: str | None = None

    @property
    def change(self) -> Change:
        """The class of the change that most likely caused the miss."""
        return self.changes[0]


def explain(
    request: Request, playlist: Playlist, key: bytes, *, lane: Lane = "model", step: int | None = None
) -> MissReport:
    """Compares a request that missed with what was recorded.

    Args:
        request: the request, scrubbed and with its paths mapped like a recorded one.
        playlist: what this run plays.
        key: the request's key, which found nothing.
        lane: lane of the request.
        step: number of the request in the run; None takes the number of those played so far plus one.
    """
    asked = Outline.of(request)
    same_key = playlist.recorded(key)
    upcoming = playlist.next_unplayed(lane)
    left = {item.number for item in playlist.leftovers()}
    nearest = same_key[-1] if same_key else _nearest(asked, playlist.interactions, left)
    found: list[Difference] = []
    changes: tuple[Change, ...] = ("extra call",)
    if nearest is not None and not same_key:
        recorded = Outline.of(nearest.request)
        found = list(recorded.differences(asked))
        if recorded.call == asked.call:
            found.sort(key=lambda difference: CHANGES.index(class_of(difference.path, recorded, asked)))
            classes = (class_of(difference.path, recorded, asked) for difference in found)
            changes = (
                changes
                if not left and _continues(recorded, asked)
                else tuple(dict.fromkeys(classes)) or changes
            )
    return MissReport(
        lane=lane,
        step=playlist.played() + 1 if step is None else step,
        recorded=len(playlist.interactions),
        call=asked.call,
        model=asked.model,
        asked=asked.last,
        nearest=nearest.number if nearest else None,
        is_nearest_played=nearest is not None and nearest.number not in left,
        times=len(same_key),
        changes=changes,
        differences=tuple(found),
        upcoming=Outline.of(upcoming.request).told(upcoming.number) if upcoming else None,
    )


def _nearest(asked: Outline, interactions: Sequence[Interaction], left: set[int]) -> Interaction | None:
    """The most similar recorded interaction; among equals the next one that was not played."""
    best: tuple[tuple[int, ...], Interaction] | None = None
    for item in interactions:
        other = Outline.of(item.request)
        if (other.kind == "tool") != (asked.kind == "tool"):
            continue
        is_left = item.number in left
        score = (1, *asked.likeness(other), is_left) if other.call == asked.call else (0, is_left)
        if best is None or score > best[0]:
            best = (score, item)
    return best[1] if best else None


def _continues(recorded: Outline, asked: Outline) -> bool:
    """True if the request only says more than the recorded one did."""
    start, _ = shared_ends(recorded.texts, asked.texts)
    return start == len(recorded.messages) < len(asked.messages) and same(recorded.rest, asked.rest)
