"""Spending a roll: what its symbols can buy, booked so that nothing is spent twice.

Source: seed 002, Using Special Symbols (rows in spends.toml beside this); destinydice.md 3.4 and 3.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from storypool.engine import rules as r
from storypool.systems.destinydice.fight.stress import take_consequence, turn_box
from storypool.systems.destinydice.outcomes import due
from storypool.systems.destinydice.pool import known, promise, side_of
from storypool.systems.destinydice.sheet import HERE, checked, open_consequences, out, refresh, unchecked

HELPING = ("advantage", "hope")
HINDERING = ("disadvantage", "despair")
SYMBOLS = (*HELPING, *HINDERING)
ROOM: Mapping[str, Callable[[r.Table, str], object]] = {
    "clear": checked,
    "check": unchecked,
    "fate": lambda table, who: table.balance("fate", who) < refresh(table, who),
    "consequence": open_consequences,
}
"""The effects on whoever acted, which everybody would see, and what there has to be for each."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that symbols can buy. The fields are explained at the head of spends.toml."""

    key: str
    costs: tuple[r.Bag, ...]
    text: str
    effect: str
    whom: str = ""


ROWS = {
    key: Row(key, **{**row, "costs": tuple(map(r.Bag, row["costs"]))}) for key, row in r.rows(HERE, "spends").items()
}
"""Every row of the table, by its key, in the order of the seed."""


def _shared_out(turn: r.Turn, check: r.Check) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The symbols of this roll that this seat spends, and those that others do.

    Advantage and Hope are for whoever rolled; Disadvantage and Despair for the GM, and on an NPC's roll the players.
    Where there are no players, or none could see the roll of an NPC, the GM spends all of it; and where whoever plays
    the character that acted has left.
    """
    if check.side == "gm":
        alone = check.hidden or not r.players_with_a_character(turn.table)
    else:
        alone = r.actor_of(turn.table, check) == r.gms(turn.table)
    if alone:
        return (SYMBOLS if turn.is_gm else ()), ()
    if r.acts_in(turn, check):
        return HELPING, HINDERING
    other = "player" if check.side == "gm" else "gm"
    return (HINDERING, HELPING) if turn.seat.side == other else ((), SYMBOLS)


def _left(turn: r.Turn, check: r.Check) -> r.Bag:
    """The symbols of this roll that this seat can still spend."""
    return check.left.only(_shared_out(turn, check)[0])


def own_symbols(turn: r.Turn, check: r.Check) -> r.Bag:
    """The symbols of this roll that are this seat's to spend, as long as they can buy anything."""
    own = _shared_out(turn, check)[0]
    return check.left.only(own) if any(_affordable(turn, check, own)) else r.Bag()


def others_symbols(turn: r.Turn, check: r.Check) -> r.Bag:
    """The symbols that are not this seat's to spend, as long as they can buy anything."""
    theirs = _shared_out(turn, check)[1]
    return check.left.only(theirs) if any(_affordable(turn, check, theirs)) else r.Bag()


def finished(turn: r.Turn, id: str) -> Iterator[r.Event]:
    """The end of an action that everybody sees, where nobody has anything left to decide; else nothing."""
    check = turn.table.checks.get(id)
    if check is None or check.phase != "rolled" or check.hidden or due(check):
        return
    asked = any(one.check == id for one in turn.table.proposals.values())
    if not asked and not turn.table.of_kind("hit", at=id) and not affordable_to_any(turn, check, SYMBOLS):
        yield r.CheckClosed(id, "done")


def affordable_to_any(turn: r.Turn, check: r.Check, symbols: tuple[str, ...]) -> bool:
    """Whether these symbols of a roll can still buy anything for whoever spends them."""
    return any(_affordable(turn.as_seat(turn.seat, check=check.id), check, symbols))


def _affordable(turn: r.Turn, check: r.Check, own: tuple[str, ...]) -> Iterator[tuple[str, list[r.Bag]]]:
    """The rows that these symbols can buy, each with those of its costs that they can pay."""
    for row, costs in _for(own):
        if not _closed(turn, check, row, costs):
            yield row.key, [cost for cost in costs if check.left >= cost]


