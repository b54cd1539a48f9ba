"""The moves open to a seat: every move with its price, its questions, and why it is closed.

`why_not` alone decides whether a move is closed. All offers and refusals come from it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cache
from itertools import islice

from storypool.engine.bag import NO_POINTS, Points
from storypool.engine.game.asks import AskView, ask_views
from storypool.engine.game.kit import Roll
from storypool.engine.game.moves import Condition, Move
from storypool.engine.game.system import System
from storypool.engine.game.turn import Settle, Turn
from storypool.engine.game.waits import player_of
from storypool.engine.refusal import Refusal, Refused, no_seat, shortened
from storypool.engine.sight import both_lanes, without_hidden
from storypool.engine.table import Check, Seat, Table

__all__ = ["Offer", "offer", "offers"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A move as one seat sees it now: title, price, questions, and why it is `closed` (or None).

    A closed move keeps its price; `all_closed` has all reasons. `caution` warns, or is the reason
    that a table which only warns would set aside. `approval`: the GM has to agree, or the player
    whose name is `agrees`. `ends` says what would end for others; a `loss` accepts something bad.
    """

    key: str
    title: str
    group: str
    _: KW_ONLY
    price: Points
    asks: tuple[AskView, ...]
    closed: Refusal | None
    all_closed: tuple[Refusal, ...]
    caution: str = ""
    approval: bool = False
    rule: str = ""
    ends: str = ""
    loss: bool = False
    agrees: str = ""


def why_not(turn: Turn, move: Move, priced: bool = True) -> list[Refusal]:
    """Every reason why this move is closed to this seat now, the decisive one first.

    Empty if it is open. Arguments are ignored, except that the price may depend on them: unless
    `priced`, it does not count.
    """
    return list(_reasons(turn, move, priced))


def _reasons(turn: Turn, move: Move, priced: bool = True) -> Iterator[Refusal]:
    """Yield the reasons one by one, so that a caller who needs only the first can stop there."""
    final, check = False, turn.check
    for stage, condition in _conditions_now(turn, move, priced):
        # Go on after a reason that only a GM could set aside: a later one may be final.
        if final and (stage == "sight" or (check is None and stage in _LATE)):
            return
        try:
            reason = condition(turn)
        except Refused as refused:
            # The condition's subject, such as the open action, does not exist.
            final = True
            yield refused.refusal.at(refused.refusal.code, move.rule, overridable=False)
            continue
        if reason is None:
            continue
        waivable = stage not in _FIXED and not reason.firm
        refusal = reason.at(stage, move.rule, waivable)
        # Only the conditions of a game are made of others.
        for one in (
            _waivable(turn, condition, refusal) if waivable and stage != "limit" else (refusal,)
        ):
            final |= not one.overridable
            yield one


def _conditions_now(turn: Turn, move: Move, priced: bool) -> tuple[tuple[str, Condition], ...]:
    """The conditions on a move now; the window counts only once the GM has agreed."""
    check = turn.check
    return _conditions(move, check is not None and bool(check.suggested), priced)


@cache
def _conditions(move: Move, waits: bool, priced: bool) -> tuple[tuple[str, Condition], ...]:
    """The conditions on a move by stage, in order: its own, and those of every move.

    Where the open action `waits` for the GM, the move's window comes after that. The price comes
    last, if at all.
    """
    window = [("window", move.window)] if move.window else []
    return (
        ("identity", lambda turn: _wrong_side(turn, move)),
        (
            "sight",
            lambda turn: (
                turn.no("sight") if turn.args.get("check") and turn.check is None else None
            ),
        ),
        *(
            [("window", lambda turn: _answered_first(turn, move))]
            if _answers_or_rolls(move)
            else []
        ),
        *([] if waits else window),
        *([("when", move.when)] if move.when else []),
        ("agreed", lambda turn: _not_agreed(turn, move)),
        *(window if waits else []),
        *([("limit", lambda turn: _over_limit(turn, move))] if move.limits else []),
        *(("only_if", one) for one in move.only_if),
        *([("price", lambda turn: _cannot_afford(turn, move))] if move.price and priced else []),
    )


def _waivable(turn: Turn, condition: Condition, reason: Refusal) -> Iterator[Refusal]:
    """Yield a reason that can be set aside, and then a firm one that it hides.

    Where conditions are joined by `or`, the first reason is the answer, so a firm one may be behind
    it. The condition is judged again as if the first did not count. Where it cannot be judged then,
    nobody can set the first aside.
    """
    try:
        behind = condition(turn.waiving())
    except Refused as refused:
        behind = replace(refused.refusal, firm=True)
    except Exception:
        yield replace(reason, overridable=False, firm=True)
        return
    yield reason
    if behind and behind.firm:
        yield behind.at(behind.code or reason.code, reason.rule, overridable=False)


