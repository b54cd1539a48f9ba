"""What dice come to without a table, in words: all that a roll needs besides the dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled, symbols
from storypool.systems.narrative import reading
from storypool.systems.starwars.dice import FORCE
from storypool.words.languages import ENGLISH, Language


def result(
    pool: Mapping[str, int], lies: Sequence[Rolled], language: Language = ENGLISH
) -> tuple[bool | None, Bag, str]:
    """Whether these dice succeed (None for Force dice alone), what they came to, and that in words."""
    words = reading.own_words("starwars", language)
    pips = symbols([one for one in lies if one.die == "force"], [FORCE])
    said = words.say("force.result", light=pips["light"], dark=pips["dark"])
    if set(pool) == {"force"}:
        return None, pips, said
    net = reading.net(one for one in lies if one.die != "force")
    told = reading.sentence(words, net)
    return reading.passed(net), net + pips, f"{told} {said}" if pips else told
