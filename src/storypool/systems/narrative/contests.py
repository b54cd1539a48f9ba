"""Contests in which everyone rolls against one difficulty, and the order of a fight as slots that a side owns.

Source: starwars.md 1.6, Competitive and Initiative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    CheckChanged,
    Choice,
    ChoiceAsk,
    DiceRolled,
    Event,
    PeriodBegan,
    PeriodEnded,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    Value,
    answers,
    characters,
    first_choice,
    has_a_character,
    idle,
    in_session,
    move,
    rating,
)
from storypool.systems.narrative.checks import LEVELS, contests, known_rating
from storypool.systems.narrative.dice import RANKED, skilled
from storypool.systems.narrative.reading import net
from storypool.systems.narrative.rolling import FACES
from storypool.systems.narrative.sheet import ready_dice


@move(
    "contest.open",
    by=["gm"],
    when=in_session,
    asks=[
        TextAsk("title", "What is it about?"),
        ChoiceAsk(
            "difficulty", "Difficulty for everybody", lambda t: [Choice(k, t.words[f"level.{k}"]) for k in LEVELS]
        ),
    ],
    rule="Competitive checks",
)
def open_contest(turn: Turn) -> Iterator[Event]:
    """Open a contest

    Everyone who takes part rolls against the same difficulty; most net successes wins.
    """
    terms = {"difficulty": turn.text("difficulty")}
    yield turn.trait("contest", turn.text("title"), until="scene", terms=terms)


@move(
    "contest.settle",
    by=["gm"],
    when=lambda t: (None if t.table.of_kind("contest") else t.firm("contest.none")) or idle(t),
    asks=[ChoiceAsk("contest", "Which contest?", contests)],
    rule="Competitive checks",
)
def settle_contest(turn: Turn) -> Iterator[Event]:
    """Settle a contest

    Most net successes wins; a tie goes to the most Triumphs, then the most Advantage; if nobody succeeds it is a draw.
    """
    contest = turn.table.traits[turn.text("contest")]
    results = turn.table.of_kind("result", at=contest.id)
    ranked = RANKED[turn.option("competitive_tiebreak")]

    def merit(result: Trait) -> tuple[int, ...]:
        return (result.rating, *map(result.number, ranked))

    succeeded = [result for result in results if result.rating > 0]
    best = max(map(merit, succeeded), default=())
    winners = [result for result in succeeded if merit(result) == best]
    how = {0: "nobody", 1: "won"}.get(len(winners), "drawn")
    name = turn.table.characters[winners[0].about].name if winners else ""
    hidden = next((winner.seen_by for winner in winners if winner.seen_by), None)
    for trait in (*results, contest):
        yield TraitRemoved(trait.id)
    text = turn.words.say(f"contest.{how}", who=name, title=contest.text)
    yield turn.trait("contest-result", text, until="scene", seen_by=hidden)


def result_of(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever somebody has rolled in a contest, what it came to is written down; everyone rolls once."""
    assert isinstance(event, CheckChanged)
    check = event.check
    contest = check.text("contest")
    if check.outcome is None or contest not in turn.table.traits:
        return
    if any(result.about == check.actor for result in turn.table.of_kind("result", at=contest)):
        return
    net = check.outcome.net
    n, triumph, advantage = net["success"], net["triumph"], net["advantage"]
    who = turn.table.characters[check.actor]
    text = turn.words.say("contest.result", who=who.name, n=n, t=triumph, a=advantage)
    terms: dict[str, Value] = {"triumph": triumph, "advantage": advantage, "check": check.id}
    # Nobody writes it down: it has no seat.
    result = Trait(turn.fresh("t"), "result", text, who.id, n, at=contest, until="scene", terms=terms)
    yield TraitSet(replace(result, seen_by=check.seen_by))


# The order of a fight.

READY = {"cool": "presence", "vigilance": "willpower"}


@move(
    "initiative.roll",
    when=lambda t: in_session(t) or idle(t),
    only_if=[has_a_character],
    asks=[
        first_choice("as", "Who?", characters(own=True)),
        ChoiceAsk("with", "Ready, or surprised?", answers("initiative", *READY)),
        FACES,
    ],
    rule="Initiative",
)
def roll_initiative(turn: Turn) -> Iterator[Event]:
    """Roll for the order of a fight

    A Simple check of Cool or Vigilance; by net successes, then Advantage. The slot belongs to the side.
    """
    who = turn.table.characters[turn.text("as")]
    skill = turn.text("with")
    pool = ready_dice(who) or skilled(known_rating(turn, who.id, READY[skill]), rating(who, skill) or 0)
    lies = turn.cast(pool, turn.numbers("faces"))
    yield DiceRolled("", turn.seat.id, lies, turn.words["initiative.rolled"], who.seen_by)
    came_to = net(lies)
    success, advantage = came_to["success"], came_to["advantage"]
    side = "gm" if who.side == "gm" else "players"
    terms = {"success": success, "advantage": advantage, "side": side}
    text = turn.words.say("initiative.slot", side=turn.words[f"initiative.{side}"])
    rank = success * 100 + advantage
    yield turn.trait("slot", text, f"@{side}", rating=rank, until="scene", terms=terms, seen_by=who.seen_by)


def _slots(turn: Turn) -> list[Trait]:
    """The slots in their order; where both are equal a player's comes first."""
    return sorted(turn.table.of_kind("slot"), key=lambda t: (-t.rating, t.terms.get("side") != "players", t.id))


@move(
    "initiative.next",
    by=["gm"],
    when=lambda t: (None if t.table.of_kind("slot") else t.firm("slots.none")) or idle(t),
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


@move("initiative.end", by=["gm"], when=next_slot.when, rule="Initiative")
def end_order(turn: Turn) -> Iterator[Event]:
    """The fight is over"""
    for slot in _slots(turn):
        yield TraitRemoved(slot.id)
    if "round" in turn.table.running:
        yield PeriodEnded("round", turn.table.periods["round"])
