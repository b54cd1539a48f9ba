"""Strain that is recovered once a fight has ended.

A Simple check of Cool or Discipline, each net success recovers 1 strain: a house's own row, as no
source here has it.
"""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.narrative.fight.order import (
    OVER,
    dice_to_roll,
    roll_characteristic,
    skill_pool,
)
from storypool.systems.narrative.reading import net
from storypool.systems.narrative.sheet import missing_value, remember
from storypool.systems.narrative.symbol_dice import strength

CALMING = ("cool", "discipline")
"""The skills of the check."""
RESTED = "rested"
"""The kind of the mark of a character who has made the check after this fight."""


def _strained(turn: r.Turn, who: r.Character) -> bool:
    """Whether a hero has strain, and has made no check after this fight."""
    rested = turn.table.of_kind(RESTED, about=who.id)
    return who.team is r.Team.PLAYERS and not rested and turn.table.balance("strain", who.id) > 0


_heroes = r.characters(own=True, hidden=False, only=_strained)


def _skills(turn: r.Turn) -> Iterator[r.Choice]:
    """Both skills with their dice, the better one first."""
    who = turn.character("as")
    dice = {skill: skill_pool(turn, who, skill) for skill in CALMING} if who else {}
    for skill in sorted(dice, key=lambda skill: strength(dice[skill]), reverse=True):
        yield r.Choice(skill, turn.system.entry(skill), turn.show(dice[skill]))


def _dice(turn: r.Turn) -> list[r.Choice]:
    """The dice of the answered skill, else of the better one: a form does not ask for it."""
    skill = turn.text("with") or next((choice.value for choice in _skills(turn)), "")
    return dice_to_roll(turn, skill)


@r.move(
    "fight.recover",
    when=r.all_of(
        r.between_actions,
        r.requires(lambda t: t.table.of_kind(OVER), "fight.none", firm=True),
        r.any_of(_heroes, "fight.recovered"),
    ),
    asks=[
        r.first_choice("as", "Who?", _heroes),
        # The better skill needs no question, so that it is one tap.
        r.replace(r.first_choice("with", "With which skill?", _skills), quiet=True),
        missing_value(roll_characteristic),
        r.replace(r.FACES, dice=_dice),
    ],
    rule="Strain and wounds",
    place=r.at("actions", 60),
)
def recover_strain(turn: r.Turn) -> Iterator[r.Event]:
    """Recover strain after the fight

    A Simple check of Cool or Discipline, once for each hero: each net Success recovers 1 strain.
    """
    who, skill = turn.table.characters[turn.text("as")], turn.text("with")
    yield from remember(who, {roll_characteristic(turn): turn.number("value")})
    rolled = turn.cast(skill_pool(turn, who, skill), turn.numbers("faces"))
    named = {"who": who.name, "skill": turn.system.entry(skill)}
    yield r.DiceRolled("", turn.seat.id, rolled, turn.words.say("fight.recovering", **named))
    yield turn.trait(RESTED, "", who.id, until="scene")
    n = min(net(rolled)["success"], turn.table.balance("strain", who.id))
    if n > 0:
        yield from turn.change("strain", -n, who.id, turn.words["fight.calm"])


@r.whenever(r.TraitRemoved)
def forget_rests(turn: r.Turn, event: r.TraitRemoved) -> Iterator[r.Event]:
    """Remove the marks of a fight with its end, so that the next one has its own."""
    if not turn.table.of_kind(OVER):
        for mark in turn.table.of_kind(RESTED):
            yield r.TraitRemoved(mark.id)
