"""A short scene of each game of one page, played by its own demo and rolled to its end."""

from __future__ import annotations

from collections.abc import Iterator
from secrets import randbelow

from storypool.engine import story
from storypool.engine.decisions import decide
from storypool.engine.dice import Die
from storypool.engine.events import DiceRolled, Event, MoveMade, PeriodBegan, SeatTaken
from storypool.engine.fold import fold_on
from storypool.engine.game.system import System
from storypool.engine.offers import offer
from storypool.engine.refusal import Refused
from storypool.engine.sight import records_of
from storypool.play import Performance, PlayError, read
from storypool.web.interface.workshop_forms import SceneStep

CARRIES_ON = ("check.agree", "check.roll", "check.close")
"""The moves that lead an open action to its end."""
MOST_MOVES = 12
MOST_STEPS = 9
"""The most steps of a scene, which plays in about half a minute."""
UNSHOWN = (MoveMade, PeriodBegan, SeatTaken)
"""Records with effects that tell more than they do."""


def scene_of(system: System, demo: str) -> list[SceneStep]:
    """The steps of a demo and of its open action, as sentences with the dice rolled.

    Its dice differ from one start of a server to the next. A demo that cannot be played has none.
    """
    try:
        performance = Performance(read(demo, system.key), lambda key, language: system)
        if any(step.problem is not None for step in performance.steps()):
            return []
        for _ in range(MOST_MOVES):
            if not _carried_on(performance):
                break
        return list(_steps(performance))[-MOST_STEPS:]
    except (PlayError, Refused):
        return []


def _carried_on(performance: Performance) -> bool:
    """Whether some seat made a move that leads the action on."""

    def roll(die: Die) -> int:
        return die.first + randbelow(die.sides)

    system, table = performance.system, performance.table
    for move in filter(system.by_key.__contains__, CARRIES_ON):
        for seat in sorted(table.seats, key=lambda id: table.seats[id].side == "gm"):
            if offer(system, table, seat, move, {}).closed is None:
                events = decide(system, table, seat, move, {}, roll=roll)
                _keep(performance, seat, events)
                return True
    return False


def _keep(performance: Performance, seat: str, events: list[Event]) -> None:
    new = records_of(events, seat, performance.table.seq, 0)
    performance.table = fold_on(performance.table, new, lambda seq: performance.table)
    performance.records += new


def _steps(performance: Performance) -> Iterator[SceneStep]:
    """Each record with a sentence that everybody reads."""
    sentences = story.sentences(performance.records, performance.system)
    for record, text in zip(performance.records, sentences, strict=True):
        event = record.event
        if text and record.seen_by is None and not isinstance(event, UNSHOWN):
            rolled = event.rolled if isinstance(event, DiceRolled) else ()
            yield SceneStep(text=text, dice=[(one.die, one.face) for one in rolled])
