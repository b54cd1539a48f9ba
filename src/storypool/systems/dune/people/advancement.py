"""Advancement points. Source: seed 004, Advancement Points; dune.md 4.4 and 4.6; rulings.md."""

from storypool.engine import rules as r
from storypool.systems.dune.people.sheet import (
    ADVANCES,
    HIGHEST,
    LOWEST,
    MOST_POTENT,
    Asset,
    label,
    skills,
)

_NOT_SPENT = {row.key for row in r.house.MOVES} | {
    "adventure.begin",
    "check.cancel",
    "check.difficulty",
    "check.trait",
}
"""Moves that change Threat without anybody spending it."""


def heroes(turn: r.Turn) -> list[r.Character]:
    everybody = turn.table.characters.values()
    return [who for who in everybody if who.team is r.Team.PLAYERS and who.seat and r.here(who)]


def brings_peril(turn: r.Turn, threat: int) -> bool:
    """Whether this much Threat, spent at once, is peril to a player's character."""
    return turn.is_gm and threat >= int(turn.option("peril_threshold")) and bool(heroes(turn))


def returnable(turn: r.Turn, spent: r.Points) -> r.Points:
    """What comes back of points spent on a test: not Threat that was peril."""
    return r.Points() if brings_peril(turn, spent[r.Purse("threat")]) else spent


@r.whenever(r.PointsSet)
def award_for_peril(turn: r.Turn, event: r.PointsSet) -> r.Events:
    """Whenever the GM spends 3 or more Threat at once, each player's character gains a point."""
    spent = event.account == "threat" and turn.key not in _NOT_SPENT
    if spent and brings_peril(turn, -event.delta):
        for who in heroes(turn):
            yield from turn.change("advancement", 1, who.id, turn.words["advance.peril"])


@r.gm_move(
    "advance.award",
    when=r.requires(heroes, "character.none", firm=True),
    asks=[
        r.ChoiceAsk("who", "Who?", lambda t: [r.Choice(who.id, who.name) for who in heroes(t)]),
        r.ChoiceAsk("for", "What for?", r.answers("advance", "ambition", "impress")),
        r.NumberAsk(
            "n",
            "How many?",
            default=1,
            low=1,
            high=3,
            needed=False,
            shown=r.answered("for", "ambition"),
        ),
        r.TextAsk("text", "In words", needed=False),
    ],
    rule="Gaining Advancement Points",
    place=r.at("table", 30),
)
def award(turn: r.Turn) -> r.Events:
    """Award advancement points

    1 to 3 for progress in an ambition; 1 for impressing the group, once a session for each player.
    Pain, failure and peril bring theirs by themselves, peril to each player's character.
    """
    who, reason = turn.table.characters[turn.text("who")], turn.text("for")
    if reason == "impress":
        if any(mark.by == who.seat for mark in turn.table.of_kind("impressed")):
            raise turn.refused("argument", "advance.impressed", "for", who=who.name)
        mark = r.Trait(turn.fresh("t"), "impressed", "", who.id, by=who.seat, until="session")
        yield r.TraitSet(mark)
    n = turn.number("n", 1) if reason == "ambition" else 1
    why = turn.text("text") or turn.words[f"advance.{reason}"]
    yield from turn.change("advancement", n, who.id, why)


def _buyers(turn: r.Turn) -> r.Choices:
    return r.characters("players", own=not turn.is_gm)(turn)


def _buyer(turn: r.Turn) -> r.Character | None:
    return turn.table.characters.get(turn.text("who") or (r.first_own(turn) or ""))


def _wares(turn: r.Turn) -> r.Choices:
    """The purchases for advancement points, with prices in words; closed if too dear."""
    who, beyond = _buyer(turn), ("asset", "potency") if turn.option("asset_prices") == "yes" else ()
    for choice in r.answers("buy", "skill", "focus", "talent", *beyond)(turn):
        n = full_price(turn, who, choice.value) if who else 0
        # What more Potency costs depends on the asset, which is asked next.
        if who and choice.value != "potency":
            price = r.priced(turn, r.Bag(advancement=n)) or turn.words["buy.free"]
            note = turn.words.say("buy.priced", price=price, how=choice.note)
            choice = r.replace(choice, note=note)
        yield choice.unless(_closed(turn, who, choice.value, n) if who else None)


def _closed(turn: r.Turn, who: r.Character, what: str, price: int) -> r.Refusal | None:
    if what == "potency" and not any(_own_assets(turn)):
        return turn.firm("asset.own")
    have = turn.table.balance("advancement", who.id)
    # Giving something up for it halves the price.
    least = (price + 1) // 2 if any(_given_up(turn)) else price
    return None if have >= least else turn.short("advancement", price, have)


def _raised(turn: r.Turn) -> r.Choices:
    for one in skills(turn):
        yield one.unless(_highest(turn, _buyer(turn), one.value))


def _highest(turn: r.Turn, who: r.Character | None, key: str) -> r.Refusal | None:
    if who is None or turn.text("what") != "skill":
        return None
    if (r.rating(who, key) or LOWEST) >= HIGHEST:
        return turn.firm("skill.highest", skill=label(turn, key), most=HIGHEST)
    limited = turn.option("advance_limits") == "yes"
    if limited and turn.table.of_kind("advanced", about=who.id, at=key):
        return turn.firm("skill.once", skill=label(turn, key))
    return None


