"""Appending to logs that other processes write to as well: a lost race is decided again."""

import asyncio
import secrets
from collections.abc import Callable

from storypool.engine.game.system import System
from storypool.engine.refusal import Refused
from storypool.engine.table import Table
from storypool.live.folded import Folded
from storypool.live.peers.following import overtaken
from storypool.live.writer import Decided, Made, Token, Writer
from storypool.log.shared.shared_store import End, SharedStore
from storypool.log.store import Answer, Conflict
from storypool.words import Phrase

MAX_SHARED_TRIES = 40
"""The tries to decide a move again if other processes have extended the log."""
RETRY_PAUSE_S = 0.05
"""The longest random pause before a move is decided again after another process was faster."""


class SharedWriter(Writer):
    """A writer to the logs of a shared store."""

    store: SharedStore

    async def append(
        self,
        table_id: str,
        decide: Callable[[System, Table], Decided],
        token: Token | None = None,
        after: int | None = None,
    ) -> Made:
        """Like `Writer.append`; no refusal rests on a table that another process has changed."""
        for lost in range(MAX_SHARED_TRIES):
            # Pause randomly: processes that retry at the same moment would block each other for
            # long.
            if lost > 1:
                await asyncio.sleep(RETRY_PAUSE_S * secrets.randbelow(1000) / 1000)
            folded = await self.cache.folded(table_id)
            seen = End(folded.head.seq, folded.closed, 0)
            try:
                made = await self.attempt(folded, decide, token, after)
            except Refused:
                if not await overtaken(self.store, self.cache, folded, seen):
                    raise
            else:
                if made is not None:
                    return made
        raise Conflict(Phrase("live.busy"))

    async def first(self, folded: Folded, seat: str, known: Answer) -> Made:
        """The first answer to a repeated command, which another process may have stored."""
        now = await self.cache.folded(folded.id)
        if known.seq > now.stored.seq:
            now.behind = True
        return await super().first(folded, seat, known)
