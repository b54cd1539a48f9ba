"""A cancelled action refunds exactly the payments for effects that end with it."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from storypool.contract.answers import answers
from storypool.contract.file_moves import following_points, is_refunded
from storypool.contract.finding import Broken
from storypool.contract.random_game import Game, copy_of
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
from storypool.engine.table import Check, Seat, Table, Trait, Value

MAX_MOVES = 6
"""The most moves between an action and its end."""


@dataclass
class _Bill:
    """The payments and lasting effects of one seat's moves, up to the end of its action."""

    system: System
    taken: Points = NO_POINTS
    returned: Points = NO_POINTS
    left_behind: list[tuple[str, Points, list[Trait], Points]] = field(default_factory=list)
    in_words: Points = NO_POINTS

    def add(
        self,
        key: str,
        price: Points,
        events: Iterable[Event],
        check: Check,
        args: Mapping[str, Value],
    ) -> None:
        """Note a priced move, and its further effects; `check` is its action before the move."""
        events = list(events)
        if all(
            event.check.mods == check.mods for event in events if isinstance(event, CheckChanged)
        ):
            # It changed no dice, so its effect may be in words alone, and last.
            self.in_words += price
        moved = _paid(self.system, events)
        refunded = is_refunded(self.system, key, args)
        if refunded:
            # All other changes follow from the points paid, and are undone with them.
            self.taken += moved.only(price)
            return
        if refunded is False:
            # A file says that the effect stays, and so does its price.
            if isinstance(events[0], MoveMade) and events[0].move != key:
                self.taken -= price  # noted when it was proposed
            return
        self.taken += moved
        traits = [event.trait for event in events if isinstance(event, TraitSet)]
        side_effects = Points({purse: n for purse, n in moved.items() if purse not in price})
        self.left_behind.append((key, price, traits, side_effects))

    def end(self, events: Iterable[Event]) -> None:
        """Note the refunds and payments at the end of the action."""
        self.returned = _paid(self.system, events)
        self.taken += self.returned

    def kept(self, before: Table, after: Table) -> list[tuple[str, Points, Points]]:
        """The moves with lasting effects: their keys, prices, and further payments or gains."""
        kept = []
        for key, price, traits, side_effects in self.left_behind:
            new = (one for one in traits if one != before.traits.get(one.id))
            stays = any(after.traits.get(one.id) == one for one in new)
            if stays or any(self.returned[purse] * n >= 0 for purse, n in side_effects.items()):
                kept.append((key, price, side_effects))
        return kept


def _paid(system: System, events: Iterable[Event]) -> Points:
    """The points paid from each purse; gains are below 0."""
    changes = (event for event in events if isinstance(event, PointsSet))
    paid = (
        Points({_purse(one): system.by_account[one.account].paid(one.delta)}) for one in changes
    )
    return sum(paid, NO_POINTS)


def _purse(event: PointsSet) -> Purse:
    return Purse(event.account, event.owner)


def check_calling_off(game: Game, chance: random.Random) -> int:
    """Spend at random in a copy, cancel the action, and check the refund; 1 if cancelled, else 0.

    `Broken` if an effect lasts and its point came back, if more points come back than were paid, or
    if a point is gone and none of its effects lasts.
    """
    if game.table.options.get("enforcement") != "strict":
        # If rules are set aside, points may be spent on effects that do nothing.
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
    events = _try_move(copy, seat, "check.cancel", {"check": check.id})
    if not any(isinstance(event, CheckClosed) and event.how == "cancelled" for event in events):
        return 0
    bill.end(events)
    kept = bill.kept(before, copy.table)
    owed = sum((price for _, price, _ in kept), NO_POINTS)
    # Healing lowers a track: that is not a loss.
    effects = sum((side_effects for *_, side_effects in kept), NO_POINTS)
    following = following_points(copy.system)
    for purse in filter(partial(_owns, copy, seat), {*bill.taken, *owed}):
        if purse.account in following:
            continue  # rows of a file move these points besides
        paid, due, how = bill.taken[purse], owed[purse], " · ".join(trail)
        if paid < due:
            what = ", ".join(key for key, price, _ in kept if price[purse])
            raise Broken("gift", purse=str(purse), paid=paid, due=due, what=what, how=how)
        if paid > due + bill.in_words[purse] + max(0, effects[purse]):
            raise Broken("loss", purse=str(purse), paid=paid, due=due, how=how)
    return 1


