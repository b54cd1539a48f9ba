"""The assembled game: its moves, their effects and its looks."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from tests.games.tiny.dice import AXES, DICE, NOTATION
from tests.games.tiny.result import came_to


@r.move(
    "check.declare",
    rule="Tossing",
    when=r.in_session,
    only_if=[r.idle, r.has_a_character],
    asks=[r.ChoiceAsk("as", "Who acts?", r.characters(own=True)), r.PoolAsk("pool", "Which dice?")],
)
def declare(turn: r.Turn) -> Iterator[r.Event]:
    """Declare an action"""
    actor, pool = (
        turn.table.characters[turn.text("as")],
        turn.system.notation.parse(turn.text("pool")),
    )
    yield turn.open(turn.action(actor, turn.words["toss.title"], base=pool), beside=True)


@r.move(
    "luck.spend",
    rule="Pushing your luck",
    by=["player"],
    when=r.building,
    price=r.Bag(luck=1),
    limit=r.Limit("luck", ("check",)),
)
def push(turn: r.Turn) -> Iterator[r.Event]:
    """Spend luck for a coin more"""
    check = turn.here
    coin = r.Mod("add", "coin", 1, turn.words["toss.luck"], turn.seat.id)
    yield turn.amend(
        check,
        mods=(*check.mods, coin),
        owed=check.owed + r.Bag(doom=1),
        spent=check.spent + turn.paid,
    )


@r.worded("2 strain of the actor")
def strain_of_the_actor(turn: r.Turn) -> r.Points:
    return r.Points({r.Purse("strain", turn.here.actor): 2})


@r.move(
    "coin.force",
    rule="Pushing your luck",
    when=r.building,
    price=strain_of_the_actor,
    only_if=[r.yours],
)
def force(turn: r.Turn) -> Iterator[r.Event]:
    """Strain yourself for a coin more"""
    check = turn.here
    coin = r.Mod("add", "coin", 1, turn.words["toss.strain"], turn.seat.id)
    yield turn.amend(check, mods=(*check.mods, coin), spent=check.spent + turn.paid)


@r.move(
    "check.roll",
    rule="Tossing",
    when=r.building,
    asks=[r.FacesAsk("faces", "What do your coins show?", needed=False)],
)
def toss(turn: r.Turn) -> Iterator[r.Event]:
    """Toss the coins"""
    check = turn.here
    rolled = turn.cast(check.pool, turn.numbers("faces"))
    yield r.DiceRolled(check.id, turn.seat.id, rolled)
    outcome = turn.system.read(turn.table, check, rolled)
    yield turn.amend(
        check, rolled=rolled, outcome=outcome, phase="rolled", left=AXES.named(outcome.net)
    )


@r.move("check.close", rule="What luck wakes", when=r.rolled)
def close(turn: r.Turn) -> Iterator[r.Event]:
    """Close the action"""
    check = turn.here
    for account, n in check.owed.items():
        yield from turn.change(account, n)
    yield r.CheckClosed(check.id, "done")


@r.move("check.cancel", rule="Tossing", when=r.building, only_if=[r.yours])
def cancel(turn: r.Turn) -> Iterator[r.Event]:
    """Call it off"""
    check = turn.here
    yield from turn.refund(check.spent, check.title)
    yield r.CheckClosed(check.id, "cancelled")


@r.move(
    "fact.add",
    rule="Facts",
    when=r.in_session,
    price=r.Bag(luck=1),
    approval=r.proposes,
    asks=[r.TextAsk("text", "What is true?")],
)
def fact(turn: r.Turn) -> Iterator[r.Event]:
    """Add a fact to the story"""
    yield turn.trait("fact", turn.text("text"))


@r.move(
    "nerve.lose",
    rule="Nerve",
    only_if=[r.any_of(r.characters(), "nerve")],
    asks=[r.ChoiceAsk("who", "Who?", r.characters())],
)
def flinch(turn: r.Turn) -> Iterator[r.Event]:
    """Lose a point of nerve"""
    yield from turn.change("nerve", -1, turn.text("who"))


@r.move(
    "strain.share",
    rule="Pushing your luck",
    only_if=[r.has_a_character],
    asks=[
        r.ChoiceAsk("as", "Whose?", r.characters(own=True)),
        r.ChoiceAsk("who", "Who takes it?", r.characters()),
    ],
    approval=r.PlayerOf("who"),
)
def share(turn: r.Turn) -> Iterator[r.Event]:
    """Share your strain

    The player of the one who takes it has to agree.
    """
    yield from turn.change("strain", 1, turn.text("who"))
    if turn.table.balance("strain", turn.text("as")):
        yield from turn.change("strain", -1, turn.text("as"))


@r.whenever(r.PointsSet)
def remembered(turn: r.Turn, event: r.PointsSet) -> Iterator[r.Event]:
    """Whenever doom arrives, it is remembered."""
    if event.account == "doom" and event.delta > 0:
        omen = r.Trait(
            "omen", "omen", turn.words["omen.text"], rating=event.balance, seen_by=event.seen_by
        )
        yield r.TraitSet(omen)


def waits(turn: r.Turn) -> Iterator[r.Wait]:
    """The toss of an open action, then its end."""
    for check in turn.table.checks.values():
        actor = r.actor_of(turn.table, check)
        if check.phase == "build":
            yield r.Wait("toss", actor, ("check.roll", "luck.spend"), check.id)
        else:
            yield r.Wait("close", actor, ("check.close",), check.id)


SYSTEM = r.System(
    key="tiny",
    name="Coins",
    about="Toss coins, push your luck, and mind what it wakes.",
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    reader=r.reads(came_to, "heads"),
    words=r.game_words("tests.games.tiny"),
    accounts=(
        r.Account("luck", side="players", cap=5),
        r.Account("doom", side="gm"),
        r.Account("nerve", "character", cap=3),
        r.Account("strain", "character", cap=4, paying="raises"),
    ),
    moves=(
        *r.house.MOVES,
        *r.house.PLAYERS_CONSENT,
        declare,
        push,
        force,
        toss,
        close,
        cancel,
        fact,
        flinch,
        share,
    ),
    waits=(*r.house.WAITS, waits),
    reactions=(*r.house.REACTIONS, (r.PointsSet, remembered.body)),
    options=r.house.OPTIONS,
    sheet=(r.Entry("wits", "Wits", "trait", low=1, high=6, default=2),),
    look={
        "coin": r.Look("coin", letter="C", outline="square"),
        "spark": r.Look("spark", letter="S", outline="octagon"),
        "weight": r.Look("weight", letter="W", outline="square", pattern="dots"),
        "flash": r.Look("flash", "flashes"),
        **{
            name: r.Look(name, name)
            for name in ("heads", "tails", "luck", "doom", "nerve", "strain")
        },
    },
    ready=r.ready_made("tests.games.tiny"),
)
