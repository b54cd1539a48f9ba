"""What a seat may do: every move with its price, its questions, and the reason why it is closed.

`why_not` is the only place that says no. Whatever is offered, and whatever is refused, is read from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from storypool.engine.asks import AskView, ask_views
from storypool.engine.kit import Roll
from storypool.engine.moves import Move
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import seen
from storypool.engine.system import System
from storypool.engine.table import NO_POINTS, Points, Seat, Table
from storypool.engine.turn import Settle, Turn


@dataclass(frozen=True, slots=True)
class Offer:
    """A move as one seat sees it now: its title, its price, what it asks, and why it is closed, or None.

    `all_closed` lists every reason. `caution` is what would be set aside at a table that only warns.
    """

    key: str
    title: str
    group: str
    price: Points
    asks: tuple[AskView, ...]
    closed: Refusal | None
    all_closed: tuple[Refusal, ...]
    caution: str = ""
    approval: bool = False
    rule: str = ""


def why_not(turn: Turn, move: Move) -> list[Refusal]:
    """Every reason why this move is closed to this seat now, the first being the answer; empty when it is open.

    Arguments are not looked at, but for the price, which may grow with them.
    """
    return list(_reasons(turn, move))


def _reasons(turn: Turn, move: Move) -> Iterator[Refusal]:
    """The same one by one: whoever needs the first alone asks no further."""
    found = False
    for stage, conditions in (
        ("identity", (lambda turn: _wrong_side(turn, move),)),
        ("sight", (_out_of_sight,)),
        ("window", (move.window,)),
        ("when", (move.when,)),
        ("limit", (lambda turn: _over_limit(turn, move),)),
        ("only_if", move.only_if),
        ("price", (lambda turn: cannot_pay(turn, move),)),
    ):
        if found and (stage == "sight" or (stage == "limit" and turn.check is None)):
            return
        for condition in conditions:
            try:
                reason = condition(turn) if condition else None
            except Refused as refused:
                # What the condition is about is not there, such as the open action.
                found = True
                yield replace(refused.refusal, rule=refused.refusal.rule or move.rule, overridable=False)
                continue
            if reason is not None:
                found = True
                waivable = stage not in _FIXED and not reason.firm
                yield replace(reason, code=stage, rule=reason.rule or move.rule, overridable=waivable)


_FIXED = ("identity", "sight", "price")
"""Stages that nobody sets aside."""


def stopping(reasons: Iterable[Refusal], strictly: bool) -> list[Refusal]:
    """The reasons that do stop a move: all of them, or those alone that nobody sets aside."""
    return [reason for reason in reasons if strictly or not reason.overridable]


def offers(system: System, table: Table, seat_id: str) -> list[Offer]:
    """Every move of the system that this seat's side can ever make, as it stands now, open or closed with its reason.

    Computed on the table as the seat sees it, so an offer never tells of what is hidden.
    """
    seat = table.seats.get(seat_id)
    if seat is None or not seat.here:
        return []
    table = seen(table, seat)
    return [_offer(turn_of(system, table, seat, move), move) for move in system.moves if seat.side in move.by]


def offer(system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]) -> Offer:
    """One offer with some of its arguments already chosen: later questions and the price follow from them."""
    seat, move = asking(system, table, seat_id, key)
    turn = turn_of(system, seen(table, seat), seat, move)
    for name, value in args.items():
        if isinstance(value, (str, int, bool)) and value != "":
            turn.args[name] = value
    return _offer(turn, move)


def open_offers(system: System, table: Table, seat_id: str, keys: Iterable[str]) -> Iterator[Offer]:
    """Those of these moves that are open to this seat: quicker than looking through all offers."""
    table = seen(table, table.seats.get(seat_id))
    for key in keys:
        seat, move = asking(system, table, seat_id, key)
        turn = turn_of(system, table, seat, move)
        strictly = turn.option("enforcement") == "strict"
        if not any(strictly or not reason.overridable for reason in _reasons(turn, move)):
            yield _offer(turn, move)


def _offer(turn: Turn, move: Move) -> Offer:
    reasons = why_not(turn, move)
    level = turn.option("enforcement")
    aside = bool(reasons) and level != "strict" and all(r.overridable for r in reasons)
    price = NO_POINTS if reasons and turn.check is None else move.cost(turn)
    return Offer(
        move.key,
        turn.title,
        move.group,
        price,
        ask_views(turn, move.asks) if all(r.overridable for r in reasons) else (),
        next(iter(stopping(reasons, level == "strict")), None),
        tuple(reasons),
        reasons[0].text if aside and level == "warn" else "",
        bool(move.approval and move.approval(turn)) if not reasons or aside else False,
        move.rule,
    )


def asking(system: System, table: Table, seat_id: str, key: str) -> tuple[Seat, Move]:
    """The seat and the move by their keys; `Refused` where there is no such seat, or no such move."""
    words = system.words
    seat = table.seats.get(seat_id)
    if seat is None or not seat.here:
        raise Refused(Refusal("identity", words.say("no.seat", seat=seat_id), remedy=words["no.seat.remedy"]))
    move = system.by_key.get(key)
    if move is None:
        raise Refused(Refusal("unknown", words.say("no.move", move=key), remedy=words["no.move.remedy"]))
    return seat, move


def turn_of(
    system: System, table: Table, seat: Seat, move: Move, roll: Roll | None = None, settle: Settle | None = None
) -> Turn:
    """What the rule of this move sees when this seat makes it at this table."""
    return Turn(system, table, seat, move.key, system.title(move.key), move.rule, roll, settle)


def _wrong_side(turn: Turn, move: Move) -> Refusal | None:
    if turn.seat.side in move.by:
        return None
    return turn.no("side", side=turn.system.words[f"side.{move.by[0]}"], title=turn.title)


def _out_of_sight(turn: Turn) -> Refusal | None:
    return turn.no("sight") if turn.args.get("check") and turn.check is None else None


def _over_limit(turn: Turn, move: Move) -> Refusal | None:
    for limit in move.limits(turn) if move.limits else ():
        if limit.used(turn) >= limit.n:
            return turn.no(f"limit.{limit.group}", n=limit.n)
    return None


def cannot_pay(turn: Turn, move: Move) -> Refusal | None:
    """Why the price cannot be paid as things stand, or None."""
    for purse, n in move.cost(turn).items():
        have = turn.table.points[purse]
        if have < n:
            return turn.short(purse.account, n, have)
    return None
