"""Conflicts: their kinds, how they begin and how they end. Source: seed 004, Conflict; dune.md 4.4."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.dune.conflict.score import score
from storypool.systems.dune.conflict.turns import (
    CONFLICT,
    Conflict,
    conflict,
    conflict_of,
    running,
    state_of,
    update_order,
)

KINDS = {
    "personal": "battle",
    "skirmish": "battle",
    "warfare": "battle",
    "espionage": "move",
    "intrigue": "communicate",
}
"""The five kinds of conflict, each with the skill that its tests mostly use."""


def usual_skill(turn: r.Turn) -> str | None:
    """Return the skill that tests in this conflict mostly use."""
    return KINDS.get(state_of(turn.table).kind)


@r.move(
    "conflict.begin",
    by=["gm"],
    when=lambda t: r.in_session(t) or (t.no("conflict.running") if conflict(t.table) else None),
    asks=[
        r.ChoiceAsk("kind", "What kind?", r.answers("conflict", *KINDS)),
        r.TextAsk("text", "What is it about?"),
        r.ChoiceAsk("first", "Who goes first?", r.answers("conflict.first", "players", "gm"), default="players"),
    ],
    rule="Conflict",
    place=r.at("scene"),
)
def begin(turn: r.Turn) -> Iterator[r.Event]:
    """Begin a conflict

    A duel, a skirmish, a war, espionage or an intrigue: all alike in zones, turns, assets and defeat. The GM says
    which side goes first.
    """
    kind_of = turn.words[f"conflict.{turn.text('kind')}"]
    title = turn.words.say("conflict.title", kind=kind_of, text=turn.text("text"))
    now = Conflict(kind=turn.text("kind"), side=turn.text("first"))
    yield r.TraitSet(now.into(r.Trait(CONFLICT, "conflict", title, by=turn.seat.id, until="scene")))
    yield from update_order(turn)


def _no_action(turn: r.Turn) -> r.Refusal | None:
    """No action of the conflict is going on, so that none is cut short."""
    open_ones = (check for check in turn.table.checks.values() if conflict_of(turn, check))
    return next((turn.no("conflict.action", title=check.title) for check in open_ones), None)


@r.move("conflict.end", by=["gm"], when=lambda t: running(t) or _no_action(t), rule="Conflict", place=r.at("slots", 61))
def end(turn: r.Turn) -> Iterator[r.Event]:
    """End the conflict

    The log tells who is defeated, how far the others were from it, and who can still resist.
    """
    yield r.TraitRemoved(CONFLICT, score(turn))
    yield from update_order(turn)