def _owns(copy: Game, seat: Seat, purse: Purse) -> bool:
    """Whether these points belong to this seat's side, or to a character of this seat."""
    if not purse.owner:
        return copy.system.by_account[purse.account].side == (
            "gm" if seat.side == "gm" else "players"
        )
    owner = copy.table.characters[purse.owner]
    if seat.side == "gm":
        return owner.side == "gm"
    return owner.seat == seat.id


def _action(copy: Game) -> Check | None:
    """An action without payments so far: an open one, else a new one, or None."""
    for _ in range(6):
        # An opposed action ends with its opponent, and refunds the points spent on it.
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
                        _try_move(copy, seat, key, {"check": check.id})
        for seat in seats:
            # Begin a session, or whatever else must begin before anybody can act.
            if seat.side != "gm":
                continue
            beginning = _moves(copy, seat, lambda move: move.key.endswith(".begin"))
            for one in list(open_offers(copy.system, copy.table, seat.id, beginning)):
                if not any(ask.needed for ask in one.asks):
                    _try_move(copy, seat, one.key, {})
        seat = copy.chance.choice(seats)
        declaring = _moves(copy, seat, lambda move: _opens(move.key))
        opening = open_moves(copy.system, copy.table, seat.id, declaring)
        if opening:
            key = copy.chance.choice(opening)
            _try_move(copy, seat, key, dict(answers(copy, seat, key)))
    return None


def _cost(copy: Game, check: Check) -> bool:
    """Whether the move that opened this action had a price, which is refunded with it."""
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
    """The wanted moves of this seat's side, in the game's order."""
    return [move.key for move in copy.system.moves if seat.side in move.by and wanted(move)]


def _opens(key: str) -> bool:
    return key.endswith((".declare", ".use", ".attack", ".seek", ".try"))


def _spend(copy: Game, seat: Seat, check: Check, bill: _Bill, trail: list[str]) -> None:
    """Make one more move of this seat, or accept its proposal or suggestion."""
    waits = [one for one in copy.table.proposals.values() if one.seat == seat.id]
    masters = [one for one in copy.table.seats.values() if one.side == "gm" and one.here]
    now = copy.table.checks[check.id]
    if masters and now.suggested:
        _try_move(copy, masters[0], "check.agree", {"check": check.id})
        return
    if masters and waits and copy.chance.random() < 0.6:
        proposal = waits[0]
        events = _try_move(copy, masters[0], "proposal.accept", {"id": proposal.id})
        if events and proposal.price:
            bill.add(proposal.move, proposal.price, events, now, proposal.args)
            trail.append(f"accepted {proposal.move}")
        return
    priced = _moves(copy, seat, lambda move: move.price is not None and not _opens(move.key))
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
        bill.add(one.key, made.turn.paid, made.events, now, made.turn.args)
    elif is_refunded(copy.system, one.key, made.turn.args) is not False:
        # A payment may give points to the other side, which cancelling takes back.
        bill.taken += _paid(copy.system, made.events)


def _try_move(copy: Game, seat: Seat, key: str, args: Mapping[str, object]) -> list[Event]:
    """Make a move in the copy; [] if it is refused."""
    try:
        events = decision_of(copy.system, copy.table, seat.id, key, args, roll=copy.roll).events
    except Refused:
        return []
    assert isinstance(events[0], MoveMade)
    copy.keep(events, seat.id)
    return events
