"""A second count of recap lines over plays and random games, for each seat's view of the log.

It uses neither recap, ledger nor moments: dice are counted by faces, and points by records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from storypool import systems
from storypool.contract.random_play import play
from storypool.engine.dice import Rolled
from storypool.engine.events import (
    CheckChanged,
    CheckClosed,
    CheckOpened,
    DiceRolled,
    MoveMade,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    ProposalSettled,
    Proposed,
    Record,
    Rewound,
)
from storypool.engine.game.moment_panel import MomentPanel
from storypool.engine.game.system import System
from storypool.engine.sight import shown
from storypool.engine.table import Check, Seat
from storypool.worth.session import SessionRecap, session_recap
from storypool.worth.session_view import view_session
from tests.fixed_set import each_fifth
from tests.performed_plays import played

SETTING = ("points.correct", "session.begin", "session.end")
OWN = {"destinydice": ("fate",), "dune": ("determination", "advancement")}
"""The points of characters that can pay."""
HARM = ("strain", "wounds")
"""The accounts that a price may raise."""


@cache
def logs(key: str, step: int) -> list[tuple[System, tuple[Record, ...], tuple[Seat, ...]]]:
    """The logs of every nth play of a game and of two random games, with their seats."""
    found = []
    for name in list(systems.plays(key))[::step]:
        performance = played(key, name)
        found.append(
            (
                performance.system,
                tuple(performance.records),
                tuple(performance.statements[-1][1].seats.values()),
            )
        )
    for seed in (0, 3):
        game = play(systems.get(key), seed, 60)
        found.append((game.system, tuple(game.records), tuple(game.table.seats.values())))
    return found


def kept(records: tuple[Record, ...], seat: Seat) -> list[Record]:
    """A seat's view of a log, without undone records."""
    after: dict[int, list[Record]] = {0: []}
    for record in records:
        theirs, before = shown(record, seat), after[record.seq - 1]
        if isinstance(theirs.event, Rewound):
            after[record.seq] = after[theirs.event.to]
        else:
            after[record.seq] = [*before, theirs]
    return after[records[-1].seq]


def latest(records: list[Record]) -> list[Record]:
    """The records of the latest session, from its start."""
    begins = [
        i
        for i, one in enumerate(records)
        if isinstance(one.event, PeriodBegan) and one.event.kind == "session"
    ]
    return records[begins[-1] :] if begins else []


def running(records: list[Record]) -> Iterator[Record]:
    """The records of a session up to its end."""
    for record in records:
        yield record
        if isinstance(record.event, PeriodEnded) and record.event.kind == "session":
            return


def rolled_faces(records: list[Record], known: set[str]) -> Iterator[tuple[str, int]]:
    """Each die and face of actions that a seat saw: those that an action had in the end."""
    ends = dict[str, tuple[Rolled, ...]]()
    for record in running(records):
        match record.event:
            case CheckOpened(check):
                known.add(check.id)
            case CheckChanged(check):
                known.add(check.id)
                ends |= {check.id: check.rolled} if check.rolled else {}
            case DiceRolled(id, rolled=rolled) if id in known:
                ends.setdefault(id, rolled)
            case CheckClosed(id=id, how="cancelled"):
                ends.pop(id, None)
    for dice in ends.values():
        yield from ((one.die, one.face) for one in dice)


def moments(system: System, dice: list[tuple[str, int]]) -> dict[str, int]:
    """The number of each remembered face, by the title of its moment.

    What a roll brings only once it is taken is not among them.
    """
    found: Counter[str] = Counter()
    for panel in system.panels:
        if not isinstance(panel, MomentPanel) or panel.kept:
            continue
        if panel.symbols or panel.faces:
            for name, face in dice:
                die = next(one for one in system.dice if one.name == name)
                symbols = set(die.faces[face - die.first])
                hit = (name == panel.die and face in panel.faces) or symbols & set(panel.symbols)
                found[panel.title] += bool(hit)
    return {title: n for title, n in found.items() if n > 0}


