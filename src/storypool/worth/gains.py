"""The worth of an offer: its odds, and those after the other side's best reply.

Moves are tried on temporary tables that are not stored.
"""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple

from storypool.engine.decisions import what_if
from storypool.engine.dice import Mod
from storypool.engine.events import CheckChanged
from storypool.engine.fold import evolve
from storypool.engine.game.panels import DrawerPanel, TrayPanel
from storypool.engine.game.system import System
from storypool.engine.offers import Offer, offer, offers, open_offers, terms_of
from storypool.engine.refusal import Refused
from storypool.engine.sight import check_in_sight, without_hidden
from storypool.engine.table import Check, Points, Table
from storypool.odds.question import Worth

Chances = Callable[[Table, Check], Mapping[str, Fraction]]
"""Returns the odds of each outcome of an action, the main outcome first; empty without odds."""

Further = Callable[[Table, Check], Iterable[Worth]]
"""Returns the worth of moves that change no dice, and of later moves such as a re-roll."""


class TrialMoves(NamedTuple):
    """The game, the odds and the moves used to try offers.

    `moves` are those that can change what is rolled, and only these are tried; with None, all are.
    `further` returns the worth of the others.
    """

    system: System
    chances: Chances
    moves: Container[str] | None = None
    further: Further = lambda table, check: ()


Odds = Mapping[str, Fraction] | None
"""The odds of each outcome after the other side's best reply, or None if it has none."""


class OpponentReplies(NamedTuple):
    """The other side's best replies to an action and to offers on it, shared by equal tables.

    `ours`: the other side has no reply yet. `answered` are the odds after its best reply to the
    action as it is. `known` caches those after its best reply to each table that an offer leads to:
    one more die of a kind is answered in the same way, whichever seat brings it.
    """

    ours: bool
    answered: Odds
    known: list[tuple[Table, Odds]]

    def after(self, tries: TrialMoves, table: Table, seat_id: str, check: Check) -> Odds:
        """The odds after the best reply to an offer that turns `check` into this table."""
        then = table.checks[check.id]
        if not then.windows:
            return None
        for one, odds in self.known:
            if _allow_same_replies(one, table, check.id):
                return odds
        odds = answered(tries, table, seat_id, then, self.ours and then.windows == check.windows)
        self.known.append((table, odds))
        return odds


MAX_CHOICES = 8
"""The most choices of a question that are tried; a longer list is not about dice."""
MAX_NUMBERS = 5
"""The most numbers that are tried when an offer asks for the number to buy."""


def worth(
    tries: TrialMoves,
    table: Table,
    seat_id: str,
    named: str = "",
    usual: bool = False,
    key: str = "",
    left: OpponentReplies | None = None,
    offered: Iterable[Offer] | None = None,
) -> list[Worth]:
    """The worth of each offer of this seat that would change the odds of the current action.

    With `named` it is the action with that id or title. Moves that follow the roll are included if
    this seat could pay for them now. Everything is computed on the table as the seat sees it, so
    nothing hidden leaks. An offer with several choices is returned once for each. With `usual`,
    moves without a price are tried with their default answers and the dice of trays only, and
    players get none of the GM's tools, but always the results of `tries.further`. With a `key`,
    only that move is tried. `left` are the known replies of the other side, and `offered` the known
    offers of the seat.
    """
    system, chances, _, further = tries
    table = without_hidden(table, table.seats.get(seat_id))
    check = in_sight(table, seat_id, named)
    if check is None:
        return []
    if offered is None:
        offered = offers(system, table, seat_id, named)
    mine = {one.key: one for one in offered if key in ("", one.key)}
    if _is_own_action(table, seat_id, check):
        others = further(table, check)
    else:
        others = ()
    found = []
    for later in others:
        if later.move not in mine:
            continue
        asked = offer(system, table, seat_id, later.move, _with_action(check, later.args))
        # A later move is worth nothing to a seat that cannot pay for it.
        if all(reason.code != "price" for reason in asked.all_closed):
            found.append(replace(later, price=asked.price, approval=asked.approval))
    if check.phase != "build":
        return found
    before = chances(table, check)
    left = left or left_to_others(tries, table, seat_id, check)
    tools = set[str]()
    if usual and table.seats[seat_id].side != "gm":
        tools = _tools(system)
    shown = (one for one in mine.values() if one.key not in tools)
    for one, args, after in _trial_results(
        tries, table, seat_id, check=check, offered=shown, usual=usual
    ):
        then = after.checks[check.id]
        leads_to = chances(after, then)
        if leads_to and _same(before, leads_to) and (then.pool != check.pool or leads_to != before):
            price, approval = terms_of(system, table, seat_id, one.key, _with_action(check, args))
            still = left.after(tries, after, seat_id, check)
            moved = after.points - table.points
            adds = Points({purse: n for purse, n in moved.items() if n > 0 and purse not in price})
            gained = Worth(
                one.key, args, before, after=leads_to, answered=still, price=price, adds=adds
            )
            found.append(replace(gained, approval=approval, texts=_texts(one)))
    return found


