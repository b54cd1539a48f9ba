"""Spending a roll: what its symbols can buy, booked so that nothing is spent twice.

Source: seed 002, Using Special Symbols (rows in spends.toml beside this); destinydice.md 3.4 and 3.6.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from storypool.engine.rules import (
    Bag,
    Check,
    Choice,
    ChoiceAsk,
    Event,
    Move,
    Refusal,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    here,
    move,
    players_with_a_character,
    rolled,
)
from storypool.systems.destinydice import promises
from storypool.systems.destinydice.harm import check_box, clear_box, take_consequence
from storypool.systems.destinydice.sheet import checked, first_of, open_consequences, out, refresh, side_of, unchecked
from storypool.systems.destinydice.sides import acts_in

HELPING = ("advantage", "hope")
HINDERING = ("disadvantage", "despair")
OPEN_TO_ALL = ("clear", "check", "fate", "consequence")
"""Effects on whoever acted that everybody would see."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that symbols can buy. The fields are explained at the head of spends.toml."""

    key: str
    costs: tuple[Bag, ...]
    text: str
    effect: str
    whom: str = ""


@cache
def rows() -> Mapping[str, Row]:
    """Every row of the table, by its key, in the order of the seed."""
    data = tomllib.loads(files("storypool.systems.destinydice").joinpath("spends.toml").read_text(encoding="utf-8"))
    return {key: Row(key, tuple(Bag(c) for c in row.pop("costs")), **row) for key, row in data.items()}


def gm_spends_all(turn: Turn, check: Check) -> bool:
    """No player spends Disadvantage and Despair of this roll: there is none, or none could see it."""
    return check.side == "gm" and (check.seen_by is not None or not players_with_a_character(turn.table))


def symbols_of(turn: Turn, check: Check) -> tuple[str, ...]:
    """The symbols of this roll that this seat spends.

    Advantage and Hope are for whoever rolled; Disadvantage and Despair for the GM, and on an NPC's roll the players.
    """
    if acts_in(turn, check):
        return (*HELPING, *HINDERING) if gm_spends_all(turn, check) else HELPING
    other = "player" if check.side == "gm" else "gm"
    return HINDERING if turn.seat.side == other and not gm_spends_all(turn, check) else ()


def others_symbols(turn: Turn, check: Check) -> Bag:
    """The symbols that are not this seat's to spend, as long as they can buy anything."""
    mine = symbols_of(turn, check)
    theirs = tuple(symbol for symbol in (*HELPING, *HINDERING) if symbol not in mine)
    if not theirs or gm_spends_all(turn, check):
        return Bag()
    if not any(_affordable(turn, check, theirs)):
        return Bag()
    return check.left.only(theirs)


def _affordable(turn: Turn, check: Check, own: tuple[str, ...]) -> Iterator[tuple[Row, list[Bag]]]:
    for row in rows().values():
        costs = [cost for cost in row.costs if check.left >= cost and set(cost) <= set(own)]
        if costs and possible(turn, check, row):
            yield row, costs


def possible(turn: Turn, check: Check, row: Row) -> bool:
    """Whether the row can do anything: there is a box to clear or to check, room up to Refresh, somebody to help.

    On a hidden roll of somebody whom everybody sees, nothing happens to them that would tell of it.
    """
    actor = turn.table.characters.get(check.actor)
    if actor is None or (check.seen_by is not None and actor.seen_by is None and row.effect in OPEN_TO_ALL):
        return False
    match row.effect:
        case "clear":
            return bool(checked(turn.table, actor.id))
        case "check":
            return bool(unchecked(turn.table, actor.id))
        case "fate":
            return turn.table.balance("fate", actor.id) < refresh(turn.table, actor.id)
        case "consequence":
            return bool(open_consequences(turn.table, actor.id))
        case "promise":
            return any(_bearers(turn, check, row))
    return True


def _bearers(turn: Turn, check: Check, row: Row) -> Iterator[Choice]:
    """Who may get the die: an ally of whoever acted; of the last row anybody, an enemy for an Aid die."""
    for one in turn.table.characters.values():
        if not here(one) or out(turn.table, one.id) or (one.seen_by and not check.seen_by):
            continue
        same = side_of(turn.table, one.id) == check.side and one.id != check.against
        if (row.whom == "anybody") or (same and one.id != check.actor):
            die = _die(turn, check, row, one.id)
            yield Choice(one.id, one.name, turn.word(die))


def _die(turn: Turn, check: Check, row: Row, whom: str) -> str:
    """The die that a row promises: its own, or by the side of who gets it."""
    if row.key == "aid-ally":
        return "aid"
    enemy = side_of(turn.table, whom) != check.side or whom == check.against
    return "aid" if enemy and row.whom == "anybody" else "hindrance"


