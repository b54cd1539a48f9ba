"""A test or play for each known trap of such tables that concerns these dice.

The numbers are those of the project's list. Traps of other games are in `ELSEWHERE`, with the
reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool import play, systems
from storypool.engine.bag import Bag
from storypool.engine.decisions import decide
from storypool.engine.dice import Die, Mod, derive
from storypool.engine.events import Event, MoveMade, PointsSet
from storypool.engine.fold import fold, fold_on
from storypool.engine.notation import NotationError
from storypool.engine.offers import offers
from storypool.engine.refusal import Refused
from storypool.engine.sight import records_of, view
from storypool.engine.table import Check, Purse, Table
from storypool.odds import ge, odds
from storypool.systems.narrative.symbol_dice import (
    AXES,
    BOOST,
    CHALLENGE,
    PROFICIENCY,
    SETBACK,
    UPGRADES,
)
from storypool.systems.starwars.dice import FORCE

ELSEWHERE = {
    11: (
        "caps and where their overflow goes: the points of these games have no cap, their number is"
        " fixed"
    ),
    13: "d20s bought at a rising price: Momentum",
    14: "criticals of a d20 within a focus: Momentum",
    15: "Determination: another game's points",
    16: "complications of a d20: Momentum",
    21: "dice of six sides that are called as these are: tested in the game that has them",
}
"""The traps that do not concern these games, with the reason."""
PLAYED = {
    3: "boost-and-setback",
    5: "triumph-and-despair",
    6: "no-points-from-an-empty-side",
    7: "points-turn-over-when-the-action-is-done",
    10: "thresholds",
    12: "spends-of-every-kind",
    17: "simple-checks",
    20: "talents-that-cost-two",
}
"""The traps that a play of Star Wars covers."""

SCENE = """\
table starwars
seat gm   side=gm
seat gm   guard: brawn=3 adversary=2
seat gm   stalker: name=Nightfang secret=yes agility=4 force-rating=2 presence=2
seat ann  pash: agility=3 ranged-light=1 presence=2 force-rating=2
seat bo   ilo: presence=4 agility=2
seat eve  side=spectator
points light=2 dark=2
"""
DECLARE = "ann check.declare as=pash characteristic=agility difficulty=average\ngm check.agree\n"


def run(text: str, scene: str = SCENE) -> play.Performance:
    """The scene after these lines, which all hold."""
    return play.perform(play.read(scene + text, "trap.play"))


def here(table: Table) -> Check:
    """The open action."""
    (check,) = table.checks.values()
    return check


def pools(base: Mapping[str, int], *mods: Mod) -> Bag:
    """The pool of a base and its modifications."""
    return derive(Bag(base), mods, UPGRADES)


def shares(name: str) -> Bag:
    """The number of each symbol on all faces of a die."""
    die: Die = next(die for die in systems.dice("starwars").DICE if die.name == name)
    return sum(die.faces, Bag())


def test_every_trap_is_tested_or_explained() -> None:
    """Each of the twenty-three traps has a test here, a play, or a reason for having neither."""
    tested = {int(m[1]) for name in globals() if (m := re.match(r"test_trap_(\d\d)_", name))}
    assert {f"{name}.play" for name in PLAYED.values()} <= systems.plays("starwars").keys()
    assert sorted([*tested, *ELSEWHERE, *PLAYED]) == list(range(1, 24))


def test_trap_01_extra_upgrade_adds_a_die() -> None:
    """An upgrade beyond the last lesser die adds one; the next promotes it. On both sides."""
    for lesser, greater in UPGRADES.items():
        steps = [pools({lesser: 2}, Mod("upgrade", lesser, n)) for n in range(1, 5)]
        assert [{lesser: 1, greater: 1}, {greater: 2}, {lesser: 1, greater: 2}, {greater: 3}] == [
            dict(s) for s in steps
        ]
        assert {lesser: 1} == dict(pools({}, Mod("upgrade", lesser, 1)))
        assert {greater: 1} == dict(pools({}, Mod("upgrade", lesser, 2)))


@given(st.permutations(range(6)))
def test_trap_02_order_of_entry_does_not_matter(order: list[int]) -> None:
    """The order of entry never changes the pool: adds, upgrades, downgrades, removals."""
    mods = (
        Mod("remove", "difficulty", 1),
        Mod("downgrade", "challenge", 1),
        Mod("upgrade", "difficulty", 3),
        Mod("add", "difficulty", 1),
        Mod("remove", "setback", 2),
        Mod("add", "setback", 1),
    )
    # One die and one added are two; three upgrades make them two Challenge dice and one Difficulty
    # die; one goes back, and one Difficulty die is removed.
    assert Bag(challenge=1, difficulty=1) == pools({"difficulty": 1}, *(mods[i] for i in order))


def test_trap_04_missing_dice_are_not_taken() -> None:
    """Downgrades and removals beyond the pool are dropped; none is owed."""
    gone = (
        Mod("downgrade", "challenge", 5),
        Mod("downgrade", "proficiency", 5),
        Mod("remove", "setback", 5),
    )
    assert Bag(ability=2, difficulty=1) == pools(
        {"ability": 1, "proficiency": 1, "difficulty": 1, "setback": 2}, *gone
    )
    assert Bag() == pools({}, *gone)


def test_trap_08_one_destiny_roll_a_session() -> None:
    """A player rolls once a session, also after the log is read or the page was left."""
    scene = "table starwars\nseat gm side=gm\nseat ann pash: agility=3\nseat bo ilo: presence=4\n"
    performed = run(
        "gm session.begin\nann destiny.roll dice 12 => light 2\nann destiny.roll => refused: limit",
        scene,
    )
    again = fold(performed.records)
    with pytest.raises(Refused, match="rolled for the pool"):
        decide(performed.system, again, "ann", "destiny.roll", {}, roll=lambda die: die.last)
    set_by_now = run("gm session.begin\nann destiny.roll dice 12\nbo destiny.roll dice 1", scene)
    with pytest.raises(Refused, match="size is fixed"):
        decide(
            set_by_now.system,
            fold(set_by_now.records),
            "ann",
            "destiny.roll",
            {},
            roll=lambda die: die.last,
        )


@pytest.mark.parametrize("n", [-1, 0, 11, 10**9, "two", "1e3", True, ""])
def test_trap_09_amounts_are_bounded(n: object) -> None:
    """A negative, zero, excessive or senseless amount is refused and changes nothing."""
    performed = run(DECLARE)
    args = {"die": "boost", "n": n, "why": "Light"}
    if n == "":
        # An empty answer counts as none: the default of one applies.
        made = decide(performed.system, performed.table, "gm", "pool.add", args, roll=None)
        assert 1 == here(after(performed, made)).pool["boost"]
        return
    with pytest.raises(Refused) as no:
        decide(performed.system, performed.table, "gm", "pool.add", args, roll=None)
    assert ("argument", "n") == (no.value.refusal.code, no.value.refusal.field)


def test_trap_18_pool_belongs_to_the_table() -> None:
    """The points of a group are one balance of the table, and no character holds a copy."""
    for key in ("starwars", "genesys"):
        shared = [row for row in systems.get(key).accounts if row.side]
        assert ["table", "table"] == [row.each for row in shared]
    performed = run(
        "ann destiny.talent as=pash talent=known-face\nbo destiny.talent as=ilo talent=known-face"
        " => light 0"
    )
    assert {"light", "dark"} >= {
        purse.account for purse in performed.table.points if not purse.owner
    }


def test_trap_19_points_roll_follows_the_game() -> None:
    """In Star Wars the GM rolls no die for the pool; in its sister game nobody does."""
    rolls = systems.get("starwars").by_key["destiny.roll"]
    assert ("player",) == rolls.by
    assert [] == [
        move.key
        for move in systems.get("genesys").moves
        if move.key.endswith(".roll") and move.group == "story"
    ]
    started = run("gm session.begin => players 2, gm 1", SCENE_GENESYS)
    assert {"players": 2, "gm": 1} == started.table.points.written()


HIDDEN = """
gm check.declare as=guard characteristic=brawn difficulty=hard secret=yes title=Listening
gm pool.add die=setback why="The rain is loud"
gm check.roll dice 8 8 1 1 1 1 1         => net advantage 4
gm spend.buy row=notice text="Somebody breathes behind the crate"
gm check.close
gm check.declare as=stalker characteristic=agility difficulty=impossible title=Prowling
gm check.roll dice 8 8 8 8 1 1 1 1 1     => dark 2, net advantage 8
gm spend.buy row=setback-target with=advantage whom=pash text="Claws in the dark"
gm check.close
gm force.use as=stalker title=Dread
gm check.roll dice 1 1
gm check.close
gm initiative.roll as=stalker with=cool dice 1 1
gm track.suffer who=stalker track=strain by=3 why="It bleeds"
gm table.undo
"""
SECRETS = (
    "Listening",
    "Prowling",
    "rain is loud",
    "breathes",
    "Nightfang",
    "stalker",
    "Claws",
    "Dread",
    "bleeds",
)


def test_trap_22_hidden_roll_reveals_nothing() -> None:
    """A player's log, table, offers and undo have no word, die or point of a hidden roll."""
    before, performed = run(""), run(HIDDEN)
    for seat in ("ann", "bo", "eve"):
        sight = "\n".join(performed.in_sight(seat)).casefold()
        assert [] == [word for word in SECRETS if word.casefold() in sight]
        new = view(performed.records, performed.table.seats[seat])[len(before.records) :]
        # Only the number of a hidden move, and of its undo, is left.
        assert [] == [record.event for record in new if record.event is not None]
        assert offers(before.system, before.table, seat) == offers(
            performed.system, performed.table, seat
        )
    ours = Purse("light"), Purse("dark")
    assert before.table.points.only(ours) == performed.table.points.only(ours)


