"""What an action leaves behind: dice promised for a later one, and sentences that hold for a while.

Source: starwars.md 1.5; both wait as traits, and end by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from storypool.engine import rules as r


def promise(turn: r.Turn, mod: r.Mod, about: str, text: str, but: str = "", told: bool = False) -> r.TraitSet:
    """A promise to a character, or to the next of a side ("@players", "@gm") to act, `but` for this one.

    What has been `told` in the log already has no line of its own.
    """
    terms: dict[str, r.Value] = {**({"but": but} if but else {}), **({"told": True} if told else {})}
    return r.promise(turn, mod, about, text, until="scene", terms=terms)


def note(turn: r.Turn, text: str, about: str, until: str = "scene", told: bool = False) -> r.TraitSet:
    """What a roll or an ability did, as a sentence about somebody.

    `until` may also be "turn", the end of their next turn, and "next round", the end of that. What has been `told` in
    the log already has no line of its own.
    """
    terms: dict[str, r.Value] = {}
    if until in ("turn", "next round"):
        now = turn.table.periods["round"] if "round" in turn.table.running else 0
        terms = {"until": until, "round": now, "check": turn.check.id if turn.check else ""}
    return turn.result(
        "effect",
        text,
        about,
        until="scene" if terms else until,
        terms={**terms, **({"told": True} if told else {})},
    )


@dataclass(frozen=True)
class Lasting(r.State):
    """How long an effect lasts beyond its action: until when, and the round and the action in which it began."""

    until: str = ""
    round: int = 0
    check: str = ""


def turn_over(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """With an action its actor's turn is over, and so is what lasted until then; a hidden one ends nothing openly."""
    for trait in turn.table.of_kind("effect"):
        lasts = Lasting.of(trait)
        ends = lasts.until == "turn" and trait.about == check.actor and lasts.check != check.id
        if ends and check.may_use(trait):
            yield r.TraitRemoved(trait.id)


@r.whenever(r.PeriodBegan, r.PeriodEnded)
def round_over(turn: r.Turn, event: r.PeriodBegan | r.PeriodEnded) -> Iterator[r.Event]:
    """Whenever a round begins, whoever had a turn in the last one has had it; with the last round all of them end."""
    if event.kind != "round":
        return
    for trait in turn.table.of_kind("effect"):
        lasts = Lasting.of(trait)
        if lasts.until and (isinstance(event, r.PeriodEnded) or event.number > lasts.round + 1):
            yield r.TraitRemoved(trait.id)
