"""The questions of seats that follow a table, answered together after each change."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from typing import Protocol

from storypool.engine.table import Seat
from storypool.odds.question import TooMany
from storypool.web.interface.live_forms import WatchQuestion
from storypool.web.problem import problem, problem_for, refusal_data
from storypool.web.table_answers import Answers, TableAnswer
from storypool.web.wire import Message, encode
from storypool.words import Words

logger = logging.getLogger("storypool.web")

SOON_S = 0.05
"""Seconds until the questions about a new record are answered, so that its consequences count."""
AGAIN_S = 2.0
"""Seconds until a question is answered again that lacked time, or whose answer may improve."""
ODDS_PRICE, PREVIEW_PRICE = 1, 4
"""The price of a question at the pace of its address, as over HTTP."""
BUSY = (429, 503)
"""The statuses of refusals after which an answer may be available soon."""


class Watched:
    """One question of a client, and its sent or next answer."""

    def __init__(self, name: str, question: WatchQuestion) -> None:
        self.name, self.question, self.type = name, question, f"answer {name}"
        self.busy = False
        self._answer: TableAnswer | None = None
        self._due = True
        self._sent: int | None = None

    @property
    def price(self) -> int:
        """Its price at the pace of its address."""
        return ODDS_PRICE if self.question.preview is None else PREVIEW_PRICE

    def is_due(self, seq: int) -> bool:
        """Whether to answer it for a client that knows this record."""
        stale = self._answer is None or (self._answer.seq < seq and not self.question.once)
        return not self.busy and (self._due or stale)

    def take(self, answer: TableAnswer) -> None:
        """Take an answer to send next."""
        self._answer, self._due, self.busy = answer, False, False

    def ask_again(self) -> None:
        """Mark it to be answered again."""
        self._due, self.busy = True, False

    def restart(self) -> None:
        """Answer it in full, for a client that has come again and knows nothing."""
        self._due, self._sent = True, None

    @property
    def message(self) -> Message:
        """The message with the answer, or with the fact that it is unchanged."""
        assert self._answer is not None
        answer = self._answer
        was, self._sent = self._sent, hash((answer.kind, answer.json))
        # Free the answer: it is sent only once.
        self._answer = TableAnswer(answer.kind, answer.seq, b"", answer.soon)
        same = was == self._sent
        found = b"" if same else b',"%b":%b' % (answer.kind.encode(), answer.json)
        start = b'{"type":"answer","name":%b,"seq":%d' % (encode(self.name), answer.seq)
        return Message("answer", start + found + b"}", answer.seq)


class Watcher(Protocol):
    """A feed with the questions of its client."""

    table_id: str
    seat: Seat
    seq: int
    words: Words

    def due(self) -> Iterator[Watched]:
        """The questions to answer now."""

    def push(self, news: Watched) -> None:
        """Take an answer to send."""

    def ask_again(self, watched: Watched) -> None:
        """Mark a question to be answered again."""


class AnswerQueue:
    """Answers the questions of feeds at one table together, always about the newest record."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self._waiting: dict[str, set[Watcher]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def request(self, feed: Watcher) -> None:
        """Answer the due questions of this feed soon."""
        waiting = self._waiting.get(feed.table_id)
        if waiting is not None:
            waiting.add(feed)
            return
        self._waiting[feed.table_id] = {feed}
        self._start(self._work(feed.table_id))

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self, table_id: str) -> None:
        while self._waiting[table_id]:
            await asyncio.sleep(SOON_S)
            feeds, self._waiting[table_id] = self._waiting[table_id], set()
            asked = [(feed, watched) for feed in feeds for watched in feed.due()]
            questions = [(feed.seat, watched.question) for feed, watched in asked]
            try:
                found = await self.answers.at_once(table_id, questions) if asked else ()
            except Exception as error:
                found = [error] * len(asked)
            for (feed, watched), answer in zip(asked, found, strict=True):
                if isinstance(answer, TooMany):
                    watched.busy = True
                    self._start(self._answer_alone(feed, watched))
                else:
                    self._give(feed, watched, answer)
        del self._waiting[table_id]

    async def _answer_alone(self, feed: Watcher, watched: Watched) -> None:
        try:
            self._give(
                feed, watched, await self.answers.alone(feed.table_id, feed.seat, watched.question)
            )
        except Exception as error:
            self._give(feed, watched, error)

    def _give(self, feed: Watcher, watched: Watched, found: TableAnswer | Exception) -> None:
        """Give a feed an answer or a refusal, and ask again if there may be another one soon."""
        answer = found if isinstance(found, TableAnswer) else _refusal(feed, found)
        if answer is None:
            watched.busy = True
        else:
            watched.take(answer)
            feed.push(watched)
        if answer is None or answer.soon:
            asyncio.get_running_loop().call_later(AGAIN_S, feed.ask_again, watched)


def _refusal(feed: Watcher, error: Exception) -> TableAnswer | None:
    """The refusal in place of an answer; None if the server lacked time for one."""
    refused = problem_for(error)
    if isinstance(error, TimeoutError) or (refused is not None and refused.status in BUSY):
        return None
    if refused is None:
        logger.error(
            "A question of seat %s failed at table %s.", feed.seat.id, feed.table_id, exc_info=error
        )
        refused = problem("internal")
    return TableAnswer(
        "error", feed.seq, encode(refusal_data(refused.refusal.localize(feed.words)))
    )
