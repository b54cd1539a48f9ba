"""Mooks: good at some things, bad at others, and quickly out of the way.

Source: seed 002, Bad Guys; destinydice.md 3.5, Mooks.
"""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import (
    GM_ONLY,
    Character,
    CharacterSet,
    Event,
    FlagAsk,
    Move,
    NumberAsk,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    move,
    slug,
)
from storypool.systems.destinydice.ladder import LOWEST

SKILLED, BAD = 2, LOWEST
"""The ratings of what a mook is skilled at, and of what it is bad at."""


@move(
    "mook.add",
    by=["gm"],
    asks=[
        TextAsk("name", "Who is it?"),
        TextAsk("skilled", "What are they skilled at? Part it with commas", needed=False),
        TextAsk("bad", "What are they bad at? Part it with commas", needed=False),
        NumberAsk("members", "How many are they?", default=1, low=1, high=12, needed=False),
        NumberAsk("stress", "Stress boxes of one alone", default=1, high=2, needed=False),
        FlagAsk("secret", "Hidden from the players?", default=False, needed=False),
    ],
    rule="Bad Guys",
)
def add_mook(turn: Turn) -> Iterator[Event]:
    """Bring in a mook, or a group of them

    What they are skilled at they do with three Skill dice, what they are bad at with one Skill and one Hindrance. No
    consequences; a group has a stress box for every two.
    """
    name = turn.text("name")[:40]
    members = turn.number("members", 1)
    boxes = members // 2 if members > 1 else turn.number("stress", 1)
    hidden = GM_ONLY if turn.flag("secret") else None
    id = slug(name, turn.table.characters)
    yield CharacterSet(Character(id, name, "gm", "", {"stress": boxes, "consequences": 0}, hidden))
    for ask, rating in (("skilled", SKILLED), ("bad", BAD)):
        for knack in turn.text(ask).split(","):
            if knack.strip():
                text = turn.system.words.say(f"knack.{ask}", name=knack.strip())
                terms = {"name": knack.strip()}
                yield TraitSet(
                    Trait(turn.fresh("t"), "knack", text, id, rating, by=turn.seat.id, terms=terms, seen_by=hidden)
                )


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
