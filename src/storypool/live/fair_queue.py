"""A fair queue for long work: one piece at a time, with its clients taking turns.

The work is pure Python, so threads do not make it faster: a piece runs in one thread, off the event
loop, and nothing else of its queue meanwhile. `sys.setswitchinterval` sets how soon the event loop
gets its turn (`web.serving`).
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from storypool.words import StorypoolError

T = TypeVar("T")
Turn = asyncio.Future[None]


class Crowded(StorypoolError):
    """The queue is full, or a piece has waited for too long."""


class ShareUsed(Crowded):
    """This client already has its share of pieces in the queue."""


class FairQueue:
    """Runs pieces of work one at a time, for its clients in turn; each piece is a coroutine.

    Each client may have `share` pieces waiting, all together `most`, and none waits longer than
    `patience` seconds.
    """

    def __init__(
        self, share: float = float("inf"), most: float = float("inf"), patience: float | None = None
    ) -> None:
        self.share, self.most, self.patience = share, most, patience
        self._waiting: OrderedDict[str, deque[Turn]] = OrderedDict()
        self._busy = False

    async def do(
        self, client: str, work: Callable[[], Awaitable[T]], seconds: float | None = None
    ) -> T:
        """Run this work when its turn comes, and return its result.

        `Crowded` if it cannot wait, or has waited too long, and `TimeoutError` if it takes longer
        than `seconds`. Work that has started runs to its end, even if its caller is gone, and only
        then the next one starts.
        """
        await self._wait_for_turn(client)
        running = asyncio.ensure_future(work())
        running.add_done_callback(self._finish)
        async with asyncio.timeout(seconds):
            return await asyncio.shield(running)

    async def _wait_for_turn(self, client: str) -> None:
        if len(self._waiting.get(client, ())) >= self.share:
            raise ShareUsed
        if sum(map(len, self._waiting.values())) >= self.most:
            raise Crowded
        turn: Turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._start_next()
        try:
            async with asyncio.timeout(self.patience):
                await turn
        except BaseException as error:
            if turn.cancelled():
                self._forget(client, turn)
            else:
                # Its turn came just as it was cancelled.
                self._free()
            if isinstance(error, TimeoutError):
                raise Crowded from None
            raise

    def _start_next(self) -> None:
        while self._waiting and not self._busy:
            client, own = self._waiting.popitem(last=False)
            turn = own.popleft()
            if own:
                self._waiting[client] = own
            # A turn that was just cancelled is still in the queue.
            if not turn.done():
                turn.set_result(None)
                self._busy = True

    def _free(self) -> None:
        self._busy = False
        self._start_next()

    def _finish(self, done: asyncio.Future[T]) -> None:
        if not done.cancelled():
            done.exception()  # Retrieve it, because nobody may be waiting for it any more.
        self._free()

    def _forget(self, client: str, turn: Turn) -> None:
        own = self._waiting.get(client, deque())
        if turn in own:
            own.remove(turn)
            if not own:
                del self._waiting[client]