def left_to_others(tries: TrialMoves, table: Table, seat_id: str, check: Check) -> OpponentReplies:
    """The other side's replies to an action as it is; the same for all seats of one side."""
    now = [odds for odds in _answers_of_others(tries, table, seat_id, check) if odds]
    if not tries.chances(table, check):
        return OpponentReplies(not now, None, [])
    if now and check.windows:
        return OpponentReplies(False, _worst_odds(now, table, seat_id, check), [])
    return OpponentReplies(not now, answered(tries, table, seat_id, check, ours=not now), [])


def _tools(system: System) -> set[str]:
    """The moves that are only in the GM's drawer."""
    drawers = [panel for panel in system.panels if isinstance(panel, DrawerPanel)]
    others = [panel for panel in system.panels if panel not in drawers]
    elsewhere = {key for panel in others for key in getattr(panel, "moves", ())}
    return {key for panel in drawers for key in panel.moves} - elsewhere


def _is_own_action(table: Table, seat_id: str, check: Check) -> bool:
    return (check.side == "gm") == (table.seats[seat_id].side == "gm")


def _same(before: Mapping[str, Fraction], after: Mapping[str, Fraction]) -> bool:
    """Whether both have the same main outcome; added dice may change the kind of an action."""
    return not before or next(iter(before)) == next(iter(after))


def in_sight(table: Table, seat_id: str, named: str = "") -> Check | None:
    """The action that a move of this seat is about: the `named` one, else the default."""
    seat = table.seats.get(seat_id)
    if seat:
        return check_in_sight(table, seat, named)
    return None


def _with_action(check: Check, args: Mapping[str, str | int]) -> dict[str, str | int]:
    """The answers with the action named too, because several may be open."""
    return {**args, "check": check.id}


def _trial_results(
    tries: TrialMoves,
    table: Table,
    seat_id: str,
    check: Check,
    offered: Iterable[Offer],
    usual: bool = False,
) -> Iterator[tuple[Offer, dict[str, str | int], Table]]:
    """Each open offer that changes the roll, with the answers tried and the table after it."""
    trays = [panel for panel in tries.system.panels if isinstance(panel, TrayPanel)]
    for one in offered:
        if one.closed is not None or not _may_change(tries, one.key):
            continue
        taps = {tap.die for panel in trays for tap in panel.taps if tap.move == one.key}
        for args in _answers(one, usual and not one.price, taps):
            try:
                after = what_if(tries.system, table, seat_id, one.key, _with_action(check, args))
            except Refused:
                continue
            then = after.checks.get(check.id)
            if (
                then is not None
                and then.phase == "build"
                and (then.pool, then.terms) != (check.pool, check.terms)
            ):
                yield one, args, after


def _may_change(tries: TrialMoves, key: str) -> bool:
    """Whether a move can change the roll of an action."""
    return tries.moves is None or key in tries.moves