def rolls(records: list[Record]) -> tuple[int, int, int]:
    """The numbers of finished actions with dice, of passes, and of neutral ones."""
    checks, done = dict[str, Check](), list[Check]()
    for record in running(records):
        match record.event:
            case CheckOpened(check) | CheckChanged(check):
                checks[check.id] = check
            case CheckClosed(id=id, how="done") if (
                id in checks and checks[id].rolled and checks[id].outcome
            ):
                done.append(checks[id])
    ends = [one.outcome.passed for one in done if one.outcome]
    return len(done), ends.count(True), ends.count(None)


def rolled(system: System, n: int, passed: int, neither: int) -> str:
    """The recap's text for that many rolls."""
    number = "1 roll" if n == 1 else f"{n} rolls"
    successes = f", {passed} successful" if passed else ", none successful"
    if system.key == "destinydice":
        return f"{number}{successes if n else ''}" + (f", {neither} tied." if neither else ".")
    if neither == n:
        return f"{number}."
    what = "opposed another roll" if system.key == "dune" else "neither passed nor failed"
    return f"{number}{successes}" + (f", {neither} that {what}." if neither else ".")


def actions(records: list[Record], known: set[str]) -> int:
    """The number of started or revealed actions, without cancelled ones."""
    started, off = set[str](), set[str]()
    for record in records:
        match record.event:
            case CheckOpened(check) | CheckChanged(check) if check.id not in known:
                started.add(check.id)
            case CheckClosed(id=id, how="cancelled"):
                off.add(id)
    return len(started - off)


def paid(system: System, whole: list[Record], records: list[Record]) -> Counter[str]:
    """The points paid in a session, from pools, from rolls, and as strain."""
    total, owed, move, turned = (
        Counter[str](),
        dict[str, Check](),
        None,
        system.words.get("points.turned"),
    )
    of, proposals = dict[str, tuple[str, Counter[str]]](), dict[str, str]()
    taken, first = Counter[str](), records[0].seq if records else 0
    for record in whole:
        match record.event:
            case None:
                move = None
            case MoveMade() as made:
                move, taken = made, Counter[str]()
                of[str(record.seq)] = (made.check, taken)
                if record.seq < first:
                    del of[str(record.seq)]
            case CheckOpened(check) | CheckChanged(check):
                before = owed.get(check.id)
                owed[check.id] = check
                row = system.by_key.get(move.move) if move else None
                if (
                    row
                    and row.price
                    and before
                    and before.outcome
                    and before.outcome == check.outcome
                ):
                    taken.update(
                        {
                            name: n - check.owed[name]
                            for name, n in before.owed.items()
                            if n > check.owed[name]
                        }
                    )
            case PointsSet(account, _, _, delta, why) if backs := [
                id
                for id, one in owed.items()
                if why == system.words.say("points.refund", what=one.title)
            ]:
                # The ledger says for which action it comes back.
                had = [one for id, one in of.values() if id in backs and one[account]]
                for one in had[::-1]:
                    back = min(abs(delta), one[account])
                    one[account] -= back
                    delta = max(0, abs(delta) - back)
            case PointsSet(account, _, _, delta, why) if (
                move and account in system.by_account and why != turned
            ):
                row = system.by_key.get(move.move)
                if row and row.price and (delta > 0 or account not in HARM):
                    taken[account] += abs(delta)
            case Proposed(proposal) if str(max(map(int, of), default=0)) in of:
                proposals[proposal.id] = str(max(map(int, of)))
            case ProposalSettled(id, False):
                of.pop(proposals.get(id, ""), None)
            case CheckClosed(id=id, how=how):
                owed.pop(id, None)
                if how == "cancelled":
                    of = {seq: one for seq, one in of.items() if one[0] != id}
    for _, one in of.values():
        total.update(one)
    return +total


