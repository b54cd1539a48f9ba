"""Points that two sides pass back and forth: upgrades, answers, facts, talents, the price of the impossible.

Sources: seed 000; starwars.md 1.7 and 1.9; rulings.md. The moves are the same under two names, so a system makes its
own with `point_moves`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable

from storypool.engine.rules import (
    Bag,
    Choice,
    ChoiceAsk,
    Event,
    Mod,
    Move,
    NumberAsk,
    PeriodEnded,
    Points,
    ProposalSettled,
    Purse,
    Refusal,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    building,
    characters,
    in_session,
    move,
)
from storypool.systems.narrative import promises, windows
from storypool.systems.narrative.checks import acts_in, difficulty_known, ready, unpaid
from storypool.systems.narrative.sheet import rating


@dataclass(frozen=True, slots=True)
class Talent:
    """An ability that costs points: a row of data. `effect` is what the program does for it, besides its text."""

    key: str
    name: str
    text: str
    cost: int = 1
    side: str = "player"
    effect: str = ""
    amount: str = ""
    when: str = "any"


def read_talents(file: Traversable) -> tuple[Talent, ...]:
    """The talents of a data file."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(Talent(key, **row) for key, row in rows.items())


def talent_words(talents: tuple[Talent, ...]) -> dict[str, str]:
    """What talents are called and what they do, as sentences of the catalogue."""
    return {f"talent.{row.key}{of}": text for row in talents for of, text in (("", row.name), (".does", row.text))}


def _name(turn: Turn, row: Talent) -> str:
    return turn.system.words[f"talent.{row.key}"]


def _told(turn: Turn, row: Talent) -> str:
    words = turn.system.words
    return words.say("talent.told", name=_name(turn, row), text=words[f"talent.{row.key}.does"])


def one_point(turn: Turn) -> Bag:
    """One point of this seat's side."""
    return Bag({windows.purse(turn, turn.seat.side): 1})


def spent(turn: Turn, n: int = 1) -> Iterator[Event]:
    """What follows when points were paid: they turn over when the action is done, or now, where none is open."""
    own, other = windows.purse(turn, turn.seat.side), windows.other_purse(turn, turn.seat.side)
    check = turn.check
    if check is None or windows.at_once(turn):
        yield from turn.change(other, n, why=turn.system.words["points.turned"])
    if check is not None:
        owed = check.owed if windows.at_once(turn) else check.owed + Bag({other: n})
        still = windows.waiting(turn, check, check.windows)
        yield turn.amend(check, spent=check.spent + Points({Purse(own): n}), owed=owed, windows=still)


def open_to_points(turn: Turn) -> Refusal | None:
    """A secret action takes no points: the pool would tell of it."""
    check = turn.check
    return turn.firm("points.secret") if check is not None and check.seen_by is not None else None


def _not_answered(turn: Turn) -> Refusal | None:
    """Before the roll nobody spends after the other side has answered: the answer is not answered."""
    check = turn.check
    if check is None or check.phase != "build":
        return None
    other = windows.other_purse(turn, turn.seat.side)
    first = "gm" if check.side == "gm" else "player"
    mine = "gm" if turn.seat.side == "gm" else "player"
    return turn.no("point.answered") if mine == first and check.spent[Purse(other)] else None


def _may_touch(turn: Turn) -> Refusal | None:
    """The acting pool is upgraded by whoever acts; the opposition by those it acts against."""
    check = turn.check
    if check is None or turn.seat.side == "gm" or acts_in(turn, check) or check.side == "gm":
        return None
    target = turn.table.characters.get(check.against)
    return None if target is not None and target.seat == turn.seat.id else turn.no("point.theirs")


