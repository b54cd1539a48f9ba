"""The game put together: its moves, what follows from them, and how it is shown."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files

from storypool.engine import house
from storypool.engine.bag import Bag
from storypool.engine.dice import Mod, Rolled, symbols
from storypool.engine.events import CheckClosed, CheckOpened, DiceRolled, Event, PointsSet, TraitSet
from storypool.engine.game.asks import Choice, ChoiceAsk, FacesAsk, PoolAsk, TextAsk
from storypool.engine.game.kit import Account, Entry, Look, Read
from storypool.engine.game.moves import Limit, move
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.game.waits import Wait, actor_of
from storypool.engine.sight import audience
from storypool.engine.table import Check, Outcome, Table, Trait
from storypool.words import Words, house_words
from tests.games.tiny.dice import AXES, DICE, NOTATION
from tests.games.tiny.result import sentence

HERE = files("tests.games.tiny")
ACTOR = ChoiceAsk("as", "Who acts?", house.characters(own=True))


@move(
    "check.declare",
    rule="Tossing",
    when=house.in_session,
    only_if=[house.idle],
    asks=[ACTOR, PoolAsk("pool", "Which dice?")],
)
def declare(turn: Turn) -> Iterator[Event]:
    """Declare an action"""
    actor = turn.table.characters[turn.text("as")]
    pool = turn.system.notation.parse(turn.text("pool"))
    check = Check(
        turn.fresh("c"),
        actor.id,
        "gm" if actor.side == "gm" else "players",
        turn.seat.id,
        turn.system.words["toss.title"],
        base=pool,
        pool=pool,
    )
    yield CheckOpened(check)


@move(
    "luck.spend",
    rule="Pushing your luck",
    by=["player"],
    when=house.building,
    price=Bag(luck=1),
    limit=Limit("luck", ("check",)),
)
def push(turn: Turn) -> Iterator[Event]:
    """Spend luck for a coin more"""
    check = turn.here
    yield turn.amend(
        check,
        mods=(*check.mods, Mod("add", "coin", 1, turn.system.words["toss.luck"], turn.seat.id)),
        owed=check.owed + Bag(doom=1),
    )


@move(
    "check.roll",
    rule="Tossing",
    when=house.building,
    asks=[FacesAsk("faces", "What do your coins show?", needed=False)],
)
def toss(turn: Turn) -> Iterator[Event]:
    """Toss the coins"""
    check = turn.here
    rolled = turn.cast(check.pool, turn.numbers("faces"))
    yield DiceRolled(check.id, turn.seat.id, rolled)
    outcome = turn.system.read(turn.table, check, rolled)
    yield turn.amend(check, rolled=rolled, outcome=outcome, phase="rolled", left=turn.system.axes.named(outcome.net))


@move("check.close", rule="What luck wakes", when=house.rolled)
def close(turn: Turn) -> Iterator[Event]:
    """Close the action"""
    check = turn.here
    for account, n in check.owed.items():
        yield from turn.change(account, n)
    yield CheckClosed(check.id, "done")


@move(
    "fact.add",
    rule="Facts",
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
    rule="Nerve",
    asks=[ChoiceAsk("who", "Who?", lambda t: [Choice(c.id, c.name) for c in t.table.characters.values()])],
)
def flinch(turn: Turn) -> Iterator[Event]:
    """Lose a point of nerve"""
    yield from turn.change("nerve", -1, turn.text("who"))


def reader(words: Words) -> Read:
    """A reader of tosses that speaks in these words."""

    def read(table: Table, check: Check, rolled: tuple[Rolled, ...]) -> Outcome:
        net = AXES.net(symbols(rolled, DICE))
        return Outcome(net["heads"] > 0, net["heads"], net, sentence(words, net))

    return read


def unpaid(turn: Turn, event: Event) -> Iterator[Event]:
    """Doom that arrives is remembered."""
    if isinstance(event, PointsSet) and event.account == "doom" and event.delta > 0:
        yield TraitSet(
            Trait("omen", "omen", turn.system.words["omen.text"], rating=event.balance, seen_by=audience(event))
        )


def waits(turn: Turn) -> Iterator[Wait]:
    """The toss of an open action, then its end."""
    for check in turn.table.checks.values():
        actor = actor_of(turn.table, check)
        if check.phase == "build":
            yield Wait("toss", actor, ("check.roll", "luck.spend"), check.id)
        else:
            yield Wait("close", actor, ("check.close",), check.id)


def ready() -> tuple[dict[str, object], ...]:
    """The ready-made characters."""
    return tuple(tomllib.loads(HERE.joinpath("ready.toml").read_text(encoding="utf-8"))["character"])


SYSTEM = System(
    key="tiny",
    name="Coins",
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    moves=(*house.MOVES, declare, push, toss, close, fact, flinch),
    waits=(*house.WAITS, waits),
    reader=reader,
    words=house_words().plus(HERE.joinpath("words.toml")),
    accounts=(Account("luck", side="players", cap=5), Account("doom", side="gm"), Account("nerve", "character", cap=3)),
    reactions=(*house.REACTIONS, (PointsSet, unpaid)),
    options=house.OPTIONS,
    sheet=(Entry("wits", "Wits", "trait", 1, 6, 2),),
    look={
        "coin": Look("coin", letter="C", outline="square"),
        "spark": Look("spark", letter="S", outline="octagon"),
        "weight": Look("weight", letter="W", outline="square", pattern="dots"),
        "heads": Look("heads", "heads"),
        "tails": Look("tails", "tails"),
        "flash": Look("flash", "flashes"),
        "luck": Look("luck", "luck"),
        "doom": Look("doom", "doom"),
        "nerve": Look("nerve", "nerve"),
    },
    ready=ready(),
    about="Toss coins, push your luck, and mind what it wakes.",
)
