"""The dice of this game and what they come to: all that rolling and odds need, without the
moves.
"""

from storypool.systems.narrative import symbol_dice

DICE, AXES = symbol_dice.DICE, symbol_dice.AXES
NOTATION = symbol_dice.notation(force=False)
