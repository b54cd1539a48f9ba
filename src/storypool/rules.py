"""The rules engine: moves as rows with a sentence beside them, what may be done and why not, and deciding a move once.

`why_not` is the only place that says no. `offers` reads it for every front end; `decide` reads it before it lets a
move's body speak. Knows no game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from storypool.asks import AskView, ask_views, parsed
from storypool.bag import Bag
from storypool.refusal import Refusal, Refused
from storypool.system import (
    Account,
    Body,
    Condition,
    Entry,
    Limit,
    Look,
    Move,
    Option,
    Panel,
    Reaction,
    Roll,
    System,
    move,
)
from storypool.table import (
    Audience,
    Event,
    MoveMade,
    Proposal,
    Proposed,
    Table,
    Value,
    audience,
    may_see,
    seen,
)
from storypool.turn import Turn, for_audience


@dataclass(frozen=True, slots=True)
class Offer:
    """A move as one seat sees it now: its title, its price, what it asks, and why it is closed, or None.

    `all_closed` lists every reason. `caution` is what would be set aside at a table that only warns.
    """

    key: str
    title: str
    group: str
    price: Bag
    asks: tuple[AskView, ...]
    closed: Refusal | None
    all_closed: tuple[Refusal, ...]
    caution: str = ""
    approval: bool = False
    rule: str = ""


def why_not(turn: Turn) -> list[Refusal]:
    """Every reason why this move is closed to this seat now, the first being the answer; empty when it is open.

    Arguments are not looked at, but for the price, which may grow with them.
    """
    return list(_reasons(turn))


def _reasons(turn: Turn) -> Iterator[Refusal]:
    """The same one by one, so that whoever needs the first alone asks no further."""
    made, found = turn.move, False
    for stage, conditions in (
        ("identity", (_wrong_side,)),
        ("sight", (_out_of_sight,)),
        ("window", (made.window,)),
        ("when", (made.when,)),
        ("limit", (_over_limit,)),
        ("only_if", made.only_if),
        ("price", (_cannot_pay,)),
    ):
        if found and (stage == "sight" or (stage == "limit" and turn.check is None)):
            return
        for condition in conditions:
            reason = condition(turn) if condition else None
            if reason is not None:
                found = True
                waivable = stage not in _FIXED and not reason.firm
                yield replace(reason, code=stage, rule=reason.rule or made.rule, overridable=waivable)


_FIXED = ("identity", "sight", "price")
"""Stages that nobody sets aside."""


def offers(system: System, table: Table, seat_id: str) -> list[Offer]:
    """Every move of the system that this seat's side can ever make, as it stands now, open or closed with its reason.

    Computed on the table as the seat sees it, so an offer never tells of what is hidden.
    """
    seat = table.seats.get(seat_id)
    if seat is None or not seat.here:
        return []
    table = seen(table, seat)
    return [_offer(Turn(system, table, seat, made)) for made in system.moves if seat.side in made.by]


def offer(system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]) -> Offer:
    """One offer with some of its arguments already chosen: later questions and the price follow from them."""
    turn = _turn(system, seen(table, table.seats.get(seat_id)), seat_id, key, None)
    for name, value in args.items():
        if isinstance(value, (str, int, bool)) and value != "":
            turn.args[name] = value
    return _offer(turn)


def open_offers(system: System, table: Table, seat_id: str, keys: Iterable[str]) -> Iterator[Offer]:
    """Those of these moves that are open to this seat: quicker than looking through all offers."""
    table = seen(table, table.seats.get(seat_id))
    for key in keys:
        turn = _turn(system, table, seat_id, key, None)
        strictly = turn.option("enforcement") == "strict"
        if not any(strictly or not reason.overridable for reason in _reasons(turn)):
            yield _offer(turn)


def _offer(turn: Turn) -> Offer:
    made = turn.move
    reasons = why_not(turn)
    level = turn.option("enforcement")
    aside = bool(reasons) and level != "strict" and all(r.overridable for r in reasons)
    price = Bag() if reasons and turn.check is None else made.cost(turn)
    return Offer(
        made.key,
        turn.title,
        made.group,
        price,
        ask_views(turn, made.asks) if all(r.overridable for r in reasons) else (),
        next(iter(_stopping(reasons, level == "strict")), None),
        tuple(reasons),
        reasons[0].text if aside and level == "warn" else "",
        bool(made.approval and made.approval(turn)) if not reasons or aside else False,
        made.rule,
    )


def decide(
    system: System,
    table: Table,
    seat_id: str,
    key: str,
    args: Mapping[str, object],
    roll: Roll | None,
    override: bool = False,
) -> list[Event]:
    """The events that a move makes, the first a `MoveMade`; raises `Refused` with the reason when it may not be made.

    Pure: chance comes from `roll`, and the table given is not touched. A GM who overrides sets aside what the rules
    refuse, and it is recorded; a player who overrides asks the GM for it. Whether a move is open and what its
    arguments mean is read from the table as the seat sees it, as `offers` does, so no answer tells of what is hidden.
    """
    return _decided(system, table, seat_id, key, args, roll, override).events


def what_if(system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]) -> Table:
    """The table as it would be after a move, agreed to where that is needed: a table that nobody keeps.

    No dice are rolled for it; raises `Refused` as `decide` does.
    """
    return _decided(system, table, seat_id, key, args, None, agreed=True).table


def _decided(
    system: System,
    table: Table,
    seat_id: str,
    key: str,
    args: Mapping[str, object],
    roll: Roll | None,
    override: bool = False,
    agreed: bool = False,
) -> Turn:
    turn = _turn(system, seen(table, table.seats.get(seat_id)), seat_id, key, roll)
    if "check" in args and isinstance(args["check"], str):
        turn.args["check"] = args["check"]
    made = turn.move
    reasons = why_not(turn)
    level = turn.option("enforcement")
    stops = [r for r in _stopping(reasons, level == "strict" and not override) if r.code != "price"]
    if stops:
        raise Refused(stops[0], reasons)
    bound = [r for r in reasons if r.code != "price"]
    asks_gm = bool(bound) and override and level == "strict" and turn.seat.side != "gm"
    turn.args = parsed(turn, made.asks, args)
    short = _cannot_pay(turn)
    if short is not None:
        raise Refused(replace(short, code="price", rule=short.rule or made.rule), reasons)
    aside = tuple(r.text for r in bound)
    counts = tuple(c for limit in (made.limits(turn) if made.limits else ()) if (c := limit.counter(turn)))
    turn.table = table
    check = turn.check
    turn.emit(MoveMade(key, seat_id, dict(turn.args), counts, aside, check.id if check else ""))
    price = made.cost(turn)
    if asks_gm or (made.approval and made.approval(turn) and not agreed):
        _propose(turn, price, counts, aside)
    else:
        pay(turn, price)
        for event in made.body(turn):
            turn.emit(event)
    done = [audience(event) for event in turn.events[1:]]
    audiences = [check.seen_by if check else None, *_audiences_of(table, turn.args), *done]
    # What a seat said itself holds nothing that this seat may not see.
    hidden = next((a for a in audiences if a is not None and may_see(turn.seat, a)), None)
    if hidden is not None:
        turn.events[0] = for_audience(turn.events[0], hidden)
    return turn


def _audiences_of(table: Table, args: Mapping[str, Value]) -> Iterator[Audience]:
    """The audience of each character and trait that is named by its id, or by an account of its own."""
    for value in args.values():
        if isinstance(value, str):
            thing = table.traits.get(value) or table.characters.get(value.partition(".")[0])
            if thing is not None:
                yield thing.seen_by


def _stopping(reasons: Iterable[Refusal], strictly: bool) -> list[Refusal]:
    """The reasons that do stop a move: all of them, or those alone that nobody sets aside."""
    return [reason for reason in reasons if strictly or not reason.overridable]


def pay(turn: Turn, price: Bag) -> None:
    """Take a price from the accounts it names."""
    for name, n in price.items():
        owner, _, account = name.rpartition(".")
        for event in turn.change(account, -n, owner):
            turn.emit(event)


def settle(turn: Turn, proposal: Proposal) -> Iterator[Event]:
    """An accepted proposal carried out: its move's body speaks, for the seat that proposed it."""
    made = turn.system.by_key[proposal.move]
    acting = Turn(turn.system, turn.table, turn.table.seats[proposal.seat], made, turn.roll)
    acting.args = dict(proposal.args)
    acting.about = proposal.check
    # What was counted and paid stays so, and so does what the GM set aside; but the moment may have passed.
    gone = [r for r in why_not(acting) if r.code in ("when", "sight") and r.text not in proposal.set_aside]
    if gone:
        raise Refused(gone[0])
    for event in acting.move.body(acting):
        yield event
        acting.table = turn.table


