"""The dice of this game and their symbols: the part that rolls and odds need."""

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.systems.narrative import symbol_dice

_FACES = ("D", "D", "D", "D", "D", "D", "DD", "L", "L", "LL", "LL", "LL")
FORCE = Die("force", tuple(Bag(light=face.count("L"), dark=face.count("D")) for face in _FACES))

DICE = (*symbol_dice.DICE[:3], FORCE, *symbol_dice.DICE[3:])
AXES = Axes(
    {**symbol_dice.AXES.moves, "light": Bag(light=1), "dark": Bag(dark=1)}, symbol_dice.AXES.below
)
NOTATION = symbol_dice.notation(force=True)