def _answers(
    one: Offer, usual: bool = False, taps: Collection[str] = ()
) -> Iterator[dict[str, str | int]]:
    """Answers to try an offer with: needed texts, each open choice of its first question, numbers.

    With `usual`, only its default choice, and the dice that a tap adds.
    """
    fixed = dict.fromkeys(_texts(one), "-")
    first = next(
        (ask for ask in one.asks if ask.needed and ask.kind == "choice" and ask.choices), None
    )
    if first is not None and len(first.choices) > MAX_CHOICES:
        return
    chosen: list[dict[str, str]] = [{}]
    if first is not None:
        values = [choice.value for choice in first.choices if not choice.closed]
        tried = {*taps, first.default} if usual else values
        chosen = [{first.name: value} for value in values if value in tried]
    for choice in chosen:
        for bought in _numbers(one):
            yield {**fixed, **choice, **bought}


def _texts(one: Offer) -> tuple[str, ...]:
    """The questions of an offer that the player answers in their own words."""
    return tuple(ask.name for ask in one.asks if ask.needed and ask.kind == "text")


def _numbers(one: Offer) -> Iterator[dict[str, int]]:
    """The numbers to buy, from the lowest up; one empty answer if nothing is bought."""
    many = next((ask for ask in one.asks if ask.kind == "number" and one.price), None)
    if many is None:
        yield {}
        return
    for n in range(many.low, min(many.high, many.low + MAX_NUMBERS - 1) + 1):
        yield {many.name: n}


def answered(
    tries: TrialMoves, table: Table, seat_id: str, check: Check, ours: bool = False
) -> Odds:
    """The odds after the other side's best reply that costs it something, or None without one.

    While this side may still decide, as it certainly may in the first window if `ours`, the other
    side replies in its first later window.
    """
    for first in range(int(ours), len(check.windows)):
        then = evolve(table, CheckChanged(replace(check, windows=check.windows[first:])))
        found = [odds for odds in _answers_of_others(tries, then, seat_id, check) if odds]
        if found:
            return _worst_odds(found, table, seat_id, check)
    return None


def _worst_odds(
    found: Iterable[Mapping[str, Fraction]], table: Table, seat_id: str, check: Check
) -> Odds:
    """The odds that are worst for the side of this seat."""
    return (min if _is_own_action(table, seat_id, check) else max)(
        found, key=lambda odds: next(iter(odds.values()))
    )


rests_on = attrgetter(
    *(
        "options",
        "seats",
        "characters",
        "points",
        "traits",
        "proposals",
        "uses",
        "periods",
        "running",
    ),
    *("titles", "began"),
)
"""The parts of a table, apart from its actions, that odds depend on.

The last record, undo and bound dice are not among them.
"""


def _allow_same_replies(one: Table, other: Table, id: str) -> bool:
    """Whether two tables allow the same replies, whichever seat of a side brought a die."""
    mine, theirs = one.checks[id], other.checks[id]
    if mine.pool != theirs.pool or rests_on(one) != rests_on(other):
        return False
    mods = _mods_by_side(one, mine) == _mods_by_side(other, theirs)
    return mods and {**one.checks, id: replace(mine, mods=())} == {
        **other.checks,
        id: replace(theirs, mods=()),
    }


def _mods_by_side(table: Table, check: Check) -> list[Mod]:
    """The changes to the pool of an action, by side instead of seat, without reasons."""
    mods = []
    for mod in check.mods:
        by = table.seats[mod.by].side if mod.by in table.seats else mod.by
        mods.append(replace(mod, why="", by=by))
    return mods


def _answers_of_others(
    tries: TrialMoves, table: Table, seat_id: str, check: Check
) -> Iterator[Mapping[str, Fraction]]:
    side = table.seats[seat_id].side
    for seat in table.seats.values():
        if not seat.here or seat.side in (side, "spectator"):
            continue
        priced = [row.key for row in tries.system.moves if row.price and seat.side in row.by]
        tried = [key for key in priced if _may_change(tries, key)]
        offered = (one for one in open_offers(tries.system, table, seat.id, tried) if one.price)
        for _, _, then in _trial_results(tries, table, seat.id, check, offered):
            yield tries.chances(then, then.checks[check.id])
