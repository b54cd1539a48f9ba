"""An action that is called off gives back what was paid for all that is gone with it, and no
more.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from storypool import systems
from storypool.check.answers import answers
from storypool.check.brought import brought
from storypool.check.finding import Broken
from storypool.check.random_game import Game, copy_of
from storypool.engine.bag import NO_POINTS, Points, Purse
from storypool.engine.decisions import decision_of
from storypool.engine.events import (
    CheckChanged,
    CheckClosed,
    CheckOpened,
    Event,
    MoveMade,
    PointsSet,
    Rewound,
    TraitSet,
)
from storypool.engine.game.moves import Move
from storypool.engine.game.system import System
from storypool.engine.offers import open_moves, open_offers
from storypool.engine.refusal import Refused
from storypool.engine.table import Check, Seat, Table, Trait
from storypool.gamefile.doing import REFUNDED

MAX_MOVES = 6
"""The most moves between an action and its end."""


@dataclass
class _Bill:
    """What the moves of one seat took and left behind, up to the end of its action."""

    system: System
    taken: Points = NO_POINTS
    returned: Points = NO_POINTS
    left_behind: list[tuple[str, Points, list[Trait], Points]] = field(default_factory=list)
    in_words: Points = NO_POINTS

    def add(self, key: str, price: Points, events: Iterable[Event], check: Check) -> None:
        """Note a move with a price, and what it did besides taking it; `check` is its action before
        it.
        """
        events = list(events)
        if all(
            event.check.mods == check.mods for event in events if isinstance(event, CheckChanged)
        ):
            # It changed no dice, so what it did may be in words alone, and stay.
            self.in_words += price
        moved = _paid(self.system, events)
        if _changes_the_action_alone(self.system, key):
            # What else is moved follows from the points that are paid, and so does what is made
            # true.
            self.taken += moved.only(price)
            return
        self.taken += moved
        traits = [event.trait for event in events if isinstance(event, TraitSet)]
        beside = Points({purse: n for purse, n in moved.items() if purse not in price})
        self.left_behind.append((key, price, traits, beside))

    def end(self, events: Iterable[Event]) -> None:
        """Note what the end of the action gives back, and takes."""
        self.returned = _paid(self.system, events)
        self.taken += self.returned

    def kept(self, before: Table, after: Table) -> list[tuple[str, Points, Points]]:
        """Return the moves whose effects are still there, with what they cost, and what else they
        took or gave.
        """
        return [
            (key, price, beside)
            for key, price, traits, beside in self.left_behind
            if any(after.traits.get(one.id) == one != before.traits.get(one.id) for one in traits)
            or any(self.returned[purse] * n >= 0 for purse, n in beside.items())
        ]


def _changes_the_action_alone(system: System, key: str) -> bool:
    """Whether a move of a file does nothing but what is gone with an action that is called off."""
    file = systems.file_behind(system.key)
    rows = file.game.move if file is not None else ()
    row = next((row for row in rows if key == f"move.{row.key}"), None)
    return row is not None and all(do.verb in REFUNDED for do in row.do)


def _paid(system: System, events: Iterable[Event]) -> Points:
    """Return how much was paid from each purse; what came to it is below 0."""
    changes = (event for event in events if isinstance(event, PointsSet))
    paid = (
        Points({_purse(one): system.by_account[one.account].paid(one.delta)}) for one in changes
    )
    return sum(paid, NO_POINTS)


def _purse(event: PointsSet) -> Purse:
    return Purse(event.account, event.owner)


def called_off(game: Game, chance: random.Random) -> int:
    """Spend at random in a copy, cancel the action, check the refund; return 1 if it was cancelled,
    else 0.

    `Broken` if an effect stays and its point came back, if more points come back than were paid, or
    if a point is gone and nothing that it paid for is left.
    """
    if game.table.options.get("enforcement") != "strict":
        # Where rules are set aside, points may be spent on what has no use for them.
        return 0
    copy = copy_of(game, chance)
    check = _action(copy)
    if check is None:
        return 0
    seat = copy.table.seats[check.by]
    before, bill, trail = copy.table, _Bill(copy.system), list[str]()
    for _ in range(chance.randint(0, MAX_MOVES)):
        _spend(copy, seat, check, bill, trail)
        if check.id not in copy.table.checks or copy.table.checks[check.id].phase != "build":
            return 0
    events = _made(copy, seat, "check.cancel", {"check": check.id})
    if not any(isinstance(event, CheckClosed) and event.how == "cancelled" for event in events):
        return 0
    bill.end(events)
    kept = bill.kept(before, copy.table)
    owed = sum((price for _, price, _ in kept), NO_POINTS)
    # What heals takes from a track: that is no loss.
    effects = sum((beside for *_, beside in kept), NO_POINTS)
    for purse in filter(partial(_owns, copy, seat), {*bill.taken, *owed}):
        paid, due, how = bill.taken[purse], owed[purse], " · ".join(trail)
        if paid < due:
            what = ", ".join(key for key, price, _ in kept if price[purse])
            raise Broken("gift", purse=str(purse), paid=paid, due=due, what=what, how=how)
        if paid > due + bill.in_words[purse] + max(0, effects[purse]):
            raise Broken("loss", purse=str(purse), paid=paid, due=due, how=how)
    return 1


def _owns(copy: Game, seat: Seat, purse: Purse) -> bool:
    """Whether these are points of this seat's side, or of a character that it plays."""
    if not purse.owner:
        return copy.system.by_account[purse.account].side == (
            "gm" if seat.side == "gm" else "players"
        )
    owner = copy.table.characters[purse.owner]
    return owner.side == "gm" if seat.side == "gm" else owner.seat == seat.id