def _for(own: tuple[str, ...]) -> Iterator[tuple[Row, list[r.Bag]]]:
    """The rows that these symbols are for, each with its costs in them."""
    for row in ROWS.values():
        if costs := [cost for cost in row.costs if set(cost) <= set(own)]:
            yield row, costs


def _closed(turn: r.Turn, check: r.Check, row: Row, costs: list[r.Bag]) -> str:
    """Why the row cannot be bought now, or the empty text.

    There has to be a box to clear or to check, room up to Refresh, somebody to help, and enough symbols. On a hidden
    roll of somebody whom everybody sees, nothing happens to them that would tell of it.
    """
    actor, say = turn.table.characters.get(check.actor), turn.words.say
    if actor is None or (check.hidden and not actor.hidden and row.effect in ROOM):
        return turn.words["no.spend.hidden"]
    if row.effect in ROOM and not ROOM[row.effect](turn.table, actor.id):
        return say(f"no.spend.{row.effect}", who=actor.name, n=refresh(turn.table, actor.id))
    if row.effect == "promise" and not any(_bearers(turn, check, row)):
        return turn.words["no.spend.promise"]
    if any(check.left >= cost for cost in costs):
        return ""
    kinds = [name for cost in costs for name in cost]
    left = r.priced(turn, check.left.only(kinds)) or turn.words["nothing"]
    return say("no.symbols.short", price=_prices(turn, costs), left=left)


def _prices(turn: r.Turn, costs: Iterable[r.Bag]) -> str:
    return turn.words["list.or"].join(r.priced(turn, cost) for cost in costs)


def _bearers(turn: r.Turn, check: r.Check, row: Row) -> Iterator[r.Choice]:
    """Who may get the die: an ally of whoever acted; of the last row anybody, an enemy for an Aid die."""
    for one in known(turn):
        ally = not _is_enemy(turn, check, one.id) and one.id != check.actor
        if not out(turn.table, one.id) and (ally or row.whom == "anybody"):
            yield r.Choice(one.id, one.name, turn.word(_die(turn, check, row, one.id)))


def _is_enemy(turn: r.Turn, check: r.Check, whom: str) -> bool:
    return side_of(turn.table, whom) != check.side or whom == check.against


def _die(turn: r.Turn, check: r.Check, row: Row, whom: str) -> str:
    """The die that a row promises: its own, or by the side of who gets it."""
    helps = row.key == "aid-ally" or (row.whom == "anybody" and _is_enemy(turn, check, whom))
    return "aid" if helps else "hindrance"


def _mine(turn: r.Turn) -> dict[str, list[r.Bag]]:
    check = turn.check
    return dict(_affordable(turn, check, _shared_out(turn, check)[0])) if check else {}


def _rows(turn: r.Turn) -> Iterator[r.Choice]:
    """Every row for the symbols of this seat, with its price; closed with the reason where it cannot be bought."""
    check = turn.check
    for row, costs in _for(_shared_out(turn, check)[0]) if check else ():
        closed = _closed(turn, check, row, costs) if check else ""
        yield r.Choice(row.key, turn.words[f"buys.{row.key}"], _prices(turn, costs), closed)


def _costs(turn: r.Turn) -> Iterator[r.Choice]:
    return (r.Choice(next(iter(cost)), r.priced(turn, cost)) for cost in _mine(turn).get(turn.text("row"), ()))


def _asks_whom(turn: r.Turn) -> bool:
    return turn.text("row") in ROWS and bool(ROWS[turn.text("row")].whom)


def _people(turn: r.Turn) -> Iterator[r.Choice]:
    check = turn.check
    return _bearers(turn, check, ROWS[turn.text("row")]) if check and _asks_whom(turn) else iter(())


def _usual_bearer(turn: r.Turn) -> str | None:
    """Whoever acted, where they may be chosen; else whoever is the only one."""
    check, people = turn.check, [choice.value for choice in _people(turn)]
    if check is not None and check.actor in people:
        return check.actor
    return people[0] if len(people) == 1 else None


