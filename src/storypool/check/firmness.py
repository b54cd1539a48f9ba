"""What is firm stays firm: a reason that can be set aside never hides one that nobody can set
aside.

It is tried where it matters, at a table that only warns or only records.
"""

import random
from collections.abc import Iterator

from storypool.check.answers import answers
from storypool.check.finding import Broken
from storypool.check.random_game import Game, copy_of
from storypool.engine.decisions import decide
from storypool.engine.events import OptionsSet
from storypool.engine.game.moves import Condition, Move
from storypool.engine.game.turn import Turn
from storypool.engine.offers import Offer, offers, turn_about, turn_of
from storypool.engine.refusal import Refused
from storypool.engine.sight import seen
from storypool.engine.table import Seat

MOVES = 10
"""How many moves are made with rules set aside."""


def stays_firm(game: Game, chance: random.Random) -> int:
    """Go on from this game in a copy that sets rules aside; return how many firm reasons were
    behind others.

    `Broken` if a move is open or made in spite of one.
    """
    copy = copy_of(game, chance)
    options = {**copy.table.options, "enforcement": chance.choice(("warn", "log"))}
    copy.keep([OptionsSet(options, copy.table.title)], copy.masters()[0])
    found = 0
    for _ in range(MOVES):
        seat = chance.choice(
            [seat for seat in copy.table.seats.values() if seat.here and seat.side != "spectator"]
        )
        listed = offers(copy.system, copy.table, seat.id)
        found += sum(_stands(copy, seat, one) for one in listed)
        _goes_on(copy, seat, listed)
    return found


def _stands(game: Game, seat: Seat, one: Offer) -> bool:
    """Whether a firm reason is behind one that can be set aside; `Broken` if the move is open in
    spite of it.
    """
    if not one.all_closed or not one.all_closed[0].overridable:
        return False
    move = game.system.by_key[one.key]
    turn = turn_about(turn_of(game.system, seen(game.table, seat), seat, move), move, "")
    if turn.option("enforcement") == "strict":
        # A rewind that was agreed to has taken the copy back to where it set nothing aside.
        return False
    if not any(_is_firm(turn, condition) for condition in _conditions(move)):
        return False
    if one.closed is None or one.closed.overridable:
        raise Broken("firm", move=one.key, text=one.all_closed[0].text)
    # The offer is about the action that a move is about which names none; about another it may be
    # open.
    args = {name: value for name, value in answers(game, seat, one.key) if name != "check"}
    try:
        decide(game.system, game.table, seat.id, one.key, args, roll=game.roll, override=True)
    except Refused:
        return True
    raise Broken("firm", move=one.key, text=one.all_closed[0].text)


def _conditions(move: Move) -> Iterator[Condition]:
    yield from (one for one in (move.when, move.window, *move.only_if) if one)


def _is_firm(turn: Turn, condition: Condition) -> bool:
    """Whether a condition gives or has a reason that nobody can set aside, or cannot be judged
    without another.
    """
    try:
        reason = condition(turn)
    except Refused:
        return True
    if reason is None or reason.firm:
        return reason is not None
    try:
        return bool(condition(turn.waiving()))
    except Exception:
        return True


def _goes_on(game: Game, seat: Seat, listed: list[Offer]) -> None:
    """Make a move, preferably one for which a rule is set aside; one that is refused is not
    made.
    """
    opened = [
        one for one in listed if one.closed is None and not one.key.startswith(("table.", "seat."))
    ]
    if not opened:
        return
    one = game.chance.choices(opened, [5 if one.all_closed else 1 for one in opened])[0]
    try:
        args = dict(answers(game, seat, one.key))
        events = decide(game.system, game.table, seat.id, one.key, args, roll=game.roll)
    except Refused:
        return
    # What may be read of what is hidden is checked by others, who know the moves that reveal it.
    game.words = {}
    game.keep(events, seat.id)