_FIXED = ("identity", "sight", "agreed", "price")
"""The stages whose refusals nobody can override."""
_LATE = ("limit", "only_if", "price")
"""The stages that need the open action where there is one to be about."""


def stopping(reasons: Iterable[Refusal], strictly: bool) -> list[Refusal]:
    """The reasons that stop a move: all if `strictly`, else those that nobody can override."""
    return [reason for reason in reasons if strictly or not reason.overridable]


def is_open(turn: Turn, move: Move, priced: bool = True) -> bool:
    """Whether a seat can make this move now, if need be by setting aside what the table allows.

    Unless `priced`, its price does not count: the one reason that may depend on the arguments.
    """
    return _set_aside(turn, move, priced) is not None


def _set_aside(turn: Turn, move: Move, priced: bool = True) -> list[Refusal] | None:
    """The reasons against an open move, which only warn, or None (after the first) if closed."""
    if turn.option("enforcement") == "strict":
        return [] if is_allowed(turn, move, priced) else None
    waived = list[Refusal]()
    for reason in _reasons(turn, move, priced):
        if not reason.overridable:
            return None
        waived.append(reason)
    return waived


def is_allowed(turn: Turn, move: Move, priced: bool = True) -> bool:
    """Whether a seat can make this move now without setting anything aside at a lenient table.

    The first condition that fails is enough, and whether it could be set aside does not matter.
    """
    if turn.seat.side not in move.by:
        return False
    conditions, worded = _conditions_now(turn, move, priced), turn.worded
    turn.worded = False
    try:
        return all(condition(turn) is None for _, condition in conditions)
    except Refused:
        return False
    finally:
        turn.worded = worded


def offers(system: System, table: Table, seat_id: str, check: str = "") -> list[Offer]:
    """An offer for every move that this seat's side can ever make, open or closed with its reason.

    They are about the action with this id or title; without it, about the one that the rules take
    for a move that names none. Computed on the table as the seat sees it, so an offer never reveals
    anything hidden. Empty for a free seat.
    """
    return [_offer(*one) for one in _turns(system, table, seat_id, check)]


def brief_offers(system: System, table: Table, seat_id: str, check: str = "") -> list[Offer]:
    """The same offers with only the contents of a button, in half of the time.

    A closed one has no questions, unless a board uses them to place it. It has a single reason if
    nobody can set that aside or the time of the move has not come (`when`).
    """
    return [_brief_offer(system, *one) for one in _turns(system, table, seat_id, check)]


def _brief_offer(system: System, turn: Turn, move: Move) -> Offer:
    further, strict = _reasons(turn, move), turn.option("enforcement") == "strict"
    reasons = [*islice(further, 1)]
    if reasons and reasons[0].overridable and not (strict and reasons[0].code == "when"):
        reasons += further
    return _offer(turn, move, reasons, brief=move.key not in system.board_asks)


def _turns(system: System, table: Table, seat_id: str, check: str) -> Iterator[tuple[Turn, Move]]:
    """Yield each move of a seat's side with its turn, about the action `check`; see `offers`."""
    seat = table.seats.get(seat_id)
    if seat is None or not seat.here:
        return
    table = without_hidden(table, seat)
    # Where one action is open, each move is about that one.
    several = bool(check) or both_lanes(table, seat) is not None
    for move in system.moves:
        if seat.side in move.by:
            turn = turn_of(system, table, seat, move)
            yield turn_about(turn, move, check) if several else turn, move


def offer(
    system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]
) -> Offer:
    """One offer with some arguments chosen; later questions and the price depend on them."""
    return _offer(*_turn_with_answers(system, table, seat_id, key, args))


def terms_of(
    system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]
) -> tuple[Points, bool]:
    """The price of an open move with these answers, and whether the GM has to agree to it."""
    turn, move = _turn_with_answers(system, table, seat_id, key, args)
    return _priced(turn, move), bool(consent_to(turn, move))


def _turn_with_answers(
    system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]
) -> tuple[Turn, Move]:
    """The turn of a seat that makes a move with some arguments chosen, and the move."""
    seat, move = seat_and_move(system, table, seat_id, key)
    turn = turn_of(system, without_hidden(table, seat), seat, move)
    turn = turn_about(turn, move, str(args.get("check") or ""))
    for name, value in args.items():
        if isinstance(value, (list, tuple)):
            turn.args[name] = tuple(face for face in value if isinstance(face, int))
        elif isinstance(value, (str, int, bool)) and value != "":
            turn.args[name] = value
    return turn, move


