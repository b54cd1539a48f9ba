"""A whole game in a hundred lines, for tests of what knows no game: coins with heads and tails, luck and doom."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import house
from storypool.engine.asks import Choice, ChoiceAsk, FacesAsk, PoolAsk, TextAsk
from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die, Mod, Rolled, symbols
from storypool.engine.events import CheckClosed, CheckOpened, DiceRolled, Event, PointsSet, TraitSet
from storypool.engine.kit import Account, Entry, Look
from storypool.engine.moves import Limit, move
from storypool.engine.notation import Notation
from storypool.engine.sight import audience
from storypool.engine.system import System
from storypool.engine.table import Check, Outcome, Table, Trait
from storypool.engine.turn import Turn
from storypool.words import Words
from storypool.words import house as house_words

COIN = Die("coin", (Bag(heads=1), Bag(tails=1)))
SPARK = Die("spark", (Bag(), Bag(heads=1), Bag(heads=1, flash=1)))
WEIGHT = Die("weight", (Bag(), Bag(tails=1), Bag(tails=2)))
AXES = Axes({"heads": Bag(heads=1), "tails": Bag(heads=-1), "flash": Bag(flash=1)}, {"heads": "tails"})

ACTOR = ChoiceAsk("as", "Who acts?", house.characters(own=True))


@move("check.declare", when=house.in_session, only_if=[house.idle], asks=[ACTOR, PoolAsk("pool", "Which dice?")])
def declare(turn: Turn) -> Iterator[Event]:
    """Declare an action"""
    actor = turn.table.characters[turn.text("as")]
    pool = turn.system.notation.parse(turn.text("pool"))
    check = Check(
        turn.fresh("c"),
        actor.id,
        "gm" if actor.side == "gm" else "players",
        turn.seat.id,
        "a toss",
        base=pool,
        pool=pool,
    )
    yield CheckOpened(check)


@move("luck.spend", by=["player"], when=house.building, price=Bag(luck=1), limit=Limit("luck", ("check",)))
def push(turn: Turn) -> Iterator[Event]:
    """Spend luck for a coin more"""
    check = turn.here
    yield turn.amend(
        check, mods=(*check.mods, Mod("add", "coin", 1, "luck", turn.seat.id)), owed=check.owed + Bag(doom=1)
    )


@move("check.roll", when=house.building, asks=[FacesAsk("faces", "What do your coins show?", needed=False)])
def toss(turn: Turn) -> Iterator[Event]:
    """Toss the coins"""
    check = turn.here
    rolled = turn.cast(check.pool, turn.numbers("faces"))
    yield DiceRolled(check.id, turn.seat.id, rolled)
    outcome = read(turn.table, check, rolled)
    yield turn.amend(check, rolled=rolled, outcome=outcome, phase="rolled", left=turn.system.axes.named(outcome.net))


@move("check.close", when=house.rolled)
def close(turn: Turn) -> Iterator[Event]:
    """Close the action"""
    check = turn.here
    for account, n in check.owed.items():
        yield from turn.change(account, n)
    yield CheckClosed(check.id, "done")


@move(
    "fact.add",
    when=house.in_session,
    price=Bag(luck=1),
    approval=lambda t: t.seat.side == "player",
    asks=[TextAsk("text", "What is true?")],
)
def fact(turn: Turn) -> Iterator[Event]:
    """Add a fact to the story"""
    yield TraitSet(Trait(turn.fresh("t"), "fact", turn.text("text"), by=turn.seat.id))


@move(
    "nerve.lose",
    asks=[ChoiceAsk("who", "Who?", lambda t: [Choice(c.id, c.name) for c in t.table.characters.values()])],
)
def flinch(turn: Turn) -> Iterator[Event]:
    """Lose a point of nerve"""
    yield from turn.change("nerve", -1, turn.text("who"))


def read(table: Table, check: Check, rolled: tuple[Rolled, ...]) -> Outcome:
    """Heads beat tails; an even toss fails."""
    net = AXES.net(symbols(rolled, (COIN, SPARK, WEIGHT)))
    passed = net["heads"] > 0
    return Outcome(passed, net["heads"], net, f"{'Heads' if passed else 'Tails'} by {abs(net['heads'])}.")


def unpaid(turn: Turn, event: Event) -> Iterator[Event]:
    """Doom that arrives is remembered."""
    if isinstance(event, PointsSet) and event.account == "doom" and event.delta > 0:
        yield TraitSet(Trait("omen", "omen", "Something stirs", rating=event.balance, seen_by=audience(event)))


WORDS = Words({**house_words(), "no.limit.luck": "Luck was pushed already in this action."})

SYSTEM = System(
    key="tiny",
    name="Coins",
    dice=(COIN, SPARK, WEIGHT),
    axes=AXES,
    notation=Notation(("coin", "spark"), ("weight",), {"letters": {"C": "coin", "S": "spark", "W": "weight"}}),
    moves=(*house.MOVES, declare, push, toss, close, fact, flinch),
    reader=lambda _: read,
    words=WORDS,
    accounts=(Account("luck", side="players", cap=5), Account("doom", side="gm"), Account("nerve", "character", cap=3)),
    reactions=(*house.REACTIONS, (PointsSet, unpaid)),
    options=house.OPTIONS,
    sheet=(Entry("wits", "Wits", "trait", 1, 6, 2),),
    look={"luck": Look("luck", "luck"), "doom": Look("doom", "doom"), "coin": Look("coin")},
    about="Toss coins, push your luck, and mind what it wakes.",
)
