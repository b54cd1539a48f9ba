"""The roll, what it came to, and the end of an action.

Source: seed 002, Roll and Interpret, Using Special Symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Check,
    CheckClosed,
    DiceRolled,
    Event,
    FacesAsk,
    Move,
    Outcome,
    Refusal,
    Rolled,
    Table,
    Turn,
    building,
    move,
    rolled,
)
from storypool.systems.destinydice import actions, promises, reading
from storypool.systems.destinydice.aspects import lying, used_up
from storypool.systems.destinydice.checks import opposition_known
from storypool.systems.destinydice.sides import contested, yours
from storypool.systems.destinydice.spends import others_symbols
from storypool.words import Words

FACES = FacesAsk("faces", "Faces of real dice, one for each die", needed=False)


@move("check.roll", when=building, only_if=[yours, opposition_known], asks=[FACES], rule="Roll and Interpret")
def roll(turn: Turn) -> Iterator[Event]:
    """Roll the dice

    The entire pool at once, the opposition's dice among them. Or type in the faces of real dice, in the order in
    which the pool is written.
    """
    check = turn.here
    lies = turn.cast(check.pool, turn.numbers("faces"))
    yield DiceRolled(check.id, turn.seat.id, lies)
    yield from promises.kept(turn, check)
    yield from used_up(turn, check)
    yield lying(turn, lies)


def reader(words: Words) -> Callable[[Table, Check, tuple[Rolled, ...]], Outcome]:
    """A reader of rolls that speaks in these words."""

    def came_to(table: Table, check: Check, lies: tuple[Rolled, ...]) -> Outcome:
        net = reading.net(lies, table.options.get("hope_success_uncancellable") == "yes")
        outcome = Outcome(reading.passed(net["margin"]), net["margin"], net)
        said = reading.sentence(words, net, contested(check))
        if "row" in check.terms:
            ways = f"{words['result.or']} ".join(words[f"ends.{way.id}"] for way in actions.results(check, outcome))
            said = words.say("result.means", said=said, ways=ways)
        return replace(outcome, words=said)

    return came_to


def _all_paid(turn: Turn) -> Refusal | None:
    """What the roll came to is carried out, the hit taken, and the other side has spent what it can."""
    check = turn.check
    if check is None or check.phase != "rolled":
        return None
    if actions.due(check):
        return turn.no("outcome.due")
    hit = next((t for t in turn.table.traits.values() if t.kind == "hit" and t.at == check.id), None)
    if hit is not None:
        return turn.no("hit.due", who=turn.table.characters[hit.about].name, n=hit.rating)
    others = others_symbols(turn, check)
    if not others:
        return None
    left = ", ".join(f"{n} {turn.word(symbol, n)}" for symbol, n in others.items())
    return turn.no("symbols", left=left)


@move("check.close", when=rolled, window=_all_paid, only_if=[yours], rule="Using Special Symbols")
def close(turn: Turn) -> Iterator[Event]:
    """The action is done

    No one is required to spend symbols; those that are left are lost.
    """
    yield CheckClosed(turn.here.id, "done")


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