def open_offers(system: System, table: Table, seat_id: str, keys: Iterable[str]) -> Iterator[Offer]:
    """Yield an offer for each of these moves that is open to this seat; quicker than `offers`."""
    return (_offer(*one) for one in _open_turns(system, table, seat_id, keys))


def open_moves(
    system: System, table: Table, seat_id: str, keys: Iterable[str], check: str = ""
) -> list[str]:
    """The keys of the moves that are open to this seat, about this action if one is given."""
    return [move.key for _, move, _ in _open_turns(system, table, seat_id, keys, check)]


def _open_turns(
    system: System, table: Table, seat_id: str, keys: Iterable[str], check: str = ""
) -> Iterator[tuple[Turn, Move, list[Refusal]]]:
    """Yield turn and move for each of these keys that is open, and the reasons that only warn."""
    table = without_hidden(table, table.seats.get(seat_id))
    for key in keys:
        seat, move = seat_and_move(system, table, seat_id, key)
        turn = turn_about(turn_of(system, table, seat, move), move, check)
        reasons = _set_aside(turn, move)
        if reasons is not None:
            yield turn, move, reasons


def _offer(
    turn: Turn, move: Move, reasons: list[Refusal] | None = None, brief: bool = False
) -> Offer:
    """The offer of a move, with the reasons against it where they are known.

    A `brief` one that is closed has no questions.
    """
    reasons = why_not(turn, move) if reasons is None else reasons
    level = turn.option("enforcement")
    waivable = all(r.overridable for r in reasons)
    is_waived = bool(reasons) and level != "strict" and waivable
    closed = next(iter(stopping(reasons, level == "strict")), None)
    asked_now = waivable and not (brief and closed)
    caution = move.caution(turn) if move.caution and not reasons else ""
    if is_waived and level == "warn":
        caution = turn.words.say("offer.against", text=reasons[0].text)
    decider = consent_to(turn, move) if not reasons or is_waived else False
    asked = player_of(turn.table, decider) if isinstance(decider, str) else ()
    people = (turn.table.seats[id] for id in asked)
    return Offer(
        move.key,
        move.title_now(turn),
        move.group,
        price=_priced(turn, move),
        asks=ask_views(turn, move.asks) if asked_now else (),
        closed=closed,
        all_closed=tuple(reasons),
        caution=caution,
        approval=bool(decider),
        rule=move.rule,
        ends=move.ends(turn) if move.ends and not reasons else "",
        loss=move.loss,
        agrees=next((seat.name for seat in people if seat.side == "player"), ""),
    )


def consent_to(turn: Turn, move: Move) -> bool | str:
    """Whether the GM has to agree to a move, or the character whose player has to; else False."""
    decider = move.approval(turn) if move.approval else False
    if isinstance(decider, str) and (not decider or turn.seat.id in player_of(turn.table, decider)):
        return False
    return decider


def _priced(turn: Turn, move: Move) -> Points:
    """The price, which a closed move keeps; none where it depends on a missing action."""
    try:
        return move.cost(turn)
    except Refused:
        return NO_POINTS


def seat_and_move(system: System, table: Table, seat_id: str, key: str) -> tuple[Seat, Move]:
    """The seat and the move with these keys; `Refused` if either does not exist."""
    words = system.words
    seat = table.seats.get(seat_id)
    if seat is None or not seat.here:
        raise no_seat(words, seat_id)
    move = system.by_key.get(key)
    if move is None:
        raise Refused(
            Refusal("unknown", words.say("no.move", move=key), remedy=words["no.move.remedy"])
        )
    return seat, move


def turn_of(
    system: System,
    table: Table,
    seat: Seat,
    move: Move,
    roll: Roll | None = None,
    settle: Settle | None = None,
) -> Turn:
    """The turn of this seat making this move at this table."""
    return Turn(
        system,
        table,
        seat,
        move.key,
        title=system.title(move.key),
        rule=move.rule,
        roll=roll,
        settle=settle,
    )


def turn_about(turn: Turn, move: Move, check: str) -> Turn:
    """This turn about the action with this id or title; for "" the rules choose it."""
    if check:
        turn.args["check"] = check
    else:
        assume_hidden_action(turn, move)
    return turn


def assume_hidden_action(turn: Turn, move: Move) -> None:
    """Direct a turn without a named action to the hidden one, if the move fits only that one."""
    lanes = both_lanes(turn.table, turn.seat)
    if lanes is not None and not _can_be(turn, move, lanes[0]) and _can_be(turn, move, lanes[1]):
        turn.args["check"] = lanes[1].id


