"""Dice, axes and derived pools against a literal reading of the rules, step by step."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die, Mod, Rolled, derive, in_order, roll, symbols

PAIRS = {"ability": "proficiency", "difficulty": "challenge"}
DICE = ("ability", "proficiency", "boost", "difficulty", "challenge", "setback")
POOLS = st.dictionaries(st.sampled_from(DICE), st.integers(0, 5)).map(Bag)


def _mods(kind: str, dice: tuple[str, ...]) -> st.SearchStrategy[Mod]:
    return st.builds(Mod, st.just(kind), st.sampled_from(dice), st.integers(1, 5))


MODS = st.lists(
    _mods("add", DICE)
    | _mods("upgrade", ("ability", "difficulty"))
    | _mods("downgrade", ("proficiency", "challenge"))
    | _mods("remove", DICE),
    max_size=8,
)


def by_hand(base: Bag, mods: list[Mod]) -> dict[str, int]:
    """A pool built by hand, die by die in the book's order (seed 003, Modifying a Dice Pool)."""
    table = [name for name, n in base.items() for _ in range(n)]
    for mod in mods:  # "Adding Dice"
        for _ in range(mod.n if mod.kind == "add" else 0):
            table.append(mod.die)
    for mod in mods:  # "Upgrading Dice", and "Upgrading More Dice Than Available To Upgrade"
        for _ in range(mod.n if mod.kind == "upgrade" else 0):
            if mod.die in table:
                table.remove(mod.die)
                table.append(PAIRS[mod.die])
            else:
                table.append(mod.die)
    # "Downgrading Dice": once all are in their downgraded form, any further downgrades are ignored
    for mod in mods:
        for _ in range(mod.n if mod.kind == "downgrade" else 0):
            if mod.die in table:
                table.remove(mod.die)
                table.append(
                    next(lesser for lesser, greater in PAIRS.items() if greater == mod.die)
                )
    for mod in (
        mods
    ):  # "Removing Dice": done after all other dice have been added and upgraded or downgraded
        for _ in range(mod.n if mod.kind == "remove" else 0):
            if mod.die in table:
                table.remove(mod.die)
    return {name: table.count(name) for name in table}


@given(POOLS, MODS)
def test_derived_pool_matches_the_book(base: Bag, mods: list[Mod]) -> None:
    """`derive` gives the pool that a literal reading of seed 003 builds die by die."""
    assert by_hand(base, mods) == dict(derive(base, mods, PAIRS))


@given(POOLS, MODS, st.randoms(use_true_random=False))
def test_order_of_entry_does_not_matter(base: Bag, mods: list[Mod], chance: random.Random) -> None:
    """Shuffled or split modifications give the same pool: each is kept, the pool is derived."""
    shuffled = list(mods)
    chance.shuffle(shuffled)
    single = [Mod(mod.kind, mod.die) for mod in shuffled for _ in range(mod.n)]
    assert derive(base, mods, PAIRS) == derive(base, shuffled, PAIRS) == derive(base, single, PAIRS)


@given(POOLS, MODS)
def test_dice_counts_are_never_negative(base: Bag, mods: list[Mod]) -> None:
    """However much is downgraded or removed, no count falls below zero."""
    assert all(n > 0 for n in derive(base, mods, PAIRS).values())


@pytest.mark.parametrize(
    ("base", "mods", "pool"),
    [
        # Trap 1: with nothing to upgrade the first upgrade adds a basic die, and the next promotes
        # it.
        (Bag(), [Mod("upgrade", "ability", 1)], Bag(ability=1)),
        (Bag(), [Mod("upgrade", "ability", 2)], Bag(proficiency=1)),
        (Bag(), [Mod("upgrade", "ability", 3)], Bag(proficiency=1, ability=1)),
        (Bag(proficiency=2), [Mod("upgrade", "ability", 1)], Bag(proficiency=2, ability=1)),
        (Bag(difficulty=2), [Mod("upgrade", "difficulty", 3)], Bag(challenge=2, difficulty=1)),
        # Trap 2: additions first, then all upgrades, then all downgrades, then removals.
        (Bag(), [Mod("upgrade", "ability"), Mod("add", "ability")], Bag(proficiency=1)),
        (
            Bag(challenge=1),
            [Mod("downgrade", "challenge", 2), Mod("upgrade", "difficulty")],
            Bag(challenge=0, difficulty=2),
        ),
        (Bag(), [Mod("remove", "setback"), Mod("add", "setback", 2)], Bag(setback=1)),
        # Trap 4: downgrades and removals beyond what is there are dropped.
        (Bag(challenge=1), [Mod("downgrade", "challenge", 9)], Bag(difficulty=1)),
        (Bag(setback=1), [Mod("remove", "setback", 9)], Bag()),
        # Boost and Setback do not cancel each other out.
        (Bag(), [Mod("add", "boost"), Mod("add", "setback")], Bag(boost=1, setback=1)),
    ],
)
def test_traps_of_building_a_pool(base: Bag, mods: list[Mod], pool: Bag) -> None:
    """Each known mistake of other tables in building a pool is avoided."""
    assert pool == derive(base, mods, PAIRS)


