"""How answers drifted, for a person."""

from __future__ import annotations

from collections.abc import Iterator

from kit.workflow.verify import Verified, VerifiedCall, VerifiedCassette

_KINDS = ("shape", "behaviour", "words")


def render_verified(verified: Verified) -> str:
    """Each cassette with what drifted in it, and a line of counts."""
    lines = [line for one in verified.cassettes for line in _cassette(one)]
    return "\n".join([*lines, "", summary(verified)])


def summary(verified: Verified) -> str:
    """Counts with their total (X-06)."""
    sent = verified.sent
    same = sum(bool(call.drift and call.drift.is_same) for one in verified.cassettes for call in one.calls)
    parts = [f"{same}/{sent} answers the same"]
    parts += [f"{verified.count(kind)}/{sent} drifted in {kind}" for kind in _KINDS if verified.count(kind)]
    left = sum(call.left_out is not None for one in verified.cassettes for call in one.calls)
    return ", ".join(parts) + (f"; {left} not sent" if left else "")


def _cassette(one: VerifiedCassette) -> Iterator[str]:
    drifted = [call for call in one.calls if call.drift is None or not call.drift.is_same]
    yield f"{one.path} (recorded {one.recorded}): {'as recorded' if not drifted else 'drifted'}"
    for call in drifted:
        yield from _call(call)


def _call(call: VerifiedCall) -> Iterator[str]:
    if call.drift is None:
        yield f"  call {call.number}  not sent: {call.left_out}"
        return
    for kind in _KINDS:
        for text in getattr(call.drift, kind):
            yield f"  call {call.number}  {kind:<9}  {text}"
