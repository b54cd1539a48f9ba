"""Work that takes long: one piece at a time, in turns, so that nobody who asks for much keeps the
others waiting.
"""

from __future__ import annotations

import asyncio

import pytest

from storypool.live.fair_queue import Crowded, FairQueue, ShareUsed


class Work:
    """Pieces of work, each under way until it is let go; what was started, in order."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue, self.started = queue, list[str]()
        self.over = asyncio.Semaphore(0)

    def ask(self, whose: str, seconds: float | None = None) -> asyncio.Task[str]:
        """A client asks for a piece."""

        async def piece() -> str:
            self.started.append(whose)
            await self.over.acquire()
            return f"of {whose}"

        return asyncio.create_task(self.queue.do(whose, piece, seconds))

    async def let_go(self, n: int = 1) -> None:
        """So many pieces, one after another, are over."""
        for _ in range(n):
            self.over.release()
            await settled()


async def settled() -> None:
    """Let whatever can go on do so: in steps of the loop, as a moment may be over before they
    are.
    """
    for _ in range(20):
        await asyncio.sleep(0)


def test_those_who_wait_take_turns() -> None:
    """However much one has asked for before, the next has a turn in between, and one piece is under
    way at a time.
    """

    async def scene() -> None:
        work = Work(FairQueue())
        asked = [work.ask(whose) for whose in "aaaab"]
        asked += [work.ask("c")]
        await settled()
        assert ["a"] == work.started
        await work.let_go(6)
        assert list("aabcaa") == work.started
        assert ["of a", "of b"] == [await asked[0], await asked[4]]
        assert not work.queue._waiting

    asyncio.run(scene())


def test_nobody_waits_for_more_than_their_share() -> None:
    """What is beyond a share, or beyond what all may wait for, is not taken; others still are."""

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
        await work.let_go(4)
        assert "of b" == await asked[3]

    asyncio.run(scene())


def test_nobody_waits_for_ever() -> None:
    """A client that has waited too long gets an error, and what is given up leaves nothing
    behind.
    """

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
        await work.let_go(2)
        assert ["of a", "of c"] == [await first, await last]
        assert ["a", "c"] == work.started

    asyncio.run(scene())


def test_a_turn_that_is_given_up_goes_to_the_next() -> None:
    """A client that is gone at the very moment when its turn comes, or just before, keeps nobody
    waiting.
    """

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


def test_what_has_started_ends_before_the_next_starts() -> None:
    """Also when nobody waits for it any more, because it took too long or they are gone."""

    async def scene() -> None:
        work = Work(FairQueue())
        slow, gone, next = work.ask("a", seconds=0.01), work.ask("b"), work.ask("c")
        with pytest.raises(TimeoutError):
            await slow
        assert ["a"] == work.started
        await work.let_go()
        assert ["a", "b"] == work.started
        gone.cancel()
        await settled()
        assert ["a", "b"] == work.started
        await work.let_go(2)
        assert "of c" == await next

    asyncio.run(scene())


def test_work_that_fails_is_over() -> None:
    """Its error goes to the client that asked, and the next has a turn."""

    async def broken() -> str:
        raise ValueError("broken")

    async def scene() -> None:
        work = Work(FairQueue())
        with pytest.raises(ValueError, match="broken"):
            await work.queue.do("a", broken)
        asked = work.ask("b")
        await work.let_go()
        assert "of b" == await asked

    asyncio.run(scene())
