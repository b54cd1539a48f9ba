"""C2D10: the bounds of both pools, prices, the ledger, the panels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from storypool.cli.offered import lines
from storypool.engine import house
from storypool.engine.bag import Bag
from storypool.engine.decisions import decision_of
from storypool.engine.dice import Die
from storypool.engine.events import CharacterSet, Event, PointsSet, Rewound
from storypool.engine.fold import evolve
from storypool.engine.offers import offer, offers
from storypool.engine.refusal import Refused
from storypool.engine.table import NO_USES, Character, Check, Points, Purse, Table
from storypool.live.folded import unfold
from storypool.play import Performance, perform, read
from storypool.systems import folder, get
from storypool.systems.c2d10 import prices
from storypool.web.wire import took_price
from storypool.words import english
from tests.vectors import vectors

SYSTEM = get("c2d10")
PLAYS = Path(__file__).parent.parent / "plays"
CAP = {"hero": 10, "villain": 20}
FACES = (0, 1, 7, 9)
"""A setback, a blank, one success, two: every other face is equal to one of these."""
COUNTED = ("bought", "rerolled", "added", "settled", "attempt")
"""The terms of a test that decide about points; the others are constant here."""


def opened(**options: str) -> Table:
    """A small table: the Keeper with an enemy, one player with a hero."""
    table = Table()
    hero = Character("mira", "Mira", "players", "ann", {"dice": 1})
    enemy = Character("thug", "Thug", "gm", "", {"dice": 1})
    table = evolve(
        table, house.open_table(SYSTEM, "A small table", {"trust": "players_set", **options})
    )
    for name, side in (("gm", "gm"), ("ann", "player")):
        table = evolve(table, house.take_seat(SYSTEM, table, name, side))  # type: ignore[arg-type]
    for one in (hero, enemy):
        table = evolve(table, CharacterSet(one))
    table = after(table, "gm", "session.begin", {})[0]
    return after(table, "gm", "conflict.open", {"title": "A fight", "type": "opposed", "dc": 1})[0]


def after(
    table: Table, seat: str, key: str, args: dict[str, Any], faces: tuple[int, ...] = ()
) -> tuple[Table, list[Event]]:
    """The table after a move with these faces, and its events."""
    left = list(faces)

    def roll(die: Die) -> int:
        return left.pop(0)

    made = decision_of(SYSTEM, table, seat, key, args, roll=roll)
    return made.tables[-1], made.events


def check_of(table: Table) -> Check | None:
    """The open test of the small table, or None."""
    return next(iter(table.checks.values()), None)


State = tuple[Any, ...]


def state(table: Table) -> State:
    """The state that moves with points depend on: both pools, the session, parts of the test.

    The points spent on it come back before the roll, and never after.
    """
    check = check_of(table)
    what: State = ()
    if check is not None:
        faces = tuple(sorted((each.die, each.face) for each in check.rolled))
        terms = tuple(check.terms.get(key) for key in COUNTED)
        if check.phase == "build":
            spent = tuple(sorted(check.spent.items()))
        else:
            spent = ()
        owed = tuple(sorted(check.owed.items())), tuple(sorted(check.left.items())), spent
        what = (
            check.actor,
            check.phase,
            faces,
            terms,
            owed,
            check.outcome and check.outcome.passed,
        )
    return (table.balance("hero"), table.balance("villain"), "session" in table.running, what)


CONFLICT = {trait.id: trait for trait in opened().traits.values() if trait.kind == "conflict"}
"""The conflict of the small table, which never ends."""


def forgotten(table: Table) -> Table:
    """The table without its history: strain and counts."""
    points = Points.of_the_table({name: table.balance(name) for name in CAP}).with_count(
        Purse("crisis", "mira"), 1
    )
    seq = table.seq if table.checks else 1000
    return replace(
        table,
        traits=CONFLICT,
        points=points,
        uses=NO_USES,
        undo_to=0,
        redo_to=0,
        dice_at=0,
        periods=Bag(),
        seq=seq,
    )


def rolls(n: int) -> Iterator[tuple[int, ...]]:
    """Every roll of n dice, in any order, with one face for all equal ones."""
    if not n:
        yield ()
        return
    for face in FACES:
        for rest in rolls(n - 1):
            yield (face, *rest)


IDLE: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("gm", "session.begin", {}),
    ("gm", "session.end", {}),
    ("gm", "scene.begin", {}),
    ("gm", "dire.situation", {"why": "So", "n": 1}),
    ("gm", "dire.circumstance", {"why": "So", "n": 2}),
    ("gm", "session.begin", {"keep": "So"}),
    ("ann", "circumstance.create", {"text": "Rain", "way": "harder"}),
    ("gm", "asset.create", {"text": "Dogs"}),
    ("ann", "check.declare", {"as": "mira", "pool": "1 crisis"}),
    ("ann", "information.seek", {"as": "mira", "pool": "1 crisis", "dc": 1}),
    ("gm", "check.declare", {"as": "thug", "pool": "1d10"}),
)
ACTING = {
    "build": ("dice.buy", "check.roll", "check.cancel"),
    "rolled": ("check.reroll", "success.buy", "initiative.seize", "trouble.take", "check.close"),
}
"""The moves that change points of either pool, and those that lead to them."""
SPENDING = ("dice.buy", "check.reroll", "success.buy", "initiative.seize")
POINTS = [(hero, villain) for hero in range(11) for villain in range(21)]
"""The possible balances of both pools."""


def possible(table: Table, spending: bool) -> Iterator[tuple[str, str, dict[str, Any], int]]:
    """The possible open moves of a state, with the dice that each rolls.

    To keep the table small, each test has at most one bought die, one re-roll and one added
    success. Nothing is bought unless `spending`.
    """
    check = check_of(table)
    if check is None:
        yield from ((seat, key, args, 0) for seat, key, args in IDLE)
        return
    seat = "ann" if check.actor == "mira" else "gm"
    for key in ACTING[check.phase]:
        done = {"dice.buy": "bought", "check.reroll": "rerolled", "success.buy": "added"}.get(
            key, ""
        )
        if done not in check.terms and (spending or key not in SPENDING):
            args = {"who": check.actor} if key == "initiative.seize" else {}
            yield seat, key, args, {"check.roll": check.pool.total, "check.reroll": 1}.get(key, 0)
    if check.phase == "rolled":
        yield "ann", "trouble.ignore", {}, 0


def reached(
    table: Table, spent_from: Sequence[tuple[int, int]]
) -> tuple[set[tuple[State, bool]], Counter[str]]:
    """Every reachable state: whether points are spent in it, and the changes of each account.

    Points are spent in the tests that begin with one of these balances. Every event on the way
    is checked.
    """
    start = forgotten(table)
    found, waiting, changed = {(state(start), False)}, [(start, False)], Counter[str]()
    while waiting:
        now, spending = waiting.pop()
        if not now.checks:
            spending = state(now)[:2] in spent_from
        for seat, key, args, dice in possible(now, spending):
            for faces in rolls(dice):
                try:
                    then, events = after(now, seat, key, args, faces)
                except Refused:
                    break
                for event in events:
                    if isinstance(event, PointsSet) and event.account in CAP:
                        changed[event.account] += 1
                        assert 0 <= event.balance <= CAP[event.account], (
                            state(now),
                            key,
                            faces,
                            event,
                        )
                then = forgotten(then)
                where = state(then), spending and bool(then.checks)
                if where not in found:
                    found.add(where)
                    waiting.append((then, spending))
    return found, changed


@pytest.mark.exhaustive
def test_pools_keep_their_bounds_at_a_small_table() -> None:
    """In every state of a small table each pool is between zero and its maximum.

    Both reach these bounds, in every combination.
    """
    found, changed = reached(opened(), POINTS)
    points = {one[:2] for one, _ in found}
    assert all(0 <= hero <= 10 and 0 <= villain <= 20 for hero, villain in points)
    assert set(POINTS) == points
    assert any(spending for _, spending in found)
    assert set(CAP) == set(changed)


# Prices, and the ledger.


def performed(name: str) -> Performance:
    """The result of a play of this game."""
    file = PLAYS / f"{name}.play"
    return perform(read(file.read_text(encoding="utf-8"), file.name))


def test_prices_are_those_of_the_seed() -> None:
    """Each use costs what the seed says, and further dice and successes cost more."""
    rows = {
        "information": 1,
        "reroll": 1,
        "die": 1,
        "success": 2,
        "change": 2,
        "circumstance": 4,
        "initiative": 4,
    }
    assert {**rows, "asset": 4} == {use: prices.price(use) for use in prices.POINTS["uses"]}
    assert [1, 3, 6, 10, 15] == [prices.price("die", n) for n in range(1, 6)]
    assert [2, 6, 14] == [prices.price("success", n) for n in range(1, 4)]
    assert [1, 2, 3] == [prices.price("reroll", n) for n in range(1, 4)]
    assert {"player": 2, "setback": 2, "complication": 5} == prices.POINTS["gains"]


def test_offer_shows_the_next_price() -> None:
    """The price on the button is that of the next die, or of the requested number."""
    table = evolve(opened(), PointsSet("hero", "", 10, 10, "a beginning"))
    table = after(table, "ann", "check.declare", {"as": "mira", "pool": "1d10"})[0]
    for n in range(1, 5):
        assert {"hero": n} == offer(SYSTEM, table, "ann", "dice.buy", {}).price.written()
        if n == 1:
            assert {"hero": 3} == offer(SYSTEM, table, "ann", "dice.buy", {"n": 2}).price.written()
        table = after(table, "ann", "dice.buy", {})[0]
    no = offer(SYSTEM, table, "ann", "dice.buy", {}).closed
    assert no is not None
    assert ("price", "That costs 5 hero points; there is none.") == (no.code, no.text)


def test_economy_follows_the_vector() -> None:
    """The play of the worked example has every state of the shared vector, in order."""
    trace = next(trace for trace in vectors("c2d10")["economy_traces"] if trace["id"] == "eco_c2_1")
    states = []
    table = Table()
    for record in performed("economy-example").records:
        table = evolve(table, record.event)
        states.append({"hp": table.balance("hero"), "vp": table.balance("villain")})
    wanted = iter(states)
    for step in [{"state": trace["start"]}, *trace["steps"]]:
        assert any(step["state"] == one for one in wanted), step


@pytest.mark.parametrize("file", sorted(PLAYS.glob("*.play")), ids=lambda file: file.stem)
def test_ledger_records_each_point(file: Path) -> None:
    """Every change of a pool is recorded with its reason, amount and balance."""
    balance = {"hero": 0, "villain": 0}
    after = {0: dict(balance)}
    for record in performed(file.stem).records:
        event = record.event
        if isinstance(event, Rewound):
            balance = dict(after[event.to])
        if isinstance(event, PointsSet) and event.account in balance:
            balance[event.account] += event.delta
            assert balance[event.account] == event.balance
            assert event.why
            assert event.seen_by is None
        after[record.seq] = dict(balance)


def test_price_differs_from_a_loss() -> None:
    """On the wire a move's cost is marked as paid; losses, corrections and refunds are not."""

    def changes(name: str) -> list[tuple[int, bool]]:
        steps = [(s, s.record.event) for s in unfold(performed(name).records)]
        moved = []
        for s, event in steps:
            if isinstance(event, PointsSet) and event.account in CAP:
                moved.append((s, event))
        return [(event.delta, took_price(s.record, s.before, SYSTEM)) for s, event in moved]

    assert all(paid == (delta < 0) for delta, paid in changes("use-dice"))
    losses = [paid for delta, paid in changes("losing-hero-points") if delta < 0]
    assert losses
    assert not any(losses)