def _priced(turn: Turn, cost: Bag) -> str:
    return ", ".join(f"{n} {turn.word(symbol, n)}" for symbol, n in cost.items())


def _mine(turn: Turn) -> Iterator[tuple[Row, list[Bag]]]:
    check = turn.check
    if check is not None:
        yield from _affordable(turn, check, symbols_of(turn, check))


def _choices(turn: Turn) -> Iterator[Choice]:
    for row, costs in _mine(turn):
        yield Choice(row.key, turn.system.words[f"buys.{row.key}"], " / ".join(_priced(turn, cost) for cost in costs))


def _ways(turn: Turn) -> Iterator[Choice]:
    for row, costs in _mine(turn):
        if row.key == turn.text("row"):
            for cost in costs:
                yield Choice(next(iter(cost)), _priced(turn, cost))


def _people(turn: Turn) -> Iterator[Choice]:
    check, row = turn.check, rows().get(turn.text("row"))
    if check is not None and row is not None and row.whom:
        yield from _bearers(turn, check, row)


def _asks_whom(turn: Turn) -> bool:
    row = rows().get(turn.text("row"))
    return row is not None and bool(row.whom)


def _usual_bearer(turn: Turn) -> str | None:
    """Whoever acted, where they may be chosen; else whoever is the only one."""
    check, people = turn.check, [choice.value for choice in _people(turn)]
    if check is not None and check.actor in people:
        return check.actor
    return people[0] if len(people) == 1 else None


def _has_symbols(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None or check.left.only(symbols_of(turn, check)):
        return None
    return turn.firm("no.symbols")


def _can_buy(turn: Turn) -> Refusal | None:
    return None if turn.check is None or any(_mine(turn)) else turn.firm("nothing.to.buy")


@move(
    "spend.buy",
    when=rolled,
    only_if=[_has_symbols, _can_buy],
    asks=[
        ChoiceAsk("row", "What for?", _choices),
        ChoiceAsk("with", "With what?", _ways, default=first_of(_ways)),
        ChoiceAsk("whom", "Whom?", _people, default=_usual_bearer, shown=_asks_whom),
        TextAsk("text", "In your own words", needed=False),
    ],
    rule="Using Special Symbols",
)
def buy(turn: Turn) -> Iterator[Event]:
    """Spend what was rolled

    Whoever rolled spends Advantage and Hope, the GM Disadvantage and Despair; on an NPC's roll the players spend
    those. One Hope or Despair pays where the row says so. The same row may be bought again.
    """
    check, row = turn.here, rows()[turn.text("row")]
    cost = next((cost for cost in row.costs if turn.text("with") in cost), row.costs[0])
    if not check.left >= cost:
        left = _priced(turn, check.left.only(cost)) or turn.system.words["nothing"]
        raise turn.refused("price", "symbols.short", price=_priced(turn, cost), left=left)
    text = turn.text("text") or turn.system.words[f"buys.{row.key}"]
    what = turn.system.words.say("spend.booked", cost=_priced(turn, cost), text=text)
    yield turn.amend(check, what, left=check.left - cost, terms={**check.terms, "spent": True})
    yield from _effect(turn, row)


@move("spend.waive", when=rolled, only_if=[_has_symbols], rule="Using Special Symbols")
def waive(turn: Turn) -> Iterator[Event]:
    """Leave the rest unspent"""
    check = turn.here
    yield turn.amend(
        check,
        turn.system.words.say("spend.waived", who=turn.seat.name),
        left=check.left - check.left.only(symbols_of(turn, check)),
        terms={**check.terms, "spent": True},
    )


def _effect(turn: Turn, row: Row) -> Iterator[Event]:
    check = turn.here
    actor, printed = check.actor, turn.system.words[f"buys.{row.key}"]
    words = turn.text("text") or printed
    match row.effect:
        case "clear":
            yield from clear_box(turn, actor, min(checked(turn.table, actor)))
        case "check":
            yield check_box(turn, actor, unchecked(turn.table, actor)[0])
        case "fate":
            yield from turn.change("fate", 1, actor, printed)
        case "consequence":
            yield take_consequence(turn, actor, open_consequences(turn.table, actor)[0], turn.text("text"))
        case "promise":
            whom = turn.text("whom")
            # The die may come to an action that everybody sees: what was said of a hidden one stays behind.
            why = words if check.seen_by is None else printed
            yield promises.promise(turn, _die(turn, check, row, whom), whom, why)
        case "note":
            about = actor if row.key == "malfunction" else ""
            hidden = promises.concealed(turn, about)
            yield TraitSet(
                Trait(turn.fresh("t"), "effect", words, about, by=turn.seat.id, until="scene", seen_by=hidden)
            )


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
