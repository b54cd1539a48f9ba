"""The dice of this game and their symbols: the part that rolls and odds need."""

from storypool.systems.narrative import symbol_dice

DICE, AXES = symbol_dice.DICE, symbol_dice.AXES
NOTATION = symbol_dice.notation(force=False)
