"""Two processes at a PostgreSQL primary with a synchronous standby, which takes over after a kill.

Planted and found: `Cluster.follow` without `wait_for`, so that moves are acknowledged before the
standby has them (try 0 of the quick form).
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import replace

from tools.cluster import Cluster, either, replicated
from tools.torture.harness import Harness, Run
from tools.torture.kills import Player, compare
from tools.torture.serve import opened, serving
from tools.torture.talk import Talk

MOVES = 60
"""The least moves acknowledged in each try."""


def promoted(run: Run) -> None:
    """Kill the primary and promote its standby, repeatedly, with a new standby each time."""
    slowest = 0.0
    with ExitStack() as stack:
        pair = list(stack.enter_context(replicated()))
        database = either(pair[0].new_name(), *pair)
        servers = [
            stack.enter_context(serving(run.folder / name, database=database))
            for name in ("one", "other")
        ]
        party = opened(servers[0], "starwars", *(f"P{i}" for i in range(6)))
        parties = [party, replace(party, port=servers[1].port)]
        players = [Player(parties[i % 2], seat) for i, seat in enumerate(party.seats)]
        for n in run.numbers:
            slowest = max(slowest, _play(run, n, pair, database, players))
            for one in parties:
                compare(run, n, one, players)
    run.notes.append(f"The longest until a move was acknowledged again: {slowest:.1f} s.")


def _play(run: Run, n: int, pair: list[Cluster], database: str, players: list[Player]) -> float:
    """Let the standby take over while people speak at both processes; returns their delay."""
    chance, waited = run.chance(n), 0.0

    def harm(talk: Talk) -> None:
        nonlocal waited
        primary, standby = pair
        time.sleep(chance.random())
        if chance.random() < 0.5:
            run.count("cuts", primary.cut(database))
        primary.kill()
        run.count("kills")
        killed = time.monotonic()
        standby.promote()
        waited = talk.answered_since(killed)
        primary.follow(standby)
        pair.reverse()

    Talk(run, n, players, MOVES).during(harm)
    return waited


HARNESS = Harness(
    "standby",
    "When the primary of a PostgreSQL database is killed with -9 and its synchronous standby is"
    " promoted, no acknowledged move is lost or doubled, and moves go on.",
    "{moves} acknowledged moves at two processes over {kills} kills of the primary and {cuts} cut"
    " connections",
    quick=2,
    long=20,
    run=promoted,
)
