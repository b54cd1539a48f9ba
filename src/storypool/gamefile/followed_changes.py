"""The changes of points and clocks that rows of a game file follow: a rise, a fall, a limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from storypool.engine import rules as r
from storypool.engine.sight import audience, of_its_subject
from storypool.gamefile.file_format.schema import GameFile, WheneverRow
from storypool.gamefile.file_rolls.usual_terms import group_of

__all__ = ["NumberChange", "change_of", "in_sight_of", "is_taken_back"]


class NumberChange(NamedTuple):
    """A change from a number to another, of points or of the segments of a clock.

    `about` is the character whose they are, "" for nobody's; `paid` whether it is a price.
    """

    before: int
    after: int
    least: int
    most: int | None
    about: str
    paid: bool = False

    def is_meant(self, row: WheneverRow, reached: int = 0) -> bool:
        """Whether a row follows it, where `reached` is the number that it waits for."""
        way = "rises" if self.after > self.before else "falls"
        if row.on == "full":
            return way == "rises" and self.after == self.most
        if row.on == "empty":
            return way == "falls" and self.after <= self.least
        if row.on == "lost":
            return way == "falls" and not self.paid
        if row.direction not in ("either", way) or row.on == "points":
            return row.direction in ("either", way)
        if way == "rises":
            return self.before < reached <= self.after
        return self.after <= reached < self.before


def change_of(
    game: GameFile, row: WheneverRow, turn: r.Turn, event: r.Event
) -> NumberChange | None:
    """The change that an event makes to the points, clocks or number of a row, or None."""
    if isinstance(event, r.PointsSet) and event.account == row.points and event.delta:
        account, owner = turn.system.by_account[event.account], event.owner
        before = event.balance - event.delta
        # The price of a move is the first that it takes.
        price = turn.paid[r.Purse(event.account, owner)]
        paid = bool(price) and turn.before.balance(event.account, owner) == before
        bounds = account.least(turn.table, owner), account.most(turn.table, owner)
        return NumberChange(before, event.balance, *bounds, owner, paid and -event.delta == price)
    if isinstance(event, r.TraitSet) and event.trait.kind == row.trait:
        trait, old = event.trait, turn.previous.traits.get(event.trait.id)
        if old is not None and old.rating != trait.rating:
            steps = game.trait[trait.kind].steps
            ends = (steps[0], steps[-1]) if steps else (0, trait.goal)
            return NumberChange(old.rating, trait.rating, *ends, trait.about)
    group = group_of(game.sheet, row.entry)
    if isinstance(event, r.CharacterSet) and group is not None:
        one, known = event.character, turn.previous.characters.get(event.character.id)
        if known is None:
            return None
        n, was = one.rating(row.entry), known.rating(row.entry)
        now, had = n if n is not None else group.default, was if was is not None else group.default
        if now != had:
            return NumberChange(had, now, group.low, group.high, one.id)
    return None


def is_taken_back(turn: r.Turn, event: r.PointsSet) -> bool:
    """Whether points only go back: those of an earlier roll, or what an action had cost."""
    refunds = (
        turn.words.say("points.refund", what=check.title) for check in turn.before.checks.values()
    )
    return event.why in (turn.words["filed.rolled_again"], *refunds)


def in_sight_of(event: r.Event, turn: r.Turn, follows: Iterator[r.Event]) -> Iterator[r.Event]:
    """The consequences of an event; of a hidden one, none that are public."""
    hidden = audience(event) is not None
    for one in follows:
        if not hidden or audience(of_its_subject(one, turn.table)) is not None:
            yield one
