"""Odds of this game's pools; `Refused` for an unknown term, and for too many dice."""

from functools import partial

from storypool.systems.genesys.dice import AXES, DICE
from storypool.systems.narrative import symbol_odds

reckon = partial(symbol_odds.reckoned, "genesys", dice=DICE, axes=AXES)
