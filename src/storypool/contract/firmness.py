"""A firm reason stays firm: an overridable reason never hides it.

This is tried at tables that only warn or only record.
"""

import random
from collections.abc import Iterator

from storypool.contract.answers import answers
from storypool.contract.finding import Broken
from storypool.contract.random_game import Game, copy_of
from storypool.engine.decisions import decide
from storypool.engine.events import OptionsSet
from storypool.engine.game.moves import Condition, Move
from storypool.engine.game.turn import Turn
from storypool.engine.offers import Offer, offers, turn_about, turn_of
from storypool.engine.refusal import Refused
from storypool.engine.sight import without_hidden
from storypool.engine.table import Seat

MOVES = 10
"""The number of moves made with rules set aside."""


def check_firmness(game: Game, chance: random.Random) -> int:
    """Go on in a copy that sets rules aside; return the number of firm reasons behind others.

    `Broken` if a move is open or made in spite of one.
    """
    copy = copy_of(game, chance)
    options = {**copy.table.options, "enforcement": chance.choice(("warn", "log"))}
    copy.keep([OptionsSet(options, copy.table.title)], next(iter(copy.table.seats)))
    found = 0
    for _ in range(MOVES):
        seat = chance.choice(
            [seat for seat in copy.table.seats.values() if seat.here and seat.side != "spectator"]
        )
        listed = offers(copy.system, copy.table, seat.id)
        found += sum(_holds_firm(copy, seat, one) for one in listed)
        _make_move(copy, seat, listed)
    return found


def _holds_firm(game: Game, seat: Seat, one: Offer) -> bool:
    """Whether a firm reason is behind an overridable one; `Broken` if the move is open anyway."""
    if not one.all_closed or not one.all_closed[0].overridable:
        return False
    move = game.system.by_key[one.key]
    turn = turn_about(turn_of(game.system, without_hidden(game.table, seat), seat, move), move, "")
    if turn.option("enforcement") == "strict":
        # An accepted rewind has taken the copy back to a strict table.
        return False
    if not any(_is_firm(turn, condition) for condition in _conditions(move)):
        return False
    if one.closed is None or one.closed.overridable:
        raise Broken("firm", move=one.key, text=one.all_closed[0].text)
    # The offer is about the default action; the move may be open for another one.
    args = {name: value for name, value in answers(game, seat, one.key) if name != "check"}
    try:
        decide(game.system, game.table, seat.id, one.key, args, roll=game.roll, override=True)
    except Refused:
        return True
    raise Broken("firm", move=one.key, text=one.all_closed[0].text)


def _conditions(move: Move) -> Iterator[Condition]:
    yield from (one for one in (move.when, move.window, *move.only_if) if one)


def _is_firm(turn: Turn, condition: Condition) -> bool:
    """Whether a condition gives or hides a firm reason, or cannot be judged without another."""
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


def _weight(one: Offer) -> int:
    return 5 if one.all_closed else 1


def _make_move(game: Game, seat: Seat, listed: list[Offer]) -> None:
    """Make a move, preferably one that sets a rule aside; a refused one is not made."""
    opened = [
        one for one in listed if one.closed is None and not one.key.startswith(("table.", "seat."))
    ]
    if not opened:
        return
    one = game.chance.choices(opened, list(map(_weight, opened)))[0]
    try:
        args = dict(answers(game, seat, one.key))
        events = decide(game.system, game.table, seat.id, one.key, args, roll=game.roll)
    except Refused:
        return
    # Other checks cover reading hidden text; they know the moves that reveal it.
    game.words = {}
    game.keep(events, seat.id)
