"""The dice of this game and what they come to: all that rolling and odds need, without the moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storypool.bag import Bag
from storypool.dice import Axes, Die, Rolled, symbols
from storypool.systems.narrative import dice, reading

_FACES = ("D", "D", "D", "D", "D", "D", "DD", "L", "L", "LL", "LL", "LL")
FORCE = Die("force", tuple(Bag(light=face.count("L"), dark=face.count("D")) for face in _FACES))

DICE = (*dice.DICE[:3], FORCE, *dice.DICE[3:])
AXES = Axes({**dice.AXES.moves, "light": Bag(light=1), "dark": Bag(dark=1)}, dice.AXES.below)
NOTATION = dice.notation(force=True)


def result(pool: Mapping[str, int], lies: Sequence[Rolled]) -> tuple[bool | None, Bag, str]:
    """Whether these dice succeed (None for Force dice alone), what they came to, and that in words."""
    words = reading.own_words("starwars")
    pips = symbols([one for one in lies if one.die == "force"], [FORCE])
    said = words.say("force.result", light=pips["light"], dark=pips["dark"])
    if set(pool) == {"force"}:
        return None, pips, said
    net = reading.net(one for one in lies if one.die != "force")
    told = reading.sentence(words, net)
    return reading.passed(net), net + pips, f"{told} {said}" if pips else told
