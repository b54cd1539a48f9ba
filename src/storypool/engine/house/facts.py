"""Facts, words for the record, and points corrected by hand."""

from collections.abc import Iterator

from storypool.engine.events import Event, PointsSet, Said, TraitRemoved
from storypool.engine.game.asks import Choice, ChoiceAsk, FlagAsk, NumberAsk, TextAsk
from storypool.engine.game.moves import LAST, at, move
from storypool.engine.game.turn import Turn
from storypool.engine.house.choices import characters, here
from storypool.engine.house.conditions import any_of
from storypool.engine.house.people import SECRET
from storypool.engine.table import GM_ONLY, Purse

MOST_POINTS = 99
"""The most points of an account without a cap that can be set by hand."""
ABOUT = ChoiceAsk("about", "About whom?", characters(), needed=False)
IN_SCENE = FlagAsk(
    "scene", "Only in this scene?", needed=False, shown=lambda t: not t.text("about")
)


@move(
    "trait.set",
    by=["gm"],
    asks=[TextAsk("text", "What is true?"), ABOUT, IN_SCENE, SECRET],
    place=at("scene", LAST),
)
def set_trait(turn: Turn) -> Iterator[Event]:
    """Add a fact

    It lasts until it is removed; a fact about nobody may end with its scene.
    """
    hidden, until = GM_ONLY if turn.flag("secret") else None, "scene" if turn.flag("scene") else ""
    yield turn.trait("fact", turn.text("text"), turn.text("about"), until=until, seen_by=hidden)


def _written(turn: Turn) -> Iterator[Choice]:
    """A seat's own statements, and statements about a character; all others belong to the game."""
    for one in turn.table.traits.values():
        if one.text and (one.by or one.about):
            yield Choice(one.id, one.text)


TRAIT = ChoiceAsk("id", "Which?", _written)


@move(
    "trait.remove",
    by=["gm"],
    only_if=[any_of(_written, "facts")],
    asks=[TRAIT, TextAsk("why", "Why?", needed=False)],
    place=at("scene", LAST),
)
def remove_trait(turn: Turn) -> Iterator[Event]:
    """Remove a fact"""
    yield TraitRemoved(turn.text("id"), turn.text("why"))


def _balances(turn: Turn) -> Iterator[Choice]:
    for row in turn.system.accounts:
        if row.each == "table":
            yield Choice(row.name, turn.plural(row.name))
        else:
            for one in turn.table.characters.values():
                if here(one):
                    yield Choice(
                        str(Purse(row.name, one.id)), f"{one.name}: {turn.plural(row.name)}"
                    )


def _least(turn: Turn) -> int:
    """The floor of the points that are chosen; 0 before that."""
    account, owner = Purse.read(turn.text("account"))
    row = turn.system.by_account.get(account)
    return row.least(turn.table, owner) if row is not None else 0


def _most(turn: Turn) -> int:
    """The most points that the chosen account can hold."""
    account, owner = Purse.read(turn.text("account"))
    row = turn.system.by_account.get(account)
    most = row.most(turn.table, owner) if row is not None else None
    return MOST_POINTS if most is None else most


@move(
    "points.correct",
    by=["gm"],
    asks=[
        ChoiceAsk("account", "Which points?", _balances),
        NumberAsk("to", "How many should there be?", high=MOST_POINTS, least=_least, most=_most),
        TextAsk("why", "Why?"),
    ],
    place=at("table", 40),
)
def correct_points(turn: Turn) -> Iterator[Event]:
    """Fix the points"""
    account, owner = Purse.read(turn.text("account"))
    after, before = turn.number("to"), turn.table.balance(account, owner)
    most = turn.system.by_account[account].most(turn.table, owner)
    if most is not None and after > most:
        raise turn.refused("price", "cap", "to", most=most, account=turn.word(account, most))
    why = turn.system.words.say("points.correction", why=turn.text("why"))
    yield PointsSet(account, owner, balance=after, delta=after - before, why=why, by=turn.seat.id)


@move("table.say", by=["player", "gm"], asks=[TextAsk("text", "What do you want to say?"), SECRET])
def say(turn: Turn) -> Iterator[Event]:
    """Write in the log"""
    yield Said(
        turn.seat.id, turn.text("text"), ("@gm", turn.seat.id) if turn.flag("secret") else None
    )
