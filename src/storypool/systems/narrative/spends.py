"""Spending a roll: what its symbols can buy, booked so that nothing is spent twice.

Source: starwars.md 1.5 (rows in spends.toml beside this), seed 003, Advantages and Threats, Triumph and Despair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from storypool.engine import rules as r
from storypool.systems.narrative.lasting import note, promise
from storypool.systems.narrative.rolling import HELPING, HINDERING, symbols_of
from storypool.systems.narrative.sheet import NARRATIVE, noted

SCENES = ("any", "combat", "social", "story")
"""Where a row belongs; story is neither combat nor a social encounter."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that symbols can buy. The fields are explained at the head of spends.toml."""

    key: str
    side: str
    scene: str
    costs: tuple[r.Bag, ...]
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
def table() -> Mapping[str, Row]:
    """Every row of the table, by its key."""
    data = r.rows(NARRATIVE, "spends")
    return {key: Row(key, **{**row, "costs": tuple(map(r.Bag, row["costs"]))}) for key, row in data.items()}


def rows_of(turn: r.Turn) -> Mapping[str, Row]:
    """The rows of the table, and those that this table has added, each of which a Triumph or a Despair pays too."""
    return {**table(), **{added.id: _added(added) for added in turn.table.of_kind("spend")}}


def _added(trait: r.Trait) -> Row:
    symbol = str(trait.terms["symbol"])
    side = "helping" if symbol in HELPING else "hindering"
    greater = HELPING[1] if side == "helping" else HINDERING[1]
    costs = (r.Bag({symbol: trait.rating}), r.Bag({greater: 1}))
    return Row(trait.id, side, str(trait.terms["scene"]), costs if symbol != greater else costs[:1], trait.text)


def _says(turn: r.Turn, row: Row) -> str:
    """What a row does, in the language of the table; a row of its own says what was written."""
    return turn.words.get(f"buys.{row.key}", row.text)


def _own_symbols(turn: r.Turn) -> r.Bag:
    """What is left of the open roll for this seat's side."""
    check = turn.check
    return check.left.only(symbols_of(turn, check)) if check else r.Bag()


def _scene(turn: r.Turn, check: r.Check) -> str:
    return noted(turn, check.text("skill"), "kind") or "story"


def _offered(turn: r.Turn) -> Iterator[tuple[Row, str]]:
    """The rows of this seat's side, each with the reason why it cannot be bought now, or ""."""
    check = turn.check
    sides = [
        side
        for side, symbols in (("helping", HELPING), ("hindering", HINDERING))
        if check and set(symbols) & set(symbols_of(turn, check))
    ]
    for row in rows_of(turn).values():
        if check and row.side in sides:
            yield row, _closed(turn, check, row)


def _closed(turn: r.Turn, check: r.Check, row: Row) -> str:
    """Why this row cannot be bought now, or "": the first reason that holds."""
    words, left = turn.words, _own_symbols(turn)
    if row.scene not in ("any", _scene(turn, check)):
        return words[f"spend.only.{row.scene}"]
    if row.failed and check.outcome is not None and check.outcome.passed is not False:
        return words["spend.only.failed"]
    costs = _costs(turn, check, row)
    if not any(left >= cost for cost in costs):
        price = words["list.or"].join(r.priced(turn, cost) for cost in costs)
        return words.say("no.symbols.short", price=price, left=r.priced(turn, left) or words["nothing"])
    return _pointless(turn, check, row)


def _costs(turn: r.Turn, check: r.Check, row: Row) -> tuple[r.Bag, ...]:
    """The alternatives of a row; where its price is a number of the weapon, what the sheet of whoever acts says."""
    price = r.rating(turn.table.characters.get(check.actor), row.rating)
    if price is None or price < 1:
        return row.costs
    return tuple(cost if "triumph" in cost else r.Bag(dict.fromkeys(cost, price)) for cost in row.costs)


def _pointless(turn: r.Turn, check: r.Check, row: Row) -> str:
    """Why a row would do nothing, or "".

    An empty track cannot be emptied further, one that all see would tell of a hidden roll, and a promise to nobody
    would lapse.
    """
    words, actor = turn.words, turn.table.characters.get(check.actor)
    if row.effect in _TRACKS:
        if check.hidden and actor is not None and not actor.hidden:
            return words["spend.only.seen"]
        track = _TRACKS[row.effect]
        takes = row.amount < 0 or row.effect == "strain to wound"
        if takes and not turn.table.balance(track, check.actor):
            return words.say("spend.empty", track=turn.plural(track))
    if row.whom == "allies" and not any(_beside(turn, check)):
        return words["spend.no.allies"]
    if row.whom == "target" and not check.against and not any(_people(turn, row)):
        return words["spend.no.target"]
    return ""