def test_panels_name_existing_things() -> None:
    """Every move, account and option of a panel exists, and each move has a place."""
    moves = {key for panel in SYSTEM.panels for key in _texts(panel.binds.get("moves"))}
    assert moves <= set(SYSTEM.by_key)
    own = {made.key for made in SYSTEM.moves} - {made.key for made in house.MOVES}
    # Encounters and packs have a part of the page of their own.
    apart = {key for key in own if key.partition(".")[0] in ("encounter", "pack")}
    assert {"track.suffer", "track.recover"} == own - moves - apart
    gauge = next(panel for panel in SYSTEM.panels if panel.kind == "gauge")
    assert ("hero", "villain") == gauge.binds["accounts"]
    assert gauge.binds["fades"] in SYSTEM.by_account
    assert gauge.binds["at"] in [option.key for option in SYSTEM.options]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, tuple):
        yield from (one for one in value if isinstance(one, str))


# Crisis dice, and the words of a result.


@pytest.mark.parametrize(
    ("dots", "crisis", "pool"),
    [
        (6, 0, Bag(d10=6)),
        (6, 1, Bag(d10=5, crisis=1)),
        (2, 3, Bag(crisis=2)),
        (1, 9, Bag(crisis=1)),
    ],
)
def test_crisis_dice_replace_others(dots: int, crisis: int, pool: Bag) -> None:
    """The crisis value replaces this many dice, at most all, before the focus die is added."""
    table = evolve(opened(), PointsSet("crisis", "mira", crisis, crisis, "a beginning"))
    hand = {"as": "mira", "pool": f"{dots}d10"}
    [check] = after(table, "ann", "check.declare", hand)[0].checks.values()
    assert pool == check.pool
    [check] = after(table, "ann", "check.declare", {**hand, "focus": True})[0].checks.values()
    assert pool + Bag(d10=1) == check.pool


