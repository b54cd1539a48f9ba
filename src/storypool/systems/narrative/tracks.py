"""Strain and wounds as plain tracks on a character."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import WHO, Choice, ChoiceAsk, Event, Move, NumberAsk, TextAsk, Turn, move

TRACK = ChoiceAsk(
    "track",
    "Which track?",
    lambda t: [Choice(name, t.system.words[f"track.{name}"]) for name in ("strain", "wounds")],
)
BY = NumberAsk("by", "How many?", default=1, low=1, high=50, needed=False)
WHY = TextAsk("why", "Why?", needed=False)


@move("track.suffer", asks=[WHO, TRACK, BY, WHY], rule="Strain and wounds")
def suffer(turn: Turn) -> Iterator[Event]:
    """Suffer strain or wounds"""
    yield from turn.change(turn.text("track"), turn.number("by", 1), turn.text("who"), turn.text("why"))


@move("track.recover", asks=[WHO, TRACK, BY, WHY], rule="Strain and wounds")
def recover(turn: Turn) -> Iterator[Event]:
    """Recover strain or wounds"""
    yield from turn.change(turn.text("track"), -turn.number("by", 1), turn.text("who"), turn.text("why"))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