def swing(system: System, records: list[Record]) -> int:
    """The largest change of a balance in one direction from the first action on; 0 for a tie.

    Changes of one move count together, and so do those of moves after each other.
    """
    own, at, move, acted = OWN.get(system.key, ()), 0, "session.begin", False
    by_move: dict[tuple[str, str], list[tuple[int, int, int]]] = {}
    for record in running(records):
        match record.event:
            case None:
                at, move = record.seq, ""
            case MoveMade() as made:
                at, move = record.seq, made.move
            case CheckOpened() | CheckChanged() if not acted:
                acted = True
                by_move.clear()
            case PointsSet(account, owner, balance, delta) if (
                move not in SETTING and account in system.by_account
            ):
                if not owner or account in own:
                    changes = by_move.setdefault((account, owner), [])
                    start = balance - delta
                    if changes and changes[-1][0] == at:
                        start = changes.pop()[1]
                    changes.append((at, start, balance))
    found = list[int]()
    for changes in by_move.values():
        runs, last = [0], None
        for _, start, end in changes:
            if start == end:
                continue
            if start != last or (runs[-1] > 0) != (end > start):
                runs.append(0)
            runs[-1] += end - start
            last = end
        found += map(abs, runs)
    *_, second, most = 0, 0, *sorted(found)
    return most if most > second else 0


def emptied(account: str, whole: list[Record], session: list[Record]) -> tuple[bool, bool]:
    """Whether a pool was empty after a move from the first action on, and ever in the session."""
    surely, first, acted = False, session[0].seq if session else 0, False
    balance, ever, over = 0, False, not session
    for record in whole:
        match record.event:
            case MoveMade() | None:
                surely |= acted and not over and balance <= 0
            case CheckOpened() | CheckChanged() if record.seq >= first:
                acted = True
            case PointsSet(name, "", n) if name == account:
                balance = n
            case PeriodEnded(kind="session") if record.seq >= first:
                over = True
        ever |= record.seq >= first and not over and balance <= 0
    return surely, ever


@pytest.mark.slow
@each_fifth
@pytest.mark.parametrize("key", systems.names())
def test_every_line_matches_the_log(key: str, step: int) -> None:
    """Rolls, moments, biggest swing and spends hold for each seat of every table."""
    for system, records, seats in logs(key, step):
        for seat in seats:
            whole = kept(records, seat)
            session = latest(whole)
            recap = session_recap((shown(one, seat) for one in records), system, chances=False)
            lines = {line.kind: line.text for line in recap.short.lines}
            known = {
                one.event.check.id
                for one in whole[: len(whole) - len(session)]
                if isinstance(one.event, CheckOpened)
            }
            dice = list(rolled_faces(session, set(known)))
            for title, n in moments(system, dice).items():
                assert (f"{title} ({n} times)" if n > 1 else title) in lines["moments"], (title, n)
            assert lines.get("rolls", "0 rolls.").startswith(rolled(system, *rolls(session)))
            assert swing(system, session) == swung(recap)
            assert {actions(session, known)} >= {lock.actions for lock in recap.locks}
            assert paid(system, whole, session) == spent(recap, system)
            for lock in recap.locks:
                if system.by_account[lock.account].each == "table":
                    surely, ever = emptied(lock.account, whole, session)
                    assert surely <= lock.dry <= ever, (lock, seat)


def test_free_invokes_are_listed_with_purchases() -> None:
    """They are listed next to the points without being points."""
    performance = played("destinydice", "free-invokes.play")
    recap = view_session(
        session_recap(performance.records, performance.system), performance.system, "An evening"
    )
    assert any("free invoke" in line for line in recap.bought), recap.bought
    assert all("0 points" not in line for line in recap.bought)


def swung(recap: SessionRecap) -> int:
    """The size of a recap's biggest swing."""
    for line in recap.short.lines:
        if line.kind == "swing":
            words = line.text.removesuffix(".").split()
            return abs(int(words[-1]) - int(words[-3]))
    return 0


def spent(recap: SessionRecap, system: System) -> Counter[str]:
    """The points of all spends of a recap."""
    total: Counter[str] = Counter()
    for one in recap.spends:
        total.update(one.points)
        total.update(one.adds)
    return Counter({name: n for name, n in total.items() if name in system.by_account})
