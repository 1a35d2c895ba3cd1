"""The text of a conditional replay: what changed in the requests, each place once (decision 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kit.cassette.divergence import Divergence
from kit.cassette.outline import CHANGES

_SHOWN = 4


def render_divergences(divergences: Sequence[Divergence], requests: int) -> str:
    """How many requests changed and where; a changed system prompt is told once, not for each call.

    Args:
        divergences: at least one.
        requests: how many requests to models the run made.
    """
    count = len(divergences)
    verb = "differs" if count == 1 else "differ"
    noun = "request" if requests == 1 else "requests"
    lines = [
        f"needs recording: {count} of {requests} {noun} {verb} from what was recorded",
        "",
        f"  changed   {_classes(divergences)}",
    ]
    places = Counter((one.path, one.old, one.new) for each in divergences for one in each.differences)
    if places:
        lines.append("")
    for (path, old, new), times in list(places.items())[:_SHOWN]:
        often = "" if times == count else f"  ({times} of {count})"
        lines += [f"    {path}{often}", f"      recorded  {old}", f"      now       {new}"]
    more = len(places) - _SHOWN
    if more > 0:
        lines.append(f"    … and {more} more place{'s' if more > 1 else ''}")
    why = "the model may answer the changed requests otherwise; the old answers prove nothing"
    lines += ["", f"  why       {why}"]
    return "\n".join(lines)


def _classes(divergences: Iterable[Divergence]) -> str:
    """The classes, the likeliest cause first."""
    met = {change for one in divergences for change in one.changes}
    return ", ".join(change for change in CHANGES if change in met)
