"""Results without a table, in words: all that a roll needs besides the dice."""

from collections.abc import Sequence

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled, symbols
from storypool.engine.folder import read_alone
from storypool.systems.narrative.reading import came_to
from storypool.systems.starwars.dice import FORCE
from storypool.words import Words


def _read(rolled: Sequence[Rolled], words: Words) -> tuple[bool | None, Bag, str]:
    """Whether the dice succeed (None for Force dice alone), their symbols, and those in words."""
    pips = symbols([one for one in rolled if one.die == "force"], [FORCE])
    force = words.say("force.result", light=pips["light"], dark=pips["dark"])
    others = [one for one in rolled if one.die != "force"]
    if rolled and not others:
        return None, pips, force
    passed, net, text = came_to(others, words)
    return passed, net + pips, f"{text} {force}" if pips else text


result = read_alone(
    _read, "starwars", "storypool.systems.narrative.reading", "storypool.systems.starwars"
)
