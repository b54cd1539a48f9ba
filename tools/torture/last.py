"""Of several clients who race for the last point, exactly one gets it.

Planted and found: `live.writer._decided` that decides on what is stored, `folded.stored` (55 of 60
races).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, NamedTuple

from tools.torture.harness import Harness, Run
from tools.torture.serve import Answer, Party, opened, serving

MOST = 8
"""The most clients in a race."""
TABLES = 250
"""The races at one table."""


class Spend(NamedTuple):
    """A game, and the moves that every player may pay for with the last point of an account."""

    system: str
    account: str
    move: str
    args: Mapping[str, object]
    begins: tuple[str, ...]


SPENDS = (
    Spend("genesys", "players", "story.fact", {"text": "A door"}, ("session.begin",)),
    Spend(
        "starwars", "light", "destiny.fact", {"text": "A door"}, ("session.begin", "destiny.begin")
    ),
)


def raced(run: Run) -> None:
    """Race, repeatedly, at a table of each game."""
    with serving(run.folder / "data") as server:
        tables: dict[int, Party] = {}
        for n in run.numbers:
            spend, at = SPENDS[n % len(SPENDS)], n % len(SPENDS) + len(SPENDS) * (n // TABLES)
            if at not in tables:
                party = tables[at] = opened(
                    server,
                    spend.system,
                    *(f"P{i}" for i in range(MOST)),
                    options={"trust": "players_set"},
                )
                for move in spend.begins:
                    party.move(move)
            _race(run, n, tables[at], spend)


def _race(run: Run, n: int, party: Party, spend: Spend) -> None:
    racers = run.chance(n).sample(sorted(party.seats), run.chance(n, "many").randint(2, MOST))
    seq = party.move("points.correct", account=spend.account, to=1, why="a race")["seq"]
    gate = Barrier(len(racers))

    def race(seat: str) -> Answer:
        with party.caller(seat) as caller:
            caller.get(f"{party.path}?seat=")
            gate.wait()
            return party.ask(caller, spend.move, spend.args)

    with ThreadPoolExecutor(len(racers)) as threads:
        answers = list(threads.map(race, racers))
    run.count("races")
    run.count("clients", len(racers))
    if fault := unfair(answers):
        run.fail(n, f"the last {spend.account}: {fault}")
    with party.caller() as gm:
        page: Any = gm.get(f"{party.path}/log?after={seq}&limit=1000")
    events = [record["event"] for record in page["records"]]
    balances = [
        event["balance"]
        for event in events
        if event["type"] == "points.set" and event["account"] == spend.account
    ]
    if balances != [0]:
        run.fail(n, f"the balance of {spend.account} went from 1 to {balances}")


def unfair(answers: Sequence[Answer]) -> str:
    """The fault of a race, or "": one gets the point, and everybody else the refusal of a price."""
    got = [one for one in answers if one.status == 200]
    refused = [one for one in answers if one.status == 409 and one.json["error"]["code"] == "price"]
    if len(got) == 1 and len(refused) == len(answers) - 1:
        return ""
    others = [one.body[:150] for one in answers if one not in got and one not in refused]
    return f"{len(got)} of {len(answers)} got it, {len(refused)} were refused: {others}"


HARNESS = Harness(
    "last",
    "Of two to eight clients who spend the last point at once, one gets what it buys, the others"
    " the refusal, and the balance is 0.",
    "{races} races of {clients} clients",
    quick=60,
    long=2000,
    run=raced,
)
