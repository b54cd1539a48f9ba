"""Replies to what people do in a channel: in time, short enough, refusals for one person alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import hikari

from storypool.engine.refusal import Refusal, Refused
from storypool.words import Phrase, Words

LOG = logging.getLogger("storypool.discord")
SOON_S = 1.5
"""Seconds after which a reply is announced as on its way: Discord waits for three."""
MOST_AT_ONCE = 50
"""The most replies that are worked out or wait for it; who asks then is asked to wait."""
LONGEST = 2000
"""The most letters of a message."""
LONGEST_ID = 100
"""The most letters of what a button says when it is pressed."""

_working = set["asyncio.Future[ChannelReply]"]()

Asking = hikari.CommandInteraction | hikari.ComponentInteraction


@dataclass(frozen=True, slots=True)
class ChannelReply:
    """A message: its text, its buttons as what they say when pressed and their labels.

    A `private` one is seen only by the person who asked.
    """

    text: str
    buttons: Sequence[tuple[str, str]] = ()
    private: bool = False

    def arguments(self) -> dict[str, Any]:
        """The message as the library takes it; nobody is mentioned."""
        row = hikari.impl.MessageActionRowBuilder()
        for id, label in self.buttons:
            row.add_interactive_button(hikari.ButtonStyle.SECONDARY, id, label=label)
        return {
            "content": shortened(self.text),
            "components": [row] if self.buttons else [],
            "mentions_everyone": False,
            "user_mentions": False,
            "role_mentions": False,
        }


def shortened(text: str) -> str:
    """A text that fits into a message: its first lines, and a sign where others are missing."""
    if len(text) <= LONGEST:
        return text
    kept = text[: LONGEST - 2]
    return (kept.rpartition("\n")[0] or kept) + "\n…"


def refusal(no: Refusal, words: Words) -> ChannelReply:
    """A refusal with its remedy, for the person who asked."""
    local = no.localize(words)
    return ChannelReply(" ".join(filter(None, (local.text, local.remedy))), private=True)


async def reply(
    to: Asking, work: Callable[[], ChannelReply], words: Words, private: bool = False
) -> None:
    """Answer with what `work` makes, which may raise `Refused`, in a thread of its own.

    What takes longer is announced first. A refusal, and what is `private`, is seen by one person.
    """
    if len(_working) >= MOST_AT_ONCE:
        work = _refused_for_now
    made = asyncio.ensure_future(asyncio.to_thread(work))
    _working.add(made)
    made.add_done_callback(_working.discard)
    await asyncio.wait({made}, timeout=SOON_S)
    announced = not made.done()
    if announced:
        await to.create_initial_response(
            hikari.ResponseType.DEFERRED_MESSAGE_CREATE, flags=_flags(private)
        )
    try:
        answer = await made
    except Refused as no:
        answer = refusal(no.refusal, words)
    except Exception:
        LOG.exception("an answer failed")
        answer = ChannelReply(words["discord.broken"], private=True)
    if not announced:
        await to.create_initial_response(
            hikari.ResponseType.MESSAGE_CREATE,
            **answer.arguments(),
            flags=_flags(private or answer.private),
        )
    elif answer.private and not private:
        # What was announced to all becomes no message of one person: a new one does.
        await to.delete_initial_response()
        await to.execute(**answer.arguments(), flags=_flags(True))
    else:
        await to.edit_initial_response(**answer.arguments())


def _refused_for_now() -> ChannelReply:
    raise Refused(Refusal.of("limit", Phrase("discord.busy")))


def _flags(private: bool) -> hikari.MessageFlag:
    return hikari.MessageFlag.EPHEMERAL if private else hikari.MessageFlag.NONE
