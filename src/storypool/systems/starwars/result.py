"""What dice come to without a table, in words: all that a roll needs besides the dice."""

from collections.abc import Mapping, Sequence

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled, symbols
from storypool.systems.narrative import reading
from storypool.systems.starwars.dice import FORCE
from storypool.words.languages import ENGLISH, Language


def result(
    pool: Mapping[str, int], rolled: Sequence[Rolled], language: Language = ENGLISH
) -> tuple[bool | None, Bag, str]:
    """Whether these dice succeed (None for Force dice alone), what they came to, and that in words."""
    pips = symbols([one for one in rolled if one.die == "force"], [FORCE])
    force = reading.own_words("starwars", language).say("force.result", light=pips["light"], dark=pips["dark"])
    if set(pool) == {"force"}:
        return None, pips, force
    passed, net, text = reading.result("starwars", pool, [one for one in rolled if one.die != "force"], language)
    return passed, net + pips, f"{text} {force}" if pips else text
