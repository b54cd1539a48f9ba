"""The promise about what is asked: a number that a form offers is accepted, the least and the largest too."""

from collections.abc import Mapping

from storypool.check.finding import Broken
from storypool.check.random_game import Game
from storypool.engine.decisions import Decision
from storypool.engine.offers import Offer
from storypool.engine.refusal import Refused
from storypool.engine.table import Seat


def check_numbers(game: Game, seat: Seat, one: Offer, args: Mapping[str, object]) -> None:
    """Check of a move that can be made with these answers that none of its numbers is refused as such.

    Another reason, such as a price that cannot be paid, is not about the number.
    """
    for ask in one.asks:
        for n in (ask.low, ask.high) if ask.kind == "number" else ():
            try:
                Decision(game.system, game.table, seat.id, one.key, {**args, ask.name: n}, lambda die: die.first)
            except Refused as no:
                if no.refusal.field == ask.name:
                    raise Broken("number", move=one.key, ask=ask.name, n=n, text=no.refusal.text) from no
