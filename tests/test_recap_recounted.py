"""Two-hour evenings with every recap number counted again, from dice faces and the log.

It uses neither odds, recap nor ledger: pools are added up face by face, and points by their
records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import sqrt

import pytest

from storypool import systems
from storypool.engine.decisions import decide
from storypool.engine.events import (
    CheckChanged,
    CheckClosed,
    CheckOpened,
    DiceRolled,
    MoveMade,
    PeriodBegan,
    PointsSet,
    Record,
)
from storypool.engine.game.system import System
from storypool.engine.sight import records_of
from storypool.engine.table import Check
from storypool.lab import Setting, evening
from storypool.lab.evenings import Evening, read
from storypool.lab.study import prepare
from storypool.worth.session import session_recap
from storypool.worth.session_view import SessionView, view_session
from tests.fixed_set import cases

pytestmark = pytest.mark.slow

TWO_HOURS = 2 * 60 * 60 * 1000

AIRLOCK = """
goes_on = [
  "check.pass",
  "check.roll",
  "crisis.answer answer=refuse",
  "trouble.take",
  "track.test",
  "check.close",
]
[airlock]
title = "Behind the airlock"
scenes = 4
actions = 10
table = '''
seat Mona side=gm
seat Ann mira: name=Mira systems=3 logic=4
seat Bo odo: name=Odo brawl=3 strength=4
seat Cy sella: name=Sella persuade=4 charm=4
seat Mona warden: name=Warden dice=5
Mona session.begin
'''
players = { spends = ["dice.buy n=1|2", "check.reroll"], policy = "gains=0.1" }
gm = { spends = ["dice.buy n=1|2", "check.reroll"], policy = "gains=0.1" }
[airlock.deeds]
"Ann check.declare title='Open the airlock' pool='5d10' dc=2" = 1
"Ann check.declare title='Find the leak' pool='6d10' dc=1" = 1
"Ann check.declare title='Wake the old computer' pool='5d10' dc=3" = 1
"Ann check.declare title='Read the log of the crew' pool='5d10' dc=1" = 1
"Bo check.declare title='Hold the bulkhead' pool='6d10' dc=3" = 1
"Bo check.declare title='Carry Sella out' pool='5d10' dc=2" = 1
"Bo check.declare title='Break the lock' pool='6d10' dc=2" = 1
"Bo check.declare title='Jump the gap' pool='4d10' dc=2" = 1
"Cy check.declare title='Talk the warden down' pool='6d10' dc=3" = 1
"Cy check.declare title='Calm the passengers' pool='7d10' dc=2" = 1
"Cy check.declare title='Bluff on the intercom' pool='6d10' dc=2" = 1
"Mona check.declare as=warden title='Seal the deck' dc=1" = 1
"Mona check.declare as=warden title='Hunt them down' dc=2" = 2
"Mona check.declare as=warden title='Vent the air' dc=2" = 1
"""
SPENDS = {
    "c2d10": ("dice.buy", "check.reroll"),
    "destinydice": ("aspect.invoke",),
    "dune": ("dice.buy", "threat.harder"),
    "genesys": ("story.upgrade",),
    "starwars": ("destiny.upgrade",),
}
"""The moves on which each game's evenings spend points."""
POOLS: Mapping[str, Mapping[str, str]] = {
    "c2d10": {"hero": "players", "villain": "gm"},
    "destinydice": {"fate": "players", "budget": "gm"},
    "dune": {"momentum": "players", "threat": "gm"},
    "genesys": {"players": "players", "gm": "gm"},
    "starwars": {"light": "players", "dark": "gm"},
}


def shows(system: System, check: Check, die: str, face: int) -> int:
    """A face's contribution to success."""
    if die == "d20":
        return int(face <= int(check.terms["target"])) + int(face <= int(check.terms["critical"]))  # type: ignore[arg-type]
    kind = next(one for one in system.dice if one.name == die)
    symbols = kind.faces[face - kind.first]
    good, bad = ("success", "hope", "triumph"), ("failure", "despair")
    return sum(symbols[name] for name in good) - sum(symbols[name] for name in bad)