@pytest.mark.parametrize(
    ("faces", "dc", "words"),
    [
        ((7, 8), 2, "Passed: 2 successes against DC 2."),
        ((9, 9), 3, "Passed with 1 to spare: 4 successes against DC 3."),
        ((0, 7), 2, "Failed: 1 success against DC 2, with a setback."),
        ((0, 0), 1, "Failed: 0 successes against DC 1, with 2 setbacks."),
        ((0, 9), 2, "Passed: 2 successes against DC 2."),
    ],
)
def test_results_in_words(faces: tuple[int, ...], dc: int, words: str) -> None:
    """A result has the successes, the DC and trouble; zeros of a passing test are left out."""
    table = after(opened(), "ann", "check.declare", {"as": "mira", "pool": "2d10", "dc": dc})[0]
    [check] = after(table, "ann", "check.roll", {}, faces)[0].checks.values()
    assert check.outcome is not None
    assert words == check.outcome.words


def test_mess_comes_before_a_complication() -> None:
    """If a pass brings both a mess and a complication, the mess comes first."""
    table = after(
        opened(), "ann", "check.declare", {"as": "mira", "pool": "1d10 2crisis", "dc": 1}
    )[0]
    [check] = after(table, "ann", "check.roll", {}, (1, 9, 0))[0].checks.values()
    assert check.outcome is not None
    assert check.outcome.words.endswith("with a mess and a complication.")
    assert Bag(mess=1, complication=1) == check.left