def _most_potent(turn: r.Turn, asset: r.Trait) -> r.Refusal | None:
    full = asset.rating >= MOST_POTENT
    return turn.firm("potency.highest", asset=asset.text, most=MOST_POTENT) if full else None


_own_assets = r.traits(
    "asset", only=lambda t, one: one.about == getattr(_buyer(t), "id", None), closed=_most_potent
)


def _given_up(turn: r.Turn) -> r.Choices:
    """The losses to choose from: a focus, a talent, a step of a skill above the lowest."""
    who = _buyer(turn)
    if who is None:
        return
    for trait in turn.table.traits.values():
        if trait.about == who.id and trait.kind in ("focus", "talent"):
            yield r.Choice(trait.id, trait.text, turn.words[f"buy.{trait.kind}"])
    for choice in skills(turn):
        if (r.rating(who, choice.value) or LOWEST) > LOWEST:
            yield r.Choice(choice.value, choice.label, turn.words["buy.step"])


def full_price(turn: r.Turn, who: r.Character, what: str) -> int:
    """The price of an advance. Source: seed 004, Spending Advancement Points."""
    asset = turn.table.traits.get(turn.text("asset"))
    match what:
        case "focus":
            return len(turn.table.of_kind("focus", about=who.id))
        case "talent":
            return 3 * len(turn.table.of_kind("talent", about=who.id))
        case "asset":
            return 3
        case "potency":
            return 2 * ((asset.rating if asset else 0) + 1)
    return 10 + (r.rating(who, ADVANCES) or 0)


def _beyond_all(turn: r.Turn) -> r.Points:
    """The price of a skill where none of a seat's characters can pay for anything."""
    people = [turn.table.characters[buyer.value] for buyer in _buyers(turn)]
    for who in people:
        if not all(ware.closed for ware in _wares(turn.as_seat(turn.seat, who=who.id))):
            return r.Points()
    first = {r.Purse("advancement", who.id): full_price(turn, who, "skill") for who in people[:1]}
    return r.Points(first)


@r.worded(
    "A skill 10 and 1 for each skill advance so far; a focus 1 for each focus; a talent 3 for each"
    " talent; half of it, rounded up, for retraining"
)
def price(turn: r.Turn) -> r.Points:
    who = _buyer(turn)
    if not turn.text("what"):
        return _beyond_all(turn)
    if who is None:
        return r.Points()
    n = full_price(turn, who, turn.text("what"))
    return r.Points({r.Purse("advancement", who.id): (n + 1) // 2 if turn.text("instead") else n})


@r.worded("One advance in an adventure, where the table says so")
def _limits(turn: r.Turn) -> tuple[r.Limit, ...]:
    limit = r.Limit("advance", ("adventure", "seat"))
    return (limit,) if turn.option("advance_limits") == "yes" else ()


@r.move(
    "advance.buy",
    when=r.any_of(_buyers, "character.none"),
    price=price,
    limit=_limits,
    asks=[
        r.ChoiceAsk("who", "Who?", _buyers),
        r.ChoiceAsk(
            "what",
            "What?",
            _wares,
            short=lambda t, one: one.value != "potency" or any(_own_assets(t)),
        ),
        r.ChoiceAsk("skill", "Which skill?", _raised, shown=r.answered("what", "skill", "focus")),
        r.ChoiceAsk("asset", "Which asset?", _own_assets, shown=r.answered("what", "potency")),
        r.TextAsk("text", "In words", shown=r.answered("what", "focus", "talent", "asset")),
        r.ChoiceAsk("instead", "Retraining: what is given up for it?", _given_up, needed=False),
    ],
    rule="Spending Advancement Points",
)
def buy(turn: r.Turn) -> r.Events:
    """Buy an advance, or retrain

    Totals count before the purchase. Giving up something one already has halves the price, rounded
    up. Drives cannot be bought: they change through play.
    """
    who, what, key, text = (turn.text(name) for name in ("who", "what", "skill", "text"))
    yield from _sacrificed(turn, turn.table.characters[who])
    match what:
        case "skill":
            yield from _skill(turn, turn.table.characters[who], key)
        case "focus" | "talent":
            yield turn.trait(what, text, who, at=key)
        case "asset":
            yield turn.trait("asset", text, who, terms=Asset(tangible=True).terms)
        case "potency":
            asset = turn.table.traits[turn.text("asset")]
            yield r.TraitSet(r.replace(asset, rating=asset.rating + 1))


def _skill(turn: r.Turn, who: r.Character, key: str) -> r.Events:
    if turn.option("advance_limits") == "yes":
        yield r.TraitSet(r.Trait(turn.fresh("t"), "advanced", "", who.id, at=key))
    raised, so_far = (r.rating(who, key) or LOWEST) + 1, (r.rating(who, ADVANCES) or 0) + 1
    yield r.CharacterSet(r.replace(who, sheet={**who.sheet, key: raised, ADVANCES: so_far}))


def _sacrificed(turn: r.Turn, who: r.Character) -> r.Events:
    given = turn.text("instead")
    if given and given == turn.text("skill") and turn.text("what") == "skill":
        raise turn.refused("argument", "retrain.same", "instead")
    if given in turn.table.traits:
        yield r.TraitRemoved(given, turn.words["buy.retrained"])
    elif given:
        lowered = {given: (r.rating(who, given) or LOWEST) - 1}
        yield r.CharacterSet(r.replace(who, sheet={**who.sheet, **lowered}))
