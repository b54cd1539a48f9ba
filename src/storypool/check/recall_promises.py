"""The promise about answers that are given again: they are what the rules answer about a table
folded again.
"""

from dataclasses import replace

from storypool.check.finding import Broken
from storypool.check.random_game import Game
from storypool.engine.game.system import System
from storypool.engine.offers import offers, remembered_offers
from storypool.engine.recall import Memory
from storypool.engine.table import Table
from storypool.engine.waiting import remembered_waiting, waiting


def check_memory(game: Game) -> None:
    """Check what every seat is offered and what it waits for: see the sentence
    `check.remembered`.
    """
    for seat in game.table.seats:
        found = wrongly_remembered(game.system, game.table, seat, game.memory)
        if found is not None:
            raise Broken("remembered", seat=seat, found=found[0], fresh=found[1])


def wrongly_remembered(
    system: System, table: Table, seat: str, memory: Memory
) -> tuple[str, str] | None:
    """Return the first remembered answer for this seat that is not what the rules answer, with
    that; else None.
    """
    # A copy shares no table with what was remembered.
    again = replace(table)
    remembered = [
        *remembered_offers(memory, system, table, seat),
        *remembered_waiting(memory, system, table, seat),
    ]
    fresh = [*offers(system, again, seat), *waiting(system, again, seat)]
    pairs = zip(map(repr, remembered), map(repr, fresh), strict=True)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)
