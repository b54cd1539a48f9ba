"""The order of acting in a conflict: initiative, turns, handing over.

Source: c2d10.md 2.5; seed 001, Uses for hero and villain points; rulings.md.
"""

from collections.abc import Callable, Iterator

from storypool.engine import rules as r
from storypool.systems.c2d10.abilities import best_skill, skills_of
from storypool.systems.c2d10.conflicts import (
    Conflict,
    current,
    fighters,
    fighting,
    going_on,
    reaches_target,
)
from storypool.systems.c2d10.dice import ACTIVE
from storypool.systems.c2d10.harm import final_dice_caution
from storypool.systems.c2d10.prices import buys
from storypool.systems.c2d10.sides import is_replaced, stance, succeeded
from storypool.systems.c2d10.test import Test, winner


def _heroic(table: r.Table, slot: r.Trait) -> bool:
    """Whether the slot wins a tie: a hero's does."""
    return (
        slot.about == r.Team.PLAYERS.mark
        or stance(table.characters.get(r.Slot.of(slot).who)) == "heroes"
    )


def _takes_turns(table: r.Table, slot: r.Trait) -> bool:
    """Whether a slot's character is in the story, and its player not back under another seat."""
    who = table.characters.get(r.Slot.of(slot).who)
    return who is not None and r.here(who) and not is_replaced(table, who)


ORDER = r.Order(
    counts=_takes_turns,
    goes_first=_heroic,
    announce=lambda t, who: t.trait(
        "turn", t.words.say("initiative.up", who=who.name), who.id, until="scene"
    ),
)


def awaited(table: r.Table) -> list[r.Character]:
    """The visible characters who have to roll before the order of a conflict starts.

    The fighters of a duel; with two sides, each hero of a present player, and each opposed NPC.
    Nobody in a conflict against only a target, or once it has started.
    """
    if not _unordered(table) or r.public(table).of_kind("slot", at="now"):
        return []
    duel, rolled = fighters(table), ORDER.members(table)

    def fights(character: r.Character) -> bool:
        plays = stance(character) == "opposed" or character.seat in r.players(table)
        return character.id in duel if duel else plays

    waits = (
        one for one in table.characters.values() if r.here(one) and not one.hidden and fights(one)
    )
    return [one for one in waits if one.id not in rolled]


def _unordered(table: r.Table) -> bool:
    """Whether there is a conflict with an order, before its first test."""
    conflict = Conflict.of(current(table))
    return conflict.type in ("opposed", "duel") and not conflict.begun


def in_turn(turn: r.Turn) -> r.Refusal | None:
    """In an order, it is the turn of a character of this seat who has not acted yet."""
    who = ORDER.acts_now(turn.table)
    if who is None or r.only_hidden(turn):
        return None
    if not r.plays(turn, who):
        return turn.no("turn", who=who.name)
    if ORDER.has_acted(turn.table):
        return turn.no("acted", who=who.name)
    return None


def actors(
    hidden: bool = False, only: Callable[[r.Turn, r.Character], object] = lambda turn, one: True
) -> Callable[[r.Turn], Iterator[r.Choice]]:
    """The choice of this seat's characters; in an order the current actor first."""

    def choices(turn: r.Turn) -> Iterator[r.Choice]:
        acts = None if r.only_hidden(turn) else ORDER.acts_now(turn.table)
        unseen = next((check.title for check in turn.table.checks.values() if check.hidden), "")
        own = r.characters(own=True, hidden=hidden, only=only)(turn)
        for choice in sorted(own, key=lambda choice: acts is None or choice.value != acts.id):
            closed = ORDER.closed(turn, choice.value) if acts else ""
            if unseen and turn.table.characters[choice.value].hidden:
                closed = turn.words.say("no.busy", title=unseen)
            yield r.replace(choice, closed=closed)

    return choices


def _without_a_slot(turn: r.Turn) -> list[r.Choice]:
    """This seat's characters without a place in the order, the awaited ones first.

    Only the fighters in a duel.
    """
    members, waited_for = ORDER.members(turn.table), [one.id for one in awaited(turn.table)]
    duel = fighters(turn.table)

    def joins(turn: r.Turn, one: r.Character) -> bool:
        return one.id not in members and (not duel or one.id in duel)

    own = r.characters(own=True, only=joins)(turn)
    return sorted(own, key=lambda choice: choice.value not in waited_for)


SKILL = r.ChoiceAsk(
    "skill",
    "With which skill?",
    skills_of(lambda t: t.character("as")),
    default=best_skill(lambda t: t.character("as")),
    needed=False,
)