def _propose(turn: Turn, price: Bag, counts: tuple[str, ...], aside: tuple[str, ...]) -> None:
    check = turn.check
    turn.emit(
        Proposed(
            Proposal(
                turn.fresh("p"),
                turn.seat.id,
                turn.move.key,
                dict(turn.args),
                turn.said(),
                check.id if check else "",
                price,
                counts,
                aside,
                check.seen_by if check else None,
            )
        )
    )
    pay(turn, price)


def _turn(system: System, table: Table, seat_id: str, key: str, roll: Roll | None) -> Turn:
    words = system.words
    seat = table.seats.get(seat_id)
    if seat is None or not seat.here:
        raise Refused(Refusal("identity", words.say("no.seat", seat=seat_id), remedy=words["no.seat.remedy"]))
    made = system.by_key.get(key)
    if made is None:
        raise Refused(Refusal("unknown", words.say("no.move", move=key), remedy=words["no.move.remedy"]))
    return Turn(system, table, seat, made, roll)


def _wrong_side(turn: Turn) -> Refusal | None:
    if turn.seat.side in turn.move.by:
        return None
    return turn.no("side", side=turn.system.words[f"side.{turn.move.by[0]}"], title=turn.title)


def _out_of_sight(turn: Turn) -> Refusal | None:
    return turn.no("sight") if turn.args.get("check") and turn.check is None else None


def _over_limit(turn: Turn) -> Refusal | None:
    for limit in turn.move.limits(turn) if turn.move.limits else ():
        if turn.times(limit) >= limit.n:
            return turn.no(f"limit.{limit.group}", n=limit.n)
    return None


def _cannot_pay(turn: Turn) -> Refusal | None:
    for name, n in turn.move.cost(turn).items():
        have = turn.table.points[name]
        if have < n:
            return turn.short(name.rpartition(".")[2], n, have)
    return None


__all__ = [
    "Account",
    "Body",
    "Condition",
    "Entry",
    "Limit",
    "Look",
    "Move",
    "Offer",
    "Option",
    "Panel",
    "Reaction",
    "Refusal",
    "Refused",
    "Roll",
    "System",
    "Turn",
    "decide",
    "move",
    "offer",
    "offers",
    "open_offers",
    "pay",
    "settle",
    "what_if",
    "why_not",
]
