"""Of several clients who race for the last point, exactly one gets it.

Planted and found: `live.writer._decided` that decides on what is stored, `folded.stored` (55 of 60
races).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

from tools.torture.harness import Harness, Run
from tools.torture.serve import Answer, Caller, Party, opened, serving

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
    gate, answers, lock = threading.Barrier(len(racers)), list[Answer](), threading.Lock()

    def race(caller: Caller) -> None:
        with caller:
            caller.get(f"{party.path}?seat=")
            gate.wait()
            answer = caller.ask(
                "POST", f"{party.path}/moves", {"move": spend.move, "args": spend.args}
            )
        with lock:
            answers.append(answer)

    threads = [threading.Thread(target=race, args=(party.caller(seat),)) for seat in racers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.count("races")
    run.count("clients", len(racers))
    got = [answer for answer in answers if answer.status == 200]
    refused = [
        answer
        for answer in answers
        if answer.status == 409 and answer.json["error"]["code"] == "price"
    ]
    if len(got) != 1 or len(got) + len(refused) != len(racers):
        run.fail(
            n, f"{len(got)} of {len(racers)} got the last {spend.account}: {answers[0].body!r}"
        )
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


def _statuses(answers: list[Answer]) -> str:
    texts = []
    for one in answers:
        code = one.json["error"]["code"] if one.status != 200 else ""
        texts.append(f"{one.status} {code}")
    return "; ".join(texts)


HARNESS = Harness(
    "last",
    "Of two to eight clients who spend the last point at once, one gets what it buys, the others"
    " the refusal, and the balance is 0.",
    "{races} races of {clients} clients",
    quick=60,
    long=2000,
    run=raced,
)
