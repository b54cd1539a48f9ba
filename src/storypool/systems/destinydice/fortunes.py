"""Fate points, when they come, and compels.

Source: destinydice.md 3.5.
"""

from collections.abc import Iterator
from functools import partial

from storypool.engine import rules as r
from storypool.systems.destinydice.aspects import invocable, is_short, name, purses
from storypool.systems.destinydice.sheet import refresh
from storypool.systems.destinydice.state import Compel


def _up_to_refresh(turn: r.Turn, who: str) -> Iterator[r.Event]:
    missing = refresh(turn.table, who) - turn.table.balance("fate", who)
    if missing > 0:
        yield from turn.change("fate", missing, who, turn.words["fate.refresh"])


@r.whenever(r.PeriodBegan)
def refill_points(turn: r.Turn, event: r.PeriodBegan) -> Iterator[r.Event]:
    """Refill Fate points up to Refresh at a session's start, and set the budget at a scene's.

    The GM's budget is one Fate point for each player's character; none is kept. A character
    whose player has left does not count.
    """
    seats = turn.table.seats
    ours = [one for one in turn.table.characters.values() if one.side == "players"]
    if event.kind == "session":
        for one in ours:
            yield from _up_to_refresh(turn, one.id)
    if event.kind == "scene":
        n = sum(one.seat not in seats or seats[one.seat].here for one in ours)
        yield from turn.set_balance("budget", n, why=turn.words["fate.budget"])


@r.whenever(r.CharacterSet)
def welcome_newcomer(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """Give a player's new character its Refresh, and the GM's budget one more point."""
    if turn.key == "character.add" and event.character.team is r.Team.PLAYERS:
        yield from _up_to_refresh(turn, event.character.id)
        if "scene" in turn.table.running:
            yield from turn.change("budget", 1, why=turn.words["fate.budget"])


def _may_compel(turn: r.Turn, one: r.Character) -> bool:
    """Whether this seat may compel a character.

    The GM compels the players' characters; a player an NPC or, if the GM agrees, their own
    character.
    """
    theirs = one.team is not turn.team or (not turn.is_gm and r.plays(turn, one))
    return theirs and not one.hidden and any(_aspects_of(turn, one.id))


_compellable = r.characters(only=_may_compel)


def _aspects_of(turn: r.Turn, who: str) -> Iterator[r.Choice]:
    """The aspects for compelling a character: their own, and those of the scene."""
    for trait in invocable(turn):
        if trait.kind != "boost" and trait.about in ("", who):
            yield r.Choice(trait.id, name(trait))


ASPECT = r.ChoiceAsk(
    "aspect",
    "By which aspect?",
    lambda t: _aspects_of(t, t.text("who")),
    shown=lambda t: bool(t.text("who")),
)


def _compels_own(turn: r.Turn) -> bool:
    """Whether a player compels their own character."""
    return not turn.is_gm and r.plays(turn, turn.character("who"))


def _costs(turn: r.Turn) -> bool:
    return not turn.is_gm and bool(turn.text("who")) and not _compels_own(turn)


def _is_free(turn: r.Turn, whom: r.Choice) -> bool:
    """Whether a player compels this character without a point, as their own."""
    return r.plays(turn, turn.table.characters[whom.value])


PAYER = r.ChoiceAsk(
    "with", "With whose point?", purses, first=True, needed=False, shown=_costs, short=is_short
)


@r.worded(
    "Nothing for the GM and for a character of one's own; a Fate point for a player who compels an"
    " NPC"
)
def _offer_price(turn: r.Turn) -> r.Points:
    # Before a character is chosen, show the price if nobody can be compelled for free.
    if turn.text("who"):
        free = not _costs(turn)
    else:
        free = any(map(partial(_is_free, turn), _compellable(turn)))
    if turn.is_gm or free:
        return r.Points()
    payer = PAYER.chosen(turn) or str(r.Purse("fate", r.first_own(turn) or ""))
    return r.Points({r.Purse.read(payer): 1})


@r.move(
    "compel.offer",
    when=r.in_session,
    price=_offer_price,
    only_if=[r.any_of(_compellable, "compel.nobody")],
    asks=[
        r.ChoiceAsk("who", "Who is compelled?", _compellable),
        ASPECT,
        r.TextAsk("text", "What goes wrong?"),
        PAYER,
    ],
    approval=_compels_own,
    rule="Compels",
    place=r.at("actions", 68),
)
def offer_compel(turn: r.Turn) -> Iterator[r.Event]:
    """Offer a compel

    The GM offers as many as they like, and the points come from nowhere. A player pays for
    compelling an NPC, and proposes what befalls a character of their own.
    """
    who, text = turn.text("who"), turn.text("text")
    if _compels_own(turn):
        yield from _suffered(turn, who, text)
        return
    paid = next(map(str, turn.paid), "")
    aspect = name(turn.table.traits[turn.text("aspect")])
    terms = Compel(turn.text("aspect"), paid, text).terms
    yield turn.trait(
        "compel",
        turn.words.say("compel.text", text=text, aspect=aspect),
        who,
        until="scene",
        terms=terms,
    )


def _suffered(turn: r.Turn, who: str, text: str) -> Iterator[r.Event]:
    yield turn.trait("effect", text, who, until="scene")
    yield from turn.change("fate", 1, who)


COMPEL = r.PendingTrait("compel", "Which one?")
_answering = partial(
    r.move, when=r.any_of(COMPEL.choices, "compel"), asks=[COMPEL.ask], rule="Compels"
)


@_answering("compel.accept", place=r.at("actions", 10))
def accept_compel(turn: r.Turn) -> Iterator[r.Event]:
    """Accept a compel

    It happens, and the compelled character gains a Fate point.
    """
    compel = turn.table.traits[turn.text("compel")]
    yield r.TraitRemoved(compel.id, turn.words["compel.accepted"])
    yield from _suffered(turn, compel.about, Compel.of(compel).text)


@r.worded("A Fate point of the compelled character; for an NPC without one, of the GM's budget")
def _refusal_price(turn: r.Turn) -> r.Points:
    compel = COMPEL.chosen(turn)
    if compel is None:
        return r.Points()
    npc = turn.table.characters[compel.about].team is r.Team.GM
    from_budget = npc and not turn.table.balance("fate", compel.about)
    return r.Points({r.Purse("budget") if from_budget else r.Purse("fate", compel.about): 1})


@_answering("compel.refuse", price=_refusal_price, place=r.at("actions", 11))
def refuse_compel(turn: r.Turn) -> Iterator[r.Event]:
    """Buy off a compel

    It costs a Fate point, so without one it cannot be refused. What a player paid for it comes
    back.
    """
    compel = turn.table.traits[turn.text("compel")]
    yield r.TraitRemoved(compel.id, turn.words["compel.refused"])
    yield from _paid_back(turn, compel)


def _paid_back(turn: r.Turn, compel: r.Trait) -> Iterator[r.Event]:
    if paid := Compel.of(compel).paid:
        yield from turn.refund(r.Points({r.Purse.read(paid): 1}), compel.text)


@r.whenever(r.PeriodEnded)
def remove_unanswered(turn: r.Turn, event: r.PeriodEnded) -> Iterator[r.Event]:
    """Remove unanswered compels at the end of a scene, and refund them."""
    if event.kind != "scene":
        return
    for compel in turn.table.of_kind("compel"):
        yield r.TraitRemoved(compel.id)
        yield from _paid_back(turn, compel)
