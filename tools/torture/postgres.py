"""Two processes at one PostgreSQL database, with its connections cut and its server killed, lose and double nothing.

Planted and found: `relations._UPDATE_TABLES` without `old.last = new.was` and events that are put in `ON CONFLICT DO
NOTHING` (a log that is not as it was written). A commit whose answer is lost is too rare to be hit here; the tests of
the store make one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

from tools.cluster import Cluster, running
from tools.torture.harness import Harness, Run
from tools.torture.kills import Player, compare
from tools.torture.last import SPENDS
from tools.torture.serve import WAIT, Answer, Caller, Gone, Party, Process, opened, serving

RACES, RACERS = 25, 16
"""How often the last point is spent in each try, and by how many clients."""
MOVES = 60
"""How many moves are acknowledged in each try while connections are cut."""
KILLED = 3
"""In each try of so many the database is killed, and in another one of the two processes."""
TABLES = 40
"""After how many tries new tables are opened."""


def shared(run: Run) -> None:
    """Race and play at two processes, over and over, while things go wrong under them."""
    with ExitStack() as stack:
        cluster = stack.enter_context(running(("recovery_init_sync_method=syncfs",)))
        database = cluster.new_database()
        servers = [stack.enter_context(serving(run.folder / name, database=database)) for name in ("one", "other")]
        slowest, at, parties, players = 0.0, -1, list[Party](), list[Player]()
        for n in run.numbers:
            if n // TABLES != at:
                at = n // TABLES
                seats = [f"P{i}" for i in range(RACERS)]
                party = opened(servers[0], "genesys", *seats, options={"trust": "players_set"})
                party.move(*SPENDS[0].begins)
                parties = [party, replace(party, port=servers[1].port)]
                players = [Player(parties[i % 2], seat) for i, seat in enumerate(list(party.seats)[:4])]
            for race in range(RACES):
                _race(run, n, parties, (lambda: cluster.cut(database)) if race % 2 else None)
            slowest = max(slowest, _play(run, n, cluster, database, servers, players))
            for one in parties:
                compare(run, n, one, players)
        run.notes.append(f"The longest until a move was acknowledged after the database was killed: {slowest:.1f} s.")


def _race(run: Run, n: int, parties: list[Party], cut: Callable[[], int] | None) -> None:
    """Let clients at both processes spend the last point, and cut connections in the middle if that is given."""
    spend, party = SPENDS[0], parties[0]
    seq = party.move("points.correct", account=spend.account, to=1, why="a race")["seq"]
    gate, answers, lock = threading.Barrier(RACERS + 1), list[Answer](), threading.Lock()

    def race(caller: Caller) -> None:
        with caller:
            caller.get("/api/session")
            gate.wait()
            answer = caller.ask("POST", f"{party.path}/moves", {"move": spend.move, "args": spend.args})
        with lock:
            answers.append(answer)

    callers = [parties[i % 2].caller(seat) for i, seat in enumerate(party.seats)]

    def harm() -> None:
        gate.wait()
        if cut:
            time.sleep(0.01 * run.chance(n, seq).random())
            run.count("cuts", cut())

    _together([harm, *(lambda caller=caller: race(caller) for caller in callers)])
    run.count("races")
    got = [answer for answer in answers if answer.status == 200]
    refused = [answer for answer in answers if answer.status == 409 and answer.json["error"]["code"] == "price"]
    if len(got) != 1 or len(got) + len(refused) != RACERS:
        said = [answer.body[:150] for answer in answers if answer not in got and answer not in refused]
        run.fail(n, f"{len(got)} of {RACERS} got the last point, {len(refused)} were refused: {said}")
    for one in parties:
        with one.caller() as gm:
            records = gm.get(f"{one.path}/log?after={seq}&limit=1000")["records"]
        spent = [record["event"]["balance"] for record in records if record["event"]["type"] == "points.set"]
        if spent != [0]:
            run.fail(n, f"the balance went from 1 to {spent}")


def _play(run: Run, n: int, cluster: Cluster, database: str, servers: list[Process], players: list[Player]) -> float:
    """Let people speak at both processes while things go wrong; return how long a killed database kept them waiting."""
    chance, over = run.chance(n, "play"), threading.Event()
    left, waited = MOVES, 0.0
    lock, moved = threading.Lock(), threading.Event()

    def play(player: Player) -> None:
        nonlocal left
        while not over.is_set():
            if not player.asked:
                player.said += 1
                player.asked = f"{player.seat} says {player.said}"
            body = {"move": "table.say", "args": {"text": player.asked}, "token": player.asked}
            with player.party.caller(player.seat) as caller:
                try:
                    answer = caller.ask("POST", f"{player.party.path}/moves", body)
                except Gone:
                    # Its process was killed: the same with the same token when it is back, or at the other one.
                    time.sleep(0.05)
                    continue
            if answer.status == 503:
                run.count("unavailable")
                continue
            if answer.status != 200:
                run.fail(n, f"{player.asked} was answered {answer.status} {answer.body[:200]!r}")
                return
            player.known[player.asked] = int(answer.json["seq"])
            player.asked = ""
            run.count("moves")
            moved.set()
            with lock:
                left -= 1
                if left <= 0:
                    over.set()

    def harm() -> None:
        nonlocal waited
        if n % KILLED == 0:
            cluster.kill()
            run.count("database kills")
            begun = time.monotonic()
            cluster.start()
            moved.clear()
            moved.wait(WAIT)
            waited = time.monotonic() - begun
        elif n % KILLED == KILLED // 2:
            servers[1].kill()
            servers[1].start()
            # Its port may have been taken meanwhile: then it has the next.
            players[1].party.port = servers[1].port
            run.count("process kills")
        while not over.is_set():
            time.sleep(chance.random() / 50)
            run.count("cuts", cluster.cut(database))

    _together([harm, *(lambda player=player: play(player) for player in players)])
    return waited


def _together(works: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


HARNESS = Harness(
    "postgres",
    "At two processes over one PostgreSQL database, one of sixteen clients gets the last point, and no acknowledged "
    "move is lost or doubled while connections are cut and the database or a process is killed with -9.",
    "{races} races; {moves} acknowledged moves over {cuts} cut connections, {database kills} kills of the database and "
    "{process kills} of a process",
    quick=6,
    long=60,
    run=shared,
)
