"""Conflicts: their kinds, how they begin, how they end, and what they came to.

Source: seed 004, Conflict, Attack Sequence and Resisting Defeat; dune.md 4.4.
"""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.dune.conflict import turns
from storypool.systems.dune.conflict.turns import CONFLICT, conflict, running
from storypool.systems.dune.people.sheet import Defeat

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
    return KINDS.get(turns.state_of(turn.table).kind)


@r.gm_move(
    "conflict.begin",
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
    now = turns.Conflict(kind=turn.text("kind"), side=turn.text("first"))
    yield r.TraitSet(now.into(r.Trait(CONFLICT, "conflict", title, by=turn.seat.id, until="scene")))
    yield from turns.update_order(turn)


def _no_action(turn: r.Turn) -> r.Refusal | None:
    """No action of the conflict is going on, so that none is cut short."""
    open_ones = (check for check in turn.table.checks.values() if turns.takes_turn(check))
    return next((turn.no("conflict.action", title=check.title) for check in open_ones), None)


def score(turn: r.Turn) -> str:
    """Return what a conflict came to: who is defeated, how far the others are from it, and who can resist."""
    words = turn.words
    down = {trait.about: trait for trait in turn.table.of_kind("defeated") if not trait.hidden}
    shown = [who for who in turn.table.characters.values() if not who.hidden]
    comma, fallen = words["list.comma"], [who for who in shown if who.id in down]
    names = comma.join(who.name for who in fallen)
    parts = [words.say("conflict.defeated", who=names)] if fallen else []
    for who in shown:
        track = turn.table.traits.get(f"track-{who.id}")
        if track is not None and not track.hidden and who.id not in down:
            n = min(track.rating, track.goal)
            parts.append(words.say("conflict.track", who=who.name, n=n, goal=track.goal))
    if open_ones := [who.name for who in fallen if Defeat.of(down[who.id]).asked]:
        parts.append(words.say("conflict.resistible", who=comma.join(open_ones)))
    return words["list.semicolon"].join(parts) or words["conflict.nobody"]


@r.gm_move("conflict.end", when=lambda t: running(t) or _no_action(t), rule="Conflict", place=r.at("slots", 61))
def end(turn: r.Turn) -> Iterator[r.Event]:
    """End the conflict

    The log shows who is defeated, how far the others were from it, and who can still resist.
    """
    yield r.TraitRemoved(CONFLICT, score(turn))
    yield from turns.update_order(turn)
