"""Two processes at one PostgreSQL database lose and double nothing when connections or servers die.

Planted and found: `relations._UPDATE_TABLES` without `old.last = new.was` and events that are put
in `ON CONFLICT DO NOTHING` (a log that is not as it was written). A commit whose answer is lost is
too rare to be hit here; the tests of the store make one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

from tools.cluster import Cluster, running
from tools.torture.harness import Harness, Run
from tools.torture.kills import Player, compare
from tools.torture.last import SPENDS, unfair
from tools.torture.serve import Answer, Caller, Party, Process, opened, serving
from tools.torture.talk import Talk

RACES, RACERS = 25, 16
"""The races for the last point in each try, and the clients of one."""
MOVES = 20
"""The moves acknowledged in each try while connections are cut."""
KILLED = 10
"""One try in this many kills the database, and another one of the two processes."""
TABLES = 10
"""The tries at the same tables."""


def shared(run: Run) -> None:
    """Race and play at two processes, repeatedly, while things go wrong under them."""
    with ExitStack() as stack:
        cluster = stack.enter_context(running(("recovery_init_sync_method=syncfs",)))
        database = cluster.new_database()
        servers = [
            stack.enter_context(serving(run.folder / name, database=database))
            for name in ("one", "other")
        ]
        slowest, at, parties, players = 0.0, -1, list[Party](), list[Player]()
        for n in run.numbers:
            if n // TABLES != at:
                at = n // TABLES
                seats = [f"P{i}" for i in range(RACERS)]
                party = opened(servers[0], "genesys", *seats, options={"trust": "players_set"})
                party.move(*SPENDS[0].begins)
                parties = [party, replace(party, port=servers[1].port)]
                players = [
                    Player(parties[i % 2], seat) for i, seat in enumerate(list(party.seats)[:4])
                ]
            _races(run, n, parties, lambda: cluster.cut(database))
            slowest = max(
                slowest, _play(run, n, cluster, database=database, servers=servers, players=players)
            )
            for one in parties:
                compare(run, n, one, players)
        run.notes.append(
            "The longest until a move was acknowledged after the database was killed:"
            f" {slowest:.1f} s."
        )


def _races(run: Run, n: int, parties: list[Party], cut: Callable[[], int]) -> None:
    """Race repeatedly, and compare both logs with the results."""
    with ExitStack() as stack:
        gm = stack.enter_context(parties[0].caller())
        callers = [
            stack.enter_context(parties[i % 2].caller(seat))
            for i, seat in enumerate(parties[0].seats)
        ]
        threads = stack.enter_context(ThreadPoolExecutor(RACERS))
        before = gm.get(parties[0].path)["seq"]
        for race in range(RACES):
            _race(
                run,
                n,
                parties[0],
                gm=gm,
                callers=callers,
                threads=threads,
                cut=cut if race % 2 else None,
            )
    for one in parties:
        with one.caller() as caller:
            records = caller.get(f"{one.path}/log?after={before}&limit=1000")["records"]
        balances = [
            record["event"]["balance"]
            for record in records
            if record["event"]["type"] == "points.set"
        ]
        if balances != [1, 0] * RACES:
            run.fail(n, f"the balance went from 1 to 0 {RACES} times, and the log has {balances}")


def _race(
    run: Run,
    n: int,
    party: Party,
    gm: Caller,
    callers: Sequence[Caller],
    threads: ThreadPoolExecutor,
    cut: Callable[[], int] | None,
) -> None:
    """Let clients at both processes spend the last point; `cut` cuts connections in the middle."""
    spend = SPENDS[0]
    given = {"move": "points.correct", "args": {"account": spend.account, "to": 1, "why": "a race"}}
    seq = gm.post(f"{party.path}/moves", **given)["seq"]
    gate = threading.Barrier(RACERS + 1)

    def race(caller: Caller) -> Answer:
        gate.wait()
        return party.ask(caller, spend.move, spend.args)

    asked = [threads.submit(race, caller) for caller in callers]
    gate.wait()
    if cut:
        time.sleep(0.01 * run.chance(n, seq).random())
        run.count("cuts", cut())
    answers = [future.result() for future in asked]
    run.count("races")
    if fault := unfair(answers):
        run.fail(n, f"the last point: {fault}")


def _play(
    run: Run, n: int, cluster: Cluster, database: str, servers: list[Process], players: list[Player]
) -> float:
    """Let people speak at both processes while things go wrong; returns a dead database's delay."""
    chance, waited = run.chance(n, "play"), 0.0

    def harm(talk: Talk) -> None:
        nonlocal waited
        if n % KILLED == 0:
            cluster.kill()
            run.count("database kills")
            began = time.monotonic()
            cluster.start()
            waited = talk.answered_since(began)
        elif n % KILLED == KILLED // 2:
            servers[1].kill()
            servers[1].start()
            # Its port may have been taken meanwhile: then it has the next.
            players[1].party.port = servers[1].port
            run.count("process kills")
        while not talk.enough.wait(chance.random() / 50):
            run.count("cuts", cluster.cut(database))

    Talk(run, n, players, MOVES).during(harm)
    return waited


HARNESS = Harness(
    "postgres",
    "At two processes over one PostgreSQL database, one of sixteen clients gets the last point, and"
    " no acknowledged move is lost or doubled while connections are cut and the database or a"
    " process is killed with -9.",
    "{races} races; {moves} acknowledged moves over {cuts} cut connections, {database kills} kills"
    " of the database and {process kills} of a process",
    quick=6,
    long=200,
    run=shared,
)
