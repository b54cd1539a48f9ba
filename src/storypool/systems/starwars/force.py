"""The Force die, and Force powers whose dark pips cost a Destiny Point.

Source: starwars.md 1.1 and 1.8; rulings.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from storypool.engine.rules import (
    Bag,
    CharacterSet,
    Check,
    CheckOpened,
    ChoiceAsk,
    Entry,
    Event,
    Move,
    NumberAsk,
    Outcome,
    Refusal,
    Rolled,
    Table,
    TextAsk,
    Turn,
    characters,
    idle,
    in_session,
    move,
    rolled,
    symbols,
)
from storypool.systems.narrative import windows
from storypool.systems.narrative.checks import TITLE, acts_in, has_a_character, ready
from storypool.systems.narrative.points import one_point, open_to_points, spent
from storypool.systems.narrative.sheet import rating
from storypool.systems.starwars.dice import FORCE
from storypool.words import Words

RATING = Entry("force-rating", "Force rating", "rank", 0, 10, 0)
DARK_SIDE = "dark-side"

Read = Callable[[Table, Check, tuple[Rolled, ...]], Outcome]


def reader(words: Words, narrative: Read) -> Read:
    """Reads Force dice alone as pips that nothing cancels, and everything else as the narrative dice are read."""

    def read(table: Table, check: Check, lies: tuple[Rolled, ...]) -> Outcome:
        total = symbols([one for one in lies if one.die == "force"], [FORCE])
        if check.terms.get("kind") != "force":
            outcome = narrative(table, check, tuple(one for one in lies if one.die != "force"))
            return replace(outcome, net=outcome.net + total)
        return Outcome(None, total["light"], total, words.say("force.result", light=total["light"], dark=total["dark"]))

    return read


def _unknown(turn: Turn) -> bool:
    actor = turn.table.characters.get(turn.text("as"))
    return actor is not None and rating(actor, RATING.key) is None


@move(
    "force.use",
    when=lambda t: in_session(t) or idle(t),
    only_if=[has_a_character, ready],
    asks=[
        ChoiceAsk(
            "as",
            "Who?",
            characters(own=True),
            default=lambda t: next((c.value for c in characters(own=True)(t)), None),
        ),
        TITLE,
        NumberAsk("rating", "Force rating", default=1, low=1, high=10, shown=_unknown),
        NumberAsk("committed", "Dice committed elsewhere", default=0, low=0, high=9, needed=False),
    ],
    rule="Force powers",
)
def use(turn: Turn) -> Iterator[Event]:
    """Use a Force power

    As many Force dice as the Force rating, less those committed.
    """
    actor = turn.table.characters[turn.text("as")]
    if _unknown(turn):
        yield CharacterSet(replace(actor, sheet={**actor.sheet, RATING.key: turn.number("rating", 1)}))
        actor = turn.table.characters[actor.id]
    n = (rating(actor, RATING.key) or 0) - turn.number("committed")
    if n < 1:
        raise turn.refused("argument", "no.dice", "committed")
    side: Literal["players", "gm"] = "gm" if actor.side == "gm" else "players"
    pool = Bag(force=n)
    title = turn.text("title") or turn.system.words["force.title"]
    terms = {"kind": "force", "difficulty": "none"}
    yield CheckOpened(
        Check(
            turn.own_check,
            actor.id,
            side,
            turn.seat.id,
            title,
            base=pool,
            pool=pool,
            terms=terms,
            seen_by=actor.seen_by,
        )
    )


def _force_lies(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None or check.phase != "rolled":
        return rolled(turn)
    return None if any(one.die == FORCE.name for one in check.rolled) else turn.no("force.none")


def _acts(turn: Turn) -> Refusal | None:
    check = turn.check
    return None if check is None or acts_in(turn, check) else turn.no("yours")


def _own_side(turn: Turn) -> str:
    check = turn.check
    actor = turn.table.characters.get(check.actor) if check else None
    return "dark" if rating(actor, DARK_SIDE) else "light"


def _other_side(turn: Turn) -> str:
    return "light" if _own_side(turn) == "dark" else "dark"


def _left(turn: Turn, pips: str) -> int:
    return turn.check.left[pips] if turn.check else 0


def _drawn_before(turn: Turn) -> bool:
    """The point for the other side's pips of this roll has been spent."""
    return turn.check is not None and turn.check.terms.get("drawn") is True


COUNT = NumberAsk("n", "How many?", default=1, low=1, high=20, needed=False)
FOR = TextAsk("text", "What for?", needed=False)


@move(
    "force.light",
    when=_force_lies,
    only_if=[_acts, lambda t: None if _left(t, _own_side(t)) else t.no("force.none")],
    asks=[COUNT, FOR],
    rule="Force powers",
)
def use_own(turn: Turn) -> Iterator[Event]:
    """Use pips of your own side, for nothing"""
    yield from _drawn(turn, _own_side(turn), "force.light")


@move(
    "force.other",
    when=_force_lies,
    price=lambda t: Bag() if _drawn_before(t) else one_point(t),
    limit=lambda t: () if _drawn_before(t) else (windows.spending_limit(t),),
    only_if=[_acts, open_to_points, lambda t: None if _left(t, _other_side(t)) else t.no("force.other")],
    asks=[COUNT, FOR],
    rule="Force powers",
)
def use_other(turn: Turn) -> Iterator[Event]:
    """Use pips of the other side, for a point and strain

    One point turns over, whatever the number of pips of this roll; each pip used is one strain, and one Conflict where
    the table keeps it. It is this player's one point of the action.
    """
    check, n = turn.here, turn.number("n", 1)
    if not _drawn_before(turn):
        yield from spent(turn)
        check = turn.here
        yield turn.amend(check, terms={**check.terms, "drawn": True})
    yield from _drawn(turn, _other_side(turn), "force.used")
    why = turn.system.words["force.strain"]
    yield from turn.change("strain", n, check.actor, why)
    if turn.option("conflict") == "yes" and check.side == "players":
        yield from turn.change("conflict", n, check.actor, why)


def _drawn(turn: Turn, pips: str, sentence: str) -> Iterator[Event]:
    check, n = turn.here, turn.number("n", 1)
    if check.left[pips] < n:
        price, left = f"{n} {turn.word(pips, n)}", f"{check.left[pips]}"
        raise turn.refused("price", "symbols.short", "n", price=price, left=left)
    what = turn.system.words.say(sentence, n=n, text=turn.text("text") or check.title)
    yield turn.amend(check, what, left=check.left - Bag({pips: n}))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
