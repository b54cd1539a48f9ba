"""What ends by itself: the roll of an opponent, once nothing of it is left to decide."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.dune.determination import fitting, price
from storypool.systems.dune.people.abilities import AGAIN
from storypool.systems.dune.rolling import finish, places
from storypool.systems.dune.test import Ability, Test


def can_roll_again(turn: r.Turn, check: r.Check) -> bool:
    """Whether Determination, or for an NPC Threat, can roll dice of this test again."""
    if check.phase != "rolled" or check.hidden or Test.of(check).touched or not places(check):
        return False
    about = turn.as_seat(turn.seat, check=check.id)
    return fitting(about) is None and all(turn.table.points[purse] >= n for purse, n in price(about).items())


def is_over(turn: r.Turn, check: r.Check) -> bool:
    """Whether nothing of an opponent's roll is left to decide: no complication, and no dice to roll again."""
    if Test.of(check).kind != "oppose" or check.phase != "rolled" or check.outcome is None:
        return False
    held = any(one.check == check.id for one in turn.table.proposals.values())
    people = (check.actor, *Test.of(check).helpers)
    called = any(
        Ability.of(trait).ability in AGAIN and trait.about in people for trait in turn.table.of_kind("ability")
    )
    return not (check.left["complication"] or held or called or can_roll_again(turn, check))


@r.whenever(r.CheckChanged)
def ends(turn: r.Turn, event: r.CheckChanged) -> Iterator[r.Event]:
    """Whenever nothing of an opponent's roll is left to decide, it is over, and the character who acts goes on."""
    check = turn.table.checks.get(event.check.id)
    if check is not None and is_over(turn, check):
        yield from finish(turn, check)
