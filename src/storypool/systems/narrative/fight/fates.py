"""The fate of characters past a threshold. The GM decides it; a critical injury may come with it.

That wounds past the threshold bring a hero a critical injury is a house's own row: no source here
has it.
"""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.narrative.fight.injuries import (
    THROWN,
    effect_of,
    in_words,
    injure,
    injury_asks,
)
from storypool.systems.narrative.sheet import MINIONS, Beyond, unsettled

_past_threshold = r.characters(only=lambda turn, one: unsettled(turn.table, one.id))
"""The characters past a threshold whose fate is undecided."""


def _may_be_injured(turn: r.Turn) -> bool:
    """Whether a form asks for an injury: for a single character with too many wounds."""
    who = turn.character("who")
    if who is None or r.rating(who, MINIONS):
        return False
    return any(mark.at == "wounds" for mark in unsettled(turn.table, who.id))


def _usual_injury(turn: r.Turn) -> str | None:
    """The answer that a form begins with: a throw for a hero, and nothing for an NPC."""
    who = turn.character("who")
    return THROWN if who and who.team is r.Team.PLAYERS else None


@r.gm_move(
    "track.settle",
    when=r.any_of(_past_threshold, "beyond.none"),
    asks=[
        r.first_choice("who", "Who?", _past_threshold),
        r.TextAsk("text", "What becomes of them?", default=lambda t: t.words["beyond.usual"]),
        *injury_asks(_may_be_injured, preset=_usual_injury, label="A critical injury with it"),
    ],
    rule="Strain and wounds",
    place=r.at("scene", 61),
)
def settle_beyond(turn: r.Turn) -> Iterator[r.Event]:
    """Settle their fate

    Of a character who has passed a threshold. It stays on their sheet until they are back below it.
    A critical injury may come with it.
    """
    who = turn.table.characters[turn.text("who")]
    first, *others = unsettled(turn.table, who.id)
    for mark in others:
        yield r.TraitSet(Beyond.put(mark, settled=True))
    text = turn.words.say("beyond.settled", who=who.name, text=turn.text("text"))
    yield r.TraitSet(r.replace(Beyond.put(first, settled=True), text=text))
    effect = yield from effect_of(turn, who)
    if effect is not None:
        yield injure(turn, who.id, effect, in_words(turn, effect))
