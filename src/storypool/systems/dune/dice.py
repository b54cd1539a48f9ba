"""The dice of this game and their results: all that rolling and odds need, without the moves."""

from storypool.systems.twod20 import dice

DICE, AXES, NOTATION = dice.DICE, dice.AXES, dice.NOTATION