def test_trap_22_guessed_names_reveal_nothing() -> None:
    """A hidden character's id and an unknown one are refused to a player in the same words."""
    performed = run("")

    def refusal(against: str) -> str:
        with pytest.raises(Refused) as no:
            decide(
                performed.system,
                performed.table,
                "ann",
                "check.declare",
                {"as": "pash", "against": against},
                roll=None,
            )
        return str(no.value).replace(against, "")

    assert refusal("nobody") == refusal("stalker")
    assert "stalker" not in refusal("nobody")


def test_trap_23_odds_have_no_silent_errors() -> None:
    """Commonly wrong faces are right, forgotten dice count, and unknown names are an error."""
    assert Bag(success=9, advantage=8, triumph=1) == shares("proficiency")
    assert Bag(failure=8, threat=8, despair=1) == shares("challenge")
    dice = {die.name: die for die in systems.dice("starwars").DICE}

    def success(**pool: int) -> Fraction:
        return odds({dice[name]: n for name, n in pool.items()}, AXES).p(success=ge(1))

    assert Fraction(7997, 12288) == success(ability=2, proficiency=1, difficulty=2)
    assert Fraction(21553, 36864) == success(ability=2, proficiency=1, difficulty=1, challenge=1)
    assert "51.27" == f"{float(success(ability=3, difficulty=2, setback=1)) * 100:.2f}"
    assert success(ability=3, difficulty=2) > success(ability=3, difficulty=2, setback=1)
    assert Bag(success=0, triumph=1, despair=1) == AXES.net({"triumph": 1, "despair": 1})
    notation = systems.dice("starwars").NOTATION
    for unknown in ("2 abilty", "2A/2X", "setbak"):
        with pytest.raises(NotationError):
            notation.parse(unknown)
    with pytest.raises(KeyError):
        AXES.net({"sucess": 1})
    assert (6, 6, 12, 12, 12) == tuple(
        len(die.faces) for die in (BOOST, SETBACK, PROFICIENCY, CHALLENGE, FORCE)
    )


