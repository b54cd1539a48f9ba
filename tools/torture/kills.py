"""After a kill -9 at any moment the server has every acknowledged move exactly once, in order.

Planted and found: `SqliteStore._commit` that resolves its futures before COMMIT (try 1 of the quick
form).
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock

from tools.torture.harness import Harness, Run
from tools.torture.serve import Gone, Party, Process, opened, serving

MOVES = 200
"""The most moves acknowledged before a kill."""


@dataclass
class Player:
    """A seat that speaks; an unanswered move is sent again, with the same token."""

    party: Party
    seat: str
    sent: int = 0
    asked: str = ""
    known: dict[str, int] = field(default_factory=dict)
    """The number of the record that each text was acknowledged with."""


def killed(run: Run) -> None:
    """Play and kill, repeatedly, on one folder."""
    with serving(run.folder / "data") as server:
        parties = [opened(server, "starwars", "Ann", "Bo"), opened(server, "dune", "Ann", "Bo")]
        players = [Player(party, seat) for party in parties for seat in party.seats]
        for n in run.numbers:
            chance = run.chance(n)
            _play(run, n, server, players, chance)
            run.count("kills")
            if chance.random() < 0.2:
                server.begin()
                time.sleep(chance.random())
                server.kill()
                run.count("kills")
            server.start()
            for party in parties:
                compare(run, n, party, [player for player in players if player.party is party])


def _play(run: Run, n: int, server: Process, players: list[Player], chance: random.Random) -> None:
    """Let everybody play until this many moves are acknowledged, and kill the server at once."""
    left, late, lock = (
        chance.randint(1, MOVES),
        chance.choice((0.0, 0.0, 0.003 * chance.random())),
        Lock(),
    )

    def play(player: Player, chance: random.Random) -> None:
        nonlocal left
        caller = player.party.caller(player.seat)
        while True:
            again = bool(player.known) and not player.asked and chance.random() < 0.1
            if not player.asked and not again:
                player.sent += 1
                player.asked = f"{player.seat} says {player.sent}"
            text = chance.choice(list(player.known)) if again else player.asked
            try:
                answer = player.party.ask(caller, "table.say", {"text": text}, token=text)
            except Gone:
                return
            if answer.status != 200:
                run.fail(n, f"{text} was answered {answer.status} {answer.body[:200]!r}")
                caller.close()
                return
            seq = int(answer.json["seq"])
            if player.known.setdefault(text, seq) != seq:
                run.fail(
                    n,
                    f"{text} was acknowledged as {player.known[text]}, and when repeated as {seq}",
                )
            player.asked = "" if text == player.asked else player.asked
            run.count("moves")
            with lock:
                left -= 1
                if not left:
                    time.sleep(late)
                    server.kill()

    chances = (run.chance(n, i) for i in range(len(players)))
    with ThreadPoolExecutor(len(players)) as threads:
        list(threads.map(play, players, chances))
    # If every player met a refusal, nobody has killed it.
    server.kill()


def compare(run: Run, n: int, party: Party, players: Sequence[Player]) -> None:
    """Compare the whole log with the acknowledged moves."""
    records, more = list[dict[str, object]](), True
    with party.caller() as caller:
        while more:
            page = caller.get(f"{party.path}/log?after={len(records)}&limit=1000")
            records, more = [*records, *page["records"]], page["more"]
    if [record["seq"] for record in records] != list(range(1, len(records) + 1)):
        run.fail(n, f"the log of {party.id} has a gap or a duplicate")
    found = dict[str, list[int]]()
    for record in records:
        event = record["event"]
        if isinstance(event, dict) and event["type"] == "words.said":
            found.setdefault(event["text"], []).append(int(str(record["seq"])))
    for player in players:
        for text, seq in player.known.items():
            if found.get(text) != [seq]:
                run.fail(
                    n, f"{text} was acknowledged as record {seq} and is at {found.get(text, [])}"
                )
    for text, places in found.items():
        if len(places) > 1:
            run.fail(n, f"{text} is there {len(places)} times")


HARNESS = Harness(
    "kills",
    "Every acknowledged move is there exactly once, in order, after the server was killed at any"
    " moment.",
    "{moves} acknowledged moves over {kills} kills with -9",
    quick=6,
    long=130,
    run=killed,
)