def _action(copy: Game) -> Check | None:
    """Return an action on which nothing was spent yet, the one that is open or else a new one, or
    None.
    """
    for _ in range(6):
        # An action opposed to another ends with it, and gives back what was spent on it.
        spent = any(check.spent or check.owed for check in copy.table.checks.values())
        for check in copy.table.checks.values():
            by = copy.table.seats.get(check.by)
            untouched = check.phase == "build" and not spent and not copy.table.proposals
            if untouched and by is not None and by.here and not _cost(copy, check):
                return check
        seats = [
            seat for seat in copy.table.seats.values() if seat.here and seat.side != "spectator"
        ]
        for check in list(copy.table.checks.values()):
            for seat in seats:
                for key in ("check.cancel", "spend.waive", "check.close"):
                    if check.id in copy.table.checks:
                        _made(copy, seat, key, {"check": check.id})
        for seat in seats:
            # What has to begin before anybody can act, such as a session.
            beginning = (
                _moves(copy, seat, lambda move: move.key.endswith(".begin"))
                if seat.side == "gm"
                else ()
            )
            for one in list(open_offers(copy.system, copy.table, seat.id, beginning)):
                if not any(ask.needed for ask in one.asks):
                    _made(copy, seat, one.key, {})
        seat = copy.chance.choice(seats)
        declaring = _moves(copy, seat, lambda move: _opens(move.key))
        opening = open_moves(copy.system, copy.table, seat.id, declaring)
        if opening:
            key = copy.chance.choice(opening)
            _made(copy, seat, key, dict(answers(copy, seat, key)))
    return None


def _cost(copy: Game, check: Check) -> bool:
    """Whether the move that opened this action had a price, which comes back with it."""
    paid = False
    for record in copy.records:
        match record.event:
            case MoveMade():
                paid = False
            case PointsSet() as event if _paid(copy.system, [event])[_purse(event)] > 0:
                paid = True
            case CheckOpened(opened) if opened.id == check.id:
                return paid
    return True


def _moves(copy: Game, seat: Seat, wanted: Callable[[Move], bool]) -> list[str]:
    """Return those of the moves of this seat's side that are wanted, in the game's order."""
    return [move.key for move in copy.system.moves if seat.side in move.by and wanted(move)]


def _opens(key: str) -> bool:
    return key.endswith((".declare", ".use", ".attack", ".seek", ".try"))


def _spend(copy: Game, seat: Seat, check: Check, bill: _Bill, trail: list[str]) -> None:
    """Make one more move of this seat's, or agree to what it proposed or suggested."""
    waits = [one for one in copy.table.proposals.values() if one.seat == seat.id]
    masters = [one for one in copy.table.seats.values() if one.side == "gm" and one.here]
    now = copy.table.checks[check.id]
    if masters and now.suggested:
        _made(copy, masters[0], "check.agree", {"check": check.id})
        return
    if masters and waits and copy.chance.random() < 0.6:
        proposal = waits[0]
        events = _made(copy, masters[0], "proposal.accept", {"id": proposal.id})
        if events and proposal.price:
            bill.add(proposal.move, proposal.price, events, now)
            trail.append(f"accepted {proposal.move}")
        return
    shown = brought(copy.system.key).reveals
    priced = _moves(
        copy,
        seat,
        lambda move: move.price is not None and not _opens(move.key) and move.key not in shown,
    )
    costly = list(open_offers(copy.system, copy.table, seat.id, priced))
    if not costly:
        return
    one = copy.chance.choice(costly)
    args: dict[str, object] = {**dict(answers(copy, seat, one.key, named=False)), "check": check.id}
    try:
        made = decision_of(copy.system, copy.table, seat.id, one.key, args, roll=copy.roll)
    except Refused:
        return
    if any(isinstance(event, Rewound | CheckOpened) for event in made.events):
        return
    copy.keep(made.events, seat.id)
    trail.append(f"{one.key} {args}")
    proposed = any(proposal.seat == seat.id for proposal in copy.table.proposals.values())
    if proposed and len(copy.table.proposals) > len(waits):
        bill.taken += made.turn.paid
    elif made.turn.paid:
        bill.add(one.key, made.turn.paid, made.events, now)
    else:
        # One may pay by giving points to the other side, which calling off takes back.
        bill.taken += _paid(copy.system, made.events)


def _made(copy: Game, seat: Seat, key: str, args: Mapping[str, object]) -> list[Event]:
    """Make a move in the copy; [] if it is refused."""
    try:
        events = decision_of(copy.system, copy.table, seat.id, key, args, roll=copy.roll).events
    except Refused:
        return []
    assert isinstance(events[0], MoveMade)
    copy.keep(events, seat.id)
    return events