# The size of the pool after any moves of a session.

SCENE_GENESYS = (
    "table genesys\nseat gm side=gm\nseat gm guard: brawn=3\nseat ann pash: agility=3\nseat bo ilo:"
    " agility=2\n"
)
TRIES: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("ann", "check.declare", {"as": "pash", "characteristic": "agility", "difficulty": "average"}),
    (
        "ann",
        "check.declare",
        {"as": "pash", "characteristic": "agility", "difficulty": "impossible"},
    ),
    ("ann", "check.declare", {"as": "pash", "characteristic": "agility", "against": "ilo"}),
    (
        "gm",
        "check.declare",
        {"as": "guard", "characteristic": "brawn", "difficulty": "easy", "against": "ilo"},
    ),
    (
        "gm",
        "check.declare",
        {"as": "guard", "characteristic": "brawn", "difficulty": "impossible", "secret": True},
    ),
    ("gm", "check.difficulty", {"difficulty": "impossible"}),
    ("gm", "check.difficulty", {"difficulty": "hard"}),
    *((seat, "P.upgrade", {}) for seat in ("ann", "bo", "gm")),
    *((seat, "P.pass", {}) for seat in ("ann", "bo", "gm")),
    ("ann", "P.attempt", {}),
    ("ann", "P.fact", {"text": "A rope"}),
    ("bo", "P.fact", {"text": "A lamp"}),
    ("ann", "P.talent", {"as": "pash", "talent": "known-face"}),
    ("bo", "P.talent", {"as": "ilo", "talent": "natural"}),
    ("gm", "P.talent", {"as": "guard", "talent": "reinforcements"}),
    ("gm", "proposal.accept", {}),
    ("gm", "proposal.decline", {}),
    ("ann", "proposal.withdraw", {}),
    ("ann", "check.roll", {}),
    ("gm", "check.roll", {}),
    ("gm", "spend.waive", {}),
    ("ann", "spend.waive", {}),
    ("ann", "check.close", {}),
    ("gm", "check.close", {}),
    ("ann", "check.cancel", {}),
    ("gm", "check.cancel", {}),
    ("ann", "force.use", {"as": "pash"}),
    ("ann", "force.other", {}),
    ("gm", "table.undo", {}),
    ("gm", "table.redo", {}),
    ("gm", "scene.begin", {}),
    ("gm", "session.end", {}),
)
STEPS = st.lists(
    st.tuples(st.sampled_from(TRIES), st.booleans(), st.integers(1, 6)), min_size=10, max_size=60
)


