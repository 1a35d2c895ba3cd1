"""Numbers as people read them; None is never 0 (X-05)."""

from __future__ import annotations


def usd(micro_usd: int | None) -> str:
    """Integer micro-USD as dollars, `unknown` for None."""
    return "unknown" if micro_usd is None else f"${micro_usd // 1_000_000}.{micro_usd % 1_000_000:06d}"


def milliseconds(ms: int | None) -> str:
    """Integer milliseconds, as seconds from one second up; `-` for None."""
    if ms is None:
        return "-"
    return f"{ms} ms" if ms < 1000 else f"{ms // 1000}.{ms % 1000 // 100} s"


def plural(count: int, noun: str) -> str:
    """`1 call`, `2 calls`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
