"""The dice of this game and what they come to: all that rolling and odds need, without the
moves.
"""

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.systems.narrative import dice

_FACES = ("D", "D", "D", "D", "D", "D", "DD", "L", "L", "LL", "LL", "LL")
FORCE = Die("force", tuple(Bag(light=face.count("L"), dark=face.count("D")) for face in _FACES))

DICE = (*dice.DICE[:3], FORCE, *dice.DICE[3:])
AXES = Axes({**dice.AXES.moves, "light": Bag(light=1), "dark": Bag(dark=1)}, dice.AXES.below)
NOTATION = dice.notation(force=True)
