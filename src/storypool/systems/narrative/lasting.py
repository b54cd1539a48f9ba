"""Lasting effects of an action: promised dice, and sentences.

Both wait as traits, and end automatically. Source: starwars.md 1.5.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from storypool.engine import rules as r


@dataclass(frozen=True)
class Lasting(r.State):
    """The duration of an effect, and the exceptions of a promise.

    `until` is "turn", the end of the character's next turn, or "next round", the end of that;
    `round` and `check` are those in which it began. A promise to a side excludes those in
    `but`. An effect that is `logged` already gets no line of its own in the log.
    """

    until: str = ""
    round: int | None = None
    check: str | None = None
    but: str = ""
    logged: bool = False

    renamed: ClassVar[Mapping[str, str]] = {"logged": "told"}


def promise(
    turn: r.Turn, mod: r.Mod, about: str, text: str, but: str = "", logged: bool = False
) -> r.TraitSet:
    """A promise to a character, or to the next of a side ("@players", "@gm") except `but`."""
    return r.promise(
        turn, mod, about, text, until="scene", terms=Lasting(but=but, logged=logged).terms
    )


INJURY = "injury"
"""The place of an injury."""


def note(
    turn: r.Turn,
    text: str,
    about: str,
    until: str = "scene",
    at: str = "",
    logged: bool = False,
    mods: tuple[r.Mod, ...] = (),
) -> r.TraitSet:
    """A lasting effect on a character, as a sentence; `until` may be one of `Lasting`.

    Its `mods` change each of their checks while it lasts.
    """
    lasting = Lasting(logged=logged)
    if until in ("turn", "next round"):
        now = 0
        if "round" in turn.table.running:
            now = turn.table.periods["round"]
        check = turn.check.id if turn.check else ""
        lasting = lasting.changed(until=until, round=now, check=check)
        until = "scene"
    return turn.result("effect", text, about, until=until, at=at, terms=lasting.terms, mods=mods)


def end_turn_effects(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """End what lasted until the actor's turn was over; a hidden action ends nothing visible."""
    for trait in turn.table.of_kind("effect"):
        lasting = Lasting.of(trait)
        ends = lasting.until == "turn" and trait.about == check.actor and lasting.check != check.id
        if ends and check.may_use(trait):
            yield r.TraitRemoved(trait.id)


@r.whenever(r.PeriodBegan, r.PeriodEnded)
def end_round_effects(turn: r.Turn, event: r.PeriodBegan | r.PeriodEnded) -> Iterator[r.Event]:
    """End effects when a round begins after their last turn, and all with the last round."""
    if event.kind != "round":
        return
    for trait in turn.table.of_kind("effect"):
        lasting = Lasting.of(trait)
        last = (lasting.round or 0) + 1
        if lasting.until and (isinstance(event, r.PeriodEnded) or event.number > last):
            yield r.TraitRemoved(trait.id)