def needed(check: Check) -> int:
    """The total that a roll needs to pass."""
    for name in ("dc", "difficulty"):
        if isinstance(check.terms.get(name), int):
            return int(check.terms[name])  # type: ignore[arg-type]
    return 1


def rolls_of(system: System, check: Check) -> dict[int, Fraction]:
    """The chance of each total of the pool, added up die by die and face by face."""
    found = {0: Fraction(1)}
    for die, n in check.pool.items():
        kind = next(one for one in system.dice if one.name == die)
        faces = range(kind.first, kind.first + len(kind.faces))
        for _ in range(n):
            added: dict[int, Fraction] = {}
            for so_far, share in found.items():
                for face in faces:
                    at = so_far + shows(system, check, die, face)
                    added[at] = added.get(at, Fraction(0)) + share / len(faces)
            found = added
    return found


def chance(system: System, check: Check) -> Fraction:
    """The chance of the pool to pass."""
    return sum(
        (share for n, share in rolls_of(system, check).items() if n >= needed(check)), Fraction(0)
    )


@dataclass
class Spend:
    """A spend in the log."""

    seq: int
    who: str
    gm: bool
    check: str
    paid: Counter[str] = field(default_factory=Counter)
    added: Counter[str] = field(default_factory=Counter)
    gained: Fraction = Fraction(0)


@dataclass
class Roll:
    """A roll in the log, with its end."""

    seq: int
    check: Check
    chance: Fraction
    place: Fraction
    spread: Fraction
    passed: bool | None = None


@dataclass
class Counted:
    """An evening, counted from its records."""

    spends: list[Spend] = field(default_factory=list)
    rolls: dict[str, Roll] = field(default_factory=dict)
    balances: Counter[str] = field(default_factory=Counter)
    moved: Counter[str] = field(default_factory=Counter)
    at_actions: list[dict[str, int]] = field(default_factory=list)


def counted(
    records: list[Record], system: System, names: Mapping[str, str], masters: set[str]
) -> Counted:
    """Count an evening. A spend's records are between its move and the next."""
    of, checks, move = Counted(), dict[str, Check](), MoveMade("", "", {})
    before: Check | None = None
    spend: Spend | None = None

    def settle() -> None:
        nonlocal spend
        if spend is not None and before is not None and (spend.paid or spend.added):
            after = checks[before.id]
            theirs = (before.side == "gm") != spend.gm
            gained = (
                chance(system, after) - chance(system, before)
                if before.phase == "build"
                else again(before)
            )
            spend.gained = -gained if theirs else gained
            of.spends.append(spend)
        spend = None

    def again(check: Check) -> Fraction:
        """The gain in the action's chance by a re-rolled die."""
        assert check.outcome is not None
        has = sum(shows(system, check, one.die, one.face) for one in check.rolled)
        shown = shows(system, check, "d10", int(str(move.args["die"])))
        new = [has - shown + shows(system, check, "d10", face) for face in range(10)]
        return Fraction(sum(n >= needed(check) for n in new), 10) - int(has >= needed(check))

    for record in records:
        match record.event:
            case MoveMade() as made:
                settle()
                move, before = made, checks.get(made.check)
                if made.move in SPENDS[system.key]:
                    spend = Spend(record.seq, names[made.seat], made.seat in masters, made.check)
                    # Something else than points may pay.
                    spend.paid.update(["free"] if made.args.get("with") == "free" else [])
            case CheckOpened(check):
                checks[check.id] = check
                of.at_actions.append(dict(of.balances))
            case CheckChanged(check):
                checks[check.id] = check
            case PointsSet(account, owner, balance, delta):
                assert balance - delta == of.balances[account] if not owner else True
                of.balances[account] += delta
                if of.at_actions:
                    of.moved[account] += delta
                if spend is not None:
                    (spend.paid if delta < 0 else spend.added)[account] += abs(delta)
            case DiceRolled(check=id) if id in checks and checks[id].phase == "build":
                check, shown = checks[id], 0
                for one in record.event.rolled:
                    shown += shows(system, check, one.die, one.face)
                odds = rolls_of(system, check)
                places = {n: sum(p for m, p in odds.items() if m < n) + odds[n] / 2 for n in odds}
                spread = sum((p * places[n] ** 2 for n, p in odds.items()), Fraction(0)) - Fraction(
                    1, 4
                )
                of.rolls[id] = Roll(
                    record.seq, check, chance(system, check), Fraction(places[shown]), spread
                )
            case CheckClosed(id) if id in of.rolls:
                outcome = checks[id].outcome
                of.rolls[id].passed = outcome.passed if outcome else None
    settle()
    return of


