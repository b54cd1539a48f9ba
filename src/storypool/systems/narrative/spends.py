"""Spending a roll: what its symbols can buy, booked so that nothing is spent twice.

Source: starwars.md 1.5 (rows in spends.toml beside this), seed 003, Advantages and Threats, Triumph and Despair.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from storypool.engine.rules import (
    Bag,
    Check,
    Choice,
    ChoiceAsk,
    Event,
    Mod,
    Move,
    NumberAsk,
    Refusal,
    TextAsk,
    Turn,
    here,
    move,
    rolled,
)
from storypool.systems.narrative import promises
from storypool.systems.narrative.checks import acts_in
from storypool.systems.narrative.rolling import gm_spends_all
from storypool.systems.narrative.sheet import entry, rating

HELPING = ("advantage", "triumph")
HINDERING = ("threat", "despair")
TRACK_OF = {"strain": "strain", "wounds": "wounds", "strain to wound": "strain"}
"""The track that an effect takes from, or adds to."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that symbols can buy. The fields are explained at the head of spends.toml."""

    key: str
    side: str
    scene: str
    costs: tuple[Bag, ...]
    text: str
    effect: str = ""
    amount: int = 1
    mod: Mapping[str, str] = field(default_factory=dict)
    whom: str = ""
    until: str = "scene"
    agree: bool = False
    failed: bool = False
    rating: str = ""


@cache
def rows() -> Mapping[str, Row]:
    """Every row of the table, by its key."""
    data = tomllib.loads(files("storypool.systems.narrative").joinpath("spends.toml").read_text(encoding="utf-8"))
    return {key: Row(key, costs=tuple(Bag(c) for c in row.pop("costs")), **row) for key, row in data.items()}


def symbols_of(turn: Turn, check: Check) -> tuple[str, ...]:
    """The symbols of this roll that this seat's side spends."""
    if acts_in(turn, check):
        return (*HELPING, *HINDERING) if gm_spends_all(turn, check) else HELPING
    return HINDERING if _other_side(turn, check) else ()


def _other_side(turn: Turn, check: Check) -> bool:
    if check.side == "gm":
        return turn.seat.side == "player" and not gm_spends_all(turn, check)
    return turn.seat.side == "gm"


def _scene(turn: Turn, check: Check) -> str:
    found = entry(turn, str(check.terms.get("skill", "")))
    return (found.notes.get("kind") if found else "") or "story"


def _affordable(turn: Turn, check: Check) -> Iterator[tuple[Row, list[Bag]]]:
    own = symbols_of(turn, check)
    failed = check.outcome is not None and check.outcome.passed is False
    for row in rows().values():
        costs = [cost for cost in _costs(turn, check, row) if check.left >= cost and set(cost) <= set(own)]
        fits = row.scene in ("any", _scene(turn, check)) and (failed or not row.failed)
        if costs and fits and not _pointless(turn, check, row):
            yield row, costs


def _costs(turn: Turn, check: Check, row: Row) -> tuple[Bag, ...]:
    """The alternatives of a row; where its price is a number of the weapon, what the sheet of whoever acts says."""
    price = rating(turn.table.characters.get(check.actor), row.rating)
    if price is None or price < 1:
        return row.costs
    return tuple(cost if "triumph" in cost else Bag(dict.fromkeys(cost, price)) for cost in row.costs)


def _pointless(turn: Turn, check: Check, row: Row) -> bool:
    """A track that is empty cannot be emptied further, and one that all see would tell of a hidden roll."""
    actor = turn.table.characters.get(check.actor)
    if check.seen_by is not None and actor is not None and actor.seen_by is None and row.effect in TRACK_OF:
        return True
    track = TRACK_OF.get(row.effect)
    takes = row.amount < 0 or row.effect == "strain to wound"
    return track is not None and takes and not turn.table.balance(track, check.actor)


def _priced(turn: Turn, cost: Bag) -> str:
    return ", ".join(f"{n} {turn.word(symbol, n)}" for symbol, n in cost.items())


def _choices(turn: Turn) -> Iterator[Choice]:
    check = turn.check
    for row, costs in _affordable(turn, check) if check else ():
        yield Choice(row.key, turn.system.words[f"buys.{row.key}"], " / ".join(_priced(turn, cost) for cost in costs))


def _ways(turn: Turn) -> Iterator[Choice]:
    check, chosen = turn.check, rows().get(turn.text("row"))
    if check is not None and chosen is not None:
        for row, costs in _affordable(turn, check):
            if row is chosen:
                for cost in costs:
                    yield Choice(next(iter(cost)), _priced(turn, cost))


def _people(turn: Turn) -> Iterator[Choice]:
    row, check = rows().get(turn.text("row")), turn.check
    for one in turn.table.characters.values():
        if row is None or check is None or not here(one) or (one.seen_by and not check.seen_by):
            continue
        same = (one.side == "gm") == (check.side == "gm")
        opposes = one.id == check.against or not same
        if (row.whom == "ally" and same) or (row.whom == "target" and opposes and one.id != check.actor):
            yield Choice(one.id, one.name)