def _has_symbols(turn: r.Turn) -> r.Refusal | None:
    check = turn.check
    return None if check is None or _left(turn, check) else turn.firm("no.symbols")


def _something_to_buy(turn: r.Turn) -> r.Refusal | None:
    """These symbols can buy something; otherwise every row says why not."""
    rows = list(_rows(turn))
    if turn.check is None or any(not row.closed for row in rows):
        return None
    return replace(turn.firm("nothing.to.buy"), remedy=" ".join(dict.fromkeys(row.closed for row in rows)))


@r.move(
    "spend.buy",
    when=r.rolled,
    only_if=[_has_symbols, _something_to_buy],
    asks=[
        r.ChoiceAsk("row", "What for?", _rows),
        r.ChoiceAsk("with", "With what?", _costs, first=True),
        r.ChoiceAsk("whom", "Who is it about?", _people, default=_usual_bearer, shown=_asks_whom),
        r.TextAsk("text", "In your own words", needed=False),
    ],
    rule="Using Special Symbols",
    place=r.at("menu"),
)
def buy(turn: r.Turn) -> Iterator[r.Event]:
    """Spend symbols

    Whoever rolled spends Advantage and Hope, the GM Disadvantage and Despair; on an NPC's roll the players spend
    those. One Hope or Despair pays where the row says so. The same row may be bought again. An action that nobody has
    anything left to decide about is done with it.
    """
    check, row = turn.here, ROWS[turn.text("row")]
    cost = next((cost for cost in row.costs if turn.text("with") in cost), row.costs[0])
    if not check.left >= cost:
        left = r.priced(turn, check.left.only(cost)) or turn.words["nothing"]
        raise turn.refused("price", "symbols.short", price=r.priced(turn, cost), left=left)
    text = turn.text("text") or turn.words.get(f"bought.{row.key}", turn.words[f"buys.{row.key}"])
    what = turn.words.say("spend.booked", who=turn.seat.name, cost=r.priced(turn, cost), text=text)
    yield turn.amend(check.with_terms(spent=True), what, left=check.left - cost)
    yield from _effect(turn, row, r.priced(turn, cost))
    yield from finished(turn, check.id)


def _with_symbols(turn: r.Turn) -> r.Refusal | None:
    """To be done spending, there has to be something to spend."""
    return r.rolled(turn) or _has_symbols(turn)


@r.move("spend.waive", when=_with_symbols, rule="Using Special Symbols")
def waive(turn: r.Turn) -> Iterator[r.Event]:
    """Done spending

    What is left of your symbols is lost. An action that nobody has anything left to decide about is done with it.
    """
    check = turn.here
    what = turn.words.say("spend.waived", who=turn.seat.name)
    yield turn.amend(check.with_terms(spent=True), what, left=check.left - _left(turn, check))
    yield from finished(turn, check.id)


def _effect(turn: r.Turn, row: Row, cost: str) -> Iterator[r.Event]:
    check = turn.here
    actor, printed = check.actor, turn.words[f"buys.{row.key}"]
    said = turn.text("text") or printed
    match row.effect:
        case "clear":
            yield from turn_box(turn, actor, min(checked(turn.table, actor)))
        case "check":
            yield from turn_box(turn, actor, unchecked(turn.table, actor)[0])
        case "fate":
            yield from turn.change("fate", 1, actor, cost)
        case "consequence":
            yield take_consequence(turn, actor, open_consequences(turn.table, actor)[0], turn.text("text"))
        case "promise":
            whom = turn.text("whom")
            # The die may come to an action that everybody sees: what was said of a hidden one stays behind.
            short = turn.words.get(f"promised.{row.key}", printed)
            why = (turn.text("text") or short) if not check.hidden else short
            yield promise(turn, _die(turn, check, row, whom), whom, why)
        case "note":
            about = actor if row.key == "malfunction" else ""
            yield turn.result("effect", said, about, until="scene")