def test_offers_keep_to_their_side() -> None:
    """Players get no move of the Keeper's, and the Keeper cannot ignore the party's trouble."""
    table = opened()
    theirs = {one.key for one in offers(SYSTEM, table, "ann")}
    assert not theirs & {
        "dire.situation",
        "dire.circumstance",
        "conflict.open",
        "check.dc",
        "day.begin",
    }
    assert "trouble.ignore" not in {one.key for one in offers(SYSTEM, table, "gm")}


def test_closed_row_keeps_its_price() -> None:
    """A use that is closed now is on the menu with its price and the reason."""
    found = {one.key: one for one in offers(SYSTEM, opened(), "ann")}
    rows = {
        "circumstance.create": 4,
        "circumstance.change": 2,
        "asset.create": 4,
        "initiative.seize": 4,
    }
    assert rows == {key: found[key].price.total for key in rows}
    assert all(found[key].closed for key in rows)


def test_gm_is_always_called_the_keeper() -> None:
    """C2D10 calls the GM the Keeper in every sentence of tables, reference and terminal."""
    page = folder("c2d10").joinpath("reference.md").read_text(encoding="utf-8")
    pages = {"reference": page, **get("c2d10").words}
    assert {} == {
        id: text for id, text in pages.items() if re.search(r"\bGMs?\b|game master", text)
    }
    offer = {
        "key": "asset.add",
        "title": "Add an asset",
        "price": {},
        "asks": [],
        "approval": True,
        "closed": None,
    }
    shown = {"table": {"checks": {}, "proposals": {}}, "waits": [], "offers": [offer]}
    assert "asset.add  Add an asset (needs the Keeper's OK)" in list(
        lines(shown, get("c2d10"), english())
    )