@cache
def played(game: str) -> tuple[SessionView, Counted, tuple[Record, ...]]:
    """A two-hour evening of a GM and three players, its recap, and the recount."""
    brought: Evening = read(game, AIRLOCK)["airlock"] if game == "c2d10" else evening(game, "hard")
    lab = prepare(brought, Setting(), 11, keep=True)
    lab.play(0)
    ended = decide(lab.system, lab.table, "mona", "session.end", {}, roll=None)
    whole = [*lab.records, *records_of(ended, "mona", len(lab.records), 0)]
    begins = next(one.seq for one in whole if isinstance(one.event, PeriodBegan))
    timed = [
        one._replace(at=(one.seq - begins) * TWO_HOURS // (len(whole) - begins)) for one in whole
    ]
    recap = view_session(session_recap(timed, lab.system), lab.system, brought.title)
    seats = lab.table.seats
    names, masters = (
        {id: seat.name for id, seat in seats.items()},
        {id for id, s in seats.items() if s.side == "gm"},
    )
    return recap, counted(timed, lab.system, names, masters), tuple(timed)


GAMES = tuple(SPENDS)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_spent_point_is_in_the_recap(game: str) -> None:
    """It has the spender, points, purpose, gained chance, and each person's sum."""
    recap, found, _ = played(game)
    assert len(found.spends) > 10
    ours = [(one.seq, one.who, dict(one.paid), dict(one.added)) for one in found.spends]
    assert ours == [(one.seq, one.who, dict(one.points), dict(one.adds)) for one in recap.spends]
    assert [one.gained for one in found.spends] == [
        Fraction(one.gained or "9") for one in recap.spends
    ]
    assert [found.rolls[one.check].check.title for one in found.spends] == [
        one.action for one in recap.spends
    ]
    sums: dict[str, tuple[Counter[str], Fraction]] = {}
    for one in found.spends:
        points, gained = sums.get(one.who, (Counter[str](), Fraction(0)))
        if one.paid:
            sums[one.who] = points + one.paid, gained + one.gained
    word = systems.get(game).word
    kinds = {
        who: ", ".join(f"{n} {word(name, n)}" for name, n in points.items())
        for who, (points, _) in sums.items()
    }
    lines = []
    for who, (points, gained) in sums.items():
        n = points.total()
        spent = f"{n} points" if n > 1 else f"{n} point"
        if "free" in points:
            spent = kinds[who]
        elif len(points) > 1:
            spent += f" ({kinds[who]})"
        lines.append(f"{who} spent {spent}, worth {float(gained):.1f} results.")
    assert lines == list(recap.bought)


@pytest.mark.parametrize("game", cases(GAMES, ("starwars",), pytest.mark.slow))
def test_every_pool_follows_its_changes(game: str) -> None:
    """From the first action's balance to the final one every step is in the log."""
    recap, found, records = played(game)
    assert POOLS[game] == {pool.account: pool.side for pool in recap.pools}
    for pool in recap.pools:
        start, end = pool.steps[0][1], pool.steps[-1][1]
        assert start == found.at_actions[0].get(pool.account, 0)
        assert end == found.balances[pool.account] == start + found.moved[pool.account]
        seqs = {
            one.seq
            for one in records
            if isinstance(one.event, PointsSet) and one.event.account == pool.account
        }
        assert {seq for seq, _ in pool.steps[1:]} <= seqs


@pytest.mark.parametrize("game", GAMES)
def test_luck_matches_the_faces(game: str) -> None:
    """Each roll's place, the means of persons and players, and the range of fair dice."""
    recap, found, _ = played(game)
    system = systems.get(game)
    rolls = list(found.rolls.values())
    assert [(one.seq, one.chance, one.place) for one in rolls] == [
        (one.seq, Fraction(one.chance), Fraction(one.place)) for one in recap.rolls
    ]
    names: dict[str, list[Roll]] = {}
    for one in rolls:
        names.setdefault(one.check.actor, []).append(one)
    together = [one for one in rolls if one.check.side == "players"]
    rows = {(one.who.lower(), one.together): one for one in recap.luck}
    assert {*((who, False) for who in names), ("all the players", True)} == set(rows)
    for (who, is_side), row in rows.items():
        own = together if is_side else names[who]
        mean, reach = (
            sum(one.place for one in own) / len(own),
            164.5 * sqrt(sum(one.spread for one in own)) / len(own),
        )
        assert (len(own), round(100 * mean)) == (row.rolls, row.place), system.name
        assert (round(50 - reach), round(50 + reach)) == (row.low, row.high)


@pytest.mark.parametrize("game", GAMES)
def test_moments_are_the_three_heaviest(game: str) -> None:
    """They rank by distance from the likely result and by moved points, over all rolls."""
    recap, found, _ = played(game)
    weights: dict[int, Fraction] = {}
    for id, one in found.rolls.items():
        if one.passed is not None:
            spent = sum(
                (abs(spend.gained) for spend in found.spends if spend.check == id), Fraction(0)
            )
            weights[one.seq] = (1 - one.chance if one.passed else one.chance) + spent
    heaviest = sorted(weights, key=lambda seq: (-weights[seq], seq))[:3]
    assert heaviest == [one.seq for one in recap.hinges]
    for seq, hinge in zip(heaviest, recap.hinges, strict=True):
        [(id, roll)] = [(id, one) for id, one in found.rolls.items() if one.seq == seq]
        spends = [one.paid for one in found.spends if one.check == id]
        points = sum(one.total() - one["free"] for one in spends)
        assert roll.check.title in hinge.text
        chance = f"{round(100 * roll.chance)}\N{NO-BREAK SPACE}%"
        assert (
            f"{'success' if roll.passed else 'failure'}. The chance of success was {chance}"
            in hinge.text
        )
        assert (f", and {points} point" in hinge.text) == bool(points)


@pytest.mark.parametrize("game", GAMES)
def test_pointless_actions_are_counted(game: str) -> None:
    """Actions that began while a side had nothing, and the longest series of them."""
    recap, found, _ = played(game)
    assert POOLS[game] == {lock.account: lock.side for lock in recap.locks}
    for lock in recap.locks:
        empty = "".join("." if one.get(lock.account, 0) else "x" for one in found.at_actions)
        runs = [len(run) for run in empty.split(".") if run]
        assert (len(empty), empty.count("x")) == (lock.actions, lock.without)
        assert (len(runs), max(runs, default=0)) == (lock.times, lock.longest)


@pytest.mark.parametrize("game", GAMES)
def test_session_lines_match_the_log(game: str) -> None:
    """Two hours, scenes, rolls, passes, and ties in games with them."""
    recap, found, _ = played(game)
    passed = sum(one.passed is True for one in found.rolls.values())
    lines = {one.kind: one.text for one in recap.lines}
    assert "4 scenes in 2 h 0 min." == lines["length"]
    tied = sum(one.passed is None for one in found.rolls.values()) if game == "destinydice" else 0
    rolls = f"{len(found.rolls)} rolls, {passed} successful" + (f", {tied} tied." if tied else ".")
    assert lines["rolls"].startswith(rolls)
    assert (1, False) == (recap.session, recap.running)