def _target(turn: Turn) -> str | None:
    """Whom the roll was against, where a row is about the target; else whoever is the only one."""
    row, check, people = rows().get(turn.text("row")), turn.check, [choice.value for choice in _people(turn)]
    if row and check and row.whom == "target" and check.against in people:
        return check.against
    return people[0] if len(people) == 1 else None


def _asks_whom(turn: Turn) -> bool:
    row = rows().get(turn.text("row"))
    return row is not None and row.whom in ("ally", "target") and any(_people(turn))


def _has_symbols(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None:
        return None
    return None if check.left.only(symbols_of(turn, check)) else turn.no("no.symbols")


def _agrees(turn: Turn) -> bool:
    """The players propose what happens to an NPC, and the GM agrees; so does the GM where a row says it."""
    check, row = turn.check, rows().get(turn.text("row"))
    if turn.seat.side != "player" or check is None:
        return False
    return check.side == "gm" or bool(row and row.agree)


@move(
    "spend.buy",
    when=rolled,
    only_if=[_has_symbols],
    asks=[
        ChoiceAsk("row", "What for?", _choices),
        ChoiceAsk("with", "With what?", _ways, default=lambda t: next((c.value for c in _ways(t)), None)),
        ChoiceAsk("whom", "Whom?", _people, default=_target, shown=_asks_whom),
        TextAsk("text", "In your own words", needed=False),
    ],
    approval=_agrees,
    rule="Advantages and Threats",
)
def buy(turn: Turn) -> Iterator[Event]:
    """Spend what was rolled

    Whoever rolled spends Advantage and Triumph, the other side Threat and Despair. One Triumph or Despair pays for
    anything that its lesser symbol can buy.
    """
    check, row = turn.here, rows()[turn.text("row")]
    costs = _costs(turn, check, row)
    cost = next((cost for cost in costs if turn.text("with") in cost), costs[0])
    text = turn.text("text") or turn.system.words[f"buys.{row.key}"]
    yield from _book(turn, check, cost, text)
    yield from _effect(turn, row, text)


@move(
    "spend.free",
    when=rolled,
    only_if=[_has_symbols],
    asks=[
        TextAsk("text", "What happens?"),
        ChoiceAsk(
            "with",
            "With what?",
            lambda t: [Choice(s, t.word(s)) for s in symbols_of(t, t.here) if t.here.left[s]] if t.check else [],
        ),
        NumberAsk("n", "How many?", default=1, low=1, high=30, needed=False),
    ],
    approval=_agrees,
    rule="Advantages and Threats",
)
def free(turn: Turn) -> Iterator[Event]:
    """Spend what was rolled on something else"""
    yield from _book(turn, turn.here, Bag({turn.text("with"): turn.number("n", 1)}), turn.text("text"))


@move("spend.waive", when=rolled, only_if=[_has_symbols], rule="Advantages and Threats")
def waive(turn: Turn) -> Iterator[Event]:
    """Leave the rest unspent"""
    check = turn.here
    yield turn.amend(
        check,
        turn.system.words.say("spend.waived", who=turn.seat.name),
        left=check.left - check.left.only(symbols_of(turn, check)),
    )


def _book(turn: Turn, check: Check, cost: Bag, text: str) -> Iterator[Event]:
    if not check.left >= cost:
        left = _priced(turn, check.left.only(cost)) or turn.system.words["nothing"]
        raise turn.refused("price", "symbols.short", price=_priced(turn, cost), left=left)
    what = turn.system.words.say("spend.booked", cost=_priced(turn, cost), text=text)
    yield turn.amend(check, what, left=check.left - cost)


def _effect(turn: Turn, row: Row, text: str) -> Iterator[Event]:
    check = turn.here
    whom = turn.text("whom") or (check.against if row.whom == "target" else check.actor)
    match row.effect:
        case "strain" | "wounds":
            yield from turn.change(row.effect, row.amount, check.actor, text)
        case "strain to wound":
            yield from turn.change("strain", -row.amount, check.actor, text)
            yield from turn.change("wounds", row.amount, check.actor, text)
        case "promise":
            side = "@gm" if check.side == "gm" else "@players"
            about = side if row.whom == "allies" else whom
            # The die may come to an action that everybody sees: what was said of a hidden one stays behind.
            why = text if check.seen_by is None else turn.system.words[f"buys.{row.key}"]
            mod = Mod("add" if row.mod["kind"] == "add" else "upgrade", row.mod["die"], 1, why, turn.seat.id)
            yield promises.promise(turn, mod, about, text, but=check.actor if row.whom == "allies" else "")
        case "note":
            yield promises.note(turn, text, whom, row.until)


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
