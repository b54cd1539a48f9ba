"""The dice of this game and what they come to: all that rolling and odds need, without the
moves.
"""

from storypool.systems.narrative import dice

DICE, AXES = dice.DICE, dice.AXES
NOTATION = dice.notation(force=False)