@r.move(
    "initiative.roll",
    when=r.all_of(fighting, r.idle),
    only_if=[r.any_of(_without_a_slot, "slots.all")],
    asks=[
        r.ChoiceAsk("as", "Who?", _without_a_slot, first=True, needed=False),
        SKILL,
        r.FacesAsk(
            "faces",
            "What does your die show?",
            needed=False,
            dice=lambda t: [r.Choice("d10", t.word("d10"))],
        ),
    ],
    rule="Initiative",
    place=r.at("actions", 72),
)
def roll_initiative(turn: r.Turn) -> Iterator[r.Event]:
    """Roll initiative

    A die and the dots of a skill, highest first; a 0 is nothing. Once everybody has rolled, the
    first turn begins.
    """
    character = turn.table.characters[turn.text("as")]
    rolled = turn.cast(r.Bag(d10=1), turn.numbers("faces"))
    why = turn.words.say("initiative.rolled", who=character.name)
    yield r.hidden_like(r.DiceRolled("", turn.seat.id, rolled, why), character)
    face, dots = rolled[0].face, character.rating(turn.text("skill")) or 0
    n = face + dots
    id = "initiative.sum" if dots else "initiative.slot"
    text = turn.words.say(id, who=character.name, n=n, die=face, dots=dots)
    new = turn.trait(
        "slot", text, character.team.mark, rating=n, until="scene", terms=r.Slot(character.id).terms
    )
    yield r.hidden_like(new, character)
    order = ORDER.slots(turn.table)
    begins = (
        _unordered(turn.table) and ORDER.present(turn.table) is None and not awaited(turn.table)
    )
    if begins and not character.hidden and not order[0].hidden:
        yield from ORDER.go_on(turn)


def _first_turn_title(turn: r.Turn) -> str:
    """The title of the first turn, with its character."""
    first = None if ORDER.present(turn.table) else ORDER.acts_next(turn.table)
    if first:
        return turn.words.say("initiative.start", who=first.name)
    return ""


@r.gm_move(
    "initiative.next",
    caution=lambda t: r.naming(t, "initiative.misses", awaited(t.table)),
    shown_as=_first_turn_title,
    when=r.all_of(
        r.requires(lambda t: ORDER.members(t.table), "slots.none", firm=True), r.between_actions
    ),
    rule="Initiative",
    place=r.at("slots"),
)
def next_slot(turn: r.Turn) -> Iterator[r.Event]:
    """Next turn

    It goes on automatically when an action is done, but not from or to a hidden slot. It follows
    the order of the initiative, but first comes the character it was handed to. After the last the
    next round begins.
    """
    yield from ORDER.go_on(turn)


@r.whenever(r.CheckOpened)
def take_turn(turn: r.Turn, event: r.CheckOpened) -> Iterator[r.Event]:
    """Start the turn of a character who was handed the initiative with their action."""
    if Test.of(event.check).kind != "end":
        yield from ORDER.take_over(turn, event.check)


@r.whenever(r.CharacterSet)
def update_order(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """Update the order when a character leaves the story or is revealed."""
    yield from ORDER.follow_character(turn, event.character)


def _may_be_next(turn: r.Turn) -> Iterator[r.Choice]:
    """The characters who can act next; the successful one may act again.

    Those in the order, else the fighters of a duel, else everybody.
    """
    among = ORDER.members(turn.table) or fighters(turn.table)
    listed = r.characters(hidden=False, only=lambda t, one: not among or one.id in among)
    for choice in listed(turn):
        note = ""
        if _acts_again(turn, choice.value):
            note = turn.words["initiative.once_more"]
        yield r.replace(choice, note=note)


def _acts_again(turn: r.Turn, who: str) -> bool:
    """Whether this is the character who has just succeeded."""
    won = winner(turn.table, turn.here)
    return won is not None and who == (turn.here.actor if won is ACTIVE else turn.here.against)


def no_order_caution(turn: r.Turn) -> str:
    """A caution that nobody can be handed the turn without an order."""
    if ORDER.members(turn.table):
        return ""
    return turn.words["initiative.unordered"]


_lasts = r.requires(lambda t: not reaches_target(t, t.here), "initiative.over")


@buys("initiative")
@r.move(
    "initiative.seize",
    when=r.rolled,
    only_if=[succeeded, going_on, _lasts],
    limit=r.Limit("initiative", ("check",)),
    asks=[r.ChoiceAsk("who", "Who acts next?", _may_be_next)],
    caution=lambda t: no_order_caution(t) or final_dice_caution(t),
    place=r.at("menu", 62, row=True),
)
def seize(turn: r.Turn) -> Iterator[r.Event]:
    """Hand over the initiative, or act again

    After a successful test, once: when the action is done a character of one's choice acts next, or
    the one who just succeeded acts once more.
    """
    who = turn.text("who")
    yield turn.amend(Test.put(turn.here, settled=True))
    name = turn.table.characters[who].name
    id = "initiative.again" if _acts_again(turn, who) else "initiative.given"
    text = turn.words.say(id, who=name)
    yield turn.trait("acts-next", text, who, at=current(turn.table).id, until="scene")
