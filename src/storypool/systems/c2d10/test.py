"""A test or a contest: its terms, and the reading of its roll.

Source: c2d10.md 2.1, 2.2 and 2.5.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from storypool.engine import rules as r
from storypool.systems.c2d10.dice import ACTIVE, PARTS, RIVAL, Part, net
from storypool.systems.c2d10.result import came_to
from storypool.words import Words


class Side(NamedTuple):
    """One side of a roll: its skill, talent and focus, and what points bought for it."""

    skill: str
    talent: str
    focus: bool
    bought: int
    added: int
    rerolled: int


@dataclass(frozen=True)
class Test(r.State):
    """The terms of a test or a contest.

    `kind` is "test", "contest", "information", or "end" for the test of a finished scene: of
    what was `due`, on this `track`. `dc` is the base, and `target` the result after
    circumstances (in words in `why`) and the `traits` in play, which add `shift` (in words in
    `moved`); `bonus` are the used ones, each after its owner. A test may be part of a
    `conflict`, with an `asset`. The Keeper may have `called` for a roll at DC 0. An `attempt`
    was bought, not the dice. Points that were paid for other things, such as a circumstance,
    are `gone`. Once `settled`, the roll is final.
    """

    kind: str = ""
    skill: str = ""
    talent: str = ""
    focus: bool = False
    by_skill: str = ""
    by_talent: str = ""
    by_focus: bool = False
    conflict: str = ""
    asset: str = ""
    dc: int | None = None
    target: int | None = None
    shift: int = 0
    moved: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    bonus: tuple[str, ...] = ()
    due: str = ""
    track: str = ""
    called: bool = False
    attempt: bool = False
    gone: int = 0
    settled: bool = False
    bought: int = 0
    added: int = 0
    rerolled: int = 0
    rival_bought: int = 0
    rival_added: int = 0
    rival_rerolled: int = 0

    renamed: ClassVar[Mapping[str, str]] = {
        "rival_bought": "rival-bought",
        "rival_added": "rival-added",
        "rival_rerolled": "rival-rerolled",
    }

    @property
    def is_contest(self) -> bool:
        """Whether two sides roll against each other."""
        return self.kind == "contest"

    @property
    def needs_no_roll(self) -> bool:
        """Whether the DC is down to 0, and the Keeper has not called for the roll."""
        return self.dc is not None and not self.is_contest and not self.called and not self.target

    def side(self, part: Part) -> Side:
        """The numbers of one side of the roll."""
        if part is RIVAL:
            bought = self.rival_bought, self.rival_added, self.rival_rerolled
            return Side(self.by_skill, self.by_talent, self.by_focus, *bought)
        return Side(
            self.skill,
            self.talent,
            self.focus,
            bought=self.bought,
            added=self.added,
            rerolled=self.rerolled,
        )

    def counts(self, table: r.Table) -> bool:
        """Whether it is part of the open conflict."""
        return self.conflict in table.traits


def reader(words: Words) -> Callable[[r.Table, r.Check, tuple[r.Rolled, ...]], r.Outcome]:
    """A reader of rolls that speaks in these words.

    A test passes with as many successes as its DC; a contest is won with more than the other
    side's; without either there is only a count. Successes bought after the roll are included.
    """

    def read(table: r.Table, check: r.Check, rolled: tuple[r.Rolled, ...]) -> r.Outcome:
        total, test = net(rolled), Test.of(check)
        for part in PARTS:
            total += r.Bag({f"{part.axis}successes": test.side(part).added})
        contest = test.is_contest or bool(check.pool.only(RIVAL.dice))
        names = [
            one.name for id in (check.actor, check.against) if (one := table.characters.get(id))
        ]
        tie = table.options.get("contest_tie", "draw")
        passed, _, text = came_to(total, words, contest, dc=test.target, tie=tie, names=names)
        margin = total["successes"] - (total["rival_successes"] if contest else test.target or 0)
        return r.Outcome(passed, margin, total, text)

    return read


def roller(table: r.Table, check: r.Check, part: Part) -> r.Character | None:
    """The character on this side of the roll."""
    return table.characters.get(check.actor if part is ACTIVE else check.against)


def winner(table: r.Table, check: r.Check) -> Part | None:
    """The successful side, or None: a failed test, or a drawn contest."""
    outcome, contest = check.outcome, Test.of(check).is_contest
    if outcome is None or not (outcome.passed or contest):
        return None
    if outcome.passed:
        return ACTIVE
    if outcome.margin or table.options.get("contest_tie") == "defender":
        return RIVAL
    return None


def trouble(table: r.Table, check: r.Check) -> r.Bag:
    """The trouble of this roll for both sides, to be taken or ignored.

    A regular 0 is a setback on a failure, a 0 on a crisis die always a complication, a 9 on a
    crisis die a mess on a success. In a draw the active side has failed, and the other side has
    not.
    """
    outcome, won, found = check.outcome, winner(table, check), r.Bag()
    for part in PARTS if check.against else (ACTIVE,):
        fails = won is not part and (part is ACTIVE or won is ACTIVE)
        comes = {
            "setback": ("zeros", fails),
            "complication": ("crisis_zeros", True),
            "mess": ("messes", won is part),
        }
        for symbol, (axis, so) in comes.items():
            if outcome is not None and so:
                found += r.Bag({f"{part.mark}{symbol}": outcome.net[f"{part.axis}{axis}"]})
    return found
