"""What a conflict came to, in words: who is defeated, how far the others are from it, and who can still resist.

Source: seed 004, Attack Sequence and Resisting Defeat.
"""

from __future__ import annotations

from storypool.engine import rules as r
from storypool.systems.dune.people.sheet import Defeat


def score(turn: r.Turn) -> str:
    """What a conflict came to: who is defeated, and how far each of the others is on the way there."""
    words = turn.words
    down = {trait.about: trait for trait in turn.table.of_kind("defeated") if not trait.hidden}
    shown = [who for who in turn.table.characters.values() if not who.hidden]
    comma, fallen = words["list.comma"], [who for who in shown if who.id in down]
    names = comma.join(who.name for who in fallen)
    parts = [words.say("conflict.defeated", who=names)] if fallen else []
    for who in shown:
        track = turn.table.traits.get(f"track-{who.id}")
        if track is not None and not track.hidden and who.id not in down:
            parts.append(words.say("conflict.track", who=who.name, n=min(track.rating, track.goal), goal=track.goal))
    if open_ones := [who.name for who in fallen if Defeat.of(down[who.id]).asked]:
        parts.append(words.say("conflict.resistible", who=comma.join(open_ones)))
    return words["list.semicolon"].join(parts) or words["conflict.nobody"]
