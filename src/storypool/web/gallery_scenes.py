"""A short scene of each game of one page, played by its own demo and rolled to its end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from secrets import randbelow

from storypool.engine import story
from storypool.engine.decisions import decide
from storypool.engine.dice import Die
from storypool.engine.events import (
    CheckOpened,
    DiceRolled,
    Event,
    MoveMade,
    PeriodBegan,
    SeatTaken,
    TraitSet,
)
from storypool.engine.fold import fold_on
from storypool.engine.game.asks import AskView
from storypool.engine.game.system import System
from storypool.engine.offers import offer
from storypool.engine.refusal import Refused
from storypool.engine.sight import records_of
from storypool.engine.table import Table
from storypool.engine.waiting import waiting
from storypool.play import Performance, PlayError, read
from storypool.web.interface.workshop_forms import SceneStep

CARRIES_ON = ("check.agree", "check.let", "check.roll", "check.close")
"""The moves that lead an open action to its end."""
CHOICE = "choose."
"""How the keys of choices in secret begin, without which nothing is revealed."""
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
        return [step for _, step in _scene(list(_steps(performance)), performance.table)]
    except (PlayError, Refused):
        return []


def _carried_on(performance: Performance) -> bool:
    """Whether some seat made a move that leads the action on."""

    def roll(die: Die) -> int:
        return die.first + randbelow(die.sides)

    system, table = performance.system, performance.table
    for seat in sorted(table.seats, key=lambda id: table.seats[id].side == "gm"):
        due = (one.moves for one in waiting(system, table, seat) if one.yours)
        for move in chain.from_iterable(due):
            if move not in CARRIES_ON and not move.startswith(CHOICE):
                continue
            found = offer(system, table, seat, move, {})
            if found.closed is None:
                args = dict(map(_answer, filter(_is_open, found.asks)))
                events = decide(system, table, seat, move, args, roll=roll)
                _keep(performance, seat, events)
                return True
    return False


def _is_open(ask: AskView) -> bool:
    """Whether a question has to be answered."""
    return ask.needed and ask.default is None


def _answer(ask: AskView) -> tuple[str, str | int]:
    """Some answer to a question: one of its choices, or its lowest number."""
    choices = [one.value for one in ask.choices if not one.closed]
    return ask.name, choices[randbelow(len(choices))] if choices else ask.low


def _keep(performance: Performance, seat: str, events: list[Event]) -> None:
    new = records_of(events, seat, performance.table.seq, 0)
    performance.table = fold_on(performance.table, new, lambda seq: performance.table)
    performance.records += new


Step = tuple[Event, SceneStep]
"""A public record's event, with its sentence and dice."""


def _scene(steps: list[Step], table: Table) -> list[Step]:
    """The last actions, as far as they fit, after what is true in their scene; no setting up.

    Where nobody acts it begins with the first thing that is stated in the scene.
    """
    numbered = list(enumerate(steps))
    acts = [n for n, (event, _) in numbered if isinstance(event, CheckOpened)]
    stated = [n for n, (event, _) in numbered if _is_of_the_scene(event)]
    if not acts:
        return steps[min(stated, default=0) :][:MOST_STEPS]
    fitting = (n for n in acts if len(steps) - n <= MOST_STEPS)
    start = next(fitting, len(steps) - MOST_STEPS)
    room = MOST_STEPS - (len(steps) - start)
    true = [steps[n] for n in stated if n < start and _is_true(steps[n][0], table)]
    return [*true[max(0, len(true) - room) :], *steps[start:]]


def _is_of_the_scene(event: Event) -> bool:
    """Whether an event states something of the scene, and of no character."""
    return isinstance(event, TraitSet) and not event.trait.about


def _is_true(event: Event, table: Table) -> bool:
    """Whether a statement is still true at the end."""
    return isinstance(event, TraitSet) and event.trait.id in table.traits


def _steps(performance: Performance) -> Iterator[Step]:
    """Each record with a sentence that everybody reads."""
    sentences = story.sentences(performance.records, performance.system)
    for record, text in zip(performance.records, sentences, strict=True):
        event = record.event
        if event is None or record.seen_by is not None or isinstance(event, UNSHOWN):
            continue
        if text:
            rolled = event.rolled if isinstance(event, DiceRolled) else ()
            yield event, SceneStep(text=text, dice=[(one.die, one.face) for one in rolled])
