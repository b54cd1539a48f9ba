"""What an action leaves behind: dice promised for a later one, and sentences that hold for a while.

Source: starwars.md 1.5; both wait as traits, and end by themselves.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from storypool.engine import rules as r


@dataclass(frozen=True)
class Lasting(r.State):
    """How long an effect lasts, and whom a promise leaves out.

    `until` is "turn", the end of the character's next turn, or "next round", the end of that;
    `round` and `check` are those in which it began. `but` has those of the side whom a promise is
    not for. What is `logged` already has no line of its own in the log.
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
    """Return a promise to a character, or to the next of a side ("@players", "@gm") to act, `but`
    for these.
    """
    return r.promise(
        turn, mod, about, text, until="scene", terms=Lasting(but=but, logged=logged).terms
    )


INJURY = "injury"
"""The place of an effect that is harm."""


def note(
    turn: r.Turn, text: str, about: str, until: str = "scene", at: str = "", logged: bool = False
) -> r.TraitSet:
    """The lasting result of a roll or ability, as a sentence about a character; `until` may be one
    of `Lasting`.
    """
    lasting = Lasting(logged=logged)
    if until in ("turn", "next round"):
        now = turn.table.periods["round"] if "round" in turn.table.running else 0
        lasting = lasting.changed(until=until, round=now, check=turn.check.id if turn.check else "")
    return turn.result(
        "effect", text, about, until="scene" if lasting.until else until, at=at, terms=lasting.terms
    )


def turn_over(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """With an action its actor's turn is over, and what lasted until then; a hidden one ends
    nothing openly.
    """
    for trait in turn.table.of_kind("effect"):
        lasting = Lasting.of(trait)
        ends = lasting.until == "turn" and trait.about == check.actor and lasting.check != check.id
        if ends and check.may_use(trait):
            yield r.TraitRemoved(trait.id)


@r.whenever(r.PeriodBegan, r.PeriodEnded)
def round_over(turn: r.Turn, event: r.PeriodBegan | r.PeriodEnded) -> Iterator[r.Event]:
    """Whenever a round begins, what lasted for a turn of the last one is over; with the last round,
    all of it.
    """
    if event.kind != "round":
        return
    for trait in turn.table.of_kind("effect"):
        lasting = Lasting.of(trait)
        last = (lasting.round or 0) + 1
        if lasting.until and (isinstance(event, r.PeriodEnded) or event.number > last):
            yield r.TraitRemoved(trait.id)