def in_play(table: Table, accounts: tuple[str, str]) -> int:
    """The points of both sides: available, crossing over, and set aside for a proposal."""
    owed = sum(check.owed[account] for check in table.checks.values() for account in accounts)
    places = [table.points, *(proposal.price for proposal in table.proposals.values())]
    return owed + sum(place[Purse(account)] for place in places for account in accounts)


def after(performed: play.Performance, events: list[Event]) -> Table:
    """The table after these events, with the current log."""
    new = records_of(events, "gm", performed.table.seq, 0)
    performed.table = fold_on(performed.table, new, lambda seq: fold(performed.records[:seq]))
    performed.records += new
    return performed.table


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prefix", "scene", "accounts", "options"),
    [
        ("destiny", SCENE, ("light", "dark"), ""),
        ("destiny", SCENE, ("light", "dark"), " destiny_limit=side npc_threat=gm enforcement=warn"),
        ("story", SCENE_GENESYS, ("players", "gm"), ""),
        ("story", SCENE_GENESYS, ("players", "gm"), " conversion=immediate enforcement=log"),
    ],
    ids=["starwars", "starwars by side, only warned", "genesys", "genesys at once, only logged"],
)
@given(steps=STEPS)
def test_pool_size_is_constant(
    prefix: str,
    scene: str,
    accounts: tuple[str, str],
    options: str,
    steps: list[tuple[tuple[str, str, dict[str, object]], bool, int]],
) -> None:
    """The number of available, crossing and set-aside points is constant in a session."""
    opening, rest = scene.split("\n", 1)
    performed = run(f"points {accounts[0]}=3 {accounts[1]}=2", f"{opening}{options}\n{rest}")
    size = in_play(performed.table, accounts)
    for (seat, key, args), override, face in steps:
        try:
            made = decide(
                performed.system,
                performed.table,
                seat,
                key.replace("P.", f"{prefix}."),
                args,
                roll=lambda die, face=face: min(face, die.last),  # type: ignore[misc]
                override=override,
            )
        except Refused:
            continue
        assert isinstance(made[0], MoveMade)
        assert size == in_play(after(performed, made), accounts), (
            f"{seat} {key} {args} override={override}"
        )
        assert all(event.balance >= 0 for event in made if isinstance(event, PointsSet))
