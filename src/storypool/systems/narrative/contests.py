"""Contests in which everyone rolls against one difficulty, and the order of a fight as slots that a side owns.

Source: starwars.md 1.6, Competitive and Initiative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Bag,
    CheckChanged,
    Choice,
    ChoiceAsk,
    DiceRolled,
    Event,
    Move,
    PeriodBegan,
    PeriodEnded,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    Value,
    characters,
    idle,
    in_session,
    move,
    symbols,
)
from storypool.systems.narrative.checks import LEVELS, has_a_character
from storypool.systems.narrative.dice import AXES, DICE
from storypool.systems.narrative.rolling import FACES
from storypool.systems.narrative.sheet import rating, skilled


def _any(turn: Turn, kind: str) -> list[Trait]:
    return [trait for trait in turn.table.traits.values() if trait.kind == kind]


@move(
    "contest.open",
    by=["gm"],
    when=in_session,
    asks=[
        TextAsk("title", "What is it about?"),
        ChoiceAsk(
            "difficulty",
            "Difficulty for everybody",
            lambda t: [Choice(k, t.system.words[f"level.{k}"]) for k in LEVELS],
        ),
    ],
    rule="Competitive checks",
)
def open_contest(turn: Turn) -> Iterator[Event]:
    """Open a contest

    Everyone who takes part rolls against the same difficulty; most net successes wins.
    """
    terms = {"difficulty": turn.text("difficulty")}
    yield TraitSet(Trait(turn.fresh("t"), "contest", turn.text("title"), by=turn.seat.id, until="scene", terms=terms))


CONTEST = ChoiceAsk("contest", "Which contest?", lambda t: [Choice(x.id, x.text) for x in _any(t, "contest")])


@move(
    "contest.settle",
    by=["gm"],
    when=lambda t: (None if _any(t, "contest") else t.firm("contest.none")) or idle(t),
    asks=[CONTEST],
    rule="Competitive checks",
)
def settle_contest(turn: Turn) -> Iterator[Event]:
    """Settle a contest

    Most net successes wins; a tie goes to the most Triumphs, then the most Advantage; if nobody succeeds it is a draw.
    """
    contest = turn.table.traits[turn.text("contest")]
    results = [t for t in _any(turn, "result") if t.at == contest.id]
    words = turn.system.words

    def merit(trait: Trait) -> tuple[int, ...]:
        n, triumphs, advantage = trait.rating, int(trait.terms["triumph"]), int(trait.terms["advantage"])  # type: ignore[arg-type]
        match turn.option("competitive_tiebreak"):
            case "triumph":
                return (n, triumphs, advantage)
            case "advantage":
                return (n, advantage, triumphs)
            case _:
                return (n,)

    best = max((merit(t) for t in results if t.rating > 0), default=None)
    winners = [t for t in results if best is not None and t.rating > 0 and merit(t) == best]
    if not winners:
        text = words.say("contest.nobody", title=contest.text)
    elif len(winners) > 1:
        text = words.say("contest.drawn", title=contest.text)
    else:
        name = turn.table.characters[winners[0].about].name
        text = words.say("contest.won", who=name, title=contest.text)
    hidden = next((trait.seen_by for trait in winners if trait.seen_by), None)
    for trait in (*results, contest):
        yield TraitRemoved(trait.id)
    yield TraitSet(Trait(turn.fresh("t"), "contest-result", text, by=turn.seat.id, until="scene", seen_by=hidden))


def result_of(turn: Turn, event: Event) -> Iterator[Event]:
    """What somebody rolled in a contest is written down as soon as the dice lie."""
    assert isinstance(event, CheckChanged)
    check = event.check
    contest = str(check.terms.get("contest", ""))
    if check.outcome is None or contest not in turn.table.traits:
        return
    # Everyone rolls once: a second roll of the same character is no better chance.
    if any(t.kind == "result" and t.at == contest and t.about == check.actor for t in turn.table.traits.values()):
        return
    net = check.outcome.net
    who = turn.table.characters[check.actor]
    text = turn.system.words.say("contest.result", who=who.name, n=net["success"], t=net["triumph"], a=net["advantage"])
    terms: dict[str, Value] = {"triumph": net["triumph"], "advantage": net["advantage"], "check": check.id}
    yield TraitSet(
        Trait(
            turn.fresh("t"),
            "result",
            text,
            who.id,
            net["success"],
            at=contest,
            until="scene",
            terms=terms,
            seen_by=check.seen_by,
        )
    )


# The order of a fight.


@move(
    "initiative.roll",
    when=lambda t: in_session(t) or idle(t),
    only_if=[has_a_character],
    asks=[
        ChoiceAsk(
            "as",
            "Who?",
            characters(own=True),
            default=lambda t: next((c.value for c in characters(own=True)(t)), None),
        ),
        ChoiceAsk(
            "with",
            "Ready, or surprised?",
            lambda t: [Choice(k, t.system.words[f"initiative.{k}"]) for k in ("cool", "vigilance")],
        ),
        FACES,
    ],
    rule="Initiative",
)
def roll_initiative(turn: Turn) -> Iterator[Event]:
    """Roll for the order of a fight

    A Simple check of Cool or Vigilance; by net successes, then Advantage. The slot belongs to the side.
    """
    who = turn.table.characters[turn.text("as")]
    key = {"cool": "presence", "vigilance": "willpower"}[turn.text("with")]
    pool = skilled(rating(who, key) or 0, rating(who, turn.text("with")) or 0)
    if not pool:
        pool = Bag({die: rating(who, die) or 0 for die in ("ability", "proficiency")}) or Bag(ability=2)
    lies = turn.cast(pool, turn.numbers("faces"))
    yield DiceRolled("", turn.seat.id, lies, turn.system.words["initiative.rolled"], who.seen_by)
    net = AXES.net(symbols(lies, DICE))
    side = "gm" if who.side == "gm" else "players"
    text = turn.system.words.say("initiative.slot", side=turn.system.words[f"initiative.{side}"])
    terms: dict[str, Value] = {"success": net["success"], "advantage": net["advantage"], "side": side}
    yield TraitSet(
        Trait(
            turn.fresh("t"),
            "slot",
            text,
            f"@{side}",
            _rank(net),
            by=turn.seat.id,
            until="scene",
            terms=terms,
            seen_by=who.seen_by,
        )
    )


def _rank(net: Bag) -> int:
    return net["success"] * 100 + net["advantage"]


def _slots(turn: Turn) -> list[Trait]:
    """The slots in their order; where both are equal a player's comes first."""
    return sorted(_any(turn, "slot"), key=lambda t: (-t.rating, t.terms.get("side") != "players", t.id))


@move(
    "initiative.next",
    by=["gm"],
    when=lambda t: (None if _any(t, "slot") else t.firm("slots.none")) or idle(t),
    rule="Initiative",
)
def next_slot(turn: Turn) -> Iterator[Event]:
    """Go on to the next slot

    After the last slot the next round begins.
    """
    slots = _slots(turn)
    now = next((i for i, slot in enumerate(slots) if slot.at == "now"), -1)
    if now >= 0:
        yield TraitSet(replace(slots[now], at=""))
    if now < 0 or now + 1 == len(slots):
        number = turn.table.periods["round"] + 1 if "round" in turn.table.running else 1
        yield PeriodBegan("round", number)
    slots = _slots(turn)
    yield TraitSet(replace(slots[(now + 1) % len(slots)], at="now"))


@move(
    "initiative.end",
    by=["gm"],
    when=lambda t: (None if _any(t, "slot") else t.firm("slots.none")) or idle(t),
    rule="Initiative",
)
def end_order(turn: Turn) -> Iterator[Event]:
    """The fight is over"""
    for slot in _slots(turn):
        yield TraitRemoved(slot.id)
    if "round" in turn.table.running:
        yield PeriodEnded("round", turn.table.periods["round"])


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
