"""A fair queue of long work: one piece at a time, in turns between clients."""

from __future__ import annotations

import asyncio

import pytest

from storypool.live.fair_queue import Crowded, FairQueue, ShareUsed


class Work:
    """Pieces of work, pending until released, with their order of starts."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue, self.started = queue, list[str]()
        self.over = asyncio.Semaphore(0)

    def ask(self, whose: str, seconds: float | None = None) -> asyncio.Task[str]:
        """Request a piece for a client."""

        async def piece() -> str:
            self.started.append(whose)
            await self.over.acquire()
            return f"of {whose}"

        return asyncio.create_task(self.queue.do(whose, piece, seconds))

    async def release(self, n: int = 1) -> None:
        """Finish this many pieces, one after another."""
        for _ in range(n):
            self.over.release()
            await settled()


async def settled() -> None:
    """Let every task advance in steps of the loop, since a moment may pass before they do."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_waiting_clients_take_turns() -> None:
    """However much one client requested first, others have turns between, one piece at a time."""

    async def scene() -> None:
        work = Work(FairQueue())
        asked = [work.ask(whose) for whose in "aaaab"]
        asked += [work.ask("c")]
        await settled()
        assert ["a"] == work.started
        await work.release(6)
        assert list("aabcaa") == work.started
        assert ["of a", "of b"] == [await asked[0], await asked[4]]
        assert not work.queue._waiting

    asyncio.run(scene())


def test_queue_share_is_limited() -> None:
    """Requests beyond a share or the whole queue are refused, while others are accepted."""

    async def scene() -> None:
        work = Work(FairQueue(share=2, most=3))
        asked = [work.ask(whose) for whose in "aaa"]
        await settled()
        with pytest.raises(ShareUsed):
            await work.ask("a")
        asked.append(work.ask("b"))
        await settled()
        with pytest.raises(Crowded):
            await work.ask("c")
        await work.release(4)
        assert "of b" == await asked[3]

    asyncio.run(scene())


def test_waiting_is_limited() -> None:
    """A client that waited too long gets an error, and abandoned work leaves nothing."""

    async def scene() -> None:
        work = Work(FairQueue(patience=0.01))
        first, late = work.ask("a"), work.ask("b")
        with pytest.raises(Crowded):
            await late
        work.queue.patience = None
        given_up, last = work.ask("b"), work.ask("c")
        await settled()
        given_up.cancel()
        await settled()
        assert ["c"] == list(work.queue._waiting)
        await work.release(2)
        assert ["of a", "of c"] == [await first, await last]
        assert ["a", "c"] == work.started

    asyncio.run(scene())


def test_abandoned_turn_goes_to_the_next() -> None:
    """A client that leaves at or just before its turn delays nobody."""

    async def scene() -> None:
        for just_before in (True, False):
            work = Work(FairQueue())
            asked = [work.ask(whose) for whose in "abc"]
            await settled()
            if just_before:
                asked[1].cancel()
                work.queue._free()
            else:
                work.queue._free()
                asked[1].cancel()
            await settled()
            assert ["a", "c"] == work.started
            asked[0].cancel()
            asked[2].cancel()

    asyncio.run(scene())


def test_started_work_ends_first() -> None:
    """The next piece waits even if its predecessor's client timed out or left."""

    async def scene() -> None:
        work = Work(FairQueue())
        slow, gone, next = work.ask("a", seconds=0.01), work.ask("b"), work.ask("c")
        with pytest.raises(TimeoutError):
            await slow
        assert ["a"] == work.started
        await work.release()
        assert ["a", "b"] == work.started
        gone.cancel()
        await settled()
        assert ["a", "b"] == work.started
        await work.release(2)
        assert "of c" == await next

    asyncio.run(scene())


def test_failed_work_is_finished() -> None:
    """Its error goes to its client, and the next has a turn."""

    async def broken() -> str:
        raise ValueError("broken")

    async def scene() -> None:
        work = Work(FairQueue())
        with pytest.raises(ValueError, match="broken"):
            await work.queue.do("a", broken)
        asked = work.ask("b")
        await work.release()
        assert "of b" == await asked

    asyncio.run(scene())