_TRACKS = {"strain": "strain", "wounds": "wounds", "strain to wound": "strain"}
"""The track that an effect changes, or takes from."""


def _choices(turn: r.Turn) -> Iterator[r.Choice]:
    """Every row of this seat's side, those that can be bought first."""
    check = turn.check
    for row, closed in sorted(_offered(turn), key=lambda of: bool(of[1])):
        price = turn.words["list.or"].join(r.priced(turn, cost) for cost in _costs(turn, check, row)) if check else ""
        yield r.Choice(row.key, _says(turn, row), price, closed)


def _ways(turn: r.Turn) -> Iterator[r.Choice]:
    """The ways to pay for the row that was chosen."""
    check, row = turn.check, rows_of(turn).get(turn.text("row"))
    for cost in _costs(turn, check, row) if check and row else ():
        if _own_symbols(turn) >= cost:
            yield r.Choice(next(iter(cost)), r.priced(turn, cost))


def _beside(turn: r.Turn, check: r.Check) -> Iterator[r.Character]:
    """Who else is on the side of whoever acts, as far as those see who see the action."""
    for who in turn.table.characters.values():
        same = (who.side == "gm") == (check.side == "gm")
        if same and who.id != check.actor and r.here(who) and check.knows(who):
            yield who


def _people(turn: r.Turn, row: Row | None = None) -> Iterator[r.Choice]:
    row, check = row or rows_of(turn).get(turn.text("row")), turn.check
    if row is None or check is None:
        return
    for who in turn.table.characters.values():
        same = (who.side == "gm") == (check.side == "gm")
        opposes = who.id != check.actor and (who.id == check.against or not same)
        in_sight = r.here(who) and check.knows(who)
        if in_sight and ((row.whom == "ally" and same) or (row.whom == "target" and opposes)):
            yield r.Choice(who.id, who.name)


def _target(turn: r.Turn) -> str | None:
    """Whom the roll was against, where a row is about the target; else whoever is the only one."""
    row, check, people = (
        rows_of(turn).get(turn.text("row")),
        turn.check,
        [choice.value for choice in _people(turn)],
    )
    if row and check and row.whom == "target" and check.against in people:
        return check.against
    return people[0] if len(people) == 1 else None


def _has_symbols(turn: r.Turn) -> r.Refusal | None:
    return None if turn.check is None or _own_symbols(turn) else turn.no("no.symbols")


def _agrees(turn: r.Turn) -> bool:
    """The players propose what happens to an NPC, and the GM agrees; so does the GM where a row says it."""
    check, row = turn.check, rows_of(turn).get(turn.text("row"))
    return turn.seat.side == "player" and check is not None and (check.side == "gm" or bool(row and row.agree))


def _price(turn: r.Turn) -> r.Bag:
    """What the chosen row costs in the chosen way."""
    costs = _costs(turn, turn.here, rows_of(turn)[turn.text("row")])
    return next((cost for cost in costs if turn.text("with") in cost), costs[0])


def _own_price(turn: r.Turn) -> r.Bag:
    return r.Bag({turn.text("with"): turn.number("n", 1)})


@r.move(
    "spend.buy",
    when=r.rolled,
    only_if=[_has_symbols],
    asks=[
        r.ChoiceAsk("row", "What for?", _choices),
        r.ChoiceAsk("with", "With what?", _ways, first=True),
        r.ChoiceAsk("whom", "Who is it about?", _people, default=_target, shown=lambda t: any(_people(t))),
        r.TextAsk("text", "In your own words", needed=False),
    ],
    approval=_agrees,
    holds=lambda t: r.Held(left=_price(t)),
    rule="Advantages and Threats",
)
def buy(turn: r.Turn) -> Iterator[r.Event]:
    """Spend symbols

    Whoever rolled spends Advantage and Triumph, the other side Threat and Despair. One Triumph or Despair pays for
    anything that its lesser symbol can buy.
    """
    row, price = rows_of(turn)[turn.text("row")], _price(turn)
    text = turn.text("text") or _says(turn, row)
    yield _booked(turn, price, text, _named(turn, row))
    yield from _effect(turn, row, text, r.priced(turn, price))