def point_moves(prefix: str, rule: str, talents: tuple[Talent, ...]) -> tuple[Move, ...]:
    """The moves of a two-sided pool of points, under the name that this game gives them."""

    @move(
        f"{prefix}.upgrade",
        when=building,
        window=windows.own_window,
        price=one_point,
        limit=windows.limits,
        only_if=[open_to_points, _may_touch, difficulty_known, ready],
        rule=rule,
    )
    def upgrade(turn: Turn) -> Iterator[Event]:
        """Spend a point to upgrade a die

        Whoever acts upgrades an Ability die; the other side a Difficulty die (seed 000, Helping and Inhibiting).
        """
        check = turn.here
        # Who plays both sides of a check answers in the target's window.
        answers = check.windows[:1] == ("target",)
        die = "ability" if acts_in(turn, check) and not answers else "difficulty"
        why = turn.system.words.say(f"point.upgrade.{die}", who=turn.seat.name)
        mod = Mod("upgrade", die, 1, why, turn.seat.id)
        yield turn.amend(replace(check, mods=(*check.mods, mod)), why)
        yield from spent(turn)
        yield turn.amend(windows.decided(turn, turn.here))

    @move(f"{prefix}.pass", when=building, window=windows.own_window, only_if=[difficulty_known], rule=rule)
    def pass_on(turn: Turn) -> Iterator[Event]:
        """Spend nothing"""
        check = turn.here
        yield turn.amend(windows.decided(turn, check), turn.system.words.say("point.passed", who=turn.seat.name))

    @move(
        f"{prefix}.attempt",
        by=["player", "gm"],
        when=lambda t: building(t) or _impossible(t),
        price=one_point,
        limit=lambda t: (windows.spending_limit(t),),
        only_if=[_unpaid, _acts],
        rule="Impossible Tasks",
    )
    def attempt(turn: Turn) -> Iterator[Event]:
        """Pay for attempting the impossible

        The point buys nothing else, and is this player's one point (starwars.md 1.2).
        """
        yield from spent(turn)
        check = turn.here
        yield turn.amend(check, terms={**check.terms, "paid": True})

    @move(
        f"{prefix}.fact",
        by=["player"],
        when=in_session,
        price=one_point,
        limit=lambda t: (windows.spending_limit(t),),
        only_if=[open_to_points, _not_answered, ready],
        asks=[
            TextAsk("text", "What turns out to be true?"),
            ChoiceAsk("about", "About whom?", characters(), needed=False),
        ],
        approval=lambda t: t.seat.side == "player",
        rule="Luck and Deus Ex Machina",
    )
    def fact(turn: Turn) -> Iterator[Event]:
        """Spend a point to add a fact to the story

        The GM has the last word: the point is set aside until then, and comes back if the answer is no.
        """
        yield TraitSet(Trait(turn.fresh("t"), "fact", turn.text("text"), turn.text("about"), by=turn.seat.id))
        yield from spent(turn)

    rows = {talent.key: talent for talent in talents}

    def known(turn: Turn) -> Iterator[Choice]:
        side = "gm" if turn.seat.side == "gm" else "player"
        for row in rows.values():
            if row.side == side:
                does = turn.system.words[f"talent.{row.key}.does"]
                note = turn.system.words.say("talent.note", n=row.cost, text=does)
                yield Choice(row.key, _name(turn, row), note)
        for trait in turn.table.traits.values():
            if trait.kind == "talent":
                yield Choice(
                    trait.id,
                    trait.text.partition(":")[0],
                    turn.system.words.say("talent.note", n=trait.rating, text=trait.text),
                )

    def talent_price(turn: Turn) -> Bag:
        chosen, added = rows.get(turn.text("talent")), turn.table.traits.get(turn.text("talent"))
        return one_point(turn) * (chosen.cost if chosen else max(1, added.rating) if added else 1)

    @move(
        f"{prefix}.talent",
        when=in_session,
        window=windows.in_turn,
        price=talent_price,
        limit=lambda t: (windows.spending_limit(t),),
        only_if=[open_to_points, ready],
        asks=[
            ChoiceAsk("as", "Whose ability?", characters(own=True), default=lambda t: _own(t)),
            ChoiceAsk("talent", "Which ability?", known),
        ],
        rule="Special Abilities and Talents",
    )
    def talent(turn: Turn) -> Iterator[Event]:
        """Spend points on a talent or an ability

        One that costs two needs both at once; its own text overrides the limit of one, and uses it up.
        """
        row = rows.get(turn.text("talent"))
        yield from spent(turn, talent_price(turn).total)
        who = turn.table.characters[turn.text("as")]
        if row is not None:
            yield from EFFECTS[row.effect](turn, row, who.id)

    @move(
        f"{prefix}.ability",
        by=["gm"],
        asks=[
            TextAsk("text", "Name: what it does"),
            NumberAsk("cost", "How many points does it cost?", default=1, low=1, high=3),
        ],
        rule="Special Abilities and Talents",
    )
    def ability(turn: Turn) -> Iterator[Event]:
        """Add a talent or an ability to this table's list"""
        yield TraitSet(Trait(turn.fresh("t"), "talent", turn.text("text"), "", turn.number("cost", 1), by=turn.seat.id))

    return (upgrade, pass_on, attempt, fact, talent, ability)