_PASSING = ("window", "agreed", "limit", "price")
"""The stages of refusals of a move about the right action: it has to wait, or costs too much."""


def candidate_actions(turn: Turn, move: Move) -> tuple[Check, ...]:
    """The actions that a move can be about: the latest public one, the latest hidden one, or both.

    Empty unless both are open. Both also if the move can be about neither, so that the refusal is
    about the one that all see. An action that the move only has to wait for counts; one for which a
    rule would have to be set aside does not.
    """
    lanes = both_lanes(turn.table, turn.seat) or ()
    return tuple(check for check in lanes if _can_be(turn, move, check)) or lanes


def _can_be(turn: Turn, move: Move, check: Check) -> bool:
    """Whether a move can be about this action, or only has to wait for it."""
    asked = turn.as_seat(turn.seat, check=check.id)
    asked.worded = False
    return all(reason.code in _PASSING for reason in _reasons(asked, move))


def _wrong_side(turn: Turn, move: Move) -> Refusal | None:
    if turn.seat.side in move.by:
        return None
    return turn.no("side", side=turn.system.words[f"side.{move.by[0]}"], title=turn.title)


def _answers_or_rolls(move: Move) -> bool:
    """Whether the move spends or passes on points, is limited, or rolls dice."""
    return bool(move.price or move.limits or move.window or _rolls(move))


def _rolls(move: Move) -> bool:
    return any(ask.kind == "faces" for ask in move.asks)


def _answered_first(turn: Turn, move: Move) -> Refusal | None:
    """A proposal paid for before the roll comes first: the other side waits, and nobody rolls.

    Source: rulings.md, a fact that waits for the game master's answer.
    """
    check = turn.check if turn.table.proposals else None
    for one in turn.table.paid_proposals(check.id) if check and check.phase == "build" else ():
        seat = turn.table.seats.get(one.seat)
        if _rolls(move) or (seat is not None and seat.side != turn.seat.side):
            return turn.no("proposal.first", who=seat.name if seat else one.seat, what=one.text)
    return None


def _not_agreed(turn: Turn, move: Move) -> Refusal | None:
    """Points and dice wait until the GM has agreed to a player's suggestion for the open action."""
    check = turn.check
    if check is None or not check.suggested:
        return None
    if not _answers_or_rolls(move) or decides(turn.seat, move):
        return None
    who = turn.table.seats[check.by].name if check.by in turn.table.seats else check.by
    what = listed(check.suggested)
    if turn.is_gm:
        return turn.no("suggested.gm", who=who, what=what)
    return turn.no("suggested", who=who, what=what)


def listed(suggested: Mapping[str, str]) -> str:
    """Suggestions as one text."""
    return ", ".join(suggested.values())


def decides(seat: Seat, move: Move) -> bool:
    """Whether this seat makes a GM's decision with this move."""
    return seat.side == "gm" and any(ask.whose for ask in move.asks)


def _over_limit(turn: Turn, move: Move) -> Refusal | None:
    for limit in move.limits_now(turn):
        if limit.used(turn) >= limit.n:
            # A game may have a sentence for a limit that a whole side shares.
            key = f"limit.{limit.group}"
            if "side" in limit.per and f"no.{key}.side" in turn.system.words:
                key = f"{key}.side"
            return turn.no(key, n=limit.n)
    return None


def _cannot_afford(turn: Turn, move: Move) -> Refusal | None:
    """The reason why a move is unaffordable even with the lowest open numbers, or None."""
    short = cannot_pay(turn, move.cost(turn))
    if short is None:
        return None
    asks = [ask for ask in move.asks if ask.kind == "number" and ask.name not in turn.args]
    left = {ask.name: ask.bounds(turn)[0] for ask in asks if not ask.quiet}
    if not left:
        return short
    lowest = turn.as_seat(turn.seat, **turn.args, **left)
    return cannot_pay(lowest, move.cost(lowest))


def cannot_pay(turn: Turn, price: Points) -> Refusal | None:
    """The reason why a price cannot be paid at present, or None; an answer may name its points."""
    if unknown := {account for account, _ in price} - turn.system.by_account.keys():
        return turn.firm("account", name=shortened(min(unknown)))
    for account, n, room in lacking(turn, price):
        return turn.short(account, n, room, turn.system.by_account[account].paying == "raises")
    return None


def lacking(turn: Turn, price: Points) -> Iterator[tuple[str, int, int]]:
    """Yield each account that cannot pay its part of a price: name, that part, available points."""
    for (account, owner), n in price.items():
        room = turn.system.by_account[account].room(turn.table, owner)
        if room is not None and room < n:
            yield account, n, room