def _whom(turn: r.Turn, row: Row) -> str:
    """The character that a row is about, by their id, or "" where there is none."""
    return turn.text("whom") or (turn.here.against if row.whom == "target" else turn.here.actor)


def _named(turn: r.Turn, row: Row) -> str:
    """Who gets what a row brings, where that is one character whom everybody sees; else ""."""
    who = turn.table.characters.get(_whom(turn, row))
    lasts = row.effect in ("promise", "note") and row.whom != "allies"
    return who.name if who and lasts and not who.hidden else ""


@r.move(
    "spend.free",
    when=r.rolled,
    only_if=[_has_symbols],
    asks=[
        r.TextAsk("text", "What happens?"),
        r.ChoiceAsk("with", "With what?", lambda t: [r.Choice(symbol, t.word(symbol)) for symbol in _own_symbols(t)]),
        r.NumberAsk("n", "How many?", default=1, low=1, high=30, needed=False),
    ],
    approval=_agrees,
    holds=lambda t: r.Held(left=_own_price(t)),
    rule="Advantages and Threats",
)
def free(turn: r.Turn) -> Iterator[r.Event]:
    """Spend symbols on something else"""
    yield _booked(turn, _own_price(turn), turn.text("text"))


@r.move(
    "spend.add",
    by=["gm"],
    asks=[
        r.TextAsk("text", "What does it do?"),
        r.ChoiceAsk("with", "With what?", lambda t: [r.Choice(s, t.word(s)) for s in (*HELPING, *HINDERING)]),
        r.NumberAsk("n", "How many?", default=1, low=1, high=10, needed=False),
        r.ChoiceAsk("scene", "Where?", r.answers("scene", *SCENES), default=SCENES[0], needed=False),
    ],
    rule="Advantages and Threats",
)
def add_row(turn: r.Turn) -> Iterator[r.Event]:
    """Add to the spending list

    One Triumph or Despair buys it too. It stays until it is removed, and players see it with its price.
    """
    terms: dict[str, r.Value] = {"symbol": turn.text("with"), "scene": turn.text("scene") or SCENES[0]}
    yield turn.trait("spend", turn.text("text"), rating=turn.number("n", 1), terms=terms)


def _with_symbols(turn: r.Turn) -> r.Refusal | None:
    """To be done spending, there has to be something to spend."""
    return r.rolled(turn) or _has_symbols(turn)


@r.move("spend.waive", when=_with_symbols, rule="Advantages and Threats")
def waive(turn: r.Turn) -> Iterator[r.Event]:
    """Done spending"""
    what = turn.words.say("spend.waived", who=turn.seat.name)
    yield turn.amend(turn.here, what, left=turn.here.left - _own_symbols(turn))


def _booked(turn: r.Turn, cost: r.Bag, text: str, whom: str = "") -> r.Event:
    """The open roll with these symbols spent, on `whom` if that is somebody; `Refused` when there are fewer."""
    check = turn.here
    if not check.left >= cost:
        left = r.priced(turn, check.left.only(cost)) or turn.words["nothing"]
        raise turn.refused("price", "symbols.short", price=r.priced(turn, cost), left=left)
    key = "spend.booked.on" if whom and whom not in text else "spend.booked"
    what = turn.words.say(key, who=turn.seat.name, cost=r.priced(turn, cost), text=text, whom=whom)
    return turn.amend(check, what, left=check.left - cost)


def _effect(turn: r.Turn, row: Row, text: str, cost: str) -> Iterator[r.Event]:
    check = turn.here
    whom = _whom(turn, row)
    # What the line of the spend tells, with whom it is about, is told once.
    told = bool(_named(turn, row)) or row.whom == "allies"
    match row.effect:
        case "strain" | "wounds":
            yield from turn.change(row.effect, row.amount, check.actor, cost)
        case "strain to wound":
            yield from turn.change("strain", -row.amount, check.actor, cost)
            yield from turn.change("wounds", row.amount, check.actor, cost)
        case "promise":
            allies = row.whom == "allies"
            about = check.team.mark if allies else whom
            # The die may come to an action that everybody sees: what was said of a hidden one stays behind.
            why = text if not check.hidden else _says(turn, row)
            mod = r.Mod("add" if row.mod["kind"] == "add" else "upgrade", row.mod["die"], 1, why, turn.seat.id)
            yield promise(turn, mod, about, text, but=check.actor if allies else "", told=told)
        case "note":
            yield note(turn, text, whom, row.until, told=told)
