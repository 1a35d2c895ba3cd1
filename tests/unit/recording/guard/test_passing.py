from __future__ import annotations

import asyncio

from kit.recording.guard.passing import inside_stub, is_passing, own_writes


def test_mark_holds_inside_the_block_only() -> None:
    """The mark is set inside, nests, and is gone afterwards."""
    assert not is_passing()
    with inside_stub():
        assert is_passing()
        with own_writes():
            assert is_passing()
        assert is_passing()
    assert not is_passing()


def test_mark_is_private_to_a_task() -> None:
    """A task that records does not open the guard for its neighbour."""

    async def scene() -> tuple[bool, bool]:
        entered, looked = asyncio.Event(), asyncio.Event()

        async def recording() -> bool:
            with inside_stub():
                entered.set()
                await looked.wait()
                return is_passing()

        async def neighbour() -> bool:
            await entered.wait()
            seen = is_passing()
            looked.set()
            return seen

        inside, beside = await asyncio.gather(recording(), neighbour())
        return inside, beside

    assert asyncio.run(scene()) == (True, False)