@pytest.mark.parametrize("die", ["boost", "setback"])
@pytest.mark.parametrize("kind", ["upgrade", "downgrade"])
def test_boost_and_setback_are_never_upgraded(die: str, kind: str) -> None:
    """An upgrade or downgrade of a die without a pair changes nothing (trap 3)."""
    mod = Mod(kind, die, 2)  # type: ignore[arg-type]
    assert Bag(boost=1, setback=1) == derive(Bag(boost=1, setback=1), [mod], PAIRS)


SYMBOLS = st.dictionaries(
    st.sampled_from(["success", "failure", "advantage", "threat", "triumph", "despair"]),
    st.integers(0, 6),
).map(Bag)
AXES = Axes(
    {
        "success": Bag(success=1),
        "failure": Bag(success=-1),
        "advantage": Bag(advantage=1),
        "threat": Bag(advantage=-1),
        "triumph": Bag(success=1, triumph=1),
        "despair": Bag(success=-1, despair=1),
    },
    {"success": "failure", "advantage": "threat"},
)


@given(SYMBOLS, SYMBOLS)
def test_symbols_add_up_linearly(a: Bag, b: Bag) -> None:
    """The net of two handfuls is the sum of their nets, so the reading order is irrelevant."""
    assert AXES.net(a) + AXES.net(b) == AXES.net(a + b)


@given(SYMBOLS)
def test_net_matches_cancelling_one_by_one(found: Bag) -> None:
    """Failures cancel successes, and Triumph and Despair count twice (seed 003)."""
    wins, losses = found["success"] + found["triumph"], found["failure"] + found["despair"]
    net = AXES.net(found)
    assert wins - losses == net["success"]
    assert found["advantage"] - found["threat"] == net["advantage"]
    assert (found["triumph"], found["despair"]) == (net["triumph"], net["despair"])


@given(SYMBOLS)
def test_remainder_has_positive_counts(found: Bag) -> None:
    """Symbols to spend have positive counts, and never include an opposite pair."""
    left = AXES.named(AXES.net(found))
    assert all(n > 0 for n in left.values())
    assert not (left["success"] and left["failure"])
    assert not (left["advantage"] and left["threat"])


def test_unknown_symbol_is_an_error() -> None:
    """A symbol without an axis is an error, not a zero that silently spoils the odds."""
    with pytest.raises(KeyError):
        AXES.net(Bag(sucess=1))
    assert ("success", "advantage", "triumph", "despair") == AXES.names


D10 = Die("d10", tuple(Bag({"success": 1} if n > 4 else {}) for n in range(10)), first=0)
COIN = Die("coin", (Bag(), Bag(heads=1)))


def test_faces_have_printed_numbers() -> None:
    """A die accepts 1 to n, or 0 to 9 where the game says so, and nothing else."""
    assert (1, 2, 2) == (COIN.first, COIN.last, COIN.sides)
    assert (0, 9, 10) == (D10.first, D10.last, D10.sides)
    assert Bag(heads=1) == COIN.face(2)
    assert Bag(success=1) == D10.face(9)
    for die, number in ((COIN, 0), (COIN, 3), (D10, -1), (D10, 10)):
        with pytest.raises(ValueError, match=f"{die.first} to {die.last}, not {number}"):
            die.face(number)


def test_dice_roll_in_printed_order() -> None:
    """A pool rolls in the printed order of dice, whatever the order of entry."""
    pool = Bag({"coin": 2}) + Bag({"d10": 1})
    assert ("d10", "coin", "coin") == tuple(die.name for die in in_order(pool, (D10, COIN)))
    rolled = roll(pool, (D10, COIN), lambda n: n - 1)
    assert (Rolled("d10", 9), Rolled("coin", 2), Rolled("coin", 2)) == rolled
    assert Bag(success=1, heads=2) == symbols(rolled, (COIN, D10))
    with pytest.raises(KeyError):
        in_order(Bag(coin=1, cube=1), (D10, COIN))


@given(st.randoms(use_true_random=False))
def test_every_face_can_be_rolled(chance: random.Random) -> None:
    """Every roll is a printed face, with the server as its source."""
    for rolled in roll(Bag(coin=20, d10=20), (COIN, D10), chance.randrange):
        assert "server" == rolled.source
        die = {"coin": COIN, "d10": D10}[rolled.die]
        assert die.first <= rolled.face <= die.last


@pytest.mark.parametrize("key", systems.names())
def test_faces_of_every_game_are_on_its_axes(key: str) -> None:
    """Every face of every die of a game can be read, alone and named."""
    system = systems.get(key)
    for die in system.dice:
        for number in range(die.first, die.last + 1):
            net = system.axes.net(die.face(number))
            assert all(n > 0 for n in system.axes.named(net).values())
