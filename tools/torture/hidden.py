"""Players get the same bytes with and without hidden work of the GM, in every game.

Found in the source, and fixed: an order of turns that went on to a hidden slot when a character
left it, and a concession that was refused because of a hidden attack.
"""

from __future__ import annotations

import random

from storypool import systems
from storypool.contract.finding import Broken
from storypool.contract.hidden_work import hidden_work
from storypool.contract.random_play import play
from tools.torture.harness import Harness, Run

BEFORE, AFTER = 20, 60
"""The moves of random play before, and those made with and without hidden work."""


def worked(run: Run) -> None:
    """Play each game in turn at random, and then continue twice, with and without hidden work."""
    games = systems.find()
    for n in run.numbers:
        chance, key = run.chance(n), list(games)[n % len(games)]
        try:
            game = play(systems.get(key), chance.randrange(10**9), BEFORE)
            run.count("moves", hidden_work(game, random.Random(chance.random()), moves=AFTER))
        except Broken as broken:
            run.fail(n, f"{key}: {str(broken)[:1000]}")
        run.count("games")


HARNESS = Harness(
    "hidden",
    "What players receive is the same, character for character, with and without hidden work of"
    " the GM.",
    "{moves} hidden moves in {games} random games",
    quick=20,
    long=550,
    run=worked,
)