def unanswered(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a session ends, what still waits for an answer comes to nothing, so its points are in the pool again."""
    assert isinstance(event, PeriodEnded)
    words = turn.system.words
    for proposal in [p for p in turn.table.proposals.values() if p.price and event.kind == "session"]:
        yield ProposalSettled(proposal.id, False, turn.seat.id, words["points.unanswered"], proposal.counts)
        for (account, _), n in proposal.price.items():
            yield from turn.change(account, n, why=words.say("points.refund", what=proposal.text))


def _impossible(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None:
        return None
    return None if check.terms.get("difficulty") == "impossible" else turn.no("not.impossible")


def _unpaid(turn: Turn) -> Refusal | None:
    check = turn.check
    return None if check is None or unpaid(check) else turn.no("impossible.paid")


def _acts(turn: Turn) -> Refusal | None:
    check = turn.check
    return None if check is None or acts_in(turn, check) else turn.no("yours")


def _own(turn: Turn) -> str | None:
    check = turn.check
    ours = [choice.value for choice in characters(own=True)(turn)]
    if check is not None and check.actor in ours:
        return check.actor
    return ours[0] if ours else None


# What a talent does besides its text. Amounts are a number or the name of a characteristic.


def _amount(turn: Turn, row: Talent, who: str) -> int:
    if row.amount.isdecimal():
        return int(row.amount)
    return rating(turn.table.characters.get(who), row.amount) or 2


def _heal(track: str) -> Callable[[Turn, Talent, str], Iterator[Event]]:
    def healed(turn: Turn, row: Talent, who: str) -> Iterator[Event]:
        n = min(_amount(turn, row, who), turn.table.balance(track, who))
        if n:
            yield from turn.change(track, -n, who, _name(turn, row))

    return healed


def _on_own_check(turn: Turn, row: Talent, who: str, mod: Mod) -> Iterator[Event]:
    """A change of the pool now, where this is the acting character's own check; else a promise for the next."""
    check = turn.check
    if check is not None and check.phase == "build" and check.actor == who:
        yield turn.amend(check, _name(turn, row), mods=(*check.mods, mod))
    else:
        yield promises.promise(turn, mod, who, _told(turn, row))


def _upgrade_ability(turn: Turn, row: Talent, who: str) -> Iterator[Event]:
    return _on_own_check(turn, row, who, Mod("upgrade", "ability", _amount(turn, row, who), _name(turn, row), who))


def _downgrade_difficulty(turn: Turn, row: Talent, who: str) -> Iterator[Event]:
    return _on_own_check(turn, row, who, Mod("downgrade", "challenge", _amount(turn, row, who), _name(turn, row), who))


def _remove_setback(turn: Turn, row: Talent, who: str) -> Iterator[Event]:
    return _on_own_check(turn, row, who, Mod("remove", "setback", _amount(turn, row, who), _name(turn, row), who))


def _add_boost(turn: Turn, row: Talent, who: str) -> Iterator[Event]:
    return _on_own_check(turn, row, who, Mod("add", "boost", _amount(turn, row, who), _name(turn, row), who))


def _note(turn: Turn, row: Talent, who: str) -> Iterator[Event]:
    yield promises.note(turn, _told(turn, row), who)


EFFECTS: Mapping[str, Callable[[Turn, Talent, str], Iterator[Event]]] = {
    "": _note,
    "heal strain": _heal("strain"),
    "heal wounds": _heal("wounds"),
    "upgrade ability": _upgrade_ability,
    "downgrade difficulty": _downgrade_difficulty,
    "remove setback": _remove_setback,
    "add boost": _add_boost,
}
