"""Who may decide about points, in which order, and when that is settled.

Source: seed 000, Using Destiny Points: whoever forms the pool decides first, then the other side may answer, once.
"""

from __future__ import annotations

from dataclasses import replace

from storypool.engine.rules import Check, Limit, Purse, Refusal, Seat, Turn, players_with_a_character


def purse(turn: Turn, side: str) -> str:
    """The account that a side spends from: "gm", or "player"."""
    return next(row.name for row in turn.system.accounts if row.side == ("gm" if side == "gm" else "players"))


def other_purse(turn: Turn, side: str) -> str:
    """The account that a side's spent points go to."""
    return purse(turn, "player" if side == "gm" else "gm")


def at_once(turn: Turn) -> bool:
    """Some games let a table choose that a spent point crosses over at once."""
    return (
        any(option.key == "conversion" for option in turn.system.options) and turn.option("conversion") == "immediate"
    )


def duel(turn: Turn, check: Check) -> bool:
    """A player's character acts against another player's: each is a side of their own."""
    target = turn.table.characters.get(check.against)
    return check.side == "players" and target is not None and target.side == "players" and target.id != check.actor


def limits(turn: Turn) -> tuple[Limit, ...]:
    """One point for each player and one for the GM in an action, and one upgrade from each side.

    Source: seed 000, Using Destiny Points and Inhibiting; rulings.md. The option `destiny_limit` = side keeps a whole
    side to one point.
    """
    return (spending_limit(turn), upgrade_limit(turn))


def spending_limit(turn: Turn, opening: str = "") -> Limit:
    """At most one point in an action; `opening` names an action that is only being opened."""
    check = turn.check
    # Where one player's character acts against another's, each is a side of their own.
    whole_side = turn.option("destiny_limit") == "side" and not (check and duel(turn, check))
    return Limit("point", ("check", "side" if whole_side else "seat"), check=opening)


def upgrade_limit(turn: Turn) -> Limit:
    """At most one upgrade from each side of an action."""
    check = turn.check
    return Limit("upgrade", ("check", "seat" if check and duel(turn, check) else "side"))


def order(turn: Turn, check: Check) -> tuple[str, ...]:
    """The windows of a check in their order, those in which nobody could do anything passed over."""
    target = turn.table.characters.get(check.against)
    targeted = target is not None and target.side == "players" and bool(target.seat)
    if check.seen_by is not None:
        # A point spent on a secret check would tell of it.
        windows: tuple[str, ...] = ()
    elif duel(turn, check):
        windows = ("active", "target", "gm")
    elif check.side == "players":
        windows = ("active", "gm")
    elif targeted:
        windows = ("gm", "target") if turn.option("responder") == "target_only" else ("gm", "target", "players")
    else:
        windows = ("gm", "players")
    return waiting(turn, check, windows)


def waiting(turn: Turn, check: Check, windows: tuple[str, ...]) -> tuple[str, ...]:
    """These windows from the first on in which somebody could still spend."""
    first = next((i for i, window in enumerate(windows) if may_spend(turn, check, window)), len(windows))
    return windows[first:]


def may_spend(turn: Turn, check: Check, window: str) -> bool:
    """Whether anybody could spend a point in this window: there is one, and a seat that has not used its own."""
    if not turn.table.balance(purse(turn, "gm" if window == "gm" else "player")):
        return False
    for seat in deciders(turn, check, window):
        theirs = turn.as_seat(seat, check=check.id)
        if all(limit.used(theirs) < limit.n for limit in limits(theirs)):
            return True
    return False


def deciders(turn: Turn, check: Check, window: str) -> list[Seat]:
    """The seats whose window this is and who have not passed."""
    seats = turn.table.seats
    if window == "gm":
        return [seat for seat in seats.values() if seat.side == "gm" and seat.here]
    if window == "players":
        return [seat for seat in players_with_a_character(turn.table) if seat.id not in passed(check)]
    one = turn.table.characters.get(check.actor if window == "active" else check.against)
    return [seats[one.seat]] if one and one.seat in seats and seats[one.seat].here else []


def own_window(turn: Turn) -> Refusal | None:
    """It is this seat's turn to decide."""
    check = turn.check
    if check is None or check.phase != "build":
        return None
    windows = waiting(turn, check, check.windows)
    if not windows:
        return turn.no("window.closed")
    return None if turn.seat in deciders(turn, check, windows[0]) else _not_yet(turn, check, windows[0])


def in_turn(turn: Turn) -> Refusal | None:
    """Before the roll a point for an ability waits its turn too: the side forming the pool decides first, and once.

    Source: seed 000, Using Destiny Points.
    """
    check = turn.check
    if check is None or check.phase != "build":
        return None
    windows = waiting(turn, check, check.windows)
    if windows:
        same_side = not duel(turn, check) and (turn.seat.side == "gm") == (windows[0] == "gm")
        ours = same_side or turn.seat in deciders(turn, check, windows[0])
        return None if ours else _not_yet(turn, check, windows[0])
    me, gone = "@gm" if turn.seat.side == "gm" else turn.seat.id, passed(check)
    others = [seat for seat in gone if (seat == "@gm") != (me == "@gm")]
    answered = (check.side == "gm") == (me == "@gm") and (
        others or check.spent[Purse(other_purse(turn, turn.seat.side))]
    )
    return turn.no("window.closed") if me in gone or answered else None


def _not_yet(turn: Turn, check: Check, window: str) -> Refusal:
    return turn.no("window", who=named(turn, check, window))


def settled(turn: Turn) -> Refusal | None:
    """Nobody else still has to decide before the dice are rolled; whoever rolls in their own window has passed."""
    check = turn.check
    if check is None or check.phase != "build":
        return None
    windows = waiting(turn, check, check.windows)
    own = bool(windows) and turn.seat in deciders(turn, check, windows[0])
    windows = waiting(turn, check, windows[1:]) if own else windows
    if not windows:
        return None
    return turn.no("window.own" if own else "window.open", who=named(turn, check, windows[0]))


def decided(turn: Turn, check: Check) -> Check:
    """The check after this seat has spent or passed: whose window it is now.

    Its own window is over; the one that all players share stays open for those who have not passed in any.
    """
    passes = turn.key.endswith(".pass")
    own = next((window for window in check.windows if turn.seat in deciders(turn, check, window)), "")
    rest = tuple(window for window in check.windows if window != own or (passes and own == "players"))
    if passes:
        gone = (*passed(check), "@gm" if turn.seat.side == "gm" else turn.seat.id)
        check = replace(check, terms={**check.terms, "passed": gone})
    return replace(check, windows=waiting(turn, check, rest))


def passed(check: Check) -> tuple[str, ...]:
    """The seats that have said they spend nothing on this check; all game masters are "@gm"."""
    seats = check.terms.get("passed", ())
    return tuple(str(seat) for seat in seats) if isinstance(seats, tuple) else ()


def named(turn: Turn, check: Check, window: str) -> str:
    """Whose window it is, in words."""
    if window == "gm":
        return turn.system.words["side.gm"]
    return (
        turn.system.words["list.or"].join(seat.name for seat in deciders(turn, check, window))
        or turn.system.words["side.player"]
    )
